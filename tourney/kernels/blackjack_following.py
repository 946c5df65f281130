"""Following a table's cards and moves in machine code, to sum up how lucky each seat was.

The same events in the same order as `tourney.engine.reference.luck` follows. Nothing here is
called where nobody wants to know.
"""

from tourney.games.blackjack.action import Action
from tourney.games.blackjack.records import DEALER
from tourney.kernels.blackjack_felt import (
    DEALER_AT,
    HAND_NUMBER,
    HANDS_HELD,
    LUCK_SUM,
    MOST_HANDS,
    POSITION,
    SEATED,
    STAKE,
    WAGER,
    Felt,
)
from tourney.kernels.blackjack_luck import (
    GONE,
    NO_OWN,
    NO_SHOWN,
    VALUE_OF,
    acted,
    luck_of_own,
    luck_of_shown,
    own_next,
    shown_next,
    take_out,
)
from tourney.kernels.blackjack_shoe import U
from tourney.kernels.blackjack_tables import House
from tourney.kernels.jit import Number, Word, compiled

SPLIT = int(Action.SPLIT)


@compiled
def follow_wagers(felt: Felt) -> None:
    """Begin a round for seats that have wagered."""
    state, chairs = felt.state, felt.chairs
    state[DEALER_AT] = NO_SHOWN
    for turn in range(state[SEATED]):
        seat = felt.turns[turn]
        hand = felt.hands[seat * MOST_HANDS]
        hand[POSITION], hand[STAKE] = NO_OWN, chairs[seat, WAGER]
        chairs[seat, HANDS_HELD], chairs[seat, LUCK_SUM] = 1, 0


@compiled
def follow_card(house: House, felt: Felt, place: Number, code: Word) -> None:
    """Note a card for a hand.

    Args:
        house: The rules.
        felt: The table.
        place: Row of the hand.
        code: Of the card.
    """
    hand, value = felt.hands[place], VALUE_OF[code]
    own, shown = U(hand[POSITION]), U(felt.state[DEALER_AT])
    luck = luck_of_own(house.luck, felt.left, own, shown, value)
    felt.chairs[place // MOST_HANDS, LUCK_SUM] += hand[STAKE] * luck
    hand[POSITION] = own_next(own, value)
    if house.decks:
        take_out(felt.left, value)


@compiled
def follow_dealer(house: House, felt: Felt, code: Word) -> None:
    """Note a card for the dealer, which every hand has its part in."""
    state, chairs, value = felt.state, felt.chairs, VALUE_OF[code]
    shown = U(state[DEALER_AT])
    for turn in range(state[SEATED]):
        seat = felt.turns[turn]
        for number in range(chairs[seat, HANDS_HELD]):
            hand = felt.hands[seat * MOST_HANDS + number]
            own = U(hand[POSITION])
            if own != GONE:
                luck = luck_of_shown(house.luck, felt.left, own, shown, value)
                chairs[seat, LUCK_SUM] += hand[STAKE] * luck
    state[DEALER_AT] = shown_next(shown, value)
    if house.decks:
        take_out(felt.left, value)


@compiled
def follow_opening(house: House, felt: Felt, place: Number, code: Word) -> None:
    """Note an opening card, by its place in the order of dealing."""
    turn = house.order[felt.state[SEATED], place]
    if turn == DEALER:
        follow_dealer(house, felt, code)
    else:
        follow_card(house, felt, felt.turns[turn] * MOST_HANDS, code)


@compiled
def follow_move(felt: Felt, seat: Number, action: Number) -> None:
    """Note a move of a seat with its hand in play."""
    place = seat * MOST_HANDS + felt.state[HAND_NUMBER]
    position = acted(U(felt.hands[place, POSITION]), U(action))
    felt.hands[place, POSITION] = position
    if action == SPLIT:
        added = seat * MOST_HANDS + felt.chairs[seat, HANDS_HELD]
        felt.hands[added, POSITION] = position
