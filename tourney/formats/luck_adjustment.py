"""Whether results can be adjusted for the luck of the cards, and the reason if not."""

from tourney.config.model import FormatConfig
from tourney.game.rules import Rules

MOST_BANKROLL = 10_000_000
"""In chips, for luck to be recorded by default: the sum would overflow beyond 2**31."""


def why_luck_stays(rules: Rules, chosen: FormatConfig) -> str:
    """Return the reason why luck cannot be removed from results; empty if it can."""
    if reason := rules.game.why_luck_stays(rules):
        return reason
    if not chosen.options.adjusts_luck:
        return f"in {chosen.kind} the actual chips decide"
    return ""


def why_luck_is_left(
    rules: Rules, chosen: FormatConfig, bankroll: int, *, setting: bool | None
) -> str:
    """Return the reason why a run keeps luck in its results; empty if it removes luck.

    Args:
        rules: The game.
        chosen: The format.
        bankroll: At the start, in chips.
        setting: Whether the configuration requests it; `None` if not set.
    """
    if setting is False:
        return "luck_adjustment is false in the configuration"
    if setting:
        return ""
    reason = why_luck_stays(rules, chosen)
    if not reason and bankroll > MOST_BANKROLL:
        return (
            f"its sum might overflow with a bankroll of {bankroll:,} chips, more than "
            f"{MOST_BANKROLL:,}"
        )
    return reason
