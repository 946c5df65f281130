"""Seats play their hands in machine code: what is legal, what is declared, and what comes of it.

The order of events is that of `tourney.games.blackjack.round`: a split makes a hand that its seat
plays after its others. Whoever has to be asked is waited for: functions that may have to wait say
whether they are done, and go on where they were when they are called again with an answer.
"""

import numpy as np

from tourney.games.blackjack.action import ACTION_CODES, Action
from tourney.games.blackjack.declaration import (
    BY_COUNT,
    MOVE_COLUMNS,
    MOVE_MASKS,
    NEVER,
    PAIRS_FROM,
    SPLIT_ACES_ROW,
    VALUES,
)
from tourney.games.blackjack.hand import ACE_VALUE
from tourney.kernels.blackjack_asking import NO_ANSWER, TO_HIT, TO_STAND, asked_action
from tourney.kernels.blackjack_felt import (
    ACES,
    ACTIONS_PACKED,
    BEHIND,
    CLOSED,
    COUNT,
    FACE_UP,
    FIRST,
    FOLLOWS,
    HAND,
    HAND_NUMBER,
    HANDS_HELD,
    INSURANCES,
    INSURED,
    IS_SPLIT,
    LENGTH,
    MOST_HANDS,
    ON_TABLE,
    OPEN,
    ROW,
    SEATED,
    SECOND,
    SEEN,
    STAKE,
    STATUS,
    SURRENDERED,
    TURN,
    UPCARD,
    WAGER,
    WAITS,
    Felt,
    expose,
    take,
)
from tourney.kernels.blackjack_following import follow_card, follow_move
from tourney.kernels.blackjack_rounds import ACTS, STAND_IN, WHO, points_of
from tourney.kernels.blackjack_shoe import Numbers, Shoe, Words
from tourney.kernels.blackjack_tables import (
    AFTER_ACES,
    BUST,
    HANDS,
    MAY_DOUBLE,
    MAY_SPLIT,
    MAY_SURRENDER,
    House,
    Players,
)
from tourney.kernels.jit import Number, compiled, inlined

HIT, STAND, DOUBLE = int(Action.HIT), int(Action.STAND), int(Action.DOUBLE)
SPLIT, SURRENDER = int(Action.SPLIT), int(Action.SURRENDER)
INSURE, DECLINE = int(Action.INSURE), int(Action.DECLINE)
MASK_BITS = DOUBLE
"""What is legal besides to hit and to stand, as `move_cell` has it, begins at this bit of LEGAL."""
TO_INSURE_OR_NOT = 1 << INSURE | 1 << DECLINE
PAIR = 2
assert AFTER_ACES == {"played": OPEN, "one-card": CLOSED, "resplit": ACES}
assert tuple(mask << MASK_BITS for mask in (MAY_DOUBLE, MAY_SPLIT, MAY_SURRENDER)) == (
    1 << DOUBLE,
    1 << SPLIT,
    1 << SURRENDER,
)


@inlined
def points_of_seat(players: Players, felt: Felt, who: Number, seat: Number) -> Number:
    """Read the count of a seat."""
    return points_of(players, who, felt.chairs[seat, COUNT], felt.state[SEEN])


@inlined
def may_split(house: House, felt: Felt, seat: Number, place: Number) -> bool:
    """Say whether the rules and the seat's chips let a hand of two cards be split."""
    hands = felt.hands
    return bool(
        felt.chairs[seat, HANDS_HELD] < house.most_hands
        and house.kinds[hands[place, FIRST]] == house.kinds[hands[place, SECOND]]
        and hands[place, STAKE] <= felt.chairs[seat, BEHIND]
    )


@inlined
def is_in_play(house: House, felt: Felt, seat: Number, place: Number) -> bool:
    """Say whether a hand may get cards and its seat is to act."""
    hands = felt.hands
    if house.rests[hands[place, HAND]]:
        return False
    status = hands[place, STATUS]
    return status == OPEN or (status == ACES and may_split(house, felt, seat, place))


@inlined
def mask_of(house: House, felt: Felt, seat: Number, place: Number) -> Number:
    """Give what is legal for a hand in play besides to hit and to stand, as `move_cell` has it."""
    hands = felt.hands
    if hands[place, LENGTH] != PAIR:
        return 0
    is_split = hands[place, IS_SPLIT]
    mask = 0 if is_split else house.surrenders
    if hands[place, STATUS] == ACES:
        return MAY_SPLIT
    if hands[place, STAKE] <= felt.chairs[seat, BEHIND]:
        mask |= house.doubles[is_split * HANDS + hands[place, HAND]]
        if may_split(house, felt, seat, place):
            mask |= MAY_SPLIT
    return mask


@inlined
def declared_action(
    house: House, players: Players, felt: Felt, seat: Number, who: Number, mask: Number
) -> Number:
    """Give what a seat that has declared does with its hand in play.

    Args:
        house: The rules.
        players: What is declared.
        felt: The table.
        seat: Which has declared.
        who: Its declaration.
        mask: What is legal, by `mask_of`.
    """
    state, hand = felt.state, felt.hands[seat * MOST_HANDS + felt.state[HAND_NUMBER]]
    cell = (hand[ROW] * MOVE_COLUMNS + state[FACE_UP]) * MOVE_MASKS + mask
    move = np.int64(players.moves[who, cell])
    if move != BY_COUNT:
        return move
    upcard = house.value[state[UPCARD]]
    stand_from = players.stand_from[who, hand[HAND] * VALUES + upcard]
    if abs(stand_from) == NEVER:
        return HIT if stand_from > 0 else STAND
    return HIT if points_of_seat(players, felt, who, seat) < stand_from else STAND


