"""Whoever has a pool of its own plays as it would at anybody's, and can be shown again."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.proving import tried
from tourney import Card, Hand, Player
from tourney.execution.engine_selection import Played, play_batch, play_joined
from tourney.formats.field import Field
from tourney.game.asking.exchange import Decided, SeatReply, SeatRequest
from tourney.game.blocks import Batch, Block, RecordedFault
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey, BlockResult, Verdict
from tourney.game.lineup import Lineup, lineup_of
from tourney.game.players import Undeclared
from tourney.game.turns import Watcher
from tourney.games.blackjack.asking.pool import Pool
from tourney.games.blackjack.asking.views import NAMES as CALLS
from tourney.games.blackjack.players.questions import (
    FAULT,
    Call,
    Questions,
    read_questions,
    write_questions,
)
from tourney.games.blackjack.rules import BlackjackRules

from .any_block import any_rules
from .any_casino import any_casino_rules
from .test_lockstep import Room, any_room

MANY = tried(60)


def played(room: Room, shut_in: int, *, watched: bool) -> tuple[BlockResult, ...]:
    """Play a room with one entrant in a pool of its own."""
    make = partial(room.make_player, shut_in)
    return played_at(room, shut_in, lambda: Pool(make), None, watched=watched)


def played_at(
    room: Room,
    shut_in: int,
    open_pool: Callable[[], Pool],
    recorded: tuple[RecordedFault, ...] | None,
    *,
    watched: bool = False,
) -> tuple[BlockResult, ...]:
    """Play a room with one entrant in a pool of its own, with what is recorded of it."""
    lineup = replace(
        lineup_of(room.make_player),
        confined=lambda entrant: open_pool() if entrant == shut_in else None,
    )
    watchers = {block.key: Watcher() for block in room.blocks} if watched else {}
    return play_batch(Batch(0, 0, room.blocks, recorded), lineup, watchers=watchers).results


def seen(result: BlockResult) -> list[str]:
    """Give what lay before those at fault, which does not count where results are compared."""
    return [seat.verdict.seen for seat in result.seats if seat.verdict]


@MANY
@given(any_room(any_rules() | any_casino_rules()), st.booleans())
def test_a_pool_of_its_own_changes_nothing(room: Room, watched: bool) -> None:
    """Beside others or alone, looked at or not; looked at, its answers are played again."""
    expected = room.by_reference()
    for shut_in in range(len(room.makers)):
        for result in played(room, shut_in, watched=watched):
            assert result == expected[result.key]
            assert seen(result) == seen(expected[result.key])


class Heard(Pool):
    """A pool that keeps what it is asked, as a process of its own would be told."""

    def __init__(self, make_player: Callable[[], Any], heard: list[list[bytes]]) -> None:
        super().__init__(make_player)
        self.heard: list[bytes] = []
        heard.append(self.heard)

    def sit(self, seat_requests: Sequence[SeatRequest]) -> list[SeatReply]:
        """Keep who sits down."""
        self.heard.append(repr(seat_requests).encode())
        return super().sit(seat_requests)

    def decide(self, questions: Questions) -> Decided:
        """Keep the questions."""
        self.heard.append(write_questions(questions))
        return super().decide(questions)


@pytest.mark.prove
@MANY
@given(st.lists(any_room(any_rules() | any_casino_rules()), min_size=2, max_size=4))
def test_batches_that_are_played_beside_each_other_are_as_if_alone(rooms: list[Room]) -> None:
    """Results are the same, and so is every byte that a process is asked, and its order.

    Who plays by two rules in one batch has a process for each. Which of them is asked first hangs
    on the batches beside it, and neither can know.
    """
    batches, makers = [], dict[int, Callable[[], Any]]()
    for number, room in enumerate(rooms):
        first = len(makers)
        makers |= {first + entrant: make for entrant, make in enumerate(room.makers)}
        blocks = [
            replace(
                block,
                key=block.key._replace(heat=number),
                seats=tuple(replace(seat, entrant=first + seat.entrant) for seat in block.seats),
            )
            for block in room.blocks
        ]
        batches.append(Batch(0, number, tuple(blocks)))

    def played_by(play: Callable[[Lineup], list[Played]]) -> tuple[list[Played], Any]:
        heard: dict[int, list[list[bytes]]] = {entrant: [] for entrant in makers}
        lineup = Lineup(
            lambda entrant: makers[entrant](),
            lambda _entrant, _rules: Undeclared("it is confined"),
            confined=lambda entrant: Heard(makers[entrant], heard[entrant]),
        )
        found = play(lineup)
        # Not those that nobody sits in: whether somebody is confined is asked by making one.
        return found, {who: sorted(filter(None, told)) for who, told in heard.items()}

    def one_by_one(lineup: Lineup) -> list[Played]:
        return [play_batch(batch, lineup, asks_again=True) for batch in batches]

    beside = played_by(lambda lineup: play_joined(batches, lineup, "auto", asks_again=True))
    assert beside == played_by(one_by_one)


class Sharing(Player):
    """Draws by a number that its class keeps, so the order in which tables are asked shows."""

    asked = 0

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager little."""
        return minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Count."""
        kind = type(self)
        kind.asked += 1
        return kind.asked % 3 == 0


@pytest.mark.parametrize("small", [0, 20])
def test_a_large_batch_is_asked_the_same_whatever_is_played_beside_it(small: int) -> None:
    """All 300 tables of its only entrant at once, though somebody beside it has few seats."""
    rules = BlackjackRules(decks=6, reshuffle=52)

    def block(heat: int, table: int, seats: int) -> Block:
        field = Field(2, rules, 0, 5 * rules.unit, 50 * rules.unit, Secret.from_seed(7))
        return field.block(BlockKey(0, heat, table, 0, 1), ((heat, 100 * rules.unit),) * seats, 3)

    large = Batch(0, 0, tuple(block(0, table, 7) for table in range(300)))
    batches = [large, Batch(0, 1, tuple(block(1, table, 1) for table in range(small)))]

    def played(play: Callable[[Lineup], Played]) -> tuple[Played, list[list[bytes]]]:
        heard: dict[int, list[list[bytes]]] = {0: [], 1: []}
        lineup = Lineup(
            lambda _entrant: Sharing(),
            lambda _entrant, _rules: Undeclared("it is confined"),
            confined=lambda entrant: Heard(type("Own", (Sharing,), {"asked": 0}), heard[entrant]),
        )
        return play(lineup), [told for told in heard[0] if told]

    beside, told = played(lambda lineup: play_joined(batches[: 1 + bool(small)], lineup, "auto")[0])
    assert (beside, told) == played(lambda lineup: play_batch(large, lineup))
    assert len(read_questions(told[0][1]).seats) == 300


class Mortal(Pool):
    """A pool whose process ends after some batches of questions, for a reason of the machine."""

    def __init__(self, make_player: Callable[[], Any], batches: int) -> None:
        super().__init__(make_player)
        self.batches_left = batches

    def sit(self, seat_requests: Sequence[SeatRequest]) -> list[SeatReply]:
        """Make players, if it still lives."""
        if self.batches_left:
            return super().sit(seat_requests)
        self._decisions = np.zeros(len(seat_requests), np.int64)
        return [
            SeatReply(acts=False, watches=False, verdict=ended("import", each.first_round, 0))
            for each in seat_requests
        ]

    def decide(self, questions: Questions) -> Decided:
        """Answer, if it still lives."""
        self.batches_left = max(0, self.batches_left - 1)
        if self.batches_left:
            return super().decide(questions)
        faults = {
            place: ended(
                CALLS[Call(questions.calls[place])],
                int(questions.rounds[place]),
                int(self._decisions[seat]),
            )
            for place, seat in enumerate(questions.seats.tolist())
        }
        self._decisions[questions.seats] += questions.calls != Call.LOOK
        return Decided(np.full(len(faults), FAULT, np.int64), faults)


def ended(call: str, round_: int, decision: int) -> Verdict:
    """Give the verdict on a player whose process has ended."""
    return Verdict("died", call, round_, decision, f"{call}: expected an answer", "", "")


@pytest.mark.prove
@MANY
@given(any_room(any_rules() | any_casino_rules()), st.integers(0, 40), st.booleans())
def test_what_has_ended_once_ends_by_its_record(room: Room, batches: int, watched: bool) -> None:
    """On a machine where it would live on: for everybody at the table as it was."""
    for shut_in in range(len(room.makers)):
        make = partial(room.make_player, shut_in)
        first = played_at(room, shut_in, partial(Mortal, make, batches), None)
        faults = tuple(
            RecordedFault(result.key, seat.seat, seat.verdict)
            for result in first
            for seat in result.seats
            if seat.verdict and seat.verdict.cause == "died"
        )
        again = played_at(room, shut_in, partial(Pool, make), faults, watched=watched)
        assert again == first
        assert [result.digest for result in again] == [result.digest for result in first]
        assert list(map(seen, again)) == list(map(seen, first))


@MANY
@given(any_room(any_rules() | any_casino_rules()), st.booleans())
def test_whoever_is_the_same_twice_is_never_blamed(room: Room, watched: bool) -> None:
    """Whoever sits beside them, whatever they answer and whether they fail."""
    lineup = replace(
        lineup_of(room.make_player),
        confined=lambda entrant: Pool(partial(room.make_player, entrant)),
    )
    watchers = {block.key: Watcher() for block in room.blocks} if watched else {}
    again = play_batch(Batch(0, 0, room.blocks), lineup, watchers=watchers, asks_again=True)
    assert again.differing == ()
    assert {result.key: result for result in again.results} == room.by_reference()
