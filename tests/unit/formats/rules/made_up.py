"""A player of blocks that plays no card: it makes results up, so that formats are tested fast."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple

from tourney.formats import Format, Schedule
from tourney.formats.base import Happening
from tourney.formats.field import Field
from tourney.game.blocks import Block
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockResult, SeatResult, Verdict
from tourney.game.rules import Rules
from tourney.games.blackjack.rules import BlackjackRules
from tourney.standings.places import Finish

BANKROLL, MINIMUM, MAXIMUM = 100, 5, 50
FAULT = Verdict("raised", "bet", 1, 0, "made up", "", "")


class Ending(NamedTuple):
    """How a block ends for a seat."""

    final: int
    is_faulted: bool = False
    left: int | None = None  # after so many rounds; None if it stays to the end


Ends = Callable[[Block, int], int | Ending]
"""Says how a block ends for one of its entrants."""


@dataclass(frozen=True)
class MadeUpRun:
    """A format that has been played with made-up results."""

    schedule: Schedule
    waves: tuple[tuple[Block, ...], ...]
    results: tuple[BlockResult, ...]
    happenings: tuple[Happening, ...]

    @property
    def finishes(self) -> tuple[Finish, ...]:
        """Everybody's place."""
        finishes = self.schedule.finishes()
        assert finishes is not None
        return finishes

    @property
    def places(self) -> dict[int, int]:
        """Places by entrant."""
        return {finish.entrant: finish.place for finish in self.finishes}

    @property
    def blocks(self) -> list[Block]:
        """All blocks, in order."""
        return [block for wave in self.waves for block in wave]


def field_of(entrants: int, rng_seed: int = 1, rules: Rules | None = None) -> Field:
    """Give a field that begins alike."""
    rules = rules or BlackjackRules()
    chips = 0 if rules.most_points else 1
    amounts = (BANKROLL * chips, MINIMUM * chips, MAXIMUM * chips)
    return Field(entrants, rules, *amounts, Secret.from_seed(rng_seed))


def play_made_up(
    options: Format,
    field: Field,
    ends: Ends,
    order: Callable[[list[BlockResult]], None] | None = None,
) -> MadeUpRun:
    """Play a format.

    Args:
        options: The format, which is checked first.
        field: Who plays.
        ends: How blocks end.
        order: Puts the results of a wave into the order in which they are taken in.
    """
    options.check(field.entrants, field.rules)
    schedule = options.schedule(field)
    waves, results = [], []
    happenings = list(schedule.happenings())
    for wave in schedule.waves():
        blocks = tuple(block for batch in wave for block in batch.blocks)
        taken = [made_up(block, ends) for block in blocks]
        if order:
            order(taken)
        for result in taken:
            schedule.take(result)
        finishes = schedule.finishes()
        if finishes is not None:
            check_finishes(finishes, field.entrants)
        happenings += schedule.happenings()
        waves.append(blocks)
        results += taken
    happenings += schedule.happenings()
    return MadeUpRun(schedule, tuple(waves), tuple(results), tuple(happenings))


def made_up(block: Block, ends: Ends) -> BlockResult:
    """Make up the result of a block."""
    seats = []
    for number, seat in enumerate(block.seats):
        end = ends(block, seat.entrant)
        final, is_faulted, left = end if isinstance(end, Ending) else Ending(end)
        last = block.key.first_round if is_faulted else None
        if left is not None:
            last = block.key.first_round - 1 + left
        seats.append(
            SeatResult(
                seat=number,
                entrant=seat.entrant,
                initial=seat.bankroll,
                final=final,
                lowest=min(final, seat.bankroll),
                highest=max(final, seat.bankroll),
                rounds=block.rounds,
                left_round=last,
                handle=0,
                squares=0,
                mix=0,
                verdict=FAULT if is_faulted else None,
            )
        )
    return BlockResult(block.key, block.rounds, 1, 0, tuple(seats))


def at_random(rng_seed: int, *, faults: float = 0.0, most: int = 12) -> Ends:
    """Let blocks end at random, often in ruin and in ties, and the same for the same block.

    Args:
        rng_seed: Other numbers give other results.
        faults: Probability of a verdict.
        most: Bankrolls move by so many minimums at most.
    """

    def ends(block: Block, entrant: int) -> Ending:
        random = Random(f"{rng_seed} {tuple(block.key)} {entrant}")
        (bankroll,) = (seat.bankroll for seat in block.seats if seat.entrant == entrant)
        moved = bankroll + MINIMUM * random.randint(-most, most)
        return Ending(max(0, moved) if bankroll else moved, random.random() < faults)

    return ends


def entrants_of(blocks: Iterable[Block]) -> list[int]:
    """Give who sits at some tables, table by table."""
    return [seat.entrant for block in blocks for seat in block.seats]


def shuffling(rng_seed: int) -> Callable[[list[BlockResult]], None]:
    """Give an order in which results may come in."""
    return lambda results: Random(rng_seed).shuffle(results)


def seating_text(waves: Sequence[Sequence[Block]]) -> str:
    """Write down who sits where: a line for every block, entrants from 1."""
    lines = []
    for number, blocks in enumerate(waves, start=1):
        lines.append(f"wave {number}")
        for block in blocks:
            seats = " ".join(f"{seat.entrant + 1}" for seat in block.seats)
            lines.append(
                f"  heat {block.key.heat + 1}, table {block.key.table + 1}, "
                f"round {block.key.first_round}: {seats}"
            )
    return "\n".join(lines) + "\n"


def carrying(field: Field, bankrolls: Sequence[int]) -> Field:
    """Give a field whose entrants begin with what they brought."""
    return replace(field, bankrolls=tuple(bankrolls))


def check_finishes(finishes: Sequence[Finish], entrants: int) -> None:
    """Make sure that everybody has one place, and that places are those that ties leave.

    Raises: AssertionError, where a format is wrong.
    """
    assert sorted(finish.entrant for finish in finishes) == list(range(entrants)), "one place each"
    places = sorted(finish.place for finish in finishes)
    for position, place in enumerate(places):
        assert place == position + 1 or place == places[position - 1], "ties share a place"
