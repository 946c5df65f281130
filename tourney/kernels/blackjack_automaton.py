"""Deal, play, dealer and payout of one seat as a finite automaton that reads cards.

A card leads from one state to the next by a single look-up, whoever it goes to. What a round came
to stands at the arrow that ends it. The arrows are found by following the rules from the empty
felt, so there are as many states as can happen, one or two thousand; those that no further cards
tell apart are one.

Leaves out wagers, and the rounds in which a hand is split or played by a count: their arrows say
only that they must be played some other way, see `blackjack_fast_hand`.
"""

from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tourney.cards.card import CARDS, RANKS
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.declaration import NEVER, PAIRS_FROM, TOTALS, VALUES, move_cell
from tourney.games.blackjack.hand import ACE_VALUE, BEST_TOTAL
from tourney.kernels.blackjack_fast_rules import (
    BUST,
    DOUBLE_BIT,
    HOLE,
    SURRENDER_BIT,
    UPCARD,
    Game,
    mask_cell,
)

ARROWS = 16
"""From every state, by rank of the card; the last three lead nowhere, but keep rows apart."""
MOST_STATES = 1 << 14
MOST_DRAWS = 15
OPENING = 4
SOFT_21 = TOTALS + BEST_TOTAL

PLACE_BITS = 6
ENDS, KIND, ENDING, DRAWS, NEXT = 6, 7, 11, 14, 18
"""Where in an arrow stands whether it ends the round, how, what the seat did last, how many cards
the dealer drew, and the next state. The lowest bits are left for a place."""


class Kind(IntEnum):
    """How a round ended; the number finds its net."""

    LOSS = 0
    PUSH = 1
    WIN = 2
    NATURAL = 3  # nobody waits for the dealer, here and in the following
    BUST = 4
    LOSS_AT_ONCE = 5
    PUSH_AT_ONCE = 6
    DOUBLE_LOSS = 7
    DOUBLE_PUSH = 8
    DOUBLE_WIN = 9
    DOUBLE_BUST = 10
    SURRENDER = 11
    OTHER = 12  # it must be played some other way


class Ending(IntEnum):
    """What a seat did after all hits, if anything."""

    NOTHING = 0
    STOOD = 1
    DOUBLED = 2
    SURRENDERED = 3


DECLINED = 4
"""Is added to an `Ending` if the seat declined insurance first."""
ENDINGS = 8


class State(NamedTuple):
    """What matters of a round between two cards; zeros for what is not there yet."""

    dealt: int = 0  # opening cards, up to four
    seat: int = 0  # the hand's number; or, at the dealer's turn, its total
    rank: int = 0  # of a seat's only card
    pair: int = 0  # 1 for two cards of one value, 2 if the rules let them be split
    upcard: int = 0  # value
    hole: int = 0  # value
    is_doubled: bool = False
    dealer: int = 0  # the hand's number, once it is the dealer's turn
    draws: int = 0  # cards the dealer drew
    ending: int = 0


class Arrow(NamedTuple):
    """Where a card leads; a round that ends begins anew."""

    after: State
    kind: Kind | None = None
    ending: int = 0
    draws: int = 0


KINDS = tuple(Kind)
EMPTY = State()
EMPTY_FELT = Arrow(EMPTY)
LEAST_THAT_MATTERS = 16
"""To a dealer, 16 is as good as 4."""


