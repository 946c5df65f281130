"""Pages of boards: practice, its history, live finals, commitments, published pages.

A viewer sees the board of their audience. Data that only members may see gives others a 404.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response

from tourney.portal import boards, jobs
from tourney.portal.accounts import course_of
from tourney.portal.boards import Audience, Entry, Place, PortalRun, StoredBoard, entries
from tourney.portal.class_overview import coming_finals, final_words, place_in
from tourney.portal.guesses import source_of
from tourney.portal.web.live import Watcher, line_of, stream_of
from tourney.portal.web.pages import (
    Page,
    RequestContext,
    Section,
    Site,
    final_of,
    section_of,
    zone_of,
)
from tourney.standings.board_columns import narrow_columns
from tourney.standings.place_chart import PlaceLine, place_chart
from tourney.standings.standing import is_in

ALL_COLUMNS = "columns"
"""The query parameter that requests all columns on a narrow screen."""
SCORES = (
    "finish",
    "adjusted_profit",
    "mean_final_bankroll",
    "mean_points",
    "mean_place",
    "final_bankroll",
    "profit_per_round",
)
"""Columns that decide the places; the first of them on a board decides there."""
MOST_KEPT = 32
"""Size of the cache of rendered boards."""


async def practice(context: RequestContext) -> Response:
    """Show the practice board."""
    return _page(context, practice_run(context), "course", is_practice=True)


async def finals(context: RequestContext) -> Response:
    """List the finals of a course."""
    found = boards.runs_of(context.database, context.course.id, "final")
    coming = coming_finals(context.database, context.course.id)
    pages = pages_of(context) if context.role == "lecturer" else {}
    unwritten = {run for run, job in pages.items() if job.fault}
    return context.page(
        "finals.html",
        finals=[(run, final_words(context.database, run, context.player)) for run in found],
        waiting=[each for each in coming if context.is_staff or not each.is_over],
        unwritten=unwritten,
    )


async def final(context: RequestContext, audience: Audience | None = None) -> Response:
    """Show the board of a final for an audience; by default for that of the viewer."""
    return _page(context, _run(context), audience or _audience(context))


async def board_json(context: RequestContext) -> Response:
    """Give a board to programs as stored, with its version for the audience as ETag."""
    run, audience = _run(context), _audience(context)
    board = boards.board_of(context.database, run.id, audience)
    headers = {
        "etag": f'"{audience[0]}{board.version if board else 0}"',
        "cache-control": "no-cache",
        "vary": "Cookie",
    }
    if context.request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    return Response(board.shown if board else "{}", 200, headers, "application/json")


async def board_me(context: RequestContext) -> Response:
    """Give a program the viewer's own revealed row, and the pseudonym that marks it."""
    row, pseudonym = _own(context, _run(context))
    return JSONResponse({"row": row, "pseudonym": pseudonym})


async def final_answer(context: RequestContext) -> Response:
    """Give the student's own feedback on a final, once it exists."""
    page = _answer(context, _run(context))
    if page is None:
        raise HTTPException(404)
    return HTMLResponse(page, headers={"cache-control": "no-store"})


async def commitments(context: RequestContext) -> Response:
    """Show the fairness proof, which is public."""
    told = boards.committed(context.database, context.course.id)
    return context.page("commitments.html", commitments=told)


async def site(context: RequestContext) -> Response:
    """Give a file of the published pages of a run, if the viewer may see its board."""
    run = boards.run_by(context.database, context.course.id, context.request.path_params["run"])
    if run is None or not _may_see(context, run):
        raise HTTPException(404)
    home = context.places.site(context.course.slug, run.id).resolve()
    try:
        path = (home / (context.request.path_params["path"] or "index.html")).resolve()
        is_there = path.is_relative_to(home) and path.is_file()
    except (OSError, ValueError):  # an impossible file name: too long, or with a null byte
        is_there = False
    if not is_there:
        raise HTTPException(404)
    return FileResponse(path, headers={"cache-control": "no-cache"})


