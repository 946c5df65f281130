"""What holds in any tournament of many tables, whoever enters and whatever happens."""

from collections import Counter
from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as some

from tests.support.proving import tried
from tourney.config.model import PolicyConfig
from tourney.formats import MultiTable
from tourney.formats.base import Event
from tourney.formats.field import Field
from tourney.game.blocks import Block

from .made_up import Ending, MadeUpRun, entrants_of, field_of, play_made_up, shuffling

POLICIES = some.builds(
    PolicyConfig, late=some.integers(0, 4), rebuys=some.integers(0, 3), addon=some.booleans()
)
FORMATS = some.builds(
    MultiTable,
    seats=some.integers(2, 7),
    block_rounds=some.integers(1, 12),
    level_rounds=some.integers(1, 30),
    minimums=some.sampled_from([(), (6, 9), (10, 20, 40)]),
    rise_percent=some.sampled_from([20, 50, 100]),
    late_levels=some.integers(0, 3),
    rebuys=some.integers(0, 2),
    rebuy_levels=some.integers(1, 4),
    addon=some.sampled_from([0, 70]),
    addon_level=some.integers(1, 3),
    final_rounds=some.sampled_from([None, 1, 25]),
    most_blocks=some.sampled_from([3, 10_000]),
    batch_tables=some.sampled_from([None, 1, 3]),
    on_fault=some.sampled_from(["zero", "keep", "disqualify"]),
)


@some.composite
def fields(draw: some.DrawFn) -> Field:
    """Draw who enters, with which chips and policies."""
    entrants = draw(some.integers(2, 40))
    policies = draw(some.lists(POLICIES, min_size=entrants, max_size=entrants))
    bankrolls = draw(some.lists(some.integers(3, 200), min_size=entrants, max_size=entrants))
    return replace(
        field_of(entrants, draw(some.integers(1, 99))),
        policies=tuple(policies),
        bankrolls=draw(some.sampled_from([None, tuple(bankrolls)])),
    )


class Luck:
    """Ends of blocks that are drawn, and the same for the same block."""

    def __init__(self, rng_seed: int, faults: float) -> None:
        self._rng_seed = rng_seed
        self._faults = faults

    def __call__(self, block: Block, entrant: int) -> Ending:
        """Move a bankroll by some minimums; who cannot go on leaves after one of the rounds."""
        random = Random(f"{self._rng_seed} {tuple(block.key)} {entrant}")
        (bankroll,) = (seat.bankroll for seat in block.seats if seat.entrant == entrant)
        if bankroll < block.minimum:
            return Ending(bankroll, left=0)
        final = max(0, bankroll + random.randint(-6 * block.minimum, 5 * block.minimum))
        left = random.randint(1, block.rounds) if final < block.minimum else None
        is_faulted = left is None and random.random() < self._faults
        return Ending(final, is_faulted, left)


LUCK = some.builds(Luck, some.integers(0, 999), some.sampled_from([0.0, 0.05]))


def begun(run: MadeUpRun, field: Field) -> int:
    """Count the chips that everybody has begun with and bought."""
    bought = sum(each.value for each in run.happenings if each.event in {Event.REBUY, Event.ADDON})
    return bought + sum(map(field.begins_with, range(field.entrants)))


@given(FORMATS, fields(), LUCK)
@tried(60)
def test_chips_are_conserved(options: MultiTable, field: Field, luck: Luck) -> None:
    """Through going out, buying again and verdicts: what was bought and won is what is left."""
    run = play_made_up(options, field, luck)
    seats = [seat for result in run.results for seat in result.seats]
    forfeit = sum(seat.final for seat in seats if seat.verdict) if options.on_fault != "keep" else 0
    left = sum(finish.bankroll for finish in run.finishes) + forfeit
    assert left == begun(run, field) + sum(seat.net for seat in seats)


@given(FORMATS, fields(), LUCK)
@tried(60)
def test_everybody_is_at_one_table_and_tables_are_nearly_equally_full(
    options: MultiTable, field: Field, luck: Luck
) -> None:
    """As few tables as can be, and none two short of another when a block begins."""
    run = play_made_up(options, field, luck)
    for blocks in run.waves:
        players = entrants_of(blocks)
        assert max(Counter(players).values()) == 1
        sizes = [len(block.seats) for block in blocks]
        assert max(sizes) - min(sizes) <= 1
        assert len(blocks) == -(-len(players) // options.seats)


@given(FORMATS, fields(), LUCK, some.integers(0, 99))
@tried(40)
def test_neither_order_nor_batches_matter(
    options: MultiTable, field: Field, luck: Luck, rng_seed: int
) -> None:
    """Results of a wave may come in any order, from batches of any size."""
    run = play_made_up(options, field, luck)
    again = play_made_up(replace(options, batch_tables=2), field, luck, shuffling(rng_seed))
    assert (again.waves, again.finishes) == (run.waves, run.finishes)
    assert again.happenings == run.happenings


@given(FORMATS, fields(), LUCK)
@tried(60)
def test_places_are_in_the_order_of_going_out(
    options: MultiTable, field: Field, luck: Luck
) -> None:
    """Who is told to be out has that place in the end, and it is no better than a later one's."""
    run = play_made_up(options, field, luck)
    out = [(each.entrant, each.value) for each in run.happenings if each.event is Event.OUT]
    assert [place for _, place in out] == sorted((place for _, place in out), reverse=True)
    assert all(run.places[entrant] == place for entrant, place in out)
    assert len({entrant for entrant, _ in out}) == len(out)
    if options.most_blocks > 100 and options.final_rounds is None:
        assert len(out) >= field.entrants - 1


@given(FORMATS, fields(), LUCK)
@tried(40)
def test_who_is_out_or_at_fault_never_plays_again(
    options: MultiTable, field: Field, luck: Luck
) -> None:
    """Nobody is seated after its verdict or after the block in which it went out."""
    run = play_made_up(options, field, luck)
    gone: set[int] = set()
    results = iter(run.results)
    for blocks in run.waves:
        assert gone.isdisjoint(entrants_of(blocks))
        for _ in blocks:
            gone |= {seat.entrant for seat in next(results).seats if seat.verdict}
