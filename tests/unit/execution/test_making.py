"""While machine code is made, the reference engine plays; results are the same."""

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tourney.execution import background_compile
from tourney.execution.background_compile import (
    GIVES_WAY,
    WORTH,
    Child,
    Making,
    is_being_made,
    make_missed,
    missed_parts,
    start,
    ways_for,
)
from tourney.execution.engine_selection import end_patience, play_batch
from tourney.execution.warm_up import usual_block
from tourney.game.blocks import Batch
from tourney.game.ledger import BlockKey
from tourney.game.lineup import lineup_of
from tourney.game.machine import compile_cache
from tourney.game.machine.compile_cache import note_made, note_missed
from tourney.game.seats import play_block
from tourney.games.blackjack.engines.interfaces import BlackjackKernels
from tourney.games.blackjack.kernels import LANES, SINGLE_SEATS, TABLES
from tourney.games.blackjack.rules import VE280
from tourney.games.straights.compiled_engine import StraightsKernels
from tourney.games.straights.rules import StraightsRules
from tourney.strategies.first_legal import FirstLegal
from tourney.strategies.simple import Simple

WAITS = "import os; os.read(0, 1)"
FAILS = "import sys; sys.exit('no room left')"
BLOCKS = 6
KERNELS = StraightsKernels()
(PART,) = KERNELS.parts
BLACKJACK = BlackjackKernels()


@pytest.fixture(autouse=True)
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have nothing made yet; machine code itself stays where it is."""
    monkeypatch.setattr(compile_cache, "folder", lambda: tmp_path)


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> Iterator[Making]:
    """Give what a process has made for it, with a compiler that takes its time."""
    found = Making()
    monkeypatch.setattr(background_compile, "own_making", lambda: found)
    monkeypatch.setattr("tourney.execution.engine_selection.own_making", lambda: found)
    monkeypatch.setattr(background_compile, "PROGRAM", WAITS)
    yield found
    found.end()


@pytest.fixture
def batch() -> Batch:
    """Give a batch of blocks, each with other cards."""
    block = usual_block(StraightsRules(), 20)
    keys = (BlockKey(0, 0, table, 0, 1) for table in range(BLOCKS))
    blocks = (
        replace(block, key=key, shoe_key=bytes([table]) * 16) for table, key in enumerate(keys)
    )
    return Batch(0, 0, tuple(blocks))


def test_play_goes_on_without_and_goes_over_between_two_blocks(
    own: Making, batch: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever plays, the results are those of the reference engine."""
    end_patience()
    expected = [play_block(block, lambda _: FirstLegal()) for block in batch.blocks]
    played: list[int] = []

    def play(block: object, *rest: object) -> object:
        played.append(len(played))
        if len(played) == 2:
            note_made(PART)
        return play_block(block, *rest)  # type: ignore[arg-type]  # as it is called

    monkeypatch.setattr("tourney.execution.engine_selection.play_block", play)
    found = play_batch(batch, lineup_of(lambda _: FirstLegal()))
    assert list(found.results) == expected
    assert (found.engines, len(played)) == (("compiled", "reference"), 2)
    again = play_batch(batch, lineup_of(lambda _: FirstLegal()))
    assert (list(again.results), again.engines) == (expected, ("compiled",))


def test_machine_code_is_made_once(own: Making) -> None:
    """By whoever asks first; it shows that somebody does."""
    assert not is_being_made()
    assert not own.has(KERNELS, PART)
    assert is_being_made()
    assert start(KERNELS, PART) is None
    own.end()
    other = start(KERNELS, PART)
    assert other
    other.end()
    assert not is_being_made()


