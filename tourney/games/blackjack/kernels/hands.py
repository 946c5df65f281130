"""Seats play their hands in machine code: what is legal, what is declared, and what comes of it.

The order of events is that of `tourney.games.blackjack.round`: a split makes a hand that its seat
plays after its others. Whoever has to be asked is waited for: functions that may have to wait say
whether they are done, and go on where they were when they are called again with an answer.
"""

import numpy as np

from tourney.game.machine.jit import Number, inlined, subroutine
from tourney.games.blackjack.action import ACTION_CODES, Action
from tourney.games.blackjack.declaration import (
    BY_COUNT,
    DEVIATIONS_FROM,
    MOVE_COLUMNS,
    MOVE_MASKS,
    NEVER,
    VALUES,
)
from tourney.games.blackjack.kernels.asking import NO_ANSWER, asked_action
from tourney.games.blackjack.kernels.following import follow_card
from tourney.games.blackjack.kernels.positions import (
    HAND_OF,
    IS_WAITING,
    MASK_BITS,
    RANK_OF,
    after_card,
    after_move,
    moves_of,
)
from tourney.games.blackjack.kernels.rounds import ACTS, STAND_IN, WHO, points_of
from tourney.games.blackjack.kernels.rule_tables import House, Players
from tourney.games.blackjack.kernels.table_layout import (
    ACTIONS_PACKED,
    BEHIND,
    COUNT,
    FACE_UP,
    FOLLOWS,
    HAND_NUMBER,
    HANDS_HELD,
    INSURANCES,
    INSURED,
    MOST_HANDS,
    ON_TABLE,
    POSITION,
    SEATED,
    SEEN,
    STAKE,
    TURN,
    UPCARD,
    WAGER,
    WAITS,
    Layout,
    expose,
    take,
)

HIT, STAND, DOUBLE = int(Action.HIT), int(Action.STAND), int(Action.DOUBLE)
SPLIT, INSURE, DECLINE = int(Action.SPLIT), int(Action.INSURE), int(Action.DECLINE)
TO_INSURE_OR_NOT = 1 << INSURE | 1 << DECLINE


@inlined
def points_of_seat(players: Players, layout: Layout, who: Number, seat: Number) -> Number:
    """Read the count of a seat."""
    return points_of(players, who, layout.occupants[seat, COUNT], layout.state[SEEN])


@inlined
def declared_action(
    house: House, players: Players, layout: Layout, seat: Number, who: Number, legal: Number
) -> Number:
    """Give what a seat that has declared does with its hand in play.

    Args:
        house: The rules.
        players: What is declared.
        layout: The table.
        seat: Which has declared.
        who: Its declaration.
        legal: What is, by `moves_of`.
    """
    state, own = layout.state, layout.hands[seat * MOST_HANDS + layout.state[HAND_NUMBER], POSITION]
    row, mask = house.rows[own], legal >> MASK_BITS
    cell = (row * MOVE_COLUMNS + state[FACE_UP]) * MOVE_MASKS + mask
    move = np.int64(players.moves[who, cell])
    if move >= DEVIATIONS_FROM:
        points = points_of_seat(players, layout, who, seat)
        deviation = players.deviations[who, move - DEVIATIONS_FROM]
        return deviation[2] if points >= deviation[0] else deviation[1]
    if move != BY_COUNT:
        return move
    upcard = house.value[state[UPCARD]]
    stand_from = players.stand_from[who, HAND_OF[own] * VALUES + upcard]
    if abs(stand_from) == NEVER:
        return HIT if stand_from > 0 else STAND
    return HIT if points_of_seat(players, layout, who, seat) < stand_from else STAND


@inlined
def add_card(house: House, players: Players, layout: Layout, place: Number) -> None:
    """Deal a card to a hand."""
    code = take(layout, place)
    expose(layout, players, code)
    if layout.state[FOLLOWS]:
        follow_card(house, layout, place, code)
    layout.hands[place, POSITION] = after_card(layout.hands[place, POSITION], RANK_OF[code])


