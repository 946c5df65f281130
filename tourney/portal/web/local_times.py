"""Times as people of a course type and read them: a date, a time of day, and a time zone."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from tourney.errors import PortalError
from tourney.portal.web.pages import RequestContext

END_OF_DAY = "23:59"
"""Default time of day of a deadline."""
PASSED = "has already passed"
"""Words of the question whether a past time is meant; the form then shows a box to confirm it."""
PAST = "past"
"""Name of that box."""


@cache
def zone_names() -> frozenset[str]:
    """Give the names of all time zones."""
    return frozenset(available_timezones())


def offered_zones() -> list[str]:
    """Give the names of time zones that a form offers: those of places, and UTC."""
    return sorted(each for each in zone_names() if "/" in each or each == "UTC")


def zone_called(name: str) -> tzinfo:
    """Give a time zone; UTC for an empty name.

    Raises: PortalError, if there is no such zone.
    """
    if name and name not in zone_names():
        raise PortalError(
            f"time zone: there is no zone {name[:40]!r}; choose one of the list, such as "
            "America/New_York"
        )
    return ZoneInfo(name) if name else UTC


def zone_of(told: Mapping[str, object]) -> tzinfo:
    """Give the time zone of a course; UTC if it names none."""
    return zone_called(str(told.get("time_zone") or ""))


def parts_of(text: str | None, zone: tzinfo) -> tuple[str, str]:
    """Give an ISO time as a date and a time of day, as forms hold them.

    >>> parts_of("2026-12-01T23:59:00+01:00", UTC), parts_of(None, UTC)
    (('2026-12-01', '22:59'), ('', '23:59'))
    """
    if not text:
        return "", END_OF_DAY
    local = datetime.fromisoformat(text).astimezone(zone).replace(tzinfo=None)
    return local.date().isoformat(), local.time().isoformat("minutes")


def local_words(text: str, zone: tzinfo) -> str:
    """Give an ISO time in words, with the name of the zone.

    >>> local_words("2026-12-01T23:59:00+01:00", ZoneInfo("America/New_York"))
    '2026-12-01 17:59 (America/New_York)'
    """
    return f"{' '.join(parts_of(text, zone))} ({zone})"


async def time_in(context: RequestContext, label: str, zone: tzinfo) -> datetime | None:
    """Read the fields `date` and `time` of a form; `None` if the date is empty.

    Args:
        context: The request.
        label: Of the fields, for messages.
        zone: Zone of the times. Of an hour that its clock repeats, the second counts.
    Raises: PortalError, if it is no time, or it has passed and the form does not confirm that.
    """
    day = (await context.field("date")).strip()
    clock = (await context.field("time")).strip() or END_OF_DAY
    if not day:
        return None
    try:
        local = datetime.combine(date.fromisoformat(day), time.fromisoformat(clock))
        both = [local.replace(tzinfo=zone, fold=fold) for fold in (0, 1)]
        found = max(both, key=lambda each: each.astimezone(UTC))
        shown = local_words(found.isoformat(), zone)
    except (ValueError, OverflowError):
        raise PortalError(
            f"{label}: enter a date such as 2026-12-01 and a time such as {END_OF_DAY}"
        ) from None
    if found < datetime.now(UTC) and not await context.field(PAST):
        raise PortalError(
            f"{label}: {shown} {PASSED}. Enter a later time, or confirm below that you mean it"
        )
    return found
