"""The format `multi-table`: many tables that are merged until one entrant is left.

docs/rules/multi_table.md numbers the rules.
"""

from tourney.formats.base import Schedule
from tourney.formats.field import Field
from tourney.formats.multi_table.options import Options
from tourney.formats.multi_table.schedule import MultiTableSchedule


class MultiTable(Options):
    """Many tables and rising levels; each entrant plays until it has no chips."""

    summary = "many tables that become fewer, until one is left"

    def schedule(self, field: Field) -> Schedule:
        """Create the schedule of a field."""
        return MultiTableSchedule(self, field)


__all__ = ["MultiTable"]
