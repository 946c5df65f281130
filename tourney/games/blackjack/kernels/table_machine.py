"""A blackjack table in machine code: any rules, one to seven seats, any shoe.

It plays until its block is over or a seat without a declaration has a decision. Then it waits, and
continues with the answer. The order of events is that of the reference engine: shuffle, wagers,
opening cards, insurance, hands in turn, the dealer, settlement. `seat_turns` plays the hands.
"""

import numpy as np

from tourney.game.machine.jit import Number, inlined, subroutine
from tourney.games.blackjack.hand import ACE_VALUE
from tourney.games.blackjack.kernels import accounts as col
from tourney.games.blackjack.kernels import table_state as at
from tourney.games.blackjack.kernels.accounts import (
    ASKED,
    GOLDEN_U,
    STAND_IN,
    STAYED,
    net_of,
    pay,
    wager_of,
)
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
from tourney.games.blackjack.kernels.seat_turns import (
    ASK_WAGER,
    BEFORE_ROUND,
    FAULT,
    LOOK,
    NO_ANSWER,
    answer_of,
    ask,
    insure,
    play_hands,
    points_of_seat,
    replace,
)
from tourney.games.blackjack.kernels.shoes import (
    DEALT,
    ONE,
    SHOE,
    SIZE,
    ZERO,
    begin,
    dealt_word,
    open_shoe,
)
from tourney.games.blackjack.kernels.table_state import (
    TableState,
    begin_counting,
    deal_to,
    deal_to_dealer,
    end_shoe,
    expose,
    note_count,
    note_round,
)
from tourney.games.blackjack.position import INSURANCE_PAYS, LEAST_OF_NATURAL, SOFT_21
from tourney.games.blackjack.records import DEALER as THE_DEALER


@inlined
def open_round(house: CompiledRules, players: Players, layout: TableState) -> None:
    """Deal the opening cards."""
    state, seated, value = layout.state, layout.state[at.SEATED], house.value
    places, order, cards = house.places[seated], house.order[seated], layout.cards
    state[at.ROUNDS] += 1
    state[at.ON_TABLE] = state[at.WAITS] = state[at.NATURALS] = state[at.INSURANCES] = 0
    state[at.HAS_ENDED] = 0
    state[at.BEFORE] = layout.shoe.state[DEALT]
    state[at.DEALER], state[at.DEALER_AT] = 0, NO_SHOWN
    for turn in range(seated):
        seat = layout.turns[turn]
        occupant, hand = layout.occupants[seat], layout.hands[seat * MOST_HANDS]
        occupant[at.HANDS_HELD] = 1
        occupant[at.ACTIONS_PACKED] = occupant[at.INSURED] = occupant[at.LUCK_SUM] = 0
        hand[POSITION], hand[STAKE] = NO_OWN, occupant[at.WAGER]
    due = 2 * seated + 1 + house.has_hole
    for place in range(due):
        if order[place] == THE_DEALER:
            _, state[at.DEALER] = deal_to_dealer(house, layout, state[at.DEALER])
        else:
            owner = layout.turns[order[place]] * MOST_HANDS
            deal_to(house, layout, owner)
            state[at.NATURALS] += layout.hands[owner, POSITION] == AT_NATURAL
    for place in range(due):
        if house.is_shown or place != places[HOLE_PLACE]:
            expose(layout, players, cards[place])
    state[at.UPCARD] = cards[places[UPCARD_PLACE]]
    state[at.FACE_UP] = house.after[value[state[at.UPCARD]]]
    if house.has_hole:
        state[at.HOLE] = cards[places[HOLE_PLACE]]
        if house.is_shown:
            state[at.FACE_UP] = state[at.DEALER]


@inlined
def is_natural_asked(house: CompiledRules, layout: TableState) -> bool:
    """Return whether a natural of the dealer matters for naturals or insurance."""
    state = layout.state
    if house.beats_all and state[at.NATURALS] and house.value[state[at.UPCARD]] >= LEAST_OF_NATURAL:
        return True
    return bool(state[at.INSURANCES] and not house.ends_at_once)


