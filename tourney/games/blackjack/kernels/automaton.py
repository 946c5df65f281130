"""A round of one seat as a finite automaton that reads cards: deal, play, dealer and payout.

Each card is one look-up that leads to the next state, for the seat or the dealer. The arrow that
ends a round holds its result. The arrows are computed by following the rules from the empty
layout. There are one or two thousand states; equivalent states are merged.

If a hand is split or played by a count, the arrow only marks that `single_seat_hand` must play the
round. Wagers are not part of the automaton.

Tables hold what the arrows that end a round mean: actions, wagers won and wagers staked.
"""

from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tourney.game.cards.card import CARDS, RANKS
from tourney.games.blackjack.action import ACTION_CODES, Action
from tourney.games.blackjack.declaration import (
    DEVIATIONS_FROM,
    MOVE_CELLS,
    NEVER,
    TOTALS,
    VALUES,
    Declaration,
    move_cell,
)
from tourney.games.blackjack.hand import ACE_VALUE
from tourney.games.blackjack.kernels.accounts import ACTIONS_U
from tourney.games.blackjack.kernels.compiled_rules import tables_of
from tourney.games.blackjack.kernels.positions import ACTED, AT_NATURAL, HAND_OF, MASK_BITS, NO_MORE
from tourney.games.blackjack.kernels.shoes import Words
from tourney.games.blackjack.position import (
    AFTER_RANK,
    NUMBER_OF,
    POSITIONS,
    SOFT_21,
    Position,
    acted,
    hand_after,
)
from tourney.games.blackjack.rules import BlackjackRules

ARROWS = 16
"""Arrows of a state, by rank of the card; the last three are unused padding."""
MOST_STATES = 1 << 14
MOST_DRAWS = 15
OPENING = 4

PLACE_BITS = 6
ENDS, KIND, ENDING, DRAWS, NEXT = 6, 7, 11, 14, 18
"""First bits in an arrow: whether it ends the round, the kind of end, the seat's last action, the
number of the dealer's draws, and the next state. The lowest bits are free for a place."""


class Kind(IntEnum):
    """The end of a round; the number is the index of its net result."""

    LOSS = 0
    PUSH = 1
    WIN = 2
    NATURAL = 3  # no hand waits for the dealer
    BUST = 4
    LOSS_AT_ONCE = 5
    PUSH_AT_ONCE = 6
    DOUBLE_LOSS = 7
    DOUBLE_PUSH = 8
    DOUBLE_WIN = 9
    DOUBLE_BUST = 10
    SURRENDER = 11
    OTHER = 12  # `single_seat_hand` must play the round


class Ending(IntEnum):
    """The action of a seat after all hits."""

    NOTHING = 0
    STOOD = 1
    DOUBLED = 2
    SURRENDERED = 3


DECLINED = 4
"""Added to an `Ending` if the seat declined insurance first."""
ENDINGS = 8


class State(NamedTuple):
    """The relevant state of a round between two cards; 0 for anything not there yet."""

    dealt: int = 0  # number of opening cards, up to four
    own: int = 0  # number of the hand's position
    upcard: int = 0  # value
    dealer: int = 0  # the dealer's hand
    is_dealers: bool = False  # whether it is the dealer's turn
    draws: int = 0  # number of cards that the dealer drew
    ending: int = 0


class Arrow(NamedTuple):
    """The state after a card; at the end of a round it is the empty layout."""

    after: State
    kind: Kind | None = None
    ending: int = 0
    draws: int = 0


LAYOUT = State()
"""The empty layout."""
OTHERWISE = Arrow(LAYOUT, Kind.OTHER)
ALL_KINDS = tuple(Kind)
HIT, STAND = int(Action.HIT), int(Action.STAND)
ENDING_OF: dict[int, Ending] = {
    Action.HIT: Ending.NOTHING,
    Action.STAND: Ending.STOOD,
    Action.DOUBLE: Ending.DOUBLED,
    Action.SURRENDER: Ending.SURRENDERED,
}
MOVED: list[list[int]] = ACTED.reshape(-1, len(POSITIONS)).tolist()
HANDS: list[int] = HAND_OF.tolist()
LEAST_THAT_MATTERS = 16
"""Against the dealer, all totals up to 16 are equivalent."""
STOOD = tuple(
    NUMBER_OF[acted(Position(max(hand % TOTALS, LEAST_THAT_MATTERS)), Action.STAND)]
    for hand in HANDS
)
"""Position of a hand when the dealer begins, by its position before."""


