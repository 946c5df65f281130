"""The name of a block within its run: where and when at the tournament it is played."""

from typing import NamedTuple


class BlockKey(NamedTuple):
    """Which block of a run; results are stored once under it."""

    stage: int  # level of the tournament, from 0
    heat: int  # within the stage, from 0
    table: int  # from 0; equal tables of a heat deal equal shoes
    seating: int  # who sits there; formats number their seatings
    first_round: int  # of the heat, from 1

    def __str__(self) -> str:
        """Name the place as people say it, from 1.

        >>> str(BlockKey(0, 0, 11, 2, 1))
        'stage 1, heat 1, table 12, seating 3, round 1'
        """
        return (
            f"stage {self.stage + 1}, heat {self.heat + 1}, table {self.table + 1}, "
            f"seating {self.seating + 1}, round {self.first_round}"
        )