@inlined
def move_button(layout: TableState) -> None:
    """Move the button one seat on for the next round, before seats leave."""
    turns, last = layout.turns, layout.state[at.SEATED] - 1
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
    is_needed = state[at.HAS_ENDED] or state[at.WAITS] or is_natural_asked(house, layout)
    if house.has_hole and not house.is_shown and (is_needed or house.is_always_turned):
        expose(layout, players, state[at.HOLE])
    dealer, lacks_second = state[at.DEALER], is_needed and not house.has_hole
    while lacks_second or (state[at.WAITS] and house.draws[dealer]):
        code, dealer = deal_to_dealer(house, layout, dealer)
        expose(layout, players, code)
        if lacks_second:
            state[at.DEALER], lacks_second = dealer, False
    state[at.HAS_ENDED] |= house.beats_all and state[at.DEALER] == SOFT_21
    for turn in range(state[at.SEATED]):
        seat = layout.turns[turn]
        if layout.seats[seat, col.WHO] != STAND_IN:
            wager, actions = (
                layout.occupants[seat, at.WAGER],
                layout.occupants[seat, at.ACTIONS_PACKED],
            )
            first, insured = seat * MOST_HANDS, layout.occupants[seat, at.INSURED]
            hands = layout.hands[first : first + layout.occupants[seat, at.HANDS_HELD]]
            net = net_of(house, hands, dealer, state[at.HAS_ENDED])
            net += INSURANCE_PAYS * insured if state[at.DEALER] == SOFT_21 else -insured
            dealt = layout.shoe.state[DEALT]
            bankroll = pay(layout.seats, layout.mixes, seat, wager, net, actions, dealt)
            if state[at.FOLLOWS]:
                layout.seats[seat, col.LUCK] += layout.occupants[seat, at.LUCK_SUM]
            note_round(layout, net, layout.occupants[seat, at.LUCK_SUM])
            state[at.IS_BROKE] |= bankroll < least
        layout.occupants[seat, at.WAGER] = 0
    if state[at.MOVES]:
        move_button(layout)


BETWEEN, WAGERS, OPENED, HANDS, CLOSING, OVER = range(6)
"""Stages of a table, in `TableState.state`."""


@subroutine
def send_off(layout: TableState, least: Number, last_round: Number) -> None:
    """Remove seats that have too few chips, after their last round."""
    state = layout.state
    state[at.IS_BROKE] = 0
    kept = 0
    for turn in range(state[at.SEATED]):
        seat = layout.turns[turn]
        if layout.seats[seat, col.WHO] != STAND_IN and layout.seats[seat, col.FINAL] < least:
            layout.seats[seat, col.LEFT] = last_round
            word = dealt_word(layout.shoe, layout.shoe.state[DEALT])
            layout.mixes[seat] = (layout.mixes[seat] + word) * GOLDEN_U
            state[at.PLAYERS] -= 1
        else:
            layout.turns[kept] = seat
            kept += 1
    state[at.SEATED] = kept


@subroutine
def open_table(house: CompiledRules, players: Players, layout: TableState) -> None:
    """Begin a block.

    Args:
        house: The rules.
        players: The declarations.
        layout: The table, with the declarations and bankrolls of its seats.
    """
    state, block = layout.state, layout.block
    state[:] = 0
    layout.occupants[:] = 0
    state[at.ANSWER] = NO_ANSWER
    state[at.SEATED] = len(layout.seats)
    state[at.FIRST_ROUND], state[at.LAST_ROUND] = (
        block[col.BEGINS],
        block[col.BEGINS] + block[col.AT_MOST] - 1,
    )
    state[at.NUMBER], state[at.MOVES] = block[col.BEGINS] - 1, block[col.MOVES_BUTTON]
    state[at.FOLLOWS] = block[col.FOLLOWS_LUCK]
    state[at.COUNTS] = len(layout.log.rows) > 0
    for seat in range(len(layout.seats)):
        layout.turns[seat] = seat
        layout.seats[seat, col.LOWEST] = layout.seats[seat, col.HIGHEST] = layout.seats[
            seat, col.FINAL
        ]
        who = layout.seats[seat, col.WHO]
        # A seat whose player could not be made has left before the first round.
        layout.seats[seat, col.LEFT] = block[col.BEGINS] if who == STAND_IN else STAYED
        state[at.PLAYERS] += who != STAND_IN
        if who >= 0:
            state[at.COUNTS] |= players.counts[who]
        elif who == ASKED:
            state[at.IS_WATCHED] |= layout.seats[seat, col.WATCHES]
    open_shoe(layout.shoe)
    begin(layout.shoe, ZERO)
    begin_counting(layout, layout.shoe.decks)
    send_off(layout, block[col.MINIMUM] + house.spare, block[col.BEGINS] - 1)


@inlined
def next_round(house: CompiledRules, layout: TableState) -> None:
    """Begin a round, with a shuffle if one is due; or close the block."""
    state, dealing = layout.state, layout.shoe.state
    state[at.TURN] = 0
    if not state[at.PLAYERS] or state[at.NUMBER] == state[at.LAST_ROUND]:
        state[at.STAGE] = CLOSING
        return
    state[at.NUMBER] += 1
    left, size = np.int64(dealing[SIZE] - dealing[DEALT]), np.int64(dealing[SIZE])
    if dealing[DEALT] and (
        house.is_fresh or left < house.reshuffle or 100 * left < house.percent * size
    ):
        end_shoe(layout)
        begin(layout.shoe, dealing[SHOE] + ONE)
        begin_counting(layout, layout.shoe.decks)
    state[at.STAGE] = WAGERS


