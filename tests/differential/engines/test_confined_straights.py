"""Players of Straights with a pool of their own play as at the reference engine's tables."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.support.proving import tried
from tourney import Card, StraightsPlayer, StraightsView
from tourney.execution.engine_selection import play_batch
from tourney.execution.lockstep import play_together
from tourney.game.asking.exchange import AskedHere, Decided, SeatReply, SeatRequest
from tourney.game.batches import Turns
from tourney.game.blocks import Batch, Block, RecordedFault, Seat
from tourney.game.ledger import BlockKey, BlockResult, Verdict, batch_digest
from tourney.game.lineup import lineup_of
from tourney.game.protocol import PlayerPool
from tourney.game.seats import play_block
from tourney.game.turns import Watcher
from tourney.games.straights.game import STRAIGHTS
from tourney.games.straights.rules import StraightsRules


class Watchful(StraightsPlayer):
    """Answers by all that it sees now and has ever seen, and by luck."""

    def __init__(self) -> None:
        self.memory = ""

    def play(self, view: StraightsView) -> Card:
        """Choose by everything."""
        self.memory = f"{hash((self.memory, repr(view)))}"
        cards = view.legal_plays or view.hand
        return cards[(int(self.memory) + self.random.randrange(9)) % len(cards)]


class Careless(Watchful):
    """Fails now and then, in different ways."""

    def play(self, view: StraightsView) -> Card:
        """Raise, or answer what cannot be played."""
        fate = self.random.randrange(60)
        if fate == 0:
            raise ValueError("lost the thread")
        return view.hand[0] if fate == 1 else super().play(view)


class Stillborn(StraightsPlayer):
    """Cannot be made."""

    def __init__(self) -> None:
        raise RuntimeError("never born")

    def play(self, view: StraightsView) -> Card:
        """Never be asked."""
        raise NotImplementedError


KINDS = (Watchful, Careless, Stillborn)


class Elsewhere(PlayerPool):
    """Players that are asked in bytes, and answer in arrays, as over two pipes."""

    warning = ""

    def __init__(self, make_player: Callable[[], StraightsPlayer]) -> None:
        super().__init__(STRAIGHTS, StraightsPlayer, STRAIGHTS.codec(), make_player)

    def decide(self, turns: Turns) -> Decided:  # type: ignore[override]  # as a confined one
        """Answer."""
        answers, faults = super().decide(self.read(turns.body))
        return Decided(np.array(answers, np.int64), faults)

    def asking(self, turns: Turns) -> AskedHere:
        """Prepare to answer."""
        return AskedHere(partial(self.decide, turns))

    def close(self) -> None:
        """Do nothing: players in this process end with it."""


def make(entrant: int) -> StraightsPlayer:
    """Make a player."""
    return KINDS[entrant]()


@st.composite
def any_blocks(draw: st.DrawFn) -> tuple[Block, ...]:
    """Draw blocks of several lengths, some of which end by points."""
    dice = Random(draw(st.integers(0, 2**32)))
    return tuple(
        Block(
            BlockKey(0, 0, table, 0, dice.randint(1, 9)),
            StraightsRules(limit=dice.choice((None, 60))),
            tuple(Seat(dice.choice((0, 0, 1, 1, 2)), 0, dice.randbytes(16)) for _ in range(4)),
            0,
            0,
            dice.randint(1, 6),
            dice.randbytes(16),
        )
        for table in range(draw(st.integers(1, 6)))
    )


def played(blocks: Sequence[Block], shut_in: set[int]) -> list[BlockResult]:
    """Play blocks with some entrants in pools of their own."""
    lineup = replace(
        lineup_of(make),
        confined=lambda entrant: Elsewhere(partial(make, entrant)) if entrant in shut_in else None,
    )
    return list(play_batch(Batch(0, 0, tuple(blocks)), lineup).results)


def seen(result: BlockResult) -> list[str]:
    """Give what lay before those at fault, which does not count where results are compared."""
    return [seat.verdict.seen for seat in result.seats if seat.verdict]


@tried(40)
@given(any_blocks(), st.sets(st.sampled_from(range(3)), min_size=1))
def test_a_pool_of_its_own_changes_nothing(blocks: tuple[Block, ...], shut_in: set[int]) -> None:
    """Beside others or alone: every field, every verdict, and the digest."""
    expected = [play_block(block, make) for block in blocks]
    found = played(blocks, shut_in)
    assert found == expected
    assert list(map(seen, found)) == list(map(seen, expected))
    assert batch_digest(tuple(found)) == batch_digest(tuple(expected))


class Journal(Watcher):
    """Keeps what happens."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def asked(self, seat: int, call: str, seen: str, answer: str) -> None:
        """Keep an answer."""
        self.lines.append(f"{seat} {call} {seen} {answer}")

    def happened(self, record: object) -> None:
        """Keep a move."""
        self.lines.append(str(record))


