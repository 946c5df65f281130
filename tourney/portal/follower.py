"""The process `follower`: writes the boards of finals and publishes their pages.

Each board follows the visibility policy of its run. While results are sealed, only staff see
changes: for others no row, count, time or version of a board changes. Organisers reveal a finished
run row by row, from the last place up. A thread of this process sends mails (`notifier`).

Feedback is written when results are revealed, so that there is no feedback to request before.
"""

import logging
import shutil
import signal
import time
from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from threading import Event
from typing import Any

from tourney.course.feedback.collection import board_of, gather, site_at
from tourney.course.feedback.pages import as_html
from tourney.course.folder import Submissions
from tourney.course.submission_status import handed_in
from tourney.errors import StoreError, TourneyError
from tourney.plugins.loading import load_plugins
from tourney.portal import boards, jobs, notices
from tourney.portal.accounts import Course, course_of
from tourney.portal.boards import Audience, PortalRun, StoredBoard
from tourney.portal.course_runs import Showing, Shown, progress_lines
from tourney.portal.database import open_database, time_text
from tourney.portal.notifier import address_of, keep_notifying
from tourney.portal.places import Places
from tourney.portal.worker import keep_telling
from tourney.report.publish.collection import Wanted, collect
from tourney.report.redaction import (
    OPEN,
    Policy,
    policy_of,
    pseudonyms_of,
    time_of,
    told,
    told_rows,
)
from tourney.report.site.model import HomeData
from tourney.report.site.site_files import write_site
from tourney.sqlite.database import Database
from tourney.standings.fold import rank
from tourney.standings.standing import FINISH, Standing
from tourney.standings.tallies import Count
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.loading import Tournament, enter_again
from tourney.tournament.stored_standings import standings_of

LOOK_EVERY = 0.5
"""Seconds between two looks, and so between two versions of a board."""
SHARE = 5.0
"""The process uses at most 1/SHARE of a core."""
log = logging.getLogger("tourney.portal")


@dataclass(slots=True)
class _Followed:
    """A final, with the results counted so far."""

    store: Store
    tournament: Tournament
    record: RunRecord
    count: Count
    counted: set[int] = field(default_factory=set)
    changes: int = 0
    seen: tuple[object, ...] = ()


@dataclass(slots=True)
class Follower:
    """Keeps the boards of all finals up to date."""

    places: Places
    database: Database
    followed: dict[int, _Followed] = field(default_factory=dict)

    def look(self) -> None:
        """Write the boards that have changed since the last look."""
        for run in boards.finals(self.database):
            try:
                self._look_at(run)
            except TourneyError:
                log.exception("run %d of the portal cannot be followed", run.id)
                self._forget(run)

    def close(self) -> None:
        """Close all stores."""
        for each in self.followed.values():
            each.store.close()
        self.followed.clear()

    def _forget(self, run: PortalRun) -> None:
        if followed := self.followed.pop(run.id, None):
            followed.store.close()

    def _look_at(self, run: PortalRun) -> None:
        followed = self.followed.get(run.id) or self._follow(run)
        now = _now()
        changes = followed.store.changes
        if changes != followed.changes:
            followed.store.status(run.number)  # the file may have been replaced
            before = followed.record.entrants
            followed.record = followed.store.run(run.number, checks_digest=False)
            if followed.record.entrants != before:  # a person was erased
                followed.tournament = enter_again(followed.record, load_plugins(), plays=False)
            followed.changes = changes
        policy = policy_now(followed.tournament, run)
        is_sealed = policy.seals(time_of(followed.record.finished), now)
        said = jobs.said(self.database, int(run.settings["job"]))
        seen = (changes, run.settings, is_sealed, said)
        if seen != followed.seen:
            self._show_all(run, followed, policy, said, now)
            followed.seen = seen
        if followed.record.status == "finished" and not is_sealed:
            self._have_published(run)

    def _have_published(self, run: PortalRun) -> None:
        """Request the pages of a revealed final and notify the students, once."""
        if run.settings.get("asked"):
            return
        with self.database.transaction():
            boards.change(self.database, run, asked=True)
            jobs.insert(self.database, "publish", {"run": run.id}, course=run.course)
            for account in notices.students(self.database, run.course):
                notices.add(
                    self.database,
                    "reveal",
                    account=account,
                    course=run.course,
                    run=run.id,
                    final=run.title,
                )

    def _show_all(
        self,
        run: PortalRun,
        followed: _Followed,
        policy: Policy,
        said: Sequence[str],
        now: datetime,
    ) -> None:
        standings = _standings(followed)
        known = _withheld(run, followed.tournament)
        staff = Showing.of(followed.tournament, standings, OPEN, followed.record.finished, known)
        others = replace(staff, policy=policy)
        audiences: tuple[Audience, ...] = ("course", "public") if run.is_public else ("course",)
        state = _state(followed, run, said)
        places = len(others.opened().told(now))  # that a reveal shows, one by one
        self._show(run, "staff", staff, {**state, "places": places}, now)
        for audience in audiences:
            self._show(run, audience, others, state, now)
        is_revealing = "revealed" in run.settings and not run.settings.get("opened")
        if is_revealing and followed.record.finished and 0 < places <= run.settings["revealed"]:
            # An exclusion has removed the last hidden row.
            boards.change(self.database, run, opened=time_text(now))

    def _show(
        self, run: PortalRun, audience: Audience, showing: Showing, state: Shown, now: datetime
    ) -> None:
        """Write the board of an audience: all results, the sealed board, or the last rows."""
        own: Mapping[str, Sequence[str]] = showing.own()
        pseudonyms: Mapping[str, str] = {}
        finished = time_of(showing.finished)
        if not showing.policy.seals(finished, now):
            shown = showing.shown(showing.told(now), title=run.title, **state)
            pseudonyms = showing.pseudonyms_at(now)
        elif finished and "revealed" in run.settings:
            shown, own = _revealed(run, showing, int(run.settings["revealed"]), now)
            pseudonyms = showing.opened().pseudonyms_at(now)
        else:
            before = boards.board_of(self.database, run.id, audience)
            shown, own = _sealed(run, showing, before)
            pseudonyms = before.pseudonyms if before else {}
        kept = {name: each for name, each in pseudonyms.items() if name in own}
        boards.show_board(self.database, run.id, audience, shown, own, pseudonyms=kept)

    def _follow(self, run: PortalRun) -> _Followed:
        course = course_of(self.database, run.course)
        store = Store.open(self.places.final_store(course.slug), create=False)
        try:
            record = store.run(run.number, checks_digest=False)
            tournament = enter_again(record, load_plugins(), plays=False)
        except BaseException:
            store.close()
            raise
        count = Count(len(tournament.records), tournament.scoring)
        self.followed[run.id] = _Followed(store, tournament, record, count)
        return self.followed[run.id]


