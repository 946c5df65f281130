"""A blackjack table in machine code: any rules, one to seven seats, any shoe.

It plays until its block is over or a seat without a declaration has a decision. Then it waits, and
continues with the answer. The order of events is that of the reference engine: shuffle, wagers,
opening cards, insurance, hands in turn, the dealer, settlement.
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
    MINIMUM,
    MOVES_BUTTON,
    STAND_IN,
    STAYED,
    WATCHES,
    WHO,
    wager_of,
)
from tourney.games.blackjack.kernels.compiled_rules import CompiledRules, Players
from tourney.games.blackjack.kernels.dealing import finish_round, open_round
from tourney.games.blackjack.kernels.seat_turns import insure, play_hands, points_of_seat
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
from tourney.games.blackjack.kernels.suspension import (
    ASK_WAGER,
    BEFORE_ROUND,
    FAULT,
    LOOK,
    NO_ANSWER,
    answer_of,
    ask,
    replace,
)
from tourney.games.blackjack.kernels.table_state import (
    ANSWER,
    BEHIND,
    COUNTS,
    DEALER,
    EXPOSED,
    FIRST_ROUND,
    FOLLOWS,
    HAS_ENDED,
    IS_BROKE,
    IS_WATCHED,
    LAST_ROUND,
    MOVES,
    NUMBER,
    PLAYERS,
    SEATED,
    SHOWN,
    STAGE,
    TURN,
    UPCARD,
    WAGER,
    TableState,
    begin_counting,
    end_shoe,
    note_count,
)
from tourney.games.blackjack.position import SOFT_21

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