class Automaton:
    """Computes the arrows of a game and a player."""

    def __init__(self, rules: BlackjackRules, declaration: Declaration) -> None:
        """Prepare the tables of the rules, for a seat with enough chips for all moves.

        Args:
            rules: Rules that are `is_fast` with the declaration.
            declaration: The declaration of the seat.
        """
        house = self._house = tables_of(rules)
        self._splits_by_rank = rules.split == "by-rank"
        self._dealers = house.places[1].tolist()
        self._legal = house.legal.tolist()
        self._rows = house.rows.tolist()
        self._draws = house.draws.tolist()
        self._signs = house.signs.tolist()
        self._declaration = declaration
        self._moves = declaration.moves or bytes(MOVE_CELLS)

    def arrow(self, state: State, rank: int) -> Arrow:
        """Return the arrow of a card from a state; the rank of a two is 0."""
        if state.dealt < OPENING:
            return self._opened(state, rank)
        _, own, upcard, dealer, is_dealers, draws, ending = state
        if is_dealers:
            dealer = hand_after(dealer, CARDS[rank].value)
            return self._dealer_turn(State(OPENING, own, 0, dealer, True, draws + 1, ending))  # noqa: FBT003 - often
        return self._seat_turn(AFTER_RANK[own][rank], upcard, dealer, ending)

    def table(self) -> NDArray[np.uint32]:
        """Follow all arrows from an empty table; shape (states * 16,).

        Raises: OverflowError, if there are more states than arrows can name.
        """
        numbers = {LAYOUT: 0}
        packed: list[int] = []
        after: list[int] = []
        waiting = [LAYOUT]
        for state in waiting:  # the loop appends to it
            for arrow in self._arrows(state):
                if arrow.after not in numbers:
                    numbers[arrow.after] = len(numbers)
                    waiting.append(arrow.after)
                after.append(numbers[arrow.after])
                packed.append(_packed(arrow))
            after += [0] * (ARROWS - RANKS)
            packed += [0] * (ARROWS - RANKS)
        return _fewest(np.array(packed, np.int64), np.array(after, np.int64))

    def _arrows(self, state: State) -> Iterator[Arrow]:
        by_rank = self._splits_by_rank and state.dealt < OPENING
        arrow = Arrow(LAYOUT)
        for rank in range(RANKS):
            # Otherwise ranks of equal value, which are adjacent, share an arrow.
            if by_rank or not rank or CARDS[rank].value != CARDS[rank - 1].value:
                arrow = self.arrow(state, rank)
            yield arrow

    def _opened(self, state: State, rank: int) -> Arrow:
        """Return the arrow of an opening card."""
        place, own, upcard, dealer, *_ = state
        if place in self._dealers:
            value = CARDS[rank].value
            upcard, dealer = upcard or value, hand_after(dealer, value)
        else:
            own = AFTER_RANK[own][rank]
        if place + 1 < OPENING:
            return Arrow(State(place + 1, own, upcard, dealer))
        return self._look(own, upcard, dealer)

    def _look(self, own: int, upcard: int, dealer: int) -> Arrow:
        """Return the arrow of the last opening card."""
        if self._is_insurance_offered(upcard) and self._declaration.insure_from < NEVER:
            return OTHERWISE
        if self._house.ends_at_once and dealer == SOFT_21:
            kind = Kind.PUSH_AT_ONCE if own == AT_NATURAL else Kind.LOSS_AT_ONCE
            return self._end(kind, upcard, Ending.NOTHING)
        if own == AT_NATURAL:
            return self._end(Kind.NATURAL, upcard, Ending.NOTHING)
        return self._seat_turn(own, upcard, dealer, Ending.NOTHING)

    def _seat_turn(self, own: int, upcard: int, dealer: int, ending: int) -> Arrow:
        """Return the arrow after a card for the hand."""
        if own == NO_MORE:
            kind = Kind.DOUBLE_BUST if ending == Ending.DOUBLED else Kind.BUST
            return self._end(kind, upcard, ending)
        legal = self._legal[own]
        move = self._move(own, upcard, dealer) if legal else Action.STAND
        if legal and (not legal >> move & 1 or move == Action.SPLIT):
            return OTHERWISE  # the move depends on a count, or there are more hands
        ending = ENDING_OF[move] if legal else ending
        if move == Action.SURRENDER:
            return self._end(Kind.SURRENDER, upcard, ending)
        if move != Action.STAND:
            return Arrow(State(OPENING, MOVED[move][own], upcard, dealer, ending=ending))
        ending += DECLINED * self._is_insurance_offered(upcard)
        return self._dealer_turn(
            State(OPENING, STOOD[own], dealer=dealer, is_dealers=True, ending=ending)
        )

    def _move(self, own: int, upcard: int, dealer: int) -> int:
        """Return the move of the seat; 0 if it depends on a count."""
        shown = dealer if self._house.is_shown else hand_after(0, upcard)
        mask = self._legal[own] >> MASK_BITS
        if move := self._moves[move_cell(self._rows[own], shown, mask)]:
            return 0 if move >= DEVIATIONS_FROM else move
        stand_from = self._declaration.stand_from[HANDS[own] * VALUES + upcard]
        if abs(stand_from) < NEVER:
            return 0
        return HIT if stand_from > 0 else STAND

    def _dealer_turn(self, state: State) -> Arrow:
        _, own, _, dealer, _, draws, ending = state
        if self._draws[dealer]:
            return Arrow(state)
        push = Kind.DOUBLE_PUSH if ending % DECLINED == Ending.DOUBLED else Kind.PUSH
        return Arrow(LAYOUT, ALL_KINDS[push + self._signs[own][dealer]], ending, draws)

    def _end(self, kind: Kind, upcard: int, ending: int) -> Arrow:
        return Arrow(LAYOUT, kind, ending + DECLINED * self._is_insurance_offered(upcard))

    def _is_insurance_offered(self, upcard: int) -> bool:
        return self._house.insures and upcard == ACE_VALUE