def policy_now(tournament: Tournament, run: PortalRun) -> Policy:
    """Give the policy of a run, with its organiser's later decisions."""
    policy = policy_of(tournament.config.leaderboard)
    return replace(policy, freeze=None, reveal=None) if run.settings.get("opened") else policy


def _withheld(run: PortalRun, tournament: Tournament) -> dict[str, str]:
    """Give pseudonyms by the names of entrants that may not be named any more."""
    chosen, records = run.settings.get("withheld", {}), tournament.records
    return {each.name: chosen[str(each.number)] for each in records if str(each.number) in chosen}


def _standings(followed: _Followed) -> tuple[Standing, ...]:
    """Give the standings so far; results that were counted before are not read again."""
    store, record, tournament = followed.store, followed.record, followed.tournament
    if record.status == "finished" or tournament.measure is FINISH:
        return standings_of(tournament, store, record)
    for number in sorted(store.batch_numbers(record.number) - followed.counted):
        for result in store.batch_results(record.number, number) or ():
            followed.count.take(result)
        followed.counted.add(number)
    how = (tournament.labels, tournament.scoring)
    return rank(followed.count.tallies, *how, orders=followed.count.orders, says_how_sure=False)


def _state(followed: _Followed, run: PortalRun, said: Sequence[str]) -> Shown:
    """Describe the progress of a run, with the time left that its job has said last."""
    if followed.record.status == "finished":
        return {"state": "over", "said": []}
    there = len(followed.counted)
    expected = next(
        each.expected_batches
        for each in followed.store.runs()
        if each.number == followed.record.number
    )
    far = progress_lines(there, expected, None) if there else ()
    if run.is_stopped:
        return {"state": "stopped", "said": far}
    return {"state": "playing" if there else "ready", "said": [*far, *said[1:]]}


def _sealed(
    run: PortalRun, showing: Showing, before: StoredBoard | None
) -> tuple[Shown, Mapping[str, Sequence[str]]]:
    """Give the board from before the freeze, marked as sealed.

    Entrants that were excluded since then are not on it, unless their row has neither a name nor a
    pseudonym. Put back, they are on the board again when it is revealed.
    """
    kept, known = boards.content_of(before), showing.withheld
    until = showing.policy.reveal.isoformat() if showing.policy.reveal else ""
    board = {name: kept.get(name, []) for name in ("columns", "rows", "groups")}
    excluded = frozenset(run.settings.get("excluded", {}).values())
    called = {(showing.pseudonyms or {}).get(name, name) for name in excluded}
    at = next((at for at, each in enumerate(board["columns"]) if each["name"] == "entrant"), None)
    board["rows"] = [
        _nameless_cells(row, known)
        for row in board["rows"]
        if at is None or row["cells"][at]["value"] not in excluded | called
    ]
    shown = {"title": run.title, "state": "sealed", "until": until, "said": [], **board}
    own = before.own if before else {}
    hidden = excluded | known.keys()
    return shown, {name: row for name, row in own.items() if name not in hidden}


