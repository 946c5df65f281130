"""What a command may be given to work out: a file in a notation of the game, or a strategy."""

from pathlib import Path

from tourney.errors import PluginError
from tourney.game.players import BasePlayer
from tourney.game.rules import Rules
from tourney.game.solver import Value
from tourney.plugins.registry import Registry
from tourney.research.solve import solver_of


def found_kind(text: str, registry: Registry, rules: Rules) -> type[BasePlayer]:
    """Give the class of players that a file stands for, or else a registered strategy.

    Args:
        text: The path of a file in a notation of the game, such as a chart, or a name; what is
            registered goes first.
        registry: What names stand for.
        rules: Of the game.
    Raises: PluginError, if it is neither or plays another game; ChartError, with the faults of a
        chart.
    """
    path, notations = Path(text), list(rules.game.notations().values())
    if text not in registry.strategies:
        fitting = [each for each in notations if path.suffix == each.suffix]
        if chosen := fitting or (notations if path.is_file() else []):
            return chosen[0].made(chosen[0].text_at(path), str(path))
    found = registry.strategy(text)
    if found.game != rules.game.name:
        raise PluginError(f"{text}: expected a strategy of {rules.game}, got one of another game")
    return found.make


def work_out(text: str, registry: Registry, rules: Rules, minimum: int) -> Value:
    """Work out what a chart or a strategy is worth.

    Args:
        text: A path or a name.
        registry: What names stand for.
        rules: The game.
        minimum: The least wager in chips.
    Raises: TourneyError, if it cannot be worked out.
    """
    solver = solver_of(rules)
    return solver.value(found_kind(text, registry, rules), text, minimum)


def exact_words(found: Value, minimum: int) -> tuple[str, ...]:
    """Say what a round is worth, rounded and, where no digit was lost, exactly.

    Args:
        found: In minimums.
        minimum: In chips; where payouts are rounded to chips, another one is worth something else.
    """
    unit = f"minimums of {minimum}"
    if found.sd is None:
        return (
            f"mean result per round {found.mean:+.12f} {unit}, with a full shoe in every round",
        )
    return (
        f"mean result per round {float(found.mean):+.15f} {unit}, SD {found.sd:.15f}",
        f"exactly {found.mean}",
    )
