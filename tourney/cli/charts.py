"""What a command may be given to play: a chart's file or the name of a strategy."""

from pathlib import Path

from tourney.entrants import Registry
from tourney.errors import PluginError, RulesError, TourneyError
from tourney.game.rules import Rules
from tourney.games.blackjack.exact import ExactValue, exact_value
from tourney.games.blackjack.players import Chart, ChartPlayer, Player, load_chart
from tourney.games.blackjack.players.chart_text import ChartNotation
from tourney.games.blackjack.rules import BlackjackRules


def find_competitor(text: str, registry: Registry) -> Chart | Player:
    """Give the chart of a file, or else a player of a registered strategy.

    Args:
        text: The path of a chart's file, or a name; what is registered goes first.
        registry: What names stand for.
    Raises: PluginError, if it is neither; ChartError, with the faults of the chart.
    """
    path = Path(text)
    if text not in registry.strategies and (path.suffix == ChartNotation.suffix or path.is_file()):
        return load_chart(path)
    player = registry.strategy(text).make()
    if not isinstance(player, Player):
        raise PluginError(f"{text}: expected a strategy of blackjack, got one of another game")
    return player


def find_chart(text: str, registry: Registry) -> Chart:
    """Give the chart of a file or of a registered strategy.

    Raises: TourneyError, if it plays by no chart.
    """
    found = find_competitor(text, registry)
    if isinstance(found, Chart):
        return found
    if isinstance(found, ChartPlayer):
        return found.chart
    raise TourneyError(
        f"{text}: expected a chart, got a strategy that plays without one; name a chart's file"
    )


def work_out(text: str, registry: Registry, rules: Rules, minimum: int) -> ExactValue:
    """Work out what a chart or a strategy is worth.

    Args:
        text: A path or a name.
        registry: What names stand for.
        rules: The game.
        minimum: The least wager in chips.
    Raises: TourneyError, if it cannot be worked out.
    """
    return exact_value(blackjack(rules), find_competitor(text, registry), text, minimum=minimum)


def blackjack(rules: Rules) -> BlackjackRules:
    """Give rules as those of blackjack.

    Raises: RulesError, if they are of another game.
    """
    if not isinstance(rules, BlackjackRules):
        raise RulesError(
            f"expected a game of blackjack, which can be worked out exactly; got {rules.game}"
        )
    return rules


def exact_words(found: ExactValue) -> tuple[str, str]:
    """Say what a round is worth, rounded and exactly."""
    return (
        f"mean result per round {float(found.mean):+.15f} minimums, SD {found.sd:.15f}",
        f"exactly {found.mean}",
    )