@inlined
def take_wager(house: CompiledRules, players: Players, layout: TableState, seat: Number) -> Number:
    """Give the wager of a seat; NO_ANSWER, if it has to be asked first."""
    state, who = layout.state, layout.seats[seat, col.WHO]
    if who >= 0 and not house.is_fixed:
        points = points_of_seat(players, layout, who, seat)
        return wager_of(house, players, who, points, layout.seats[seat, col.FINAL], layout.block)
    has_news = (
        layout.seats[seat, col.WATCHES] and layout.occupants[seat, at.SHOWN] < state[at.EXPOSED]
    )
    if who == ASKED and (has_news or not house.is_fixed or state[at.ANSWER] != NO_ANSWER):
        answer = answer_of(layout)
        if answer == NO_ANSWER:
            if house.is_fixed:
                ask(layout, seat, LOOK, BEFORE_ROUND)
            else:
                ask(layout, seat, ASK_WAGER, 0)
            return NO_ANSWER
        if answer == FAULT:
            replace(layout, seat, layout.shoe.state[DEALT])
        elif not house.is_fixed:
            return answer * house.unit
    return layout.block[col.MINIMUM]


@inlined
def take_wagers(house: CompiledRules, players: Players, layout: TableState) -> bool:
    """Take the wagers of all seats; return whether all are placed."""
    state, occupants = layout.state, layout.occupants
    while state[at.TURN] < state[at.SEATED]:
        seat = layout.turns[state[at.TURN]]
        wager = take_wager(house, players, layout, seat)
        if wager == NO_ANSWER:
            return False
        occupants[seat, at.WAGER] = wager
        occupants[seat, at.BEHIND] = layout.seats[seat, col.FINAL] - wager
        state[at.TURN] += 1
    state[at.TURN] = 0
    if state[at.EXPOSED]:
        state[at.EXPOSED] = 0
        occupants[:, at.SHOWN] = 0
    return True


@inlined
def close(layout: TableState) -> bool:
    """Show all players the last cards; return whether the block is over."""
    state = layout.state
    while state[at.TURN] < state[at.SEATED]:
        seat = layout.turns[state[at.TURN]]
        if layout.seats[seat, col.WHO] == ASKED and layout.seats[seat, col.WATCHES]:
            answer = answer_of(layout)
            if answer == NO_ANSWER and layout.occupants[seat, at.SHOWN] < state[at.EXPOSED]:
                ask(layout, seat, LOOK, 0)
                return False
            if answer == FAULT:
                replace(layout, seat, layout.shoe.state[DEALT])
        state[at.TURN] += 1
    end_shoe(layout)
    state[at.STAGE] = OVER
    return True


@inlined
def begin_round(house: CompiledRules, players: Players, layout: TableState) -> bool:
    """Take the wagers and deal the opening cards; return whether this is done."""
    state = layout.state
    if not take_wagers(house, players, layout):
        return False
    state[at.STAGE] = BETWEEN
    note_count(layout)
    if state[at.PLAYERS]:
        open_round(house, players, layout)
        state[at.STAGE] = OPENED
    return True


@inlined
def look(house: CompiledRules, players: Players, layout: TableState) -> bool:
    """Offer insurance and check for the dealer's natural, by the rules; return whether done."""
    state = layout.state
    offers = house.insures and house.value[state[at.UPCARD]] == ACE_VALUE
    if offers and not insure(players, layout):
        return False
    state[at.HAS_ENDED] = house.ends_at_once and state[at.DEALER] == SOFT_21
    state[at.STAGE] = HANDS
    return True


@inlined
def play_out(house: CompiledRules, players: Players, layout: TableState, least: Number) -> bool:
    """Play the hands of the seats and the dealer; return whether they are done."""
    state = layout.state
    if not state[at.HAS_ENDED] and not play_hands(house, players, layout):
        return False
    finish_round(house, players, layout, least)
    state[at.STAGE] = BETWEEN
    return True


@subroutine
def go_on(house: CompiledRules, players: Players, layout: TableState) -> None:
    """Play until a seat must be asked, or the block is over.

    Args:
        house: The rules.
        players: The declarations.
        layout: The table, opened.
    """
    state, least = layout.state, layout.block[col.MINIMUM] + house.spare
    is_done = True
    while is_done and state[at.STAGE] != OVER:
        if state[at.STAGE] == BETWEEN:
            next_round(house, layout)
        if state[at.STAGE] == WAGERS:
            is_done = begin_round(house, players, layout)
        if state[at.STAGE] == OPENED:
            is_done = look(house, players, layout)
        if state[at.STAGE] == HANDS:
            is_done = play_out(house, players, layout, least)
        if state[at.STAGE] == CLOSING:
            is_done = close(layout)
        if state[at.IS_BROKE]:
            send_off(layout, least, state[at.NUMBER])