def pages_of(context: RequestContext) -> Mapping[int, jobs.Job]:
    """Give the last job that wrote the pages of each final, by the final's number."""
    latest = jobs.of_course(context.database, context.course.id, ["publish"])
    return {int(each.payload["run"]): each for each in reversed(latest)}


def has_site(context: RequestContext, run: PortalRun) -> bool:
    """Give whether the pages of a final are written."""
    return (context.places.site(context.course.slug, run.id) / "index.html").is_file()


def _may_see(context: RequestContext, run: PortalRun) -> bool:
    if run.purpose == "match":
        players = run.settings.get("accounts", [])
        return context.session is not None and context.account.id in players
    return context.role is not None or (run.purpose == "final" and run.is_public)


def practice_run(context: RequestContext) -> PortalRun | None:
    """Give the latest practice run of the course; `None` before the first."""
    return next(iter(boards.runs_of(context.database, context.course.id, "practice")), None)


def _run(context: RequestContext) -> PortalRun:
    """Give the final or the practice run of the address, if the viewer may see it."""
    is_final = "run" in context.request.path_params
    run = final_of(context) if is_final else practice_run(context)
    if run is None or not _may_see(context, run):
        raise HTTPException(404)
    return run


def _audience(context: RequestContext) -> Audience:
    return "course" if context.role else "public"


@dataclass(frozen=True, slots=True)
class View:
    """A board with the rendered parts of its page, the same for the whole audience."""

    board: StoredBoard
    told: Mapping[str, Any]
    head: Markup
    rows: Markup
    state: Markup


@dataclass(slots=True)
class Views:
    """A cache of the latest boards, each rendered once per edition."""

    site: Site
    _kept: OrderedDict[tuple[int, Audience], View] = field(default_factory=OrderedDict)

    def of(self, run: PortalRun, audience: Audience) -> View | None:
        """Give a board; `None` before the first."""
        key = run.id, audience
        kept = self._kept.pop(key, None)
        if kept is None or kept.board.edition != boards.edition_of(self.site.database, *key):
            board = boards.board_of(self.site.database, *key)
            kept = self._render(board, run) if board else None
        if kept:
            self._kept[key] = kept
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return kept

    def _render(self, board: StoredBoard, run: PortalRun) -> View:
        content = laid_out(boards.content_of(board))
        zone = str(course_of(self.site.database, run.course).told.get("time_zone") or "")
        state = _state(self.site, content, zone, is_practice=run.purpose == "practice")
        head, rows = (
            self.site.part(f"board-{part}.html", board=content) for part in ("head", "rows")
        )
        return View(board, content, head, rows, state)


def laid_out(content: Mapping[str, Any]) -> dict[str, Any]:
    """Give a stored board with the classes of its columns, and the name of each row's entrant.

    The cell of an entrant has the name as its value; its text also has the groups.
    """
    columns = content.get("columns", [])
    names = [column["name"] for column in columns]
    key, narrow, shown = key_columns(names), narrow_columns(names), []
    for at, column in enumerate(columns):
        kind = "n" if column["is_number"] else "who" if column["name"] == "entrant" else ""
        classes = " ".join(filter(None, (kind, "" if at in narrow else "more")))
        shown.append({**column, "classes": classes, "is_key": at in key})
    who = names.index("entrant") if "entrant" in names else None
    return {
        **content,
        "columns": shown,
        "rows": [
            {**row, "entrant": "" if who is None else row["cells"][who]["value"]}
            for row in content.get("rows", [])
        ],
    }


def key_columns(names: Sequence[str]) -> tuple[int, ...]:
    """Give the positions of the figures that sum up a row: place, score and the gap to the next.

    >>> key_columns(["rank", "rank_set", "entrant", "adjusted_profit", "above", "ruin"])
    (0, 3, 4)
    """
    score = next((each for each in SCORES if each in names), "")
    return tuple(at for at, name in enumerate(names) if name in {"rank", score, "above"})


