"""The turns of seats in machine code: insurance, legal and declared moves, and their effects.

The order of events is that of `tourney.games.blackjack.round`: a split adds a hand that the seat
plays after its other hands. If a seat must be asked, a function returns False, and continues from
the same point when it is called again with an answer. A stand-in replaces a seat at fault.
"""

from tourney.game.machine.jit import Number, Word, inlined, subroutine
from tourney.games.blackjack.action import ACTION_CODES, Action
from tourney.games.blackjack.kernels import table_state as at
from tourney.games.blackjack.kernels.accounts import (
    ACTS,
    GOLDEN_U,
    HIT,
    LEFT,
    STAND,
    STAND_IN,
    WHO,
    declared_move,
    pay,
    points_of,
)
from tourney.games.blackjack.kernels.compiled_rules import CompiledRules, Players
from tourney.games.blackjack.kernels.positions import (
    IS_WAITING,
    MOST_HANDS,
    POSITION,
    STAKE,
    after_move,
    moves_of,
)
from tourney.games.blackjack.kernels.shoes import U, dealt_word
from tourney.games.blackjack.kernels.table_state import TableState, deal_to, expose

LOOK, ASK_WAGER, DRAW, ACT = range(4)
"""Calls, numbered like `tourney.games.blackjack.players.questions.Call`."""
BEFORE_ROUND = 1
"""Instead of legal moves: a seat looks before a round, not after the last."""
NO_ANSWER, FAULT = -2, -1
TO_STAND, TO_HIT = 1 << Action.STAND, 1 << Action.HIT
INSURE, DECLINE = int(Action.INSURE), int(Action.DECLINE)


@inlined
def ask(layout: TableState, seat: Number, call: Number, legal: Number) -> None:
    """Record a question to a seat."""
    state = layout.state
    state[at.ASKING], state[at.CALL], state[at.LEGAL] = seat, call, legal


@inlined
def answer_of(layout: TableState) -> Number:
    """Return and clear the answer to the last question; NO_ANSWER if there is no answer."""
    answer = layout.state[at.ANSWER]
    layout.state[at.ANSWER] = NO_ANSWER
    return answer


@subroutine
def replace(layout: TableState, seat: Number, dealt: Word) -> None:
    """Close the account of a seat at fault and replace its player by a stand-in.

    Args:
        layout: The table.
        seat: The seat at fault.
        dealt: Number of cards dealt from the shoe in the rounds that the seat has played.
    """
    layout.seats[seat, LEFT] = layout.state[at.NUMBER]
    layout.mixes[seat] = (layout.mixes[seat] + dealt_word(layout.shoe, dealt)) * GOLDEN_U
    layout.seats[seat, WHO] = STAND_IN
    layout.state[at.PLAYERS] -= 1


@subroutine
def lose_by_fault(layout: TableState, seat: Number) -> None:
    """Take the stakes of a seat at fault in its turn, and replace its player."""
    wager, dealt = layout.occupants[seat, at.WAGER], U(layout.state[at.BEFORE])
    pay(layout.seats, layout.mixes, seat, wager, -wager, 0, dealt)
    replace(layout, seat, dealt)


@inlined
def asked_action(layout: TableState, seat: Number, legal: Number) -> Number:
    """Return the action of a seat that is asked; NO_ANSWER if it has not answered yet.

    Args:
        layout: The table.
        seat: The seat in turn.
        legal: Bit i is set if action number i is legal.
    """
    action = answer_of(layout)
    if action == NO_ANSWER:
        if layout.seats[seat, ACTS]:
            ask(layout, seat, ACT, legal)
        else:
            ask(layout, seat, DRAW, TO_STAND | TO_HIT)
    elif action == FAULT:
        lose_by_fault(layout, seat)
        action = DECLINE if legal & (1 << DECLINE) else STAND
    return action


DOUBLE, SPLIT = int(Action.DOUBLE), int(Action.SPLIT)
TO_INSURE_OR_NOT = 1 << INSURE | 1 << DECLINE


@inlined
def points_of_seat(players: Players, layout: TableState, who: Number, seat: Number) -> Number:
    """Return the points of a seat's count."""
    return points_of(players, who, layout.occupants[seat, at.COUNT], layout.state[at.SEEN])


@inlined
def add_card(house: CompiledRules, players: Players, layout: TableState, place: Number) -> None:
    """Deal a card to a hand, face up."""
    expose(layout, players, deal_to(house, layout, place))


