"""Sealed means that nothing ticks: what others are sent does not hang on what is sealed."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tourney.game.ledger import BlockKey, BlockResult, SeatResult
from tourney.portal import boards
from tourney.portal.boards import PortalRun
from tourney.portal.database import open_database, time_text
from tourney.portal.follower import Follower
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.loading import enter, run_record

from .portals import Portal, make_portal

FREEZE = datetime(2026, 5, 1, 12, tzinfo=UTC)
CONFIG = """\
name: Cup
game: ve280
bankroll: 1000
minimum: 5
format: {kind: duplicate, tables: 40, rounds: 10}
entrants:
  - {strategy: simple, as: Student}
  - {strategy: counting, as: Mate}
leaderboard: {freeze: 2026-05-01T12:00}
"""

Finals = list[int]
"""What is left of 1000 chips, table by table and entrant by entrant."""
Sealed = tuple[list[Finals], bool]
"""What comes in between one look and the next, and whether the run is over then."""

chips = st.integers(0, 3000)
sealed = st.tuples(st.lists(st.lists(chips, min_size=1, max_size=4), max_size=4), st.booleans())


class Course:
    """A course with a final whose results a test makes up."""

    def __init__(self, portal: Portal, record: RunRecord) -> None:
        """Write the run down as the runner does."""
        self.portal = portal
        portal.places.course("cards").mkdir(parents=True)
        self.store = Store.open(portal.places.final_store("cards"))
        self.record = self.store.create_run(record)
        self._batches = count()
        wanted = {"audience": "public", "job": 1}
        self.run: PortalRun = boards.note_run(
            portal.database, portal.courses["cards"], "final", 1, "Cup", settings=wanted
        )
        self.follower = Follower(portal.places, open_database(portal.places))

    def close(self) -> None:
        """Let go of all files."""
        self.follower.close()
        self.follower.database.close()
        self.store.close()

    def take(self, finals: Finals) -> None:
        """Have results come in, a batch each."""
        for final in finals:
            number = next(self._batches)
            entrant, table = number % 2, number // 2
            seat = SeatResult(0, entrant, 1000, final, 0, 3000, 10, None, 50, 99, number)
            block = BlockResult(BlockKey(0, 0, table, entrant, 1), 10, 1, 99, (seat,))
            self.store.add_batch(1, 0, number, (block,), 0.0, "a test")

    def end(self) -> None:
        """Have the run be over."""
        over = time_text(FREEZE + timedelta(minutes=5))
        self.store.finish_run(1, "finished", over)
        boards.finish_run(self.portal.database, self.run)

    def answers(self, who: str) -> list[tuple[int, bytes, list[tuple[str, str]]]]:
        """Give all that somebody is sent."""
        browser = self.portal.browser(who)
        home = f"/c/cards/final/{self.run.id}"
        paths = [home, f"{home}/board.json", "/c/cards/commitments"]
        if who:
            paths += [f"{home}/me", "/c/cards/finals", "/c/cards"]
        got = [browser.get(path) for path in paths]
        stream = browser.begin(f"{home}/events")
        return [(each.status_code, each.content, each.headers.multi_items()) for each in got] + [
            (stream.status_code, stream.content, [])
        ]


@contextmanager
def course(record: RunRecord, runner: asyncio.Runner) -> Iterator[Course]:
    """Make a portal with the course in it."""
    with TemporaryDirectory() as folder:
        portal = make_portal(Path(folder) / "portal", runner)
        with closing(portal.database), closing(Course(portal, record)) as made:
            yield made
            portal.app.state.site.database.close()


@pytest.fixture
def record(tmp_path: Path) -> RunRecord:
    """Give a run that nobody plays."""
    from tourney.plugins.loading import load_plugins

    config = tmp_path / "cup.yaml"
    config.write_text(CONFIG, encoding="utf-8")
    made = run_record(enter(config, load_plugins()))
    return replace(made, settings=tuple((k, v) for k, v in made.settings if k != "luck"))


several = st.lists(sealed, max_size=3)


@pytest.mark.prove
@given(before=st.lists(chips, max_size=6), one=several, other=several)
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_courses_that_differ_in_what_is_sealed_send_the_same(
    record: RunRecord, before: Finals, one: list[Sealed], other: list[Sealed]
) -> None:
    """To anybody and to students, in every byte and header, whatever comes in after the freeze."""
    with pytest.MonkeyPatch.context() as patch, asyncio.Runner() as runner:
        patch.setattr("tourney.portal.follower.log.exception", pytest.fail)
        patch.setattr("tourney.portal.boards.now", lambda: "2026-05-01T10:00:00.000000+00:00")
        got = []
        for after in (one, other):
            with course(record, runner) as made:
                patch.setattr("tourney.portal.follower._now", lambda: FREEZE - timedelta(hours=1))
                made.take(before)
                made.follower.look()
                patch.setattr("tourney.portal.follower._now", lambda: FREEZE + timedelta(hours=1))
                for parts, is_over in after:
                    for finals in parts:
                        made.take(finals)
                    if is_over:
                        made.end()
                    made.follower.look()
                made.follower.look()
                got.append([made.answers(who) for who in ("", "student", "spectator")])
        assert got[0] == got[1]


def test_what_is_not_sealed_does_differ(record: RunRecord) -> None:
    """Or the test above would say nothing."""
    with pytest.MonkeyPatch.context() as patch, asyncio.Runner() as runner:
        patch.setattr("tourney.portal.follower._now", lambda: FREEZE - timedelta(hours=1))
        got = []
        for finals in ([1200, 900], [900, 1200]):
            with course(record, runner) as made:
                made.take(finals)
                made.follower.look()
                got.append(made.answers("")[1])
        assert got[0] != got[1]


def test_a_frozen_board_stands_as_it_was(record: RunRecord) -> None:
    """Staff sees what came in since; others are told from when on they do not."""
    with (
        pytest.MonkeyPatch.context() as patch,
        asyncio.Runner() as runner,
        course(record, runner) as made,
    ):
        patch.setattr("tourney.portal.follower._now", lambda: FREEZE - timedelta(hours=1))
        made.take([1200, 900])
        made.follower.look()
        before = told(made, "public")
        patch.setattr("tourney.portal.follower._now", lambda: FREEZE + timedelta(hours=1))
        made.take([0, 3000])
        made.follower.look()
        after = told(made, "public")
        assert len(after["rows"]) == 2
        assert after["rows"] == before["rows"] != told(made, "staff")["rows"]
        assert (before["state"], after["state"]) == ("playing", "sealed")
        assert after["said"] == []


def told(made: Course, audience: boards.Audience) -> dict[str, Any]:
    """Give what an audience was shown last."""
    board = boards.board_of(made.portal.database, made.run.id, audience)
    assert board
    shown: dict[str, Any] = json.loads(board.shown)
    return shown