class Automaton:
    """The arrows of a game and a player."""

    def __init__(self, game: Game) -> None:
        """Make ready to follow the rules, for a seat that can stake whatever it likes."""
        self._game = game
        names = {int(game.places[UPCARD]): "upcard", int(game.places[HOLE]): "hole"}
        self._order = tuple(names.get(place, "seat") for place in range(OPENING))
        self._masks = game.masks.tolist()
        self._after = game.after.tolist()
        self._draws = game.draws.tolist()
        self._signs = game.signs.tolist()
        self._stand_from = game.stand_from.tolist()
        self._moves = game.moves.tobytes()

    def arrow(self, state: State, rank: int) -> Arrow:
        """Say where a card leads from a state; two is rank 0."""
        value = CARDS[rank].value
        if state.dealt < OPENING:
            return self._opened(self._with_opening_card(state, rank, value))
        if state.dealer:
            dealer = self._with(state.dealer, value)
            return self._dealer_turn(state, dealer, state.draws + 1)
        _, seat, _, _, upcard, hole, is_doubled, _, _, _ = state
        state = State(OPENING, self._with(seat, value), 0, 0, upcard, hole, is_doubled)
        if is_doubled:
            return self._dealer_begins(state, Ending.DOUBLED)
        return self._seat_turn(state, 0)

    def table(self) -> NDArray[np.uint32]:
        """Follow all arrows from the empty felt; shape (states * 16,).

        Raises: OverflowError, if there are more states than arrows can name.
        """
        numbers = {EMPTY: 0}
        what: list[int] = []
        after: list[int] = []
        waiting = [EMPTY]
        for state in waiting:  # it grows as states are found
            for arrow in self._arrows(state):
                if arrow.after not in numbers:
                    numbers[arrow.after] = len(numbers)
                    waiting.append(arrow.after)
                after.append(numbers[arrow.after])
                what.append(_packed(arrow))
            after += [0] * (ARROWS - RANKS)
            what += [0] * (ARROWS - RANKS)
        return _fewest(np.array(what, np.int64), np.array(after, np.int64))

    def _arrows(self, state: State) -> Iterator[Arrow]:
        by_rank = self._game.splits_by_rank and state.dealt < OPENING
        arrow = EMPTY_FELT
        for rank in range(RANKS):
            # Without that all cards that count ten are alike, and stand in a row.
            if by_rank or not rank or CARDS[rank].value != CARDS[rank - 1].value:
                arrow = self.arrow(state, rank)
            yield arrow

    def _with(self, hand: int, value: int) -> int:
        return int(self._after[hand * VALUES + value])

    def _with_opening_card(self, state: State, rank: int, value: int) -> State:
        what, dealt = self._order[state.dealt], state.dealt + 1
        if what != "seat":
            _, seat, first, pair, upcard, hole, *_ = state
            upcard, hole = (value, hole) if what == "upcard" else (upcard, value)
            return State(dealt, seat, first, pair, upcard, hole)
        hand = self._with(state.seat, value)
        if not state.seat:
            return state._replace(dealt=dealt, seat=hand, rank=rank)
        is_pair = CARDS[state.rank].value == value
        may_split = is_pair and (rank == state.rank or not self._game.splits_by_rank)
        return state._replace(dealt=dealt, seat=hand, rank=0, pair=is_pair + may_split)

    def _opened(self, state: State) -> Arrow:
        if state.dealt < OPENING:
            return Arrow(state)
        if self._is_insurance_offered(state) and self._game.insure_from < NEVER:
            return Arrow(EMPTY, Kind.OTHER)
        is_natural = state.seat == SOFT_21
        if self._game.ends_at_once and state.upcard + state.hole == BEST_TOTAL:
            kind = Kind.PUSH_AT_ONCE if is_natural else Kind.LOSS_AT_ONCE
            return self._end(state, kind, Ending.NOTHING)
        if is_natural:
            return self._end(state, Kind.NATURAL, Ending.NOTHING)
        mask = self._masks[mask_cell(0, state.pair // 2, state.seat % TOTALS)]
        return self._seat_turn(state, mask)

    def _seat_turn(self, state: State, mask: int) -> Arrow:
        hand = state.seat
        if hand == BUST:
            return self._end(state, Kind.BUST, Ending.NOTHING)
        if self._game.stands_on_21 and hand % TOTALS == BEST_TOTAL:
            return self._dealer_begins(state, Ending.NOTHING)
        move = self._move(state, mask)
        if state.pair:
            state = state._replace(pair=0)
        return self._moved(state, move, mask)

    def _moved(self, state: State, move: int, mask: int) -> Arrow:
        """Say where a move leads."""
        if move == Action.HIT:
            return Arrow(state)
        if move == Action.STAND:
            return self._dealer_begins(state, Ending.STOOD)
        if move == Action.DOUBLE and mask & DOUBLE_BIT:
            return Arrow(state._replace(is_doubled=True))
        if move == Action.SURRENDER and mask & SURRENDER_BIT:
            return self._end(state, Kind.SURRENDER, Ending.SURRENDERED)
        return Arrow(EMPTY, Kind.OTHER)

    def _move(self, state: State, mask: int) -> int:
        """Say what the seat does; 0 if it depends on a count."""
        dealer = self._with(0, state.upcard)
        if self._game.shows_both:
            dealer = self._with(dealer, state.hole)
        row = PAIRS_FROM + self._pair_value(state.seat) if state.pair else state.seat
        if move := self._moves[move_cell(row, dealer, mask)]:
            return move
        stand_from = self._stand_from[state.seat * VALUES + state.upcard]
        if abs(stand_from) < NEVER:
            return 0
        return Action.HIT if stand_from > 0 else Action.STAND

    @staticmethod
    def _pair_value(hand: int) -> int:
        return ACE_VALUE if hand >= TOTALS else hand // 2

    def _dealer_begins(self, state: State, ending: int) -> Arrow:
        if state.seat == BUST:
            return self._end(state, Kind.DOUBLE_BUST, ending)
        total = max(state.seat % TOTALS, LEAST_THAT_MATTERS)
        ending = self._with_insurance(state, ending)
        at_turn = State(OPENING, total, is_doubled=state.is_doubled, ending=ending)
        return self._dealer_turn(at_turn, self._with(self._with(0, state.upcard), state.hole), 0)

    def _dealer_turn(self, state: State, dealer: int, draws: int) -> Arrow:
        _, seat, _, _, _, _, is_doubled, _, _, ending = state
        if self._draws[dealer]:
            return Arrow(State(OPENING, seat, 0, 0, 0, 0, is_doubled, dealer, draws, ending))
        push = Kind.DOUBLE_PUSH if is_doubled else Kind.PUSH
        return Arrow(EMPTY, KINDS[push + self._signs[seat][dealer]], ending, draws)

    def _end(self, state: State, kind: Kind, ending: int) -> Arrow:
        return Arrow(EMPTY, kind, self._with_insurance(state, ending))

    def _with_insurance(self, state: State, ending: int) -> int:
        return ending + (DECLINED if self._is_insurance_offered(state) else 0)

    def _is_insurance_offered(self, state: State) -> bool:
        return self._game.offers_insurance and state.upcard == ACE_VALUE


def _packed(arrow: Arrow) -> int:
    if arrow.kind is None:
        return 0
    assert 0 <= arrow.draws <= MOST_DRAWS
    return 1 << ENDS | arrow.kind << KIND | arrow.ending << ENDING | arrow.draws << DRAWS


def _fewest(what: NDArray[np.int64], after: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Join the states that no further cards tell apart, and write their arrows.

    Args:
        what: Of every arrow, but for where it leads.
        after: Number of the state that it leads to.
    """
    # States are told apart by what their next card says, then the next two, and so on.
    classes, found = np.zeros(len(after) // ARROWS, np.int64), 1
    while True:
        rows = np.column_stack((what.reshape(-1, ARROWS), classes[after].reshape(-1, ARROWS)))
        firsts, classes = _alike(rows)
        if len(firsts) == found:
            break
        found = len(firsts)
    if found > MOST_STATES:
        raise OverflowError(f"expected at most {MOST_STATES} states, got {found}")
    # The empty felt is state 0, and others follow in the order in which they were found.
    places = np.argsort(np.argsort(firsts))
    packed = what.reshape(-1, ARROWS) | places[classes[after]].reshape(-1, ARROWS) << NEXT
    return packed[np.sort(firsts)].astype(np.uint32).reshape(-1)


def _alike(rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give the first row of every kind, and the kind of every row."""
    numbers: dict[bytes, int] = {}
    firsts: list[int] = []
    kinds = np.empty(len(rows), np.int64)
    for place, row in enumerate(rows):
        text = row.tobytes()
        if text not in numbers:
            numbers[text] = len(firsts)
            firsts.append(place)
        kinds[place] = numbers[text]
    return np.array(firsts), kinds
