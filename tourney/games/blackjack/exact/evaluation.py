"""Which way a game is worked out, and what cannot be worked out at all."""

from tourney.errors import RulesError
from tourney.games.blackjack.exact.finite.solution import FiniteValue, check_finite, finite_value
from tourney.games.blackjack.exact.fresh import fresh_value
from tourney.games.blackjack.exact.infinite import infinite_value
from tourney.games.blackjack.exact.policy import ChartPolicy, PlayerPolicy, Policy
from tourney.games.blackjack.exact.value import ExactValue
from tourney.games.blackjack.players import ActPlayer, Chart, ChartPlayer, Player
from tourney.games.blackjack.rules import BlackjackRules


def exact_value(
    rules: BlackjackRules, competitor: Chart | Player, name: str, *, minimum: int = 1
) -> ExactValue | FiniteValue:
    """Work out what a competitor is worth per round, alone and with a bankroll without end.

    Args:
        rules: The game; with a shoe that ends, a full one in every round.
        competitor: A chart, or a player who wagers the minimum and watches no cards.
        name: What messages call it.
        minimum: The least wager in chips; where payouts are rounded, it matters.
    Raises: RulesError, if this cannot be worked out; CompetitorFailedError, if the player breaks
        its contract.

    >>> from tourney.games.blackjack.rules import EASYBJ
    >>> from tourney.games.blackjack.action import Action
    >>> from tourney.games.blackjack.players.chart import always
    >>> float(exact_value(EASYBJ, always(Action.STAND), "stands").mean)
    -0.15784767628991145
    """
    check_rules(rules)
    policy = policy_of(competitor, name)
    if isinstance(policy, PlayerPolicy):
        policy.check_wagers(rules, minimum)
    if rules.decks == "infinite":
        return infinite_value(rules, policy, minimum)
    if rules.is_hit_or_stand and rules.deals_fresh:
        return fresh_value(rules, policy, minimum)
    if isinstance(policy, PlayerPolicy):
        policy.check_plain(rules)
    elif isinstance(policy, ChartPolicy) and (problem := policy.chart.misfit(rules)):
        raise RulesError(f"{policy.chart.source}: {problem}")
    return finite_value(rules, policy, minimum=minimum)


def policy_of(competitor: Chart | Player, name: str) -> Policy:
    """Give a competitor as a function that can be asked.

    Raises: RulesError, if it watches cards.
    """
    if isinstance(competitor, Chart):
        return ChartPolicy(competitor)
    kind = type(competitor)
    if isinstance(competitor, ChartPlayer) and _only_reads(kind):
        return ChartPolicy(competitor.chart)
    return PlayerPolicy(competitor, name)


def _only_reads(kind: type[Player]) -> bool:
    """Say whether a class of charts leaves all decisions to its chart."""
    whole = {"act": ChartPlayer.act, "draw": ActPlayer.draw, "bet": ActPlayer.bet}
    watching = {"expose": Player.expose, "shuffled": Player.shuffled}
    return all(getattr(kind, name) is method for name, method in (whole | watching).items())


def check_rules(rules: BlackjackRules) -> None:
    """Refuse a game that cannot be worked out.

    Raises: RulesError, with every setting that is in the way.
    """
    if rules.decks != "infinite":
        check_finite(rules, "an exact value")
