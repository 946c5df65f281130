"""Wherever batches run, they come to the same."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

import pytest

from tourney.competitors.sources import digest_of
from tourney.errors import EngineError, PluginError
from tourney.execution.workers.pool import InlineWorkers, PoolWorkers, Workers
from tourney.execution.workers.task import EntrantSpec
from tourney.execution.workers.worker_choice import make_workers as make_either
from tourney.game.blocks import Batch

MakeWorkers = Callable[..., Workers]
Batches = tuple[Batch, ...]


def test_every_batch_is_played_once(
    make_workers: MakeWorkers, bold: EntrantSpec, batches: Batches
) -> None:
    """And gives what it gives in this process, under its own number and wave."""
    played = {one.number: one for one in make_workers({0: bold}).play(batches[:9])}
    here = {one.number: one for one in InlineWorkers({0: bold}, "auto").play(batches[:9])}
    assert sorted(played) == list(range(9))
    assert all(played[number].results == here[number].results for number in played)
    assert all(one.wave == 0 and one.seconds > 0 and one.worker for one in played.values())


def test_waves_follow_each_other(
    make_workers: MakeWorkers, bold: EntrantSpec, batches: Batches
) -> None:
    """Workers that have played a wave play the next, and an empty one ends at once."""
    workers = make_workers({0: bold})
    assert {one.number for one in workers.play(batches[:3])} == {0, 1, 2}
    assert list(workers.play(())) == []
    assert {one.number for one in workers.play(batches[3:5])} == {3, 4}


def test_batches_are_drawn_when_they_are_needed(
    make_workers: MakeWorkers, bold: EntrantSpec, batches: Batches
) -> None:
    """A schedule of any length takes the memory of a few batches."""
    drawn: list[int] = []

    def source() -> Iterator[Batch]:
        for batch in batches:
            drawn.append(batch.number)
            yield batch

    playing = make_workers({0: bold}).play(source())
    assert drawn == []
    taken = list(islice(playing, 10))
    assert len(taken) == 10
    assert len(drawn) <= 20


def test_options_reach_the_constructor(
    make_workers: MakeWorkers, bold: EntrantSpec, batches: Batches
) -> None:
    """An entrant of three units wagers three minimums a round."""
    (played,) = make_workers({0: bold}).play(batches[:1])
    (block,) = played.results
    (seat,) = block.seats
    assert (seat.rounds, seat.handle) == (10, 10 * 3 * 5)


def test_options_that_the_constructor_refuses_are_a_verdict(
    make_workers: MakeWorkers, bold: EntrantSpec, batches: Batches
) -> None:
    """The competitor is at fault, not the run."""
    options = (("unit", 3),)
    wrong = replace(bold, options=options, digest=digest_of(bold.sources, options))
    (played,) = make_workers({0: wrong}).play(batches[:1])
    verdict = played.results[0].seats[0].verdict
    assert verdict
    assert (verdict.cause, verdict.call) == ("raised", "constructor")
    assert "unexpected keyword argument 'unit'" in verdict.message


def test_an_error_of_the_platform_comes_out_as_it_is(
    make_workers: MakeWorkers, bold: EntrantSpec, batches: Batches
) -> None:
    """Whoever runs the tournament sees the same message wherever it was raised."""
    with pytest.raises(EngineError, match=r"^engine: expected .* got 'steam'$"):
        list(make_workers({0: bold}, "steam").play(batches))


def test_another_source_than_the_run_began_with_is_refused(
    make_workers: MakeWorkers, bold: EntrantSpec, batches: Batches
) -> None:
    """The message names the entrant, both digests and the ways out."""
    changed = replace(bold, digest=b"\x00" * 16)
    message = (
        rf"^entrant Bold: its source \({bold.digest.hex()[:12]}\) is not the one that the run "
        r"began with \(000000000000\); install that version again, or start a new run$"
    )
    with pytest.raises(PluginError, match=message):
        list(make_workers({0: changed}).play(batches))


@pytest.mark.parametrize(
    ("workers", "batches_a_task", "kind"),
    [(1, None, InlineWorkers), (1, 4, PoolWorkers), (2, None, PoolWorkers)],
)
def test_one_worker_needs_no_process_of_its_own(
    workers: int, batches_a_task: int | None, kind: type, bold: EntrantSpec
) -> None:
    """Unless somebody asks how many batches are to travel together."""
    with make_either(workers, {0: bold}, batches_a_task=batches_a_task) as made:
        assert isinstance(made, kind)
