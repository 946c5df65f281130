"""Rules and declarations of hit-or-stand blackjack as tables that machine code looks up.

Every entry is asked of the rules' own functions; no rule is written here a second time, but for
when the dealer draws. Hands are numbers: `softness * 22 + total`, and BUST.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tourney.cards.card import CARDS, Card
from tourney.games.blackjack.choices import LEAST_DOUBLED, MOST_DOUBLED
from tourney.games.blackjack.declaration import (
    CELLS,
    MOVE_CELLS,
    NEVER,
    ROUNDINGS,
    TOTALS,
    VALUES,
    Declaration,
)
from tourney.games.blackjack.felt import DEALER_STANDS
from tourney.games.blackjack.hand import AFTER, BEST_TOTAL
from tourney.games.blackjack.opening import opening_of
from tourney.games.blackjack.records import DEALER
from tourney.games.blackjack.rules import CARDS_IN_A_DECK, MOST_SEATS, ODDS, BlackjackRules
from tourney.games.blackjack.settlement import NET_PER_CHIP, compare
from tourney.kernels.blackjack_luck import Luck, Worths, luck_of

Numbers = NDArray[np.int64]

BUST = 2 * TOTALS
HANDS = BUST + 1
DEALER_NATURAL = HANDS
"""Stands for the dealer's hand, if it is a natural that beats all."""
MAY_DOUBLE, MAY_SPLIT, MAY_SURRENDER = 1, 2, 4
"""What may be legal besides to hit and to stand, as `move_cell` has it."""
AFTER_ACES = {"played": 0, "one-card": 1, "resplit": 2}
"""Whether a split ace is a hand like any, gets one card, or one card and another split."""


class House(NamedTuple):
    """The rules."""

    decks: int  # 0 for infinitely many
    is_riffled: bool
    is_fresh: bool  # every round begins a new shoe
    reshuffle: int  # before a round with fewer cards left
    percent: int
    is_fixed: bool  # every wager is the minimum
    unit: int
    spare: int  # chips over the minimum that a bankroll must have
    is_shown: bool  # the dealer's hole card lies face up
    is_always_turned: bool
    ends_at_once: bool  # a dealer's natural does
    odds: int
    odds_to: int
    stands_on_21: bool
    value: Numbers  # (52,) by code
    after: Numbers  # (HANDS * 12,) the hand after a card, by hand and value
    draws: Numbers  # (HANDS,) whether the dealer does
    signs: Numbers  # (HANDS, HANDS + 1) what a chip wins, by the seat's hand and the dealer's
    places: Numbers  # (8, 16) opening cards by seats: upcard, hole, firsts and seconds of seats
    has_hole: bool
    beats_all: bool  # a dealer's natural does, when all seats have played
    insures: bool  # against an ace
    rests: NDArray[np.bool_]  # (HANDS,) whether a hand gets no more cards, whatever its seat wants
    doubles: Numbers  # (2 * HANDS,) MAY_DOUBLE or 0, by whether the hand comes from a split
    surrenders: int  # MAY_SURRENDER or 0
    most_hands: int
    kinds: Numbers  # (52,) by code: two cards of one kind may be split
    split_aces: int  # what becomes of each, by `AFTER_ACES`
    order: Numbers  # (8, 16) who gets the opening cards, by seats: whose turn it is, or DEALER
    luck: Luck  # what positions are worth, where the luck of the cards is summed up


class Players(NamedTuple):
    """What is declared, by declaration."""

    stand_from: Numbers  # (declarations, 528)
    tags: Numbers  # (declarations, 52) by code
    counts: NDArray[np.bool_]  # (declarations,) as are the following
    decks: Numbers
    rounding: Numbers
    first: Numbers
    last: Numbers  # step of `units`
    bets_rest: NDArray[np.bool_]
    units: Numbers  # (declarations, steps)
    moves: NDArray[np.uint8]  # (declarations, MOVE_CELLS)
    insure_from: Numbers  # (declarations,)


NOTHING = Declaration((NEVER,) * CELLS, (0,) * len(CARDS), 0, "down", 0, (1,), bets_rest=False)
UPCARD, HOLE, FIRSTS, SECONDS = 0, 1, 2, 2 + MOST_SEATS


def tables_of(rules: BlackjackRules, worths: Worths | None = None) -> House:
    """Write down rules.

    Args:
        rules: Of a game.
        worths: Of positions, where the luck of the cards is summed up.
    """
    house = _tables_of(rules)
    return house if worths is None else house._replace(luck=luck_of(worths))


