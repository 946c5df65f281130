"""Eight shoes of one deck side by side: shuffled, and divided into rounds by an automaton.

Shoe s depends only on stream s, and the ends of rounds depend only on the cards if hands do not
depend on a count. So eight shoes are shuffled and played together, which hides the latency of
look-ups. The chips are computed afterwards, in order. Cards are chosen as far as rounds usually
need, and the rest on demand.

All indices are uint64, because numba checks other indices for negative values.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tourney.game.machine.jit import Word, inlined, subroutine
from tourney.game.machine.philox import HALF_BITS, HALVES, LOW, philox, write_halves
from tourney.games.blackjack.kernels import automaton as wide
from tourney.games.blackjack.kernels.automaton import OPENING, Ending, Kind
from tourney.games.blackjack.kernels.shoes import (
    DECK,
    DRAWS_OF,
    FACES,
    ONE,
    PRODUCT_OF,
    RANK_MASK,
    REJECTED_OF,
    ZERO,
    Codes,
    U,
    Words,
    serve,
)

Arrows = NDArray[np.uint32]

LANES = 8
ROW = 64
"""Cards in a lane: a deck, and memory for one more word."""
MOST_ROUNDS = 32
"""Limit for the rounds of a lane; each needs at least four cards of 52."""

LANES_U = U(LANES)
PLACE_BITS, ENDS, KIND, STOOD, DRAWS, NEXT = 6, 6, 7, 10, 11, 16
"""First bits in an arrow of a lane, as in `automaton`; NEXT is the first arrow of the next state,
not its number."""
END_BIT, NEXT_BITS, PLACES = U(ENDS), U(NEXT), U((1 << ENDS) - 1)

EARLY = U(37)
"""Cards that one block of the generator chooses, if it has no rejected half."""


def narrow(arrows: Arrows) -> Arrows | None:
    """Convert arrows of an automaton to those of lanes; `None` if they do not fit.

    Args:
        arrows: Arrows of a game with only hitting and standing.
    """
    words = arrows.astype(np.int64)
    kinds, endings = words >> wide.KIND & 15, words >> wide.ENDING & (wide.ENDINGS - 1)
    if len(arrows) > 1 << (32 - NEXT) or kinds.max() > Kind.PUSH_AT_ONCE:
        return None
    narrowed = (words >> wide.ENDS & 1) << ENDS | kinds << KIND
    narrowed |= (endings == Ending.STOOD) << STOOD | (words >> wide.DRAWS & 15) << DRAWS
    narrowed |= (words >> wide.NEXT) * wide.ARROWS << NEXT
    return narrowed.astype(np.uint32)


class Lanes(NamedTuple):
    """Shoes side by side, as arrays."""

    deck: Codes  # (LANES * ROW,) cards in order of dealing, as in FACES
    ready: Words  # (LANES,) number of cards chosen
    ends: Arrows  # (LANES * MOST_ROUNDS,) arrows that ended rounds, with the place of the next
    # card; the first of a lane is 0, as if a round had ended before the first card
    notes: Words  # (LANES,) end of the lane's entries in `ends`
    words: Words  # (LANES * ROW / 8,) the bytes of `deck`, eight at a time
    states: Words  # (LANES,) first arrow of the state
    halves: Words  # (8,) memory for a block of the generator
    tags: NDArray[np.int64]  # (ROW,) count of a seen card, by face
    counts: NDArray[np.int64]  # (ROW,) the running count after each number of cards, if all seen
    wagers: NDArray[np.int64]  # (steps,) of the seat's ramp
    naturals: NDArray[np.int64]  # (steps,) win of a natural with each wager
    placed: NDArray[np.int64]  # (LANES * MOST_ROUNDS,) wagers that followed a count


def new_lanes(steps: int) -> Lanes:
    """Allocate lanes, for ramps of `steps` steps."""
    deck = np.zeros(LANES * ROW, np.uint8)
    return Lanes(
        deck=deck,
        ready=np.zeros(LANES, np.uint64),
        ends=np.zeros(LANES * MOST_ROUNDS, np.uint32),
        notes=np.zeros(LANES, np.uint64),
        words=deck.view("<u8"),
        states=np.zeros(LANES, np.uint64),
        halves=np.zeros(int(HALVES), np.uint64),
        tags=np.zeros(ROW, np.int64),
        counts=np.zeros(ROW, np.int64),
        wagers=np.zeros(steps, np.int64),
        naturals=np.zeros(steps, np.int64),
        placed=np.zeros(LANES * MOST_ROUNDS, np.int64),
    )


@inlined
def is_fair(place: Word, half: Word) -> Word:
    """Return whether a half chooses the cards from a place on without bias."""
    left = DECK - place
    return (half * PRODUCT_OF[left]) & LOW >= REJECTED_OF[left]


@inlined
def shuffle_early(lanes: Lanes, lane: Word, low: Word, high: Word, stream: Word) -> None:
    """Choose the first cards of a shoe.

    Args:
        lanes: The lanes.
        lane: The lane to write.
        low: The low word of the key.
        high: The high word of the key.
        stream: Number of the shoe.
    """
    deck, row = lanes.deck, lane * U(ROW)
    for code in range(ZERO, DECK):
        deck[row + code] = FACES[code]
    first, second, third, fourth = philox((ONE, stream, ZERO, ZERO), low, high)
    a, b, c, d = first & LOW, first >> HALF_BITS, second & LOW, second >> HALF_BITS
    e, f, g, h = third & LOW, third >> HALF_BITS, fourth & LOW, fourth >> HALF_BITS
    serve(deck, row + U(0), U(52), U(4), a)
    serve(deck, row + U(4), U(48), U(4), b)
    serve(deck, row + U(8), U(44), U(4), c)
    serve(deck, row + U(12), U(40), U(4), d)
    serve(deck, row + U(16), U(36), U(5), e)
    serve(deck, row + U(21), U(31), U(5), f)
    serve(deck, row + U(26), U(26), U(5), g)
    serve(deck, row + U(31), U(21), U(6), h)
    lanes.ready[lane] = EARLY
    if not (
        is_fair(U(0), a)
        & is_fair(U(4), b)
        & is_fair(U(8), c)
        & is_fair(U(12), d)
        & is_fair(U(16), e)
        & is_fair(U(21), f)
        & is_fair(U(26), g)
        & is_fair(U(31), h)
    ):
        shuffle_whole(lanes, lane, low, high, stream)


@subroutine
def shuffle_whole(lanes: Lanes, lane: Word, low: Word, high: Word, stream: Word) -> None:
    """Choose all cards of a shoe, also with rejected halves; see `shuffle_early`."""
    deck, row = lanes.deck, lane * U(ROW)
    for code in range(ZERO, DECK):
        deck[row + code] = FACES[code]
    choose_rest(lanes, lane, low, high, stream, (ZERO, ZERO))


@subroutine
def choose_rest(
    lanes: Lanes, lane: Word, low: Word, high: Word, stream: Word, done: tuple[Word, Word]
) -> None:
    """Choose the cards of a shoe that are not chosen yet.

    Args:
        lanes: The lanes.
        lane: The lane to write.
        low: The low word of the key.
        high: The high word of the key.
        stream: Number of the shoe.
        done: Numbers of cards chosen and of halves taken; the halves fill whole blocks of the
            generator.
    """
    deck, row, halves = lanes.deck, lane * U(ROW), lanes.halves
    place, taken = done
    while place < DECK:
        while True:
            if taken % HALVES == ZERO:
                write_halves(halves, ZERO, taken // HALVES + ONE, stream, (low, high))
            half = halves[taken % HALVES]
            taken += ONE
            if is_fair(place, half):
                break
        draws = DRAWS_OF[DECK - place]
        serve(deck, row + place, DECK - place, draws, half)
        place += draws
    lanes.ready[lane] = DECK


@inlined
def step(
    lanes: Lanes, arrows: Arrows, lane: Word, place: Word, at: tuple[Word, Word]
) -> tuple[Word, Word]:
    """Follow the arrow of a card; write it to `ends`, and keep it if it ends a round.

    Args:
        lanes: The lanes.
        arrows: The arrows of the automaton.
        lane: The lane.
        place: Place of the card.
        at: The first arrow of the state, and the index of the next entry of `ends`.
    Returns: Both after the card.
    """
    state, note = at
    arrow = U(arrows[state + (U(lanes.deck[lane * U(ROW) + place]) & RANK_MASK)])
    lanes.ends[note] = arrow + place + ONE
    return arrow >> NEXT_BITS, note + ((arrow >> END_BIT) & ONE)


@inlined
def step_four(lanes: Lanes, arrows: Arrows, lane: Word, sure: Word) -> None:
    """Play the first cards of four lanes.

    Args:
        lanes: The lanes.
        arrows: The arrows of the automaton.
        lane: The first of the four lanes.
        sure: Number of cards to play, which every lane needs.
    """
    second, third, fourth = lane + ONE, lane + U(2), lane + U(3)
    notes = U(MOST_ROUNDS)
    a, b = (ZERO, lane * notes + ONE), (ZERO, second * notes + ONE)
    c, d = (ZERO, third * notes + ONE), (ZERO, fourth * notes + ONE)
    # Four at a time: their states fit into registers, and their latencies overlap.
    for place in range(ZERO, sure):
        a = step(lanes, arrows, lane, place, a)
        b = step(lanes, arrows, second, place, b)
        c = step(lanes, arrows, third, place, c)
        d = step(lanes, arrows, fourth, place, d)
    lanes.states[lane], lanes.notes[lane] = a
    lanes.states[second], lanes.notes[second] = b
    lanes.states[third], lanes.notes[third] = c
    lanes.states[fourth], lanes.notes[fourth] = d


@subroutine
def play_lanes(
    lanes: Lanes, arrows: Arrows, low: Word, high: Word, stream: Word, starts: Word
) -> bool:
    """Shuffle and play eight shoes; False if one of them ran out during a round.

    Args:
        lanes: The lanes. Updated.
        arrows: The arrows of the automaton.
        low: The low word of the key.
        high: The high word of the key.
        stream: Number of the first shoe.
        starts: Number of places in a shoe at which rounds may begin.
    """
    for lane in range(ZERO, LANES_U):
        shuffle_early(lanes, lane, low, high, stream + lane)
    # Four more cards may end one more round, but never two.
    sure = min(starts + U(OPENING), EARLY)
    step_four(lanes, arrows, ZERO, sure)
    step_four(lanes, arrows, U(4), sure)
    for lane in range(ZERO, LANES_U):
        note = lanes.notes[lane]
        if note > lane * U(MOST_ROUNDS) + ONE:
            note -= ONE if U(lanes.ends[note - U(2)]) & PLACES >= starts else ZERO
        lanes.notes[lane] = note
        if U(lanes.ends[note - ONE]) & PLACES < starts:
            at, place = (lanes.states[lane], note), sure
            while at[1] == note:
                if place == lanes.ready[lane]:
                    if place == DECK:
                        return False
                    choose_rest(lanes, lane, low, high, stream + lane, (EARLY, HALVES))
                at = step(lanes, arrows, lane, place, at)
                place += ONE
            lanes.notes[lane] = at[1]
    return True


_FIRST_PLACES, _DRAWS = (0, 4, 8, 12, 16, 21, 26, 31), [4, 4, 4, 4, 5, 5, 5, 6]
assert DRAWS_OF[[int(DECK) - place for place in _FIRST_PLACES]].tolist() == _DRAWS
