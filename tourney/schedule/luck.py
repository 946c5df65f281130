"""Whether the luck of the cards can be taken out of results, and why not where it cannot."""

from tourney.games import Rules
from tourney.games.blackjack.rules import BlackjackRules
from tourney.schedule.formats.base import Format


def why_luck_stays(rules: Rules, options: Format) -> str:
    """Say why luck cannot be taken out; nothing if it can.

    Args:
        rules: The game.
        options: The format.
    """
    if not isinstance(rules, BlackjackRules):
        return (
            f"expected ignore, as nobody has said what the cards of {rules.game} are worth; got "
            "adjust"
        )
    if rules.shuffle != "uniform":
        return (
            "expected ignore, as luck is known only where every order of the shoe is equally "
            f"likely, and shuffle: {rules.shuffle} does not make them so; got adjust; for a "
            "ranking, write shuffle: uniform"
        )
    if not getattr(options, "adjusts_luck", False):
        return (
            f"expected ignore, as in {options.kind} chips decide as they lie; got adjust, which "
            "is for duplicate and independent"
        )
    return ""
