"""The opening cards of a round in machine code, the dealer's play, and the settlement.

`seat_turns` plays the hands between them.
"""

from tourney.game.machine.jit import Number, inlined
from tourney.games.blackjack.kernels.accounts import LUCK, STAND_IN, WHO, net_of, pay
from tourney.games.blackjack.kernels.compiled_rules import HOLE as HOLE_PLACE
from tourney.games.blackjack.kernels.compiled_rules import UPCARD as UPCARD_PLACE
from tourney.games.blackjack.kernels.compiled_rules import CompiledRules, Players
from tourney.games.blackjack.kernels.luck import NO_SHOWN
from tourney.games.blackjack.kernels.positions import (
    AT_NATURAL,
    MOST_HANDS,
    NO_OWN,
    POSITION,
    STAKE,
)
from tourney.games.blackjack.kernels.shoes import DEALT
from tourney.games.blackjack.kernels.table_state import (
    ACTIONS_PACKED,
    BEFORE,
    DEALER,
    DEALER_AT,
    FACE_UP,
    FOLLOWS,
    HANDS_HELD,
    HAS_ENDED,
    HOLE,
    INSURANCES,
    INSURED,
    IS_BROKE,
    LUCK_SUM,
    MOVES,
    NATURALS,
    ON_TABLE,
    ROUNDS,
    SEATED,
    UPCARD,
    WAGER,
    WAITS,
    TableState,
    deal_to,
    deal_to_dealer,
    expose,
    note_round,
)
from tourney.games.blackjack.position import INSURANCE_PAYS, LEAST_OF_NATURAL, SOFT_21
from tourney.games.blackjack.records import DEALER as THE_DEALER


@inlined
def open_round(house: CompiledRules, players: Players, layout: TableState) -> None:
    """Deal the opening cards."""
    state, seated, value = layout.state, layout.state[SEATED], house.value
    places, order, cards = house.places[seated], house.order[seated], layout.cards
    state[ROUNDS] += 1
    state[ON_TABLE] = state[WAITS] = state[NATURALS] = state[INSURANCES] = 0
    state[HAS_ENDED] = 0
    state[BEFORE] = layout.shoe.state[DEALT]
    state[DEALER], state[DEALER_AT] = 0, NO_SHOWN
    for turn in range(seated):
        seat = layout.turns[turn]
        occupant, hand = layout.occupants[seat], layout.hands[seat * MOST_HANDS]
        occupant[HANDS_HELD] = 1
        occupant[ACTIONS_PACKED] = occupant[INSURED] = occupant[LUCK_SUM] = 0
        hand[POSITION], hand[STAKE] = NO_OWN, occupant[WAGER]
    due = 2 * seated + 1 + house.has_hole
    for place in range(due):
        if order[place] == THE_DEALER:
            _, state[DEALER] = deal_to_dealer(house, layout, state[DEALER])
        else:
            owner = layout.turns[order[place]] * MOST_HANDS
            deal_to(house, layout, owner)
            state[NATURALS] += layout.hands[owner, POSITION] == AT_NATURAL
    for place in range(due):
        if house.is_shown or place != places[HOLE_PLACE]:
            expose(layout, players, cards[place])
    state[UPCARD] = cards[places[UPCARD_PLACE]]
    state[FACE_UP] = house.after[value[state[UPCARD]]]
    if house.has_hole:
        state[HOLE] = cards[places[HOLE_PLACE]]
        if house.is_shown:
            state[FACE_UP] = state[DEALER]


@inlined
def is_natural_asked(house: CompiledRules, layout: TableState) -> bool:
    """Return whether a natural of the dealer matters for naturals or insurance."""
    state = layout.state
    if house.beats_all and state[NATURALS] and house.value[state[UPCARD]] >= LEAST_OF_NATURAL:
        return True
    return bool(state[INSURANCES] and not house.ends_at_once)


@inlined
def move_button(layout: TableState) -> None:
    """Move the button one seat on for the next round, before seats leave."""
    turns, last = layout.turns, layout.state[SEATED] - 1
    first = turns[0]
    for turn in range(last):
        turns[turn] = turns[turn + 1]
    turns[last] = first


@inlined
def finish_round(house: CompiledRules, players: Players, layout: TableState, least: Number) -> None:
    """Play the dealer's hand and settle the round.

    Args:
        house: The rules.
        players: The declarations.
        layout: The table.
        least: Least bankroll to continue.
    """
    state = layout.state
    is_needed = state[HAS_ENDED] or state[WAITS] or is_natural_asked(house, layout)
    if house.has_hole and not house.is_shown and (is_needed or house.is_always_turned):
        expose(layout, players, state[HOLE])
    dealer, lacks_second = state[DEALER], is_needed and not house.has_hole
    while lacks_second or (state[WAITS] and house.draws[dealer]):
        code, dealer = deal_to_dealer(house, layout, dealer)
        expose(layout, players, code)
        if lacks_second:
            state[DEALER], lacks_second = dealer, False
    state[HAS_ENDED] |= house.beats_all and state[DEALER] == SOFT_21
    for turn in range(state[SEATED]):
        seat = layout.turns[turn]
        if layout.seats[seat, WHO] != STAND_IN:
            wager, actions = layout.occupants[seat, WAGER], layout.occupants[seat, ACTIONS_PACKED]
            first, insured = seat * MOST_HANDS, layout.occupants[seat, INSURED]
            hands = layout.hands[first : first + layout.occupants[seat, HANDS_HELD]]
            net = net_of(house, hands, dealer, state[HAS_ENDED])
            net += INSURANCE_PAYS * insured if state[DEALER] == SOFT_21 else -insured
            dealt = layout.shoe.state[DEALT]
            bankroll = pay(layout.seats, layout.mixes, seat, wager, net, actions, dealt)
            if state[FOLLOWS]:
                layout.seats[seat, LUCK] += layout.occupants[seat, LUCK_SUM]
            note_round(layout, net, layout.occupants[seat, LUCK_SUM])
            state[IS_BROKE] |= bankroll < least
        layout.occupants[seat, WAGER] = 0
    if state[MOVES]:
        move_button(layout)
