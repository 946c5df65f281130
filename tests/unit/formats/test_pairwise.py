"""Results between every two: ranks of a format, and the end of play as soon as all are known."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import pytest

from tourney.errors import FormatError
from tourney.formats import (
    FINISH,
    Batch,
    BlockKey,
    BlockResult,
    Field,
    Finish,
    Format,
    Match,
    Measure,
    PairwiseResults,
    RoundRobin,
    Rules,
    Schedule,
    by_score,
)
from tourney.game.blocks import Block
from tourney.games.straights.rules import StraightsRules
from tourney.standings.places import Better

from .rules.made_up import Ending, Ends, field_of, play_made_up

FOURS = StraightsRules()


def by_number(step: int, noise: float = 0.0, seed: int = 1) -> Ends:
    """Let entrants with high numbers win, with some chance."""

    def ends(block: Block, entrant: int) -> int:
        random = Random(f"{seed} {tuple(block.key)} {entrant}")
        return round(1000 + step * entrant + random.gauss(0, noise))

    return ends


@dataclass(frozen=True, slots=True, kw_only=True)
class Duels(Format):
    """Neighbours meet until it is known which of them are better."""

    most: int = 200

    summary = "neighbours meet"

    @property
    def scheduled_rounds(self) -> int:
        """One deal."""
        return 1

    def check(self, entrants: int, rules: Rules) -> None:
        """Accept all."""

    def measure(self, rules: Rules) -> Measure:
        """Places are awarded."""
        return FINISH

    def table_words(self, rules: Rules) -> str:
        """One deal."""
        return "a deal"

    def schedule(self, field: Field) -> Schedule:
        """Begin."""
        return DuelSchedule(self, field)


class DuelSchedule(Schedule):
    """As an author of a plugin would write it."""

    def __init__(self, options: Duels, field: Field) -> None:
        self.options, self.field = options, field
        self.results = PairwiseResults(field, seatings=2)

    def waves(self) -> Iterator[list[Batch]]:
        """Play a match of two seatings between neighbours, wave by wave."""
        pairs = [(each, each + 1) for each in range(self.field.entrants - 1)]
        for wave in range(self.options.most):
            yield [
                Batch(
                    wave,
                    2 * wave + seating,
                    tuple(self.block(wave, pair, seating) for pair in pairs),
                )
                for seating in range(2)
            ]
            if self.results.are_separated(self.finishes()):
                return

    def block(self, wave: int, pair: tuple[int, int], seating: int) -> Block:
        """Seat two; in the second seating the other way round."""
        order = pair if seating == 0 else pair[::-1]
        key = BlockKey(0, wave, pair[0], seating, 1)
        return self.field.block(key, [(each, self.field.begins_with(each)) for each in order], 1)

    def take(self, result: BlockResult) -> None:
        """Count it."""
        self.results.take(result)

    def finishes(self) -> tuple[Finish, ...]:
        """Rank by wins against neighbours."""
        entrants = range(self.field.entrants)
        wins = [
            sum(
                self.results.record(one, other).wins - self.results.record(one, other).losses
                for other in (one - 1, one + 1)
            )
            for one in entrants
        ]
        scores = enumerate(zip(entrants, wins, strict=True))
        return tuple(Finish(each, place, 0, "") for each, place, _ in by_score(scores))

    def better(self) -> Better:
        """Compare by meetings."""
        return self.results.better()


def test_an_authors_format_stops_when_neighbours_differ() -> None:
    """And its ranks are those that are proven."""
    run = play_made_up(Duels(), field_of(4), by_number(10))
    assert 5 < len(run.waves) < 30
    better = run.schedule.better()
    assert better is not None
    assert [better[high, high - 1] for high in (1, 2, 3)] == [True] * 3
    assert not better[3, 0]  # have not met


def test_equals_are_never_separated_by_pairs() -> None:
    """All 200 waves are played, in 97 of 100 tournaments at least."""
    early = 0
    for seed in range(40):
        run = play_made_up(Duels(most=40), field_of(3), by_number(0, 10, seed))
        better = run.schedule.better()
        assert better is not None
        early += bool(better.any())
    assert early <= 5  # with 5 %, more have a probability of 1.4 %


def test_both_seatings_count_as_one_match() -> None:
    """The sum decides: an advantage of the first seat cancels."""

    def first_wins(block: Block, entrant: int) -> int:
        return 200 if block.seats[0].entrant == entrant else 100

    run = play_made_up(Duels(most=3), field_of(2), first_wins)
    assert isinstance(run.schedule, DuelSchedule)
    assert run.schedule.results.record(0, 1) == (0, 3, 0)


def test_a_verdict_loses_the_table() -> None:
    """Whatever chips are left."""

    def faulty(block: Block, entrant: int) -> Ending:
        return Ending(500, is_faulted=entrant == 0)

    run = play_made_up(Duels(most=2), field_of(2), faulty)
    assert isinstance(run.schedule, DuelSchedule)
    assert run.schedule.results.record(1, 0) == (2, 0, 0)


def test_fewer_points_are_better() -> None:
    """In games without chips, also for a plan that is fixed."""
    results = PairwiseResults(field_of(4, rules=FOURS))
    run = play_made_up(RoundRobin(times=12), field_of(4, rules=FOURS), by_number(-10))
    for result in run.results:
        results.take(result)
    assert results.record(3, 0).losses == 0
    assert results.better(is_planned=True)[3, 0]


def test_a_round_robin_counts_the_cycles_that_it_has_played() -> None:
    """Points are those of the cycles before the look at which it stopped."""
    options = RoundRobin(times=400, stop="separated")
    run = play_made_up(options, field_of(4), by_number(10))
    cycles = len(run.blocks) // 6
    assert cycles in {2**power for power in range(9)}
    assert {each.entrant: each.note for each in run.finishes}[3] == f"{3 * cycles} of {3 * cycles}"


def test_looks_share_the_error_probability_of_a_round_robin() -> None:
    """Of equals, at most 5 % are separated at any look."""
    early = 0
    for seed in range(60):
        options = RoundRobin(times=16, stop="separated")
        run = play_made_up(options, field_of(2, seed), by_number(0, 10, seed))
        early += len(run.waves) < 5
    assert early <= 7  # with 5 %, more have a probability of 1.5 %


def test_games_to_places_stop_at_a_look() -> None:
    """Tables of four: after all seatings of the deals before it."""
    options = Match(tables=400, stop="separated", looks=(40, 80))
    run = play_made_up(options, field_of(4, rules=FOURS), by_number(-10))
    assert len({block.key.table for block in run.blocks}) == 40
    equal = play_made_up(
        Match(tables=80, stop="separated", looks=(40,)), field_of(4, rules=FOURS), by_number(0, 9)
    )
    assert len({block.key.table for block in equal.blocks}) == 80


def test_looks_without_the_rule_are_refused() -> None:
    """As in duplicate."""
    with pytest.raises(FormatError, match="looks: only used with stop: separated"):
        Match(tables=80, looks=(40,))