@tried(10)
@given(any_blocks())
def test_a_watcher_is_told_the_same(blocks: tuple[Block, ...]) -> None:
    """Of its own table, in its order, although all of them advance together."""
    lineup = replace(lineup_of(make), confined=lambda entrant: Elsewhere(partial(make, entrant)))
    here, there = Journal(), Journal()
    play_block(blocks[0], make, here)
    play_together(blocks, lineup, {blocks[0].key: there})
    assert there.lines == here.lines
    assert here.lines


class Mortal(Elsewhere):
    """A pool whose process ends at its tenth batch of turns, for a reason of the machine."""

    batches = 0

    def __init__(self, *, is_mortal: bool) -> None:
        super().__init__(partial(make, 0))
        self._is_mortal = is_mortal
        self._decisions: list[int] = []

    def sit(self, seat_requests: Sequence[SeatRequest]) -> list[SeatReply]:
        """Seat players."""
        self._decisions = [0] * len(seat_requests)
        return super().sit(seat_requests)

    def decide(self, turns: Turns) -> Decided:  # type: ignore[override]  # as above
        """Answer, or die."""
        self.batches += 1
        numbers = list(zip(turns.seats.tolist(), turns.rounds.tolist(), strict=True))
        if self._is_mortal and self.batches >= 10:
            faults = {
                place: Verdict("died", "play", round_, self._decisions[seat], "play: died", "", "")
                for place, (seat, round_) in enumerate(numbers)
            }
            decided = Decided(np.full(len(faults), -1, np.int64), faults)
        else:
            decided = super().decide(turns)
        for seat, _ in numbers:
            self._decisions[seat] += 1
        return decided


@tried(10)
@given(any_blocks())
def test_what_a_machine_did_is_played_again_from_its_record(blocks: tuple[Block, ...]) -> None:
    """A process that died then dies at the same turns now, and nobody notices another machine."""

    def lineup(*, is_mortal: bool) -> list[BlockResult]:
        casting = replace(
            lineup_of(make),
            confined=lambda entrant: None if entrant else Mortal(is_mortal=is_mortal),
        )
        return play_together(blocks, casting, {}, recorded).results

    recorded: tuple[RecordedFault, ...] = ()
    first = lineup(is_mortal=True)
    recorded = tuple(
        RecordedFault(result.key, seat.seat, seat.verdict)
        for result in first
        for seat in result.seats
        if seat.verdict and seat.verdict.cause == "died"
    )
    assert lineup(is_mortal=False) == first


@tried(20)
@given(any_blocks())
def test_whoever_is_the_same_twice_is_never_blamed(blocks: tuple[Block, ...]) -> None:
    """Whatever they answer and whether they fail; nor does being asked again change anything."""
    lineup = replace(lineup_of(make), confined=lambda entrant: Elsewhere(partial(make, entrant)))
    again = play_batch(Batch(0, 0, tuple(blocks)), lineup, asks_again=True)
    assert again.differing == ()
    assert list(again.results) == played(blocks, {0, 1, 2})
