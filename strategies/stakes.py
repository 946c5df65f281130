"""What a seat can wager at most; no strategy of its own.

Leaves out the minimum: a seat that is asked can always place it.
"""

from tourney import Player, TableView


def greatest_wager(player: Player, bankroll: int) -> int:
    """Give the largest wager that neither the bankroll nor the table forbids.

    Away from a table, as in a test of a single player, only the bankroll counts.

    Args:
        player: Whose wager it is.
        bankroll: Chips to wager from.
    """
    table: TableView | None = getattr(player, "table", None)
    return bankroll if table is None else min(bankroll, table.maximum)