@inlined
def stake_again(layout: TableState, seat: Number, chips: Number) -> None:
    """Stake more chips."""
    layout.occupants[seat, at.WAGER] += chips
    layout.occupants[seat, at.BEHIND] -= chips


@subroutine
def split(house: CompiledRules, players: Players, layout: TableState, seat: Number) -> None:
    """Split a pair into two hands with equal positions, and deal a card to each."""
    place = seat * MOST_HANDS + layout.state[at.HAND_NUMBER]
    added = seat * MOST_HANDS + layout.occupants[seat, at.HANDS_HELD]
    layout.occupants[seat, at.HANDS_HELD] += 1
    hand, other = layout.hands[place], layout.hands[added]
    other[POSITION], other[STAKE] = hand[POSITION], hand[STAKE]
    stake_again(layout, seat, hand[STAKE])
    card = layout.state[at.ON_TABLE] - 1
    while layout.owners[card] != place:
        card -= 1
    layout.owners[card] = added
    add_card(house, players, layout, place)
    add_card(house, players, layout, added)


@inlined
def play_hand(house: CompiledRules, players: Players, layout: TableState, seat: Number) -> bool:
    """Play a hand until it gets no more cards; return whether it is done."""
    place = seat * MOST_HANDS + layout.state[at.HAND_NUMBER]
    hand = layout.hands[place]
    while True:
        can_stake = hand[STAKE] <= layout.occupants[seat, at.BEHIND]
        held = layout.occupants[seat, at.HANDS_HELD]
        legal = moves_of(house.legal, house.most_hands, hand[POSITION], can_stake, held)
        if not legal:
            break
        who = layout.seats[seat, WHO]
        if who >= 0:
            dealer = layout.state[at.FACE_UP], house.value[layout.state[at.UPCARD]]
            counted = layout.occupants[seat, at.COUNT], layout.state[at.SEEN]
            own = hand[POSITION]
            action = declared_move(house, players, who, own, legal, dealer, counted)
        elif who == STAND_IN:
            action = STAND
        else:
            action = asked_action(layout, seat, legal)
            if action == NO_ANSWER:
                return False
        packed = layout.occupants[seat, at.ACTIONS_PACKED]
        layout.occupants[seat, at.ACTIONS_PACKED] = packed * ACTION_CODES + action
        hand[POSITION] = after_move(hand[POSITION], action)
        if action == SPLIT:
            split(house, players, layout, seat)
        elif action == DOUBLE:
            stake_again(layout, seat, hand[STAKE])
            hand[STAKE] *= 2
        if action == HIT or action == DOUBLE:  # noqa: PLR1714, SIM109 - no tuples
            add_card(house, players, layout, place)
    layout.state[at.WAITS] |= IS_WAITING[hand[POSITION]]
    return True


@inlined
def play_hands(house: CompiledRules, players: Players, layout: TableState) -> bool:
    """Play the hands of all seats; return whether they are done."""
    state = layout.state
    while state[at.TURN] < state[at.SEATED]:
        seat = layout.turns[state[at.TURN]]
        while state[at.HAND_NUMBER] < layout.occupants[seat, at.HANDS_HELD]:
            if not play_hand(house, players, layout, seat):
                return False
            state[at.HAND_NUMBER] += 1
        state[at.TURN] += 1
        state[at.HAND_NUMBER] = 0
    return True


@inlined
def insure(players: Players, layout: TableState) -> bool:
    """Offer insurance to all seats; return whether they are done."""
    state, occupants = layout.state, layout.occupants
    while state[at.TURN] < state[at.SEATED]:
        seat = layout.turns[state[at.TURN]]
        half, who = occupants[seat, at.WAGER] // 2, layout.seats[seat, WHO]
        if half <= occupants[seat, at.BEHIND]:
            action = DECLINE
            if who >= 0:
                if points_of_seat(players, layout, who, seat) >= players.insure_from[who]:
                    action = INSURE
            elif who != STAND_IN and layout.seats[seat, ACTS]:
                action = asked_action(layout, seat, TO_INSURE_OR_NOT)
                if action == NO_ANSWER:
                    return False
            packed = occupants[seat, at.ACTIONS_PACKED]
            occupants[seat, at.ACTIONS_PACKED] = packed * ACTION_CODES + action
            if action == INSURE:
                occupants[seat, at.INSURED] = half
                state[at.INSURANCES] += 1
                stake_again(layout, seat, half)
        state[at.TURN] += 1
    state[at.TURN] = 0
    return True
