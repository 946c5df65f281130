"""The greatest legal wager of a player; a shared helper."""

from tourney import Player, TableView


def greatest_wager(player: Player, bankroll: int) -> int:
    """Return the largest wager that the bankroll and the table allow.

    Without a table, as in a unit test, only the bankroll counts.
    """
    table: TableView | None = getattr(player, "table", None)
    return bankroll if table is None else min(bankroll, table.maximum)
