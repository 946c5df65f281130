"""`watch`: a run as it went or as it goes, in lines where there is no terminal."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from tourney.cli.watch_feed import Pace
from tourney.errors import DigestMismatchError
from tourney.plugins.loading import load_plugins
from tourney.store.records import EventRecord
from tourney.store.store import Store
from tourney.tournament.loading import enter, enter_again, run_record
from tourney.tournament.progress import Progress, retrace
from tourney.tournament.tournament import Play, play_run, resume_tournament

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

PATIENCE = 60.0
"""Seconds after which a test gives up hope."""

SIX = """\
name: Six at two tables
seed: 11
game: {preset: ve280, shuffle: uniform}
bankroll: 60
minimum: 5
format: {kind: multi-table, seats: 3, block_rounds: 10, level_rounds: 10, batch_tables: 1}
floor: {tables: 2, level_minutes: 20, break_every_levels: 1, break_minutes: 5}
entrants: [{strategy: simple, count: 4}, {strategy: counting, count: 2}]
"""

SEEN = """\
  0:00  minimum 5 from now on
  0:00  6 players sit down
  0:00  level 1, minimum 5, 6 players, 2 tables
  0:19  minimum 7 from now on
  0:19  level 2, minimum 7, 6 players, 2 tables; first: simple 4 and counting 2 with 75
  0:20  break
  0:36  minimum 10 from now on
  0:36  level 3, minimum 10, 6 players, 2 tables; first: counting 2 with 117
  0:45  break
  0:54  minimum 15 from now on
  0:54  counting 1 is out, place 6
  0:54  level 4, minimum 15, 5 left, 2 tables; first: counting 2 with 117
  1:10  break
  1:13  minimum 22 from now on
  1:13  level 5, minimum 22, 5 left, 2 tables; first: simple 1 with 183
  1:34  minimum 33 from now on
  1:34  simple 4 is out, place 5
  1:34  simple 1 moves to table 2
  1:34  level 6, minimum 33, 4 left, 2 tables; first: simple 2 with 223
  1:35  break
  1:50  minimum 49 from now on
  1:50  simple 3 is out, place 4
  1:50  table 2 breaks
  1:50  simple 1 and simple 2 move
  1:50  final table
  1:50  level 7, minimum 49, 3 left, 1 table; first: counting 2 with 451
  2:00  break
  2:07  minimum 73 from now on
  2:07  simple 1 is out, place 3
  2:07  level 8, minimum 73, 2 left, 1 table; first: counting 2 with 500
  2:21  minimum 109 from now on
  2:21  simple 2 is out, place 2
"""
"""What is to be seen of it; a board follows."""

WAVES = 8
STORED_BATCHES = 14

SLOW = """\
name: Slow
seed: 1
game: {preset: ve280, shuffle: uniform}
bankroll: 100
minimum: 5
format: {kind: duplicate, tables: 20, rounds: 5}
entrants: [{strategy: simple}, {strategy: counting}]
"""

FAULTY = """\
from tourney import Player


class Faulty(Player):
    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return player.total // 0
"""


def interrupt(config: Path, store: Path, batches: int) -> None:
    """Play so many batches of a run and leave it there."""

    def stop(play: Play) -> None:
        if play.batches_done == batches:
            raise KeyboardInterrupt

    tournament = enter(config, load_plugins())
    with Store.open(store) as kept:
        run = kept.create_run(run_record(tournament))
        with pytest.raises(KeyboardInterrupt):
            play_run(tournament, kept, run, on_batch=stop)


def events(store: Path) -> tuple[EventRecord, ...]:
    """Give what is stored of the latest run's events."""
    with Store.open(store, create=False) as kept:
        return tuple(kept.events(kept.run().number))


def test_a_finished_run_is_told_in_lines(cli: Cli, write: Write) -> None:
    """Clock, minimum, who is out, who moves, breaks and who leads; then the board."""
    config = write("six.yaml", SIX)
    assert cli("run", config, "--workers", 1).status == 0
    seen = cli("watch")
    assert (seen.status, seen.err) == (0, "run 1: Six at two tables, finished\n")
    board = cli("leaderboard").out
    assert seen.out == SEEN + board


