"""The rivals of a player at its table, as the table shows them; a shared helper."""

from typing import NamedTuple

from tourney import Player, TableView


class Rival(NamedTuple):
    """Another seat of the table."""

    chips: int  # including its wager
    wager: int  # in this round; 0 if it is not placed or not shown yet

    @property
    def after_win(self) -> int:
        """Chips if it wins its wager once."""
        return self.chips + self.wager


def seen_table(player: Player) -> TableView | None:
    """Return the player's view of its table; `None` without a table, as in a unit test."""
    return getattr(player, "table", None)


def others_at(table: TableView) -> list[Rival]:
    """Return the other seats, sorted by chips, the most first."""
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
    """Return the rival that the player must beat to advance; `None` if all advance.

    At a table where no seat advances, it is the rival with the most chips.

    Args:
        table: The view of the table.
        rivals: The other seats, from `others_at`.
    """
    places = max(1, table.advance)
    return rivals[places - 1] if places <= len(rivals) else None
