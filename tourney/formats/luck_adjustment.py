"""Whether the luck of the cards can be taken out of results, and why not where it cannot."""

from tourney.config.model import FormatConfig
from tourney.game.rules import Rules

MOST_BANKROLL = 10_000_000
"""In chips, for luck to be followed by default: beyond 2**31 of them its sum would wrap."""


def why_luck_stays(rules: Rules, chosen: FormatConfig) -> str:
    """Say why luck cannot be taken out; nothing if it can.

    Args:
        rules: The game.
        chosen: The format.
    """
    if reason := rules.game.why_luck_stays(rules):
        return reason
    if not chosen.options.adjusts_luck:
        return f"in {chosen.kind} chips decide as they lie"
    return ""


def why_luck_is_left(
    rules: Rules, chosen: FormatConfig, bankroll: int, *, setting: bool | None
) -> str:
    """Say why luck is left in the results of a run; nothing if it is taken out.

    Args:
        rules: The game.
        chosen: The format.
        bankroll: At the start, in chips.
        setting: Whether the configuration asks for it; None if it does not say.
    """
    if setting is False:
        return "the configuration says luck_adjustment: false"
    if setting:
        return ""
    reason = why_luck_stays(rules, chosen)
    if not reason and bankroll > MOST_BANKROLL:
        return (
            f"its sum is sure to have room for bankrolls of up to {MOST_BANKROLL:,} chips only, "
            f"and these are of {bankroll:,}"
        )
    return reason