def _marked(rows: Markup, name: str) -> Markup:
    """Mark the row of an entrant in the rows of a board; without a name, no row."""
    if not name:
        return rows
    tag = Markup('<tr data-entrant="{}"').format(name)
    return Markup(str(rows).replace(tag, f'{tag} class="own" aria-current="true"'))  # noqa: S704 - escaped there


def _state(site: Site, content: Mapping[str, Any], zone: str, *, is_practice: bool) -> Markup:
    known = {"state": "", "until": "", "hidden": 0, "said": [], "rows": [], **content}
    return site.part("board-state.html", board=known, zone=zone, is_practice=is_practice)


def _views(context: RequestContext) -> Views:
    found: Views = context.request.app.state.views
    return found


def _page(
    context: RequestContext, run: PortalRun | None, audience: Audience, *, is_practice: bool = False
) -> Response:
    view = _views(context).of(run, audience) if run else None
    groups = view.told["groups"] if view else ()
    is_chosen = run is not None and (audience == "staff" or (is_practice and context.is_staff))
    section = section_of(context, groups) if is_chosen else None
    columns = view.told["columns"] if view else []
    query = dict(context.request.query_params)
    has_all = query.get(ALL_COLUMNS) == "all"
    me = context.player
    own, pseudonym = _own(context, run) if run else (None, "")
    has_answer = run is not None and _answer(context, run) is not None
    place = place_in(context.database, run, me) if run and has_answer else None
    return context.page(
        "board.html",
        run=run,
        audience=audience,
        is_practice=is_practice,
        groups=groups,
        section=section,
        head=view.head if view else "",
        rows=_marked(_rows_of(context, view, section), pseudonym or me) if view else "",
        me=me,
        pseudonym=pseudonym,
        has_all=has_all,
        more_columns=any("more" in each["classes"] for each in columns),
        other_columns=f"{context.request.url.path}?"
        + urlencode({**query, ALL_COLUMNS: "few" if has_all else "all"}),
        hints=[(each["title"], each["hint"]) for each in columns if each.get("hint")],
        state=view.state if view else _state(context.site, {}, "", is_practice=is_practice),
        own=_own_figures(context, run, own) if run and own else (),
        has_answer=has_answer,
        place=place if place and place.place.isdecimal() else None,
        has_site=run is not None and has_site(context, run),
    )


def _rows_of(context: RequestContext, view: View, section: Section | None) -> Markup:
    """Give the rows of a section, with their places among all."""
    if section is None or not section.chosen:
        return view.rows
    rows = [row for row in view.told["rows"] if is_in(row["group"], section.chosen)]
    return context.site.part("board-rows.html", board={**view.told, "rows": rows})


def _own(context: RequestContext, run: PortalRun) -> tuple[Sequence[str] | None, str]:
    """Give the viewer's own revealed row, or `None`, and pseudonym on the course's board, or ''."""
    view = _views(context).of(run, "course") if context.player else None
    if view is None:
        return None, ""
    return view.board.own.get(context.player), view.board.pseudonyms.get(context.player, "")


def _own_figures(
    context: RequestContext, run: PortalRun, row: Sequence[str]
) -> list[tuple[str, str]]:
    """Give the figures that sum up the viewer's own revealed row, by the titles of the columns."""
    view = _views(context).of(run, "course")
    columns = view.told["columns"] if view else []
    return [
        (column["title"], text.replace("-", "\N{MINUS SIGN}") if column["is_number"] else text)
        for column, text in zip(columns, row, strict=False)
        if column["is_key"] and text
    ]


