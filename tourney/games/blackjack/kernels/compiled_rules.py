"""Rules and declarations of blackjack as look-up tables for machine code.

The functions of `tourney.games.blackjack.position` give every entry, so that no rule is repeated
here. Hands and positions are numbered as there.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tourney.game.cards.card import CARDS
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.declaration import (
    CELLS,
    MOVE_CELLS,
    NEVER,
    ROUNDINGS,
    VALUES,
    Declaration,
)
from tourney.games.blackjack.kernels.luck import Luck, Worths, luck_of
from tourney.games.blackjack.kernels.shoes import Numbers
from tourney.games.blackjack.position import (
    HANDS,
    POSITIONS,
    dealer_draws,
    hand_after,
    legal,
    row_of,
    sign,
)
from tourney.games.blackjack.records import DEALER
from tourney.games.blackjack.rules import MOST_SEATS, BlackjackRules

DEALER_NATURAL = HANDS
"""The dealer's hand if it is a natural that beats all."""


class CompiledRules(NamedTuple):
    """The rules as numbers and arrays."""

    decks: int  # 0 for infinitely many
    is_riffled: bool
    is_fresh: bool  # every round begins a new shoe
    reshuffle: int  # before a round with fewer cards left
    percent: int
    is_fixed: bool  # every wager is the minimum
    unit: int
    spare: int  # chips over the minimum that a bankroll must have
    is_shown: bool  # the dealer's hole card is face up
    is_always_turned: bool
    ends_at_once: bool  # a dealer's natural ends the round immediately
    odds: int
    odds_to: int
    value: Numbers  # (52,) by code
    after: Numbers  # (HANDS * 12,) the hand after a card, by hand and value
    draws: Numbers  # (HANDS,) whether the dealer does
    signs: Numbers  # (positions, HANDS + 1) net result of a chip, by the dealer's hand
    places: Numbers  # (8, 2) index of upcard and hole card among the opening cards, by seats
    has_hole: bool
    beats_all: bool  # a dealer's natural beats all after the seats have played
    insures: bool  # against an ace
    legal: Numbers  # (positions,) bit i for action number i; 0 if there is no choice
    rows: Numbers  # (positions,) of `Declaration.moves`
    most_hands: int
    order: Numbers  # (8, 16) owner of each opening card, by seats: the turn, or DEALER
    luck: Luck  # values of positions, if luck is measured


class Players(NamedTuple):
    """Declarations as arrays, one row each."""

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
    deviations: Numbers  # (declarations, most of them, 3)


NOTHING = Declaration((NEVER,) * CELLS, (0,) * len(CARDS), 0, "down", 0, (1,), bets_rest=False)
UPCARD, HOLE = range(2)
NO_CARD = -1
"""Index of a card that is not dealt."""


def tables_of(rules: BlackjackRules, worths: Worths | None = None) -> CompiledRules:
    """Convert rules to arrays.

    Args:
        rules: The rules of a game.
        worths: Values of positions, if luck is measured.
    """
    house = _tables_of(rules)
    return house if worths is None else house._replace(luck=luck_of(worths))


@lru_cache(maxsize=64)
def _tables_of(rules: BlackjackRules) -> CompiledRules:
    odds, odds_to = map(int, rules.natural.split(":"))
    return CompiledRules(
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
        value=np.array([card.value for card in CARDS], np.int64),
        after=_after(),
        draws=np.array([dealer_draws(rules, hand) for hand in range(HANDS)], np.int64),
        signs=_signs(),
        places=np.array([_places(rules, seats) for seats in range(MOST_SEATS + 1)]),
        has_hole=rules.hole_card != "none",
        beats_all=rules.dealer_natural == "beats-all",
        insures=rules.insurance == "offered",
        legal=np.array([_bits(legal(rules, each)) for each in POSITIONS], np.int64),
        rows=np.array([row_of(each, rules) for each in POSITIONS], np.int64),
        most_hands=rules.hands,
        order=np.array([_order(rules, seats) for seats in range(MOST_SEATS + 1)], np.int64),
        luck=luck_of(None),
    )


def deviations_of(declaration: Declaration, most: int = 0) -> Numbers:
    """Convert `Declaration.deviations` to an array of at least one row, or at least `most`."""
    rows = max(1, most, len(declaration.deviations))
    found = np.zeros((rows, 3), np.int64)
    for row, deviation in enumerate(declaration.deviations):
        found[row] = deviation
    return found


def players_of(declarations: Sequence[Declaration]) -> Players:
    """Convert declarations to arrays; an empty sequence becomes one dummy declaration."""
    declarations = declarations or (NOTHING,)
    steps = max(len(each.units) for each in declarations)
    most = max(len(each.deviations) for each in declarations)
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
        deviations=np.array([deviations_of(each, most) for each in declarations], np.int64),
    )


def _after() -> Numbers:
    hands, values = range(HANDS), range(VALUES)
    return np.array([hand_after(hand, value) for hand in hands for value in values], np.int64)


def _signs() -> Numbers:
    table = np.full((len(POSITIONS), HANDS + 1), -1, np.int64)
    for number, position in enumerate(POSITIONS):
        table[number, :HANDS] = [sign(position.hand, dealer) for dealer in range(HANDS)]
    return table


def _bits(moves: Sequence[Action]) -> int:
    return sum(1 << move for move in moves)


def _places(rules: BlackjackRules, seats: int) -> list[int]:
    owners = _dealt_to(rules, max(seats, 1))
    places = [place for place, owner in enumerate(owners) if owner == DEALER]
    return [*places, NO_CARD][:2]


def _order(rules: BlackjackRules, seats: int) -> list[int]:
    order = _dealt_to(rules, seats) if seats else []
    return order + [DEALER] * (2 + 2 * MOST_SEATS - len(order))


def _dealt_to(rules: BlackjackRules, seats: int) -> list[int]:
    """Return the owner of each opening card, in order."""
    table, holes = list(range(seats)), [DEALER] * (rules.hole_card != "none")
    match rules.dealing:
        case "dealer-both":
            return [DEALER, *holes, *(seat for seat in table for _ in range(2))]
        case "dealer-first":
            return [DEALER, *table, *holes, *table]
        case "seats-first":
            return [*table, DEALER, *table, *holes]
