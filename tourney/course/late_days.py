"""Late days: the days after a deadline, as clocks of the class count them.

It needs no library, so that the web process of a portal can use it.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

A_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Deadline:
    """A deadline and the days after it."""

    time: datetime  # with its offset
    grace_minutes: int = 0  # after the deadline, and after each late day, that do not count
    time_zone: tzinfo | None = None  # of the class; None for the offset of the deadline

    def late_days_at(self, time: datetime) -> int:
        """Count the days after the deadline, begun ones included.

        >>> noon = Deadline(datetime.fromisoformat("2026-12-01T12:00Z"), grace_minutes=10)
        >>> [noon.late_days_at(datetime(2026, 12, 1, 12, at, tzinfo=UTC)) for at in (10, 11)]
        [0, 1]
        """
        counted = time.astimezone(UTC) - timedelta(minutes=self.grace_minutes)
        # Days of 23 and 25 hours are never more than one day wrong.
        days = max(0, (counted - self.time) // A_DAY - 1)
        while counted > self.end_of(days):
            days += 1
        return days

    def end_of(self, days: int) -> datetime:
        """Return the time at which local clocks show the deadline, some days later."""
        zone: tzinfo | None = self.time_zone or self.time.tzinfo
        return last_of(self.time.astimezone(zone) + days * A_DAY, zone).astimezone(UTC)

    def closes(self, late_days: int) -> datetime:
        """Return the latest time that at most this many late days allow, with the grace period."""
        return self.end_of(late_days) + timedelta(minutes=self.grace_minutes)


def last_of(local: datetime, zone: tzinfo | None) -> datetime:
    """Return the last time at which a clock of the zone shows a local time.

    In an hour that the clock repeats, this is the second time; a skipped hour counts as the next.

    >>> from zoneinfo import ZoneInfo
    >>> last_of(datetime(2026, 11, 1, 1, 30), ZoneInfo("America/New_York")).isoformat()
    '2026-11-01T01:30:00-05:00'
    """
    both = (local.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    return max(both, key=lambda each: each.astimezone(UTC))
