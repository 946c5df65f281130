"""The page with the history of the practice board: places over time, as a chart and a table."""

from datetime import datetime
from itertools import pairwise

from starlette.responses import Response

from tourney.portal.board_history import Entry, Place, entries
from tourney.portal.web.local_times import zone_of
from tourney.portal.web.pages import Page, RequestContext
from tourney.standings.place_chart import PlaceLine, place_chart

STEPS = 24
"""Entries of a page."""
LEADING = 20
"""Entrants of a page, by the latest entry; the viewer's own is added."""
CAPTION = "Places on the practice board by time"


async def history(context: RequestContext) -> Response:
    """Show the places of the leading entrants, and of the viewer, over time."""
    before = context.query_number("before")
    found = entries(context.database, context.course.id, before, STEPS + 1)
    shown = found[-STEPS:]
    zone = zone_of(context.course.told)
    labels = [datetime.fromisoformat(each.made).astimezone(zone) for each in shown]
    drawn = [f"{each:%d %b %H:%M}" for each in labels]
    membership = context.account.memberships[context.course.id]
    lines = _lines(shown, membership.name, is_staff=context.is_staff)
    chart = place_chart(drawn, lines)
    return context.page(
        "practice-history.html",
        caption=CAPTION,
        zone=str(zone),
        shoes=[drawn[at] for at in _new_shoes(shown)],
        leading=LEADING,
        is_cut=bool(shown) and len(shown[-1].places) > LEADING,
        earlier=shown[0].id if len(found) > STEPS else 0,
        is_latest=not before,
        chart=chart,
    )


def _new_shoes(shown: tuple[Entry, ...]) -> list[int]:
    """Give the entries with other shoes than the entry before."""
    pairs = pairwise(shown)
    return [at for at, (one, other) in enumerate(pairs, start=1) if one.run != other.run]


def _lines(shown: tuple[Entry, ...], own: str, *, is_staff: bool) -> list[PlaceLine]:
    """Give the lines of the entrants of the latest entry that the viewer may follow."""
    if not shown:
        return []
    visible = [
        each
        for each in shown[-1].places.values()
        if is_staff or each.shown or (own and each.name == own)
    ]
    return [
        PlaceLine(
            name=each.name if is_staff or each.name == own else each.shown,
            places=[at.place if at else None for at in _track(shown, each, own, is_staff=is_staff)],
            texts=[_text(at) for at in _track(shown, each, own, is_staff=is_staff)],
            is_own=bool(own) and each.name == own,
        )
        for number, each in enumerate(visible)
        if number < LEADING or each.name == own
    ]


def _track(
    shown: tuple[Entry, ...], latest: Place, own: str, *, is_staff: bool
) -> list[Place | None]:
    """Give the places of an entrant in all entries, where the viewer may see them."""
    found = [each.places.get(latest.name) for each in shown]
    if is_staff or latest.name == own:
        return found
    return [each if each and each.shown else None for each in found]


def _text(place: Place | None) -> str:
    if place is None:
        return ""
    return f"{'out' if place.place is None else place.place} ({place.score})"


PAGES = (Page("/c/{course}/board/history", "practice-history", "member", history),)