@inlined
def add_card(
    house: House,
    players: Players,
    felt: Felt,
    shoe: Shoe,
    seats: Numbers,
    mixes: Words,
    place: Number,
) -> None:
    """Deal a card to a hand."""
    code = take(felt, shoe, seats, mixes, place)
    expose(felt, players, seats, code)
    if felt.state[FOLLOWS]:
        follow_card(house, felt, place, code)
    hand = felt.hands[place]
    value = house.value[code]
    after = house.after[hand[HAND] * VALUES + value]
    hand[LENGTH] += 1
    hand[HAND] = hand[ROW] = after
    if hand[LENGTH] == PAIR:
        hand[SECOND] = code
        if hand[STATUS] == ACES:
            hand[ROW] = SPLIT_ACES_ROW
        elif house.value[hand[FIRST]] == value:
            hand[ROW] = PAIRS_FROM + value


@inlined
def stake_again(felt: Felt, seat: Number, chips: Number) -> None:
    """Put down more chips."""
    felt.chairs[seat, WAGER] += chips
    felt.chairs[seat, BEHIND] -= chips


@compiled
def split(
    house: House,
    players: Players,
    felt: Felt,
    shoe: Shoe,
    seats: Numbers,
    mixes: Words,
    seat: Number,
) -> None:
    """Make two hands of a pair in play, and deal a card to each."""
    place = seat * MOST_HANDS + felt.state[HAND_NUMBER]
    added = seat * MOST_HANDS + felt.chairs[seat, HANDS_HELD]
    hand, other = felt.hands[place], felt.hands[added]
    felt.chairs[seat, HANDS_HELD] += 1
    stake_again(felt, seat, hand[STAKE])
    card = felt.state[ON_TABLE] - 1
    while felt.owners[card] != place:
        card -= 1
    felt.owners[card] = added
    other[FIRST], other[STAKE] = hand[SECOND], hand[STAKE]
    status = house.split_aces if house.value[hand[FIRST]] == ACE_VALUE else OPEN
    for each in (hand, other):
        each[HAND] = house.after[house.value[each[FIRST]]]
        each[LENGTH], each[STATUS], each[IS_SPLIT] = 1, status, 1
    add_card(house, players, felt, shoe, seats, mixes, place)
    add_card(house, players, felt, shoe, seats, mixes, added)


@inlined
def play_hand(
    house: House,
    players: Players,
    felt: Felt,
    shoe: Shoe,
    seats: Numbers,
    mixes: Words,
    seat: Number,
) -> bool:
    """Let a seat play a hand until it gets no more cards; say whether it is done."""
    place = seat * MOST_HANDS + felt.state[HAND_NUMBER]
    hand = felt.hands[place]
    while is_in_play(house, felt, seat, place):
        mask = mask_of(house, felt, seat, place)
        who = seats[seat, WHO]
        if who >= 0:
            action = declared_action(house, players, felt, seat, who, mask)
        elif who == STAND_IN:
            action = STAND
        else:
            legal = mask << MASK_BITS | TO_STAND
            if hand[STATUS] != ACES:
                legal |= TO_HIT
            action = asked_action(felt, shoe, seats, mixes, seat, legal)
            if action == NO_ANSWER:
                return False
        packed = felt.chairs[seat, ACTIONS_PACKED]
        felt.chairs[seat, ACTIONS_PACKED] = packed * ACTION_CODES + action
        if felt.state[FOLLOWS]:
            follow_move(felt, seat, action)
        if action == SPLIT:
            split(house, players, felt, shoe, seats, mixes, seat)
        elif action == HIT or action == DOUBLE:  # noqa: PLR1714, SIM109 - no tuples
            if action == DOUBLE:
                hand[STATUS] = CLOSED
                stake_again(felt, seat, hand[STAKE])
                hand[STAKE] *= 2
            add_card(house, players, felt, shoe, seats, mixes, place)
        else:
            hand[STATUS] = SURRENDERED if action == SURRENDER else CLOSED
    felt.state[WAITS] |= hand[STATUS] <= ACES and hand[HAND] != BUST
    return True


@inlined
def play_hands(
    house: House, players: Players, felt: Felt, shoe: Shoe, seats: Numbers, mixes: Words
) -> bool:
    """Let all seats play their hands, and say whether they are done."""
    state = felt.state
    while state[TURN] < state[SEATED]:
        seat = felt.turns[state[TURN]]
        while state[HAND_NUMBER] < felt.chairs[seat, HANDS_HELD]:
            if not play_hand(house, players, felt, shoe, seats, mixes, seat):
                return False
            state[HAND_NUMBER] += 1
        state[TURN] += 1
        state[HAND_NUMBER] = 0
    return True


@inlined
def insure(players: Players, felt: Felt, shoe: Shoe, seats: Numbers, mixes: Words) -> bool:
    """Let all seats take or decline insurance, and say whether they are done."""
    state, chairs = felt.state, felt.chairs
    while state[TURN] < state[SEATED]:
        seat = felt.turns[state[TURN]]
        half, who = chairs[seat, WAGER] // 2, seats[seat, WHO]
        if half <= chairs[seat, BEHIND]:
            action = DECLINE
            if who >= 0:
                if points_of_seat(players, felt, who, seat) >= players.insure_from[who]:
                    action = INSURE
            elif who != STAND_IN and seats[seat, ACTS]:
                action = asked_action(felt, shoe, seats, mixes, seat, TO_INSURE_OR_NOT)
                if action == NO_ANSWER:
                    return False
            packed = chairs[seat, ACTIONS_PACKED]
            chairs[seat, ACTIONS_PACKED] = packed * ACTION_CODES + action
            if action == INSURE:
                chairs[seat, INSURED] = half
                state[INSURANCES] += 1
                stake_again(felt, seat, half)
        state[TURN] += 1
    state[TURN] = 0
    return True
