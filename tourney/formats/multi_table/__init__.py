"""The format `multi-table`: many tables that become fewer, until one entrant is left.

The rules are numbered in docs/rules/multi_table.md.
"""

from tourney.formats.base import Schedule
from tourney.formats.field import Field
from tourney.formats.multi_table.options import Options
from tourney.formats.multi_table.schedule import MultiTableSchedule


class MultiTable(Options):
    """Many tables, levels that rise, and everybody plays until it is out of chips."""

    summary = "many tables that become fewer, until one is left"

    def schedule(self, field: Field) -> Schedule:
        """Draw up the tournament of a field."""
        return MultiTableSchedule(self, field)


__all__ = ["MultiTable"]
