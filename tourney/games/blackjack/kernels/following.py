"""Following a table's cards and moves in machine code, to sum up how lucky each seat was.

The same events in the same order as `tourney.games.blackjack.luck` follows. Nothing here is
called where nobody wants to know.
"""

from tourney.game.machine.jit import Number, Word, subroutine
from tourney.games.blackjack.kernels.card_luck import (
    VALUE_OF,
    luck_of_hands,
    luck_of_own,
    shown_next,
    take_out,
)
from tourney.games.blackjack.kernels.positions import MOST_HANDS, POSITION, STAKE
from tourney.games.blackjack.kernels.rule_tables import House
from tourney.games.blackjack.kernels.shoes import U
from tourney.games.blackjack.kernels.table_layout import (
    DEALER_AT,
    HANDS_HELD,
    LUCK_SUM,
    SEATED,
    Layout,
)


@subroutine
def follow_card(house: House, layout: Layout, place: Number, code: Word) -> None:
    """Note a card for a hand, before the hand has it.

    Args:
        house: The rules.
        layout: The table.
        place: Row of the hand.
        code: Of the card.
    """
    hand, value = layout.hands[place], VALUE_OF[code]
    own, shown = U(hand[POSITION]), U(layout.state[DEALER_AT])
    luck = luck_of_own(house.luck, layout.left, own, shown, value)
    layout.occupants[place // MOST_HANDS, LUCK_SUM] += hand[STAKE] * luck
    take_out(layout.left, house.decks, value)


@subroutine
def follow_dealer(house: House, layout: Layout, code: Word) -> None:
    """Note a card for the dealer, which every hand has its part in."""
    state, occupants, value = layout.state, layout.occupants, VALUE_OF[code]
    shown = U(state[DEALER_AT])
    for turn in range(state[SEATED]):
        seat = layout.turns[turn]
        first = seat * MOST_HANDS
        hands = layout.hands[first : first + occupants[seat, HANDS_HELD]]
        luck = luck_of_hands(house.luck, layout.left, hands, shown, value)
        occupants[seat, LUCK_SUM] += luck
    state[DEALER_AT] = shown_next(shown, value)
    take_out(layout.left, house.decks, value)