def _answer(context: RequestContext, run: PortalRun) -> str | None:
    """Give the viewer's feedback on a final; `None` without one."""
    membership = context.membership
    if not membership or not membership.name:
        return None
    sql = "SELECT person, page FROM answers WHERE run = ? AND name = ?"
    pages: dict[str, str] = dict(context.database.read(iter, sql, (run.id, membership.name)))
    # A team has a page for each member. A single page is the viewer's, under whatever spelling.
    return pages.get(membership.person) or (next(iter(pages.values())) if len(pages) == 1 else None)


async def board_events(context: RequestContext, audience: Audience | None = None) -> Response:
    """Send a board after each change; by default that for the audience of the viewer."""
    run, chosen = _run(context), audience or _audience(context)
    watcher: Watcher = context.request.app.state.watcher
    whose = context.account.id if context.session else source_of(context.address)
    views = _views(context)

    def frame() -> tuple[int, str]:
        view = views.of(run, chosen)
        assert view  # boards are never removed
        return view.board.version, line_of(head=view.head, rows=view.rows, state=view.state)

    def may_read() -> bool:
        known = boards.run_by(context.database, run.course, run.id)
        return known is not None and _may_see(context, known) and context.keeps_role()

    is_packed = "gzip" in context.request.headers.get("accept-encoding", "")
    events = watcher.events(run.id, chosen, frame, whose, may_read=may_read, is_packed=is_packed)
    return stream_of(watcher, whose, events, is_packed=is_packed)


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
    drawn = [f"{datetime.fromisoformat(each.made).astimezone(zone):%d %b %H:%M}" for each in shown]
    lines = _lines(shown, context.player, is_staff=context.is_staff)
    return context.page(
        "practice-history.html",
        caption=CAPTION,
        zone=str(zone),
        shoes=[drawn[at] for at in _new_shoes(shown)],
        leading=LEADING,
        is_cut=bool(shown) and len(shown[-1].places) > LEADING,
        earlier=shown[0].id if len(found) > STEPS else 0,
        is_latest=not before,
        chart=place_chart(drawn, lines),
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
        {name: each for name, each in entry.places.items() if is_staff or each.shown or name == own}
        for entry in shown
    ]
    lines = []
    for number, (name, latest) in enumerate(visible[-1].items()):
        if number < LEADING or name == own:
            track = [places.get(name) for places in visible]
            lines.append(
                PlaceLine(
                    name=name if is_staff or name == own else latest.shown,
                    places=[at.place if at else None for at in track],
                    texts=[_text(at) for at in track],
                    is_own=name == own,
                )
            )
    return lines


def _text(place: Place | None) -> str:
    if place is None:
        return ""
    return f"{'out' if place.place is None else place.place} ({place.score})"


_BOARD, _FINAL = "/c/{course}/board", "/c/{course}/final/{run:int}"
_to_staff = partial(board_events, audience="staff")
PAGES = (
    Page(_BOARD, "practice", "member", practice),
    Page(f"{_BOARD}.json", "practice-json", "member", board_json, is_light=True),
    Page(f"{_BOARD}/events", "practice-events", "member", board_events, is_light=True),
    Page(f"{_BOARD}/me", "practice-me", "member", board_me, is_light=True),
    Page("/c/{course}/finals", "finals", "member", finals),
    Page(_FINAL, "final", "anybody", final),
    Page(f"{_FINAL}/staff", "final-staff", "staff", partial(final, audience="staff")),
    Page(f"{_FINAL}/staff/events", "staff-events", "staff", _to_staff, is_light=True),
    Page(f"{_FINAL}/board.json", "final-json", "anybody", board_json, is_light=True),
    Page(f"{_FINAL}/events", "final-events", "anybody", board_events, is_light=True),
    Page(f"{_FINAL}/me", "final-me", "member", board_me, is_light=True),
    Page(f"{_FINAL}/feedback", "final-answer", "member", final_answer),
    Page("/c/{course}/commitments", "commitments", "anybody", commitments),
    Page("/c/{course}/site/{run:int}/{path:path}", "site", "anybody", site, is_light=True),
    Page(f"{_BOARD}/history", "practice-history", "member", history),
)
