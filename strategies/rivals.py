"""Who must be beaten at a table, as its state shows it; no strategy of its own.

Leaves out what others will wager whose turn is still to come.
"""

from typing import NamedTuple

from tourney import Player, TableView


class Rival(NamedTuple):
    """Another seat of the table."""

    chips: int  # behind and wagered
    wager: int  # in this round; 0 if it is not placed, or not shown, yet

    @property
    def after_win(self) -> int:
        """Give what it has if it wins its wager once."""
        return self.chips + self.wager


def seen_table(player: Player) -> TableView | None:
    """Give what a player sees of its table; None away from one, as in a test of a single player."""
    return getattr(player, "table", None)


def others_at(table: TableView) -> list[Rival]:
    """Give the other seats, whoever has most first."""
    seats = zip(table.bankrolls, table.wagers, strict=True)
    return sorted(
        (
            Rival(chips + wager, wager)
            for seat, (chips, wager) in enumerate(seats)
            if seat != table.seat
        ),
        reverse=True,
    )


def to_beat(table: TableView, rivals: list[Rival]) -> Rival | None:
    """Give the rival behind whom nobody goes on; None if all go on.

    Where a table decides nobody's place, whoever has most is to be beaten.

    Args:
        table: As it is seen.
        rivals: The other seats, whoever has most first.
    """
    places = max(1, table.advance)
    return rivals[places - 1] if places <= len(rivals) else None