def play_without(own: Making, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a process compute without machine code for some seconds of a clock of its own."""
    clock = iter((0.0, seconds))
    with monkeypatch.context() as patch:
        patch.setattr(background_compile, "process_time", lambda: next(clock))
        with own.giving_way():
            pass


@pytest.mark.parametrize(("processors", "is_started"), [(2, False), (8, True)])
def test_parts_are_made_one_by_one_where_processors_are_few(
    own: Making, processors: int, is_started: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever makes the first one; where it cannot be made, the next is."""
    monkeypatch.setattr(background_compile.os, "cpu_count", lambda: processors)
    alone = [usual_block(replace(VE280, shuffle="uniform"))]
    play_without(own, WORTH, monkeypatch)
    other = start(BLACKJACK, LANES)
    assert other
    assert not ways_for(alone)
    second = start(BLACKJACK, SINGLE_SEATS)
    assert (second is None) == is_started
    for child in filter(None, (other, second)):
        child.end()
    own.failed.add(LANES)
    assert not ways_for(alone)
    assert start(BLACKJACK, SINGLE_SEATS) is None
    note_made(SINGLE_SEATS)
    assert ways_for(alone) == {SINGLE_SEATS}


def test_a_short_run_makes_nothing(own: Making, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither during the run nor after its board."""
    alone = [usual_block(replace(VE280, shuffle="uniform"))]
    play_without(own, WORTH - 0.5, monkeypatch)
    assert not ways_for(alone)
    assert not is_being_made()
    assert missed_parts(VE280.game) == []
    play_without(own, 0.5, monkeypatch)
    assert not ways_for(alone)
    assert is_being_made()
    assert missed_parts(VE280.game) == [LANES]


def test_what_plays_single_seats_faster_is_made_in_a_long_run(
    own: Making, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where tables of several seats were made first, by a class: they play single seats, too."""
    end_patience()
    note_made(TABLES)
    block = usual_block(replace(VE280, shuffle="uniform"))
    clock = [0.0]

    def play(*_: object) -> object:
        clock[0] += WORTH
        return [play_block(block, lambda _: Simple())]

    monkeypatch.setattr(background_compile, "process_time", lambda: clock[0])
    monkeypatch.setattr("tourney.execution.engine_selection.play_compiled", play)
    alone = Batch(0, 0, (block,))
    play_batch(alone, lineup_of(lambda _: Simple()))
    assert not is_being_made()
    play_batch(alone, lineup_of(lambda _: Simple()))
    assert is_being_made()
    assert missed_parts(VE280.game) == [LANES]


@pytest.mark.parametrize("worth", [WORTH, 2 * WORTH])
def test_a_further_part_is_made_once_it_is_missed(
    own: Making, worth: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a run that plays long without it: longer, where another part took longer to make."""
    alone = [usual_block(replace(VE280, shuffle="uniform"))]
    play_without(own, worth - 1, monkeypatch)  # without any part: no reason to make a further one
    note_made(LANES, worth)
    assert ways_for(alone) == {LANES}
    play_without(own, worth - 0.5, monkeypatch)
    assert ways_for(alone) == {LANES}
    assert not is_being_made()
    play_without(own, 0.5, monkeypatch)
    assert ways_for(alone) == {LANES}
    assert is_being_made()
    assert missed_parts(VE280.game) == [SINGLE_SEATS]
    note_made(SINGLE_SEATS)
    assert missed_parts(VE280.game) == []


def test_what_was_missed_is_made_when_the_run_is_over(
    own: Making, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless another process makes it already; a failure is told."""
    assert make_missed(VE280.game) == ""
    note_missed(SINGLE_SEATS)
    monkeypatch.setattr(background_compile, "PROGRAM", FAILS)
    assert make_missed(VE280.game) == "exit status 1: no room left"
    monkeypatch.setattr(background_compile, "PROGRAM", WAITS)
    other = start(BLACKJACK, SINGLE_SEATS)
    assert other
    assert make_missed(VE280.game) == ""
    other.end()
    monkeypatch.setattr(
        background_compile, "PROGRAM", f"from pathlib import Path; Path({str(mark())!r}).touch()"
    )
    assert make_missed(VE280.game) == ""
    assert missed_parts(VE280.game) == []


def test_what_a_worker_had_begun_is_made_again_when_the_run_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its process still holds the lock when the board is there, as it is only about to end."""
    note_missed(SINGLE_SEATS)
    other = start(BLACKJACK, SINGLE_SEATS)
    assert other
    monkeypatch.setattr(
        background_compile, "PROGRAM", f"from pathlib import Path; Path({str(mark())!r}).touch()"
    )
    ending = threading.Timer(0.3, other.end)
    ending.start()
    assert make_missed(VE280.game) == ""
    ending.join()
    assert missed_parts(VE280.game) == []


def test_what_this_process_had_begun_is_finished_when_the_run_is_over(
    own: Making, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where one worker is this very process, whose end would end what makes the part."""
    note_missed(SINGLE_SEATS)
    monkeypatch.setattr(background_compile, "ENDING_SECONDS", 0.1)
    monkeypatch.setattr(
        background_compile,
        "PROGRAM",
        f"import time; time.sleep(1); from pathlib import Path; Path({str(mark())!r}).touch()",
    )
    assert not own.has(BLACKJACK, SINGLE_SEATS)
    assert make_missed(VE280.game) == ""
    assert missed_parts(VE280.game) == []


def mark() -> Path:
    """Give the file that says that a part is made."""
    note_made(SINGLE_SEATS)
    (made,) = compile_cache.folder().glob("*.made")
    made.unlink()
    return made


@pytest.mark.parametrize("is_crowded", [True, False])
def test_play_gives_way_to_the_compiler_where_both_want_a_processor(
    own: Making, is_crowded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a while after each block; where there is room for both, they go on side by side."""
    waited: list[float] = []
    monkeypatch.setattr(Child, "wait_at_most", lambda _, seconds: waited.append(seconds))
    clock = {"computed": 0.0, "passed": 0.0}
    monkeypatch.setattr(background_compile, "process_time", lambda: clock["computed"])
    monkeypatch.setattr(background_compile, "perf_counter", lambda: clock["passed"])

    def play() -> None:
        with own.giving_way():
            clock["computed"] += 0.25
            clock["passed"] += 0.5 if is_crowded else 0.25

    play()
    assert waited == []  # for nobody
    assert not own.has(KERNELS, PART)
    play()
    assert waited == ([0.25 * GIVES_WAY] if is_crowded else [])


def test_code_that_another_process_made_is_used(own: Making) -> None:
    """Whoever made it."""
    assert not own.has(KERNELS, PART)
    note_made(PART)
    assert own.has(KERNELS, PART)
    assert own.news() == ()


def test_a_failure_is_told_once_and_play_goes_on(
    own: Making, batch: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the reference engine, which needs no machine code."""
    end_patience()
    monkeypatch.setattr(background_compile, "PROGRAM", FAILS)
    news: tuple[str, ...] = ()
    until = time.monotonic() + 60
    while not news and time.monotonic() < until:
        assert not own.has(KERNELS, PART)
        news = own.news()
    (line,) = news
    assert line == (
        "machine code could not be compiled (exit status 1: no room left); the run continues "
        "without it, more slowly"
    )
    assert play_batch(batch, lineup_of(lambda _: FirstLegal())).engines == ("reference",)
    assert own.news() == ()
    assert not is_being_made()


def test_a_folder_that_cannot_be_used_is_told(
    own: Making, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends no run."""
    monkeypatch.setattr(compile_cache, "folder", lambda: tmp_path / "gone")
    assert not own.has(KERNELS, PART)
    (line,) = own.news()
    assert "No such file or directory" in line


def test_an_engine_that_was_asked_for_waits(own: Making, batch: Batch) -> None:
    """It makes the code itself."""
    played = play_batch(batch, lineup_of(lambda _: FirstLegal()), "compiled")
    assert played.engines == ("compiled",)
    assert not is_being_made()