def test_who_watches_slowly_can_leave(
    cli: Cli, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is under way when a signal comes is not waited for."""
    cli("run", write("slow.yaml", SLOW), "--workers", 1)
    rests: list[float] = []

    def rest(_: Pace, seconds: float) -> None:
        if seconds:
            rests.append(seconds)
            if len(rests) == 1:
                raise KeyboardInterrupt

    monkeypatch.setattr(Pace, "rest", rest)
    assert cli("watch", "--speed", 5_000).status == 130
    assert len(rests) == 1


def test_what_was_before_is_left_out(cli: Cli, write: Write) -> None:
    """Who looks at the end of a long day need not see all of it."""
    cli("run", write("six.yaml", SIX), "--workers", 1)
    lines = cli("watch", 1, "--start-at", "1:50").lines
    assert lines[0] == "  1:50  minimum 49 from now on"
    refused = cli("watch", "--start-at", "half past")
    assert refused.status == 2
    assert "expected hours and minutes such as 1:30, got 'half past'" in refused.err


def test_a_format_that_decides_nothing_shows_how_far_it_is(cli: Cli, store: Path) -> None:
    """With the standings so far, after every batch or every tenth of them."""
    seen = cli("watch", "--store", store)
    assert seen.status == 0
    told = [line.split("  ")[-1].partition("; first: ") for line in seen.lines[:6]]
    assert [done for done, _, _ in told] == [f"{number} of 6 batches" for number in range(1, 7)]
    shown = cli("leaderboard", "--store", store)
    assert "(luck" in shown.out.splitlines()[1]  # the luck of the cards is followed
    assert seen.out.endswith(shown.out)
    best = json.loads(cli("leaderboard", "--format", "json").out)[0]["entrant"]
    assert told[-1][2].startswith(best.partition(" [")[0])


def test_a_run_that_nobody_plays_is_left(cli: Cli, write: Write, tmp_path: Path) -> None:
    """Where its results end, if nobody is to be waited for."""
    interrupt(write("six.yaml", SIX), tmp_path / "tourney.db", 5)
    seen = cli("watch", "--no-wait")
    assert seen.status == 0
    assert SEEN.startswith(seen.out)
    assert (
        "left at 0:54; run 1 is interrupted\nif no process plays it: tourney resume 1" in seen.err
    )


def test_a_run_is_followed_while_another_process_plays_it(
    cli: Cli, write: Write, tmp_path: Path
) -> None:
    """Whoever watches waits for what is not stored yet, and sees what there is to be seen."""
    interrupt(write("six.yaml", SIX), tmp_path / "tourney.db", 5)
    command, shown = [sys.executable, "-m", "tourney", "watch"], tmp_path / "shown"
    deadline = monotonic() + PATIENCE
    with shown.open("w") as out, subprocess.Popen(command, cwd=tmp_path, stdout=out) as watching:
        try:
            while "0:36" not in shown.read_text():  # all that there was to be seen
                assert monotonic() < deadline
                sleep(0.05)
            assert cli("resume", "--workers", 1).status == 0
            assert watching.wait(PATIENCE) == 0
        finally:
            watching.kill()
    assert shown.read_text().startswith(SEEN)


@pytest.mark.parametrize("batches", [1, 2, 5, STORED_BATCHES - 1, STORED_BATCHES])
def test_a_run_that_is_gone_on_with_has_the_events_of_one_that_never_stopped(
    cli: Cli, write: Write, tmp_path: Path, batches: int
) -> None:
    """In the middle of a wave, at its end, and after the last batch of all."""
    config = write("six.yaml", SIX)
    cli("run", config, "--workers", 1, "--store", "whole.db")
    whole = events(tmp_path / "whole.db")
    interrupt(config, tmp_path / "tourney.db", batches)
    before = events(tmp_path / "tourney.db")
    assert before == whole[: len(before)]
    cli("resume", "--workers", 1)
    assert events(tmp_path / "tourney.db") == whole


def test_events_are_what_the_results_come_to(cli: Cli, write: Write) -> None:
    """So that whoever watches needs the results alone."""
    cli("run", write("six.yaml", SIX), "--workers", 1)
    with Store.open(Path("tourney.db")) as kept:
        run = kept.run()
        course = Progress(enter_again(run, load_plugins(), plays=False))
        waves = {batch.wave for batch, _ in retrace(course, kept, run.number)}
        told = [each.happening for each in course.events() if each.happening.event != "break"]
        stored = [each for each in kept.events(run.number) if each.event != "break"]
    assert len(waves) == WAVES
    assert [(each.event, each.value) for each in stored] == [
        (each.event, each.value) for each in told
    ]


def test_another_decision_than_the_stored_one_is_a_loud_error(
    cli: Cli, write: Write, tmp_path: Path
) -> None:
    """The rest would be another tournament's."""
    store = tmp_path / "tourney.db"
    interrupt(write("six.yaml", SIX), store, 5)
    with Store.open(store) as kept:
        kept._database.execute("UPDATE events SET value = 3 WHERE event = 'level' AND wave = 1")
    with pytest.raises(DigestMismatchError, match="run 1, wave 1: the decisions differ"):
        resume_tournament(store=store)


def test_a_fault_is_told_when_it_is_first_seen(cli: Cli, write: Write, tmp_path: Path) -> None:
    """With its place in the source; its author is out."""
    write("faulty.py", FAULTY)
    faulty = SIX.replace("count: 2}]", "count: 2}, {file: faulty.py}]")
    run = cli("run", write("six.yaml", faulty), "--workers", 1, "--no-sandbox")
    assert run.status == 1
    seen = cli("watch")
    (line,) = [line for line in seen.lines if "failed" in line]
    assert "faulty failed: faulty.py:9: draw: expected an answer, got ZeroDivisionError" in line
    assert len([each for each in events(tmp_path / "tourney.db") if each.event == "verdict"]) == 1


def test_what_ends_a_stage_is_told_before_the_next_one(cli: Cli, write: Write) -> None:
    """Who is out of it by its last block is out, and then the others go on."""
    staged = SIX.replace("format: {", "stages:\n  - name: Day 1\n    format: {final_rounds: 10, ")
    staged = staged.replace(
        "floor:",
        "  - name: Day 2\n    qualifiers: {top: 3}\n"
        "    format: {kind: multi-table, seats: 3, block_rounds: 10, level_rounds: 10}\nfloor:",
    )
    assert cli("run", write("six.yaml", staged), "--workers", 1).status == 0
    lines = [line.split("  ")[-1] for line in cli("watch").lines]
    on = next(number for number, line in enumerate(lines) if line.endswith("advance"))
    assert lines[on - 1 : on + 1] == [
        "simple 1 is out, place 3",
        "simple 1, simple 2 and counting 2 advance",
    ]
    standing = next(line for line in lines if line.startswith("stage 2"))
    assert standing.startswith("stage 2, level 1, minimum 5, 3 left, 1 table")
