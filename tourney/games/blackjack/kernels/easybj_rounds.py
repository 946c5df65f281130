"""Rounds of the Easy Blackjack program with its infinite shoe, in machine code.

One seat plays by a declaration. The cards come from the C library's `rand`, one after another over
all rounds, and only the net result is kept. The program itself is in
`tourney.games.blackjack.programs.easybj`.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from tourney.game.cards.card import Card
from tourney.game.cards.glibc_rand import LAG, SHORT_LAG, WORD, GlibcRand
from tourney.game.machine.jit import Number, Word, compiled
from tourney.games.blackjack.declaration import Declaration
from tourney.games.blackjack.kernels.compiled_rules import players_of, tables_of
from tourney.games.blackjack.kernels.shoes import (
    CHOSEN,
    FACES,
    ONE,
    SIZE,
    ZERO,
    Codes,
    Shoe,
    U,
    Words,
    new_shoe,
)
from tourney.games.blackjack.kernels.single_seat import arrows_of
from tourney.games.blackjack.kernels.single_seat_hand import SingleSeat, new_single_seat
from tourney.games.blackjack.kernels.single_seat_rounds import next_round, write_nets
from tourney.games.blackjack.rules import BlackjackRules

CARDS_AHEAD = 1 << 20
"""Cards dealt at a time, for about 190,000 rounds."""
BEHIND = 1 << 10
"""Extra places, more than a round reads after the last card."""
ENOUGH = 1 << 40
"""A bankroll larger than any stake of a round."""
LAG_U, BACK, WORD_MASK = U(LAG), U(LAG - SHORT_LAG), U(WORD)


class Rand(NamedTuple):
    """The C library's `rand`, and the cards of its numbers."""

    words: Words  # (31,) its state
    faces: Codes  # cards by the remainder of a number


@compiled
def deal_ahead(rand: Rand, front: Word, deck: Codes, first: Word, last: Word) -> Word:
    """Write cards to a deck, by the numbers of `rand`; see `tourney.game.cards.glibc_rand`.

    Args:
        rand: The generator; its words are updated.
        front: Index of its next word.
        deck: Output.
        first: Place of the first card.
        last: Place after the last card.
    Returns: Index of the next word after this.
    """
    words, faces = rand.words, rand.faces
    ranks = U(len(faces))
    for place in range(first, last):
        rear = (front + BACK) % LAG_U
        words[front] = (words[front] + words[rear]) & WORD_MASK
        deck[place] = faces[(words[front] >> ONE) % ranks]
        front = (front + ONE) % LAG_U
    return front


@compiled
def play_ahead(alone: SingleSeat, wager: int, most: int) -> tuple[Number, Number, Word]:
    """Play up to `most` rounds; stop before a round that needs more cards than were dealt.

    Args:
        alone: The seat, and its cards, all chosen; luck is not measured.
        wager: Chips in the unit of the rules.
        most: Most rounds.
    Returns: Number of rounds, their net result, and the place after their last card.
    """
    write_nets(alone, wager)
    rounds: Number = 0
    won: Number = 0
    start = ZERO
    while rounds < most:
        now = (start, ENOUGH, wager, False, False)
        net, _, _, stop = next_round(alone, now)
        if stop > alone.shoe.size:
            break
        rounds, won, start = rounds + 1, won + net, stop
    return rounds, won, start


def play_endless(
    rules: BlackjackRules,
    declaration: Declaration,
    rand: GlibcRand,
    cards: Sequence[Card],
    rounds: int,
) -> Iterator[tuple[int, int]]:
    """Play rounds at a fixed wager of one chip; yield the results of many rounds at a time.

    Args:
        rules: Rules that are `is_fast` with the declaration.
        declaration: The declaration of the seat, which counts no cards.
        rand: The generator, in its current state.
        cards: Cards by the remainders of its numbers.
        rounds: Number of rounds.
    Returns: An iterator of numbers of rounds and their net results, in the unit of the rules.
    """
    house, players, shoe = tables_of(rules), players_of([declaration]), _new_shoe()
    arrows, _ = arrows_of(rules, declaration)
    alone = new_single_seat(rules, declaration, house, players, arrows, shoe)
    assert not alone.watches
    words, at = rand.state
    dealing = Rand(np.array(words, np.uint64), FACES[[card.code for card in cards]])
    front, left = U(at), 0
    while rounds:
        front = U(deal_ahead(dealing, front, shoe.deck, U(left), shoe.size))
        played, won, stop = play_ahead(alone, rules.unit, rounds)
        # A round that ran over the end is played again with the same cards.
        left = CARDS_AHEAD - int(stop)
        shoe.deck[:left] = shoe.deck[int(stop) : CARDS_AHEAD].copy()
        rounds -= played
        yield played, won


def _new_shoe() -> Shoe:
    """Allocate a shoe for cards that are already chosen."""
    deck = np.zeros(CARDS_AHEAD + BEHIND, np.uint8)
    shoe = new_shoe(0, is_riffled=False)
    shoe.state[SIZE] = shoe.state[CHOSEN] = CARDS_AHEAD
    return shoe._replace(deck=deck, words=deck.view("<u8"), size=U(CARDS_AHEAD))
