"""Rounds from the endless shoe of Easy Blackjack's own program, in machine code.

Cards come from the C library's `rand`, one after another over all rounds, and one seat that plays
by a declaration gets them; only what it wins is kept. Leaves out the program's words, and people;
see `tourney.games.blackjack.programs.easybj`.
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
"""Dealt at a time; some 190,000 rounds."""
BEHIND = 1 << 10
"""Places behind them, more than the round that runs over the end reads."""
ENOUGH = 1 << 40
"""Chips that nobody could stake in a round."""
LAG_U, BACK, WORD_MASK = U(LAG), U(LAG - SHORT_LAG), U(WORD)


class Rand(NamedTuple):
    """The C library's `rand`, and what its numbers stand for."""

    words: Words  # (31,) its state
    faces: Codes  # by the remainder of a number


@compiled
def deal_ahead(rand: Rand, front: Word, deck: Codes, first: Word, last: Word) -> Word:
    """Write cards into a deck, by the numbers of `rand`; see `tourney.game.cards.glibc_rand`.

    Args:
        rand: What deals; its words are updated.
        front: Place of the word that is next.
        deck: Where cards go.
        first: Place of the first.
        last: Place behind the last.
    Returns: Place of the word that is next then.
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
    """Play rounds until there are enough, or one of them needs more cards than were dealt.

    Args:
        alone: The seat, and cards, all of them chosen; nobody follows their luck.
        wager: Chips in the unit of the rules.
        most: Rounds.
    Returns: Rounds, what they won, and the place behind their last card.
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
    """Play rounds at a fixed wager of one, and tell many of them at a time.

    Args:
        rules: Of the game, for which there `is_fast` way.
        declaration: Of the seat, which counts no cards.
        rand: What deals, in the state it is in.
        cards: What the remainders of its numbers stand for.
        rounds: How many to play.
    Returns: An iterator of rounds, and what they won in the unit of the rules.
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
        # A round that ran over the end begins anew, with the same cards.
        left = CARDS_AHEAD - int(stop)
        shoe.deck[:left] = shoe.deck[int(stop) : CARDS_AHEAD].copy()
        rounds -= played
        yield played, won


def _new_shoe() -> Shoe:
    """Make room for cards of which nothing has to be chosen any more."""
    deck = np.zeros(CARDS_AHEAD + BEHIND, np.uint8)
    shoe = new_shoe(0, is_riffled=False)
    shoe.state[SIZE] = shoe.state[CHOSEN] = CARDS_AHEAD
    return shoe._replace(deck=deck, words=deck.view("<u8"), size=U(CARDS_AHEAD))