def _nameless_cells(row: dict[str, Any], known: Mapping[str, str]) -> dict[str, Any]:
    """Give a stored row with a pseudonym if its person was erased after the freeze."""
    if not any(cell["value"] in known for cell in row["cells"]):
        return row
    cells = [
        dict.fromkeys(cell, known[cell["value"]]) if cell["value"] in known else cell
        for cell in row["cells"]
    ]
    return {**row, "cells": cells, "group": ""}


def _revealed(
    run: PortalRun, showing: Showing, revealed: int, now: datetime
) -> tuple[Shown, Mapping[str, Sequence[str]]]:
    """Give the last rows of a board; students with a hidden row do not see their own."""
    opened = showing.opened()
    hidden = max(0, len(opened.told(now)) - revealed)
    standings = list(showing.standings)
    if 0 < hidden < len(standings):  # the gap to the row above would reveal the next result
        standings[hidden] = replace(
            standings[hidden], above=None, above_half_width=None, relation=""
        )
    opened = replace(opened, standings=standings)
    state = "revealing" if hidden else "over"
    rows = opened.told(now)[hidden:]
    shown = showing.shown(rows, title=run.title, state=state, hidden=hidden, said=[])
    last = {row.name for row in standings[hidden:]}
    return shown, {name: row for name, row in opened.own().items() if name in last}


def _now() -> datetime:
    return datetime.now(UTC)


def main(places: Places, arguments: Namespace) -> None:
    """Follow the finals until a signal ends the process."""
    leaving = Event()
    signal.signal(signal.SIGTERM, lambda *_: leaving.set())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the supervisor handles Ctrl-C
    keep_telling(places, arguments.role)
    keep_notifying(places, address_of(arguments), leaving)
    with closing(open_database(places)) as database, closing(Follower(places, database)) as all_of:
        while not leaving.is_set():
            begun = time.process_time()
            try:
                all_of.look()
            except StoreError:  # a fault of the portal, such as a full disk or a long write
                log.exception("no board could be written")
            leaving.wait(max(LOOK_EVERY, SHARE * (time.process_time() - begun)))


def publish(places: Places, course: Course, store: Store, noted: PortalRun, wanted: Wanted) -> None:
    """Write the pages of a run, replacing all earlier pages in one step."""
    record = store.run(noted.number)
    tournament = enter_again(record, load_plugins())
    data = collect(tournament, store, record, load_plugins(), wanted=wanted)
    known = pseudonyms_of(tournament.records)
    withheld = _withheld(noted, tournament)
    shown = told(policy_now(tournament, noted), data, datetime.now(UTC), known, withheld)
    place = places.site(course.slug, noted.id)
    new = place.with_name(f".new-{noted.id}")
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(new, ignore_errors=True)
    home = HomeData(address=f"/c/{course.slug}", title=course.title)
    write_site(shown.model_copy(update={"home": home}), new)
    if place.is_dir():
        shutil.rmtree(place)
    new.rename(place)


SHEET = "/style/site.css"
"""The style sheet of feedback pages, served by the portal; its policy forbids inline styles."""


def answer_everybody(
    places: Places, database: Database, course: Course, store: Store, noted: PortalRun
) -> None:
    """Write the feedback of all students, if results are revealed; earlier feedback is replaced."""
    record = store.run(noted.number)
    tournament, now = enter_again(record, load_plugins(), plays=False), datetime.now(UTC)
    policy = policy_now(tournament, noted)
    if record.status != "finished" or policy.seals(time_of(record.finished), now):
        return
    rows = standings_of(tournament, store, record)
    shown = told_rows(policy, rows, record.finished, now, pseudonyms_of(tournament.records))
    withheld = _withheld(noted, tournament)
    called = [withheld.get(row.name, row.name) for row in shown]
    board = board_of(tournament, store, record, load_plugins(), called=called, withheld="")
    folder = places.site(course.slug, noted.id)
    site = site_at(folder, record, folder, f"/c/{course.slug}/site/{noted.id}")
    everybody, _ = handed_in(Submissions(places.course(course.slug)))
    pages = [
        (noted.id, name, person.person, as_html(each, record.name, SHEET, site.links))
        for each in gather(board, everybody, site)
        for person in (each.handed_in.person,)
        for name in person.names
    ]
    with database.transaction():
        database.execute("DELETE FROM answers WHERE run = ?", (noted.id,))
        for page in pages:
            database.execute("INSERT INTO answers VALUES (?, ?, ?, ?)", page)