@lru_cache(maxsize=64)
def _tables_of(rules: BlackjackRules) -> House:
    odds, odds_to = ODDS[rules.natural]
    return House(
        decks=0 if rules.decks == "infinite" else rules.decks,
        is_riffled=rules.shuffle == "riffle",
        is_fresh=rules.deals_fresh,
        reshuffle=0 if rules.reshuffle == "every-round" else rules.reshuffle,
        percent=rules.reshuffle_percent,
        is_fixed=rules.wager == "minimum",
        unit=rules.unit,
        spare=rules.least_bankroll(0),
        is_shown=rules.dealer_shows == "both",
        is_always_turned=rules.hole_card == "always",
        ends_at_once=rules.dealer_natural == "wins-at-once",
        odds=odds,
        odds_to=odds_to,
        stands_on_21=rules.stands_on_21,
        value=np.array([card.value for card in CARDS], np.int64),
        after=_after(),
        draws=np.array([_draws(rules, hand) for hand in range(HANDS)], np.int64),
        signs=_signs(),
        places=np.array([_places(rules, seats) for seats in range(MOST_SEATS + 1)]),
        has_hole=rules.hole_card != "none",
        beats_all=rules.dealer_natural == "beats-all",
        insures=rules.insurance == "offered",
        rests=np.array([_rests(rules, hand) for hand in range(HANDS)]),
        doubles=np.array([_doubles(rules, hand) for hand in range(2 * HANDS)], np.int64),
        surrenders=MAY_SURRENDER if rules.surrender == "first" else 0,
        most_hands=1 if rules.split == "never" else rules.hands,
        kinds=np.array([_kind(rules, card) for card in CARDS], np.int64),
        split_aces=AFTER_ACES[rules.split_aces],
        order=np.array([_order(rules, seats) for seats in range(MOST_SEATS + 1)], np.int64),
        luck=luck_of(None),
    )


def players_of(declarations: Sequence[Declaration]) -> Players:
    """Write down declarations; one, which nobody made, if there are none."""
    declarations = declarations or (NOTHING,)
    steps = max(len(each.units) for each in declarations)
    return Players(
        stand_from=np.array([each.stand_from for each in declarations], np.int64),
        tags=np.array([each.tags for each in declarations], np.int64),
        counts=np.array([each.counts for each in declarations]),
        decks=np.array([each.decks for each in declarations], np.int64),
        rounding=np.array([ROUNDINGS.index(each.rounding) for each in declarations], np.int64),
        first=np.array([each.first for each in declarations], np.int64),
        last=np.array([len(each.units) - 1 for each in declarations], np.int64),
        bets_rest=np.array([each.bets_rest for each in declarations]),
        units=np.array(
            [each.units + each.units[-1:] * (steps - len(each.units)) for each in declarations],
            np.int64,
        ),
        moves=np.frombuffer(
            b"".join(each.moves or bytes(MOVE_CELLS) for each in declarations), np.uint8
        )
        .reshape(-1, MOVE_CELLS)
        .copy(),
        insure_from=np.array([each.insure_from for each in declarations], np.int64),
    )


def total_of(hand: int) -> int:
    """Give the total of a hand by its number; one more than the best if it is bust."""
    return BEST_TOTAL + 1 if hand == BUST else hand % TOTALS


def _after() -> Numbers:
    table = np.full((HANDS, VALUES), BUST, np.int64)
    for hand in range(BUST):
        for value in range(VALUES):
            total, soft = AFTER[hand // TOTALS][hand % TOTALS][value]
            if total <= BEST_TOTAL:
                table[hand, value] = soft * TOTALS + total
    return table.reshape(-1)


def _draws(rules: BlackjackRules, hand: int) -> bool:
    total = total_of(hand)
    if total == DEALER_STANDS:
        return hand >= TOTALS and rules.soft_17 == "hit"
    return total < DEALER_STANDS


def _signs() -> Numbers:
    table = np.full((HANDS, HANDS + 1), -1, np.int64)
    for hand in range(BUST):
        for dealer in range(HANDS):
            per_chip = NET_PER_CHIP[compare(total_of(hand), total_of(dealer))]
            assert per_chip is not None
            table[hand, dealer] = per_chip
    return table


def _rests(rules: BlackjackRules, hand: int) -> bool:
    return hand == BUST or (rules.stands_on_21 and total_of(hand) == BEST_TOTAL)


def _doubles(rules: BlackjackRules, hand: int) -> int:
    is_split, hand = divmod(hand, HANDS)
    if rules.double == "never" or hand == BUST or (is_split and not rules.double_after_split):
        return 0
    total = total_of(hand)
    return MAY_DOUBLE * (LEAST_DOUBLED[rules.double] <= total <= MOST_DOUBLED[rules.double])


def _kind(rules: BlackjackRules, card: Card) -> int:
    return card.rank.value if rules.split == "by-rank" else card.value


def _places(rules: BlackjackRules, seats: int) -> list[int]:
    if not seats:
        return [0] * (2 + 2 * MOST_SEATS)
    opening = opening_of(rules.dealing, seats, has_hole=rules.hole_card != "none")
    empty = [0] * (MOST_SEATS - seats)
    firsts, seconds = ([pair[each] for pair in opening.seats] + empty for each in (0, 1))
    return [opening.upcard, opening.hole, *firsts, *seconds]


def _order(rules: BlackjackRules, seats: int) -> list[int]:
    order: tuple[int, ...] = ()
    if seats:
        order = opening_of(rules.dealing, seats, has_hole=rules.hole_card != "none").order
    return [*order, *[DEALER] * (2 + 2 * MOST_SEATS - len(order))]


assert len(CARDS) == CARDS_IN_A_DECK
