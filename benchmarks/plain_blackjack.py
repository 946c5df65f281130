"""A measure to compare with: one seat against the dealer, as a plain loop for numba.

It plays hit or stand, doubles, splits and surrenders by the same tables of decisions as the
compiled engine, from a shoe that is shuffled whole or from infinitely many decks. No mixes, no
digests, no bankroll that could run out, no insurance; the count is kept if there is one.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tourney.game.cards.card import CARDS
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.declaration import NEVER, Declaration
from tourney.games.blackjack.rules import BlackjackRules

HIT, STAND, DOUBLE, SPLIT = (int(each) for each in list(Action)[:4])


class Plain(NamedTuple):
    """A game and a declaration, as plain numbers."""

    decks: int  # 0 for infinitely many
    reshuffle: int
    hits_soft_17: bool
    ends_at_once: bool
    shows_both: bool
    stands_on_21: bool
    doubles: bool
    splits: bool
    surrenders: bool
    hands: int
    moves: NDArray[np.uint8]
    stand_from: NDArray[np.int64]
    tags: NDArray[np.int64]
    units: NDArray[np.int64]
    first: int
    values: NDArray[np.int64]  # by code

    @classmethod
    def of(cls, rules: BlackjackRules, declaration: Declaration) -> "Plain":
        """Write down rules and a declaration."""
        return cls(
            decks=0 if rules.decks == "infinite" else rules.decks,
            reshuffle=0 if rules.reshuffle == "every-round" else rules.reshuffle,
            hits_soft_17=rules.soft_17 == "hit",
            ends_at_once=rules.dealer_natural == "wins-at-once",
            shows_both=rules.dealer_shows == "both",
            stands_on_21=rules.stands_on_21,
            doubles=rules.double != "never",
            splits=rules.split != "never",
            surrenders=rules.surrender != "never",
            hands=rules.hands,
            moves=np.frombuffer(declaration.moves, np.uint8),
            stand_from=np.array(declaration.stand_from, np.int64),
            tags=np.array(declaration.tags, np.int64),
            units=np.array(declaration.units, np.int64),
            first=declaration.first,
            values=np.array([card.value for card in CARDS], np.int64),
        )


@njit(nogil=True)
def added(total: int, soft: bool, value: int) -> tuple[int, bool]:
    """Add a card to a hand."""
    total += value
    aces = soft + (value == 11)
    while total > 21 and aces:
        total -= 10
        aces -= 1
    return total, aces > 0


@njit(nogil=True)
def draw(game: Plain, deck: NDArray[np.int64], state: NDArray[np.int64]) -> int:
    """Deal a card, and count it."""
    if game.decks:
        code = deck[state[0]]
        state[0] += 1
    else:
        code = np.random.randint(0, 52)  # noqa: NPY002 - what numba compiles
    state[1] += game.tags[code]
    return game.values[code]


@njit(nogil=True)
def choose(
    game: Plain, total: int, soft: bool, value: int, dealer: int, upcard: int, mask: int
) -> int:
    """Look a move up; a pair has the value of its cards, another hand 0."""
    if len(game.moves):
        row = 44 + value if value else soft * 22 + total
        move = game.moves[(row * 44 + dealer) * 8 + mask]
        if move:
            return move
    return HIT if game.stand_from[(soft * 22 + total) * 12 + upcard] == NEVER else STAND


@njit(nogil=True)
def play_seat(  # noqa: C901 - one plain loop is what it is
    game: Plain,
    deck: NDArray[np.int64],
    state: NDArray[np.int64],
    hands: NDArray[np.int64],
    dealer: int,
    upcard: int,
) -> int:
    """Play all hands of the seat; give how many it holds."""
    held, at = 1, 0
    while at < held:
        total, soft, size = hands[at, 0], hands[at, 1] > 0, hands[at, 2]
        if hands[at, 5] or total > 21 or (game.stands_on_21 and total == 21):
            at += 1
            continue
        mask = 0
        if size == 2:
            if game.doubles:
                mask += 1
            if game.splits and hands[at, 3] and held < game.hands:
                mask += 2
            if game.surrenders and held == 1:
                mask += 4
        move = choose(game, total, soft, hands[at, 3], dealer, upcard, mask)
        if move in (HIT, DOUBLE):
            hands[at, 0], hands[at, 1] = added(total, soft, draw(game, deck, state))
            hands[at, 2], hands[at, 3] = size + 1, 0
            if move == DOUBLE:
                hands[at, 4], hands[at, 5] = 2, 1
        elif move == STAND:
            hands[at, 5] = 1
        elif move == SPLIT:
            value = hands[at, 3]
            for one in (at, held):
                card = draw(game, deck, state)
                hands[one, 0], hands[one, 1] = added(value, value == 11, card)
                hands[one, 2], hands[one, 3], hands[one, 4] = 2, value * (card == value), 1
                hands[one, 5] = value == 11
            held += 1
        else:
            hands[at, 5] = 2
    return held


@njit(nogil=True)
def play_plainly(game: Plain, rounds: int) -> float:  # noqa: C901 - as above
    """Play rounds; give the chips won."""
    size = 52 * game.decks
    deck = np.arange(size) % 52
    state, hands, chips = np.array([size, 0]), np.zeros((8, 6), np.int64), 0.0
    for _ in range(rounds):
        if game.decks and size - state[0] < max(game.reshuffle, 1):
            for place in range(size - 1, 0, -1):
                other = np.random.randint(0, place + 1)  # noqa: NPY002 - what numba compiles
                deck[place], deck[other] = deck[other], deck[place]
            state[:] = 0
        step = min(max(state[1] - game.first, 0), len(game.units) - 1)
        wager = 10 * game.units[step]
        low, upcard = draw(game, deck, state), draw(game, deck, state)
        high, hole = draw(game, deck, state), draw(game, deck, state)
        total, soft = added(low, low == 11, high)
        dealer, dealer_soft = added(upcard, upcard == 11, hole)
        if game.ends_at_once and dealer == 21:
            chips -= wager * (total != 21)
            continue
        if total == 21:
            chips += 1.5 * wager
            continue
        hands[0, 0], hands[0, 1], hands[0, 2] = total, soft, 2
        hands[0, 3], hands[0, 4], hands[0, 5] = low * (low == high), 1, 0
        shown = dealer_soft * 22 + dealer if game.shows_both else (upcard == 11) * 22 + upcard
        held = play_seat(game, deck, state, hands, shown, upcard)
        waits = False
        for at in range(held):
            waits |= hands[at, 0] <= 21 and hands[at, 5] != 2
        while waits and (dealer < 17 or (dealer == 17 and dealer_soft and game.hits_soft_17)):
            dealer, dealer_soft = added(dealer, dealer_soft, draw(game, deck, state))
        for at in range(held):
            stake, mine = wager * hands[at, 4], hands[at, 0]
            if hands[at, 5] == 2:
                chips -= stake / 2
            elif mine > 21:
                chips -= stake
            elif dealer > 21 or mine > dealer:
                chips += stake
            elif mine < dealer:
                chips -= stake
    return chips