def _packed(arrow: Arrow) -> int:
    if arrow.kind is None:
        return 0
    assert 0 <= arrow.draws <= MOST_DRAWS
    return 1 << ENDS | arrow.kind << KIND | arrow.ending << ENDING | arrow.draws << DRAWS


def _fewest(ends: NDArray[np.int64], after: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Merge equivalent states, and pack their arrows.

    Args:
        ends: Every arrow as packed bits, without its next state.
        after: Number of the next state of every arrow.
    """
    # States differ if their arrows for the next card differ, then for the next two, and so on.
    classes, found = np.zeros(len(after) // ARROWS, np.int64), 1
    while True:
        rows = np.column_stack((ends.reshape(-1, ARROWS), classes[after].reshape(-1, ARROWS)))
        firsts, classes = _alike(rows)
        if len(firsts) == found:
            break
        found = len(firsts)
    if found > MOST_STATES:
        raise OverflowError(f"expected at most {MOST_STATES} states, got {found}")
    # An empty table is state 0, and the others follow in the order of discovery.
    places = np.argsort(np.argsort(firsts))
    packed = ends.reshape(-1, ARROWS) | places[classes[after]].reshape(-1, ARROWS) << NEXT
    return packed[np.sort(firsts)].astype(np.uint32).reshape(-1)


def _alike(rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the index of the first row of every kind, and the kind of every row."""
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


KINDS, MOST_HITS = 16, 64


def _action_words() -> Words:
    """Compute the part of a round's hash word for its actions, by hits and ending."""
    words = np.zeros(MOST_HITS * ENDINGS, np.uint64)
    for place in range(len(words)):
        hits, ending = divmod(place, ENDINGS)
        ending, is_declined = ending % DECLINED, ending >= DECLINED
        hits -= ending == Ending.DOUBLED  # its card is not a hit
        moves = [Action.DECLINE] * is_declined + [Action.HIT] * hits
        last = (None, Action.STAND, Action.DOUBLE, Action.SURRENDER)[ending]
        packed = 0
        for move in (*moves, *([last] if last else [])):
            packed = packed * ACTION_CODES + move
        words[place] = packed * int(ACTIONS_U) % (1 << 64)
    words.setflags(write=False)
    return words


ACTION_WORDS = _action_words()
STAKES, SIGNS, IS_HIDDEN = (np.zeros(KINDS, np.int64) for _ in range(3))
"""By kind of ending: wagers staked, wagers won (0 for naturals and surrenders), and whether no hand
waits for the dealer."""
for _kind, _stakes, _sign, _hidden in (
    (Kind.LOSS, 1, -1, 0),
    (Kind.PUSH, 1, 0, 0),
    (Kind.WIN, 1, 1, 0),
    (Kind.NATURAL, 1, 0, 1),
    (Kind.BUST, 1, -1, 1),
    (Kind.LOSS_AT_ONCE, 1, -1, 0),
    (Kind.PUSH_AT_ONCE, 1, 0, 0),
    (Kind.DOUBLE_LOSS, 2, -2, 0),
    (Kind.DOUBLE_PUSH, 2, 0, 0),
    (Kind.DOUBLE_WIN, 2, 2, 0),
    (Kind.DOUBLE_BUST, 2, -2, 1),
    (Kind.SURRENDER, 1, 0, 1),
):
    STAKES[_kind], SIGNS[_kind], IS_HIDDEN[_kind] = _stakes, _sign, _hidden
for _table in (STAKES, SIGNS, IS_HIDDEN):
    _table.setflags(write=False)
