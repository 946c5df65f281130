"""A blackjack table in machine code: any rules, one to seven seats, any shoe.

It plays until its block is over or a seat without a declaration has a decision. Then it waits, and
continues with the answer. The order of events is that of the reference engine: shuffle, wagers,
opening cards, insurance, hands in turn, the dealer, settlement. `seat_turns` plays the hands.
"""

import numpy as np

from tourney.game.machine.jit import Number, inlined, subroutine
from tourney.games.blackjack.hand import ACE_VALUE
from tourney.games.blackjack.kernels.accounts import (
    ASKED,
    AT_MOST,
    BEGINS,
    FINAL,
    FOLLOWS_LUCK,
    GOLDEN_U,
    HIGHEST,
    LEFT,
    LOWEST,
    LUCK,
    MINIMUM,
    MOVES_BUTTON,
    STAND_IN,
    STAYED,
    WATCHES,
    WHO,
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
    ACTIONS_PACKED,
    ANSWER,
    BEFORE,
    BEHIND,
    COUNTS,
    DEALER,
    DEALER_AT,
    EXPOSED,
    FACE_UP,
    FIRST_ROUND,
    FOLLOWS,
    HANDS_HELD,
    HAS_ENDED,
    HOLE,
    INSURANCES,
    INSURED,
    IS_BROKE,
    IS_WATCHED,
    LAST_ROUND,
    LUCK_SUM,
    MOVES,
    NATURALS,
    NUMBER,
    ON_TABLE,
    PLAYERS,
    ROUNDS,
    SEATED,
    SHOWN,
    STAGE,
    TURN,
    UPCARD,
    WAGER,
    WAITS,
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


BETWEEN, WAGERS, OPENED, HANDS, CLOSING, OVER = range(6)
"""Stages of a table, in `TableState.state`."""


@subroutine
def send_off(layout: TableState, least: Number, last_round: Number) -> None:
    """Remove seats that have too few chips, after their last round."""
    state = layout.state
    state[IS_BROKE] = 0
    kept = 0
    for turn in range(state[SEATED]):
        seat = layout.turns[turn]
        if layout.seats[seat, WHO] != STAND_IN and layout.seats[seat, FINAL] < least:
            layout.seats[seat, LEFT] = last_round
            word = dealt_word(layout.shoe, layout.shoe.state[DEALT])
            layout.mixes[seat] = (layout.mixes[seat] + word) * GOLDEN_U
            state[PLAYERS] -= 1
        else:
            layout.turns[kept] = seat
            kept += 1
    state[SEATED] = kept


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
    state[ANSWER] = NO_ANSWER
    state[SEATED] = len(layout.seats)
    state[FIRST_ROUND], state[LAST_ROUND] = block[BEGINS], block[BEGINS] + block[AT_MOST] - 1
    state[NUMBER], state[MOVES] = block[BEGINS] - 1, block[MOVES_BUTTON]
    state[FOLLOWS] = block[FOLLOWS_LUCK]
    state[COUNTS] = len(layout.log.rows) > 0
    for seat in range(len(layout.seats)):
        layout.turns[seat] = seat
        layout.seats[seat, LOWEST] = layout.seats[seat, HIGHEST] = layout.seats[seat, FINAL]
        who = layout.seats[seat, WHO]
        # A seat whose player could not be made has left before the first round.
        layout.seats[seat, LEFT] = block[BEGINS] if who == STAND_IN else STAYED
        state[PLAYERS] += who != STAND_IN
        if who >= 0:
            state[COUNTS] |= players.counts[who]
        elif who == ASKED:
            state[IS_WATCHED] |= layout.seats[seat, WATCHES]
    open_shoe(layout.shoe)
    begin(layout.shoe, ZERO)
    begin_counting(layout, layout.shoe.decks)
    send_off(layout, block[MINIMUM] + house.spare, block[BEGINS] - 1)


@inlined
def next_round(house: CompiledRules, layout: TableState) -> None:
    """Begin a round, with a shuffle if one is due; or close the block."""
    state, dealing = layout.state, layout.shoe.state
    state[TURN] = 0
    if not state[PLAYERS] or state[NUMBER] == state[LAST_ROUND]:
        state[STAGE] = CLOSING
        return
    state[NUMBER] += 1
    left, size = np.int64(dealing[SIZE] - dealing[DEALT]), np.int64(dealing[SIZE])
    if dealing[DEALT] and (
        house.is_fresh or left < house.reshuffle or 100 * left < house.percent * size
    ):
        end_shoe(layout)
        begin(layout.shoe, dealing[SHOE] + ONE)
        begin_counting(layout, layout.shoe.decks)
    state[STAGE] = WAGERS


@inlined
def take_wager(house: CompiledRules, players: Players, layout: TableState, seat: Number) -> Number:
    """Give the wager of a seat; NO_ANSWER, if it has to be asked first."""
    state, who = layout.state, layout.seats[seat, WHO]
    if who >= 0 and not house.is_fixed:
        points = points_of_seat(players, layout, who, seat)
        return wager_of(house, players, who, points, layout.seats[seat, FINAL], layout.block)
    has_news = layout.seats[seat, WATCHES] and layout.occupants[seat, SHOWN] < state[EXPOSED]
    if who == ASKED and (has_news or not house.is_fixed or state[ANSWER] != NO_ANSWER):
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
    return layout.block[MINIMUM]


@inlined
def take_wagers(house: CompiledRules, players: Players, layout: TableState) -> bool:
    """Take the wagers of all seats; return whether all are placed."""
    state, occupants = layout.state, layout.occupants
    while state[TURN] < state[SEATED]:
        seat = layout.turns[state[TURN]]
        wager = take_wager(house, players, layout, seat)
        if wager == NO_ANSWER:
            return False
        occupants[seat, WAGER] = wager
        occupants[seat, BEHIND] = layout.seats[seat, FINAL] - wager
        state[TURN] += 1
    state[TURN] = 0
    if state[EXPOSED]:
        state[EXPOSED] = 0
        occupants[:, SHOWN] = 0
    return True


@inlined
def close(layout: TableState) -> bool:
    """Show all players the last cards; return whether the block is over."""
    state = layout.state
    while state[TURN] < state[SEATED]:
        seat = layout.turns[state[TURN]]
        if layout.seats[seat, WHO] == ASKED and layout.seats[seat, WATCHES]:
            answer = answer_of(layout)
            if answer == NO_ANSWER and layout.occupants[seat, SHOWN] < state[EXPOSED]:
                ask(layout, seat, LOOK, 0)
                return False
            if answer == FAULT:
                replace(layout, seat, layout.shoe.state[DEALT])
        state[TURN] += 1
    end_shoe(layout)
    state[STAGE] = OVER
    return True


@inlined
def begin_round(house: CompiledRules, players: Players, layout: TableState) -> bool:
    """Take the wagers and deal the opening cards; return whether this is done."""
    state = layout.state
    if not take_wagers(house, players, layout):
        return False
    state[STAGE] = BETWEEN
    note_count(layout)
    if state[PLAYERS]:
        open_round(house, players, layout)
        state[STAGE] = OPENED
    return True


@inlined
def look(house: CompiledRules, players: Players, layout: TableState) -> bool:
    """Offer insurance and check for the dealer's natural, by the rules; return whether done."""
    state = layout.state
    offers = house.insures and house.value[state[UPCARD]] == ACE_VALUE
    if offers and not insure(players, layout):
        return False
    state[HAS_ENDED] = house.ends_at_once and state[DEALER] == SOFT_21
    state[STAGE] = HANDS
    return True


@inlined
def play_out(house: CompiledRules, players: Players, layout: TableState, least: Number) -> bool:
    """Play the hands of the seats and the dealer; return whether they are done."""
    state = layout.state
    if not state[HAS_ENDED] and not play_hands(house, players, layout):
        return False
    finish_round(house, players, layout, least)
    state[STAGE] = BETWEEN
    return True


@subroutine
def go_on(house: CompiledRules, players: Players, layout: TableState) -> None:
    """Play until a seat must be asked, or the block is over.

    Args:
        house: The rules.
        players: The declarations.
        layout: The table, opened.
    """
    state, least = layout.state, layout.block[MINIMUM] + house.spare
    is_done = True
    while is_done and state[STAGE] != OVER:
        if state[STAGE] == BETWEEN:
            next_round(house, layout)
        if state[STAGE] == WAGERS:
            is_done = begin_round(house, players, layout)
        if state[STAGE] == OPENED:
            is_done = look(house, players, layout)
        if state[STAGE] == HANDS:
            is_done = play_out(house, players, layout, least)
        if state[STAGE] == CLOSING:
            is_done = close(layout)
        if state[IS_BROKE]:
            send_off(layout, least, state[NUMBER])
