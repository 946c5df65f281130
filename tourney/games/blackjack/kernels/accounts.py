"""Declared moves and wagers of seats, and their accounts, in machine code.

`table_machine` plays the rounds, or `single_seat` for single seats.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tourney.game.cards.card import DECK_SIZE
from tourney.game.ledger.running_hash import ACTIONS, GOLDEN, NET, WAGER
from tourney.game.machine.jit import Number, Word, inlined
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.declaration import (
    BY_COUNT,
    DEVIATIONS_FROM,
    MOVE_COLUMNS,
    MOVE_MASKS,
    NEVER,
    ROUNDINGS,
    VALUES,
)
from tourney.games.blackjack.kernels.compiled_rules import DEALER_NATURAL, CompiledRules, Players
from tourney.games.blackjack.kernels.positions import (
    AT_NATURAL,
    AT_SURRENDERED,
    HAND_OF,
    MASK_BITS,
    POSITION,
    STAKE,
)
from tourney.games.blackjack.kernels.shoes import Numbers

U = np.uint64
Words = NDArray[np.uint64]
GOLDEN_U, WAGER_U, NET_U, ACTIONS_U = U(GOLDEN), U(WAGER), U(NET), U(ACTIONS)
HIT, STAND = int(Action.HIT), int(Action.STAND)
NEAREST, TO_ZERO = ROUNDINGS.index("nearest"), ROUNDINGS.index("to-zero")
STAYED = -1
"""Marks a seat that did not leave, instead of the round after which it left."""

WHO, FINAL, LOWEST, HIGHEST, PLAYED, LEFT, HANDLE, SQUARES = range(8)
"""Columns of `seats`: the declaration, and the numbers of `tourney.game.ledger.Account`."""
ACTS, WATCHES = 8, 9
"""Next columns: whether a player that is asked chooses among all actions, and whether it sees
cards."""
LUCK = 10
"""Last column: the luck of the cards, if it is measured."""
SEAT_COLUMNS = 11
ASKED, STAND_IN = -1, -2
"""Instead of a declaration: the seat is asked, or a stand-in plays it."""

BEGINS, AT_MOST, MINIMUM, MAXIMUM, FIRST_SEAT, LAST_SEAT = range(6)
"""Columns of `Tables.blocks`: number of the first round, most rounds, least and greatest wager in
the unit of the rules, and the range of the table's seats (the end is exclusive)."""
MOVES_BUTTON, ROUNDS_AFTER, LEVEL, ADVANCE, FIRST_SECRET, LAST_SECRET, FOLLOWS_LUCK = range(6, 13)
"""Next columns: whether the button moves every round; the state shown to players; the range of the
table's secret rounds; whether luck is measured."""
BLOCK_COLUMNS = FOLLOWS_LUCK + 1


class Tables(NamedTuple):
    """Blocks to play, as arrays."""

    blocks: Numbers  # (tables, 13)
    keys: Words  # (tables, 2) of their shoes, low word first
    seats: Numbers  # (seats, 11) accounts, table by table
    mixes: Words  # (seats,)
    secrets: Numbers  # numbers of the rounds with secret wagers, table by table


@inlined
def points_of(players: Players, who: int, count: Number, seen: Number) -> Number:
    """Convert a running count to points, like `CountSystem.points` of the players."""
    decks = players.decks[who]
    if not decks:
        return count
    unseen = max(decks * DECK_SIZE - seen, 1)
    scaled = count * DECK_SIZE
    if players.rounding[who] == NEAREST:
        return (2 * scaled + unseen) // (2 * unseen)
    if players.rounding[who] == TO_ZERO and scaled < 0:
        return -(-scaled // unseen)
    return scaled // unseen


@inlined
def declared_move(
    house: CompiledRules,
    players: Players,
    who: Number,
    own: Number,
    legal: Number,
    dealer: tuple[Number, Number],
    counted: tuple[Number, Number],
) -> Number:
    """Return the declared move for a hand.

    Args:
        house: The rules.
        players: The declarations.
        who: The number of the declaration.
        own: Position of the hand.
        legal: Legal moves, by `moves_of`.
        dealer: The dealer's face-up hand, and the value of the upcard.
        counted: The running count, and the number of cards seen.
    """
    face_up, upcard = dealer
    cell = (house.rows[own] * MOVE_COLUMNS + face_up) * MOVE_MASKS + (legal >> MASK_BITS)
    move = np.int64(players.moves[who, cell])
    if move >= DEVIATIONS_FROM:
        deviation = players.deviations[who, move - DEVIATIONS_FROM]
        is_from = points_of(players, who, counted[0], counted[1]) >= deviation[0]
        return deviation[2] if is_from else deviation[1]
    if move != BY_COUNT:
        return move
    stand_from = players.stand_from[who, HAND_OF[own] * VALUES + upcard]
    hits = stand_from > 0
    if abs(stand_from) < NEVER:
        hits = points_of(players, who, counted[0], counted[1]) < stand_from
    return HIT if hits else STAND


@inlined
def wager_of(
    house: CompiledRules, players: Players, who: int, points: int, bankroll: int, block: Numbers
) -> Number:
    """Return a declared wager, like `BetRamp.wager` of the players and the limits of the table.

    Args:
        house: The rules.
        players: The declarations.
        who: The number of the declaration.
        points: The points of the count.
        bankroll: In the unit of the rules.
        block: Row of the table.
    """
    if house.is_fixed:
        return block[MINIMUM]
    step = min(max(points - players.first[who], 0), players.last[who])
    minimum = block[MINIMUM] // house.unit
    most = min(bankroll // house.unit, block[MAXIMUM] // house.unit)
    wager = players.units[who, step] * minimum
    if wager > most:
        wager = most if players.bets_rest[who] else minimum
    return wager * house.unit


@inlined
def net_of(house: CompiledRules, hands: Numbers, dealer: Number, has_ended: Number) -> Number:
    """Return the net result of a seat's hands.

    Args:
        house: The rules.
        hands: Rows of the hands.
        dealer: The dealer's hand.
        has_ended: Whether a natural of the dealer beat all hands except naturals.
    """
    net = np.int64(0)
    for number in range(len(hands)):
        own, stake = hands[number, POSITION], hands[number, STAKE]
        if own == AT_NATURAL:
            net += 0 if has_ended else stake * house.odds // house.odds_to
        elif own == AT_SURRENDERED:
            net -= stake // 2
        else:
            net += stake * house.signs[own, DEALER_NATURAL if has_ended else dealer]
    return net


@inlined
def pay(
    seats: Numbers,
    mixes: Words,
    seat: Number,
    wager: Number,
    net: Number,
    actions: Number,
    dealt: Word,
) -> Number:
    """Settle a round, like `tourney.game.ledger.Account.settle`; return the bankroll."""
    bankroll = seats[seat, FINAL] + net
    seats[seat, FINAL] = bankroll
    seats[seat, LOWEST] = min(seats[seat, LOWEST], bankroll)
    seats[seat, HIGHEST] = max(seats[seat, HIGHEST], bankroll)
    seats[seat, PLAYED] += 1
    seats[seat, HANDLE] += wager
    seats[seat, SQUARES] += net * net
    word = U(wager) * WAGER_U + U(net) * NET_U + U(actions) * ACTIONS_U + U(dealt)
    mixes[seat] = (mixes[seat] + word) * GOLDEN_U
    return bankroll