@inlined
def stake_again(layout: Layout, seat: Number, chips: Number) -> None:
    """Put down more chips."""
    layout.occupants[seat, WAGER] += chips
    layout.occupants[seat, BEHIND] -= chips


@subroutine
def split(house: House, players: Players, layout: Layout, seat: Number) -> None:
    """Make two hands of a pair, whose cards stand alike, and deal a card to each."""
    place = seat * MOST_HANDS + layout.state[HAND_NUMBER]
    added = seat * MOST_HANDS + layout.occupants[seat, HANDS_HELD]
    layout.occupants[seat, HANDS_HELD] += 1
    hand, other = layout.hands[place], layout.hands[added]
    other[POSITION], other[STAKE] = hand[POSITION], hand[STAKE]
    stake_again(layout, seat, hand[STAKE])
    card = layout.state[ON_TABLE] - 1
    while layout.owners[card] != place:
        card -= 1
    layout.owners[card] = added
    add_card(house, players, layout, place)
    add_card(house, players, layout, added)


@inlined
def play_hand(house: House, players: Players, layout: Layout, seat: Number) -> bool:
    """Let a seat play a hand until it gets no more cards; say whether it is done."""
    place = seat * MOST_HANDS + layout.state[HAND_NUMBER]
    hand = layout.hands[place]
    while True:
        can_stake = hand[STAKE] <= layout.occupants[seat, BEHIND]
        held = layout.occupants[seat, HANDS_HELD]
        legal = moves_of(house.legal, house.most_hands, hand[POSITION], can_stake, held)
        if not legal:
            break
        who = layout.seats[seat, WHO]
        if who >= 0:
            action = declared_action(house, players, layout, seat, who, legal)
        elif who == STAND_IN:
            action = STAND
        else:
            action = asked_action(layout, seat, legal)
            if action == NO_ANSWER:
                return False
        packed = layout.occupants[seat, ACTIONS_PACKED]
        layout.occupants[seat, ACTIONS_PACKED] = packed * ACTION_CODES + action
        hand[POSITION] = after_move(hand[POSITION], action)
        if action == SPLIT:
            split(house, players, layout, seat)
        elif action == DOUBLE:
            stake_again(layout, seat, hand[STAKE])
            hand[STAKE] *= 2
        if action == HIT or action == DOUBLE:  # noqa: PLR1714, SIM109 - no tuples
            add_card(house, players, layout, place)
    layout.state[WAITS] |= IS_WAITING[hand[POSITION]]
    return True


@inlined
def play_hands(house: House, players: Players, layout: Layout) -> bool:
    """Let all seats play their hands, and say whether they are done."""
    state = layout.state
    while state[TURN] < state[SEATED]:
        seat = layout.turns[state[TURN]]
        while state[HAND_NUMBER] < layout.occupants[seat, HANDS_HELD]:
            if not play_hand(house, players, layout, seat):
                return False
            state[HAND_NUMBER] += 1
        state[TURN] += 1
        state[HAND_NUMBER] = 0
    return True


@inlined
def insure(players: Players, layout: Layout) -> bool:
    """Let all seats take or decline insurance, and say whether they are done."""
    state, occupants = layout.state, layout.occupants
    while state[TURN] < state[SEATED]:
        seat = layout.turns[state[TURN]]
        half, who = occupants[seat, WAGER] // 2, layout.seats[seat, WHO]
        if half <= occupants[seat, BEHIND]:
            action = DECLINE
            if who >= 0:
                if points_of_seat(players, layout, who, seat) >= players.insure_from[who]:
                    action = INSURE
            elif who != STAND_IN and layout.seats[seat, ACTS]:
                action = asked_action(layout, seat, TO_INSURE_OR_NOT)
                if action == NO_ANSWER:
                    return False
            packed = occupants[seat, ACTIONS_PACKED]
            occupants[seat, ACTIONS_PACKED] = packed * ACTION_CODES + action
            if action == INSURE:
                occupants[seat, INSURED] = half
                state[INSURANCES] += 1
                stake_again(layout, seat, half)
        state[TURN] += 1
    state[TURN] = 0
    return True
