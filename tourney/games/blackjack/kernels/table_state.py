"""The state of a blackjack table as arrays, and dealing of cards to it.

A table has some numbers, a row for every seat and every hand, and the cards of the round. Thousands
of tables are the same arrays with one more axis. Decisions are in `seat_turns`.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tourney.errors import DeckEmpty
from tourney.game.cards.card import DECK_SIZE
from tourney.game.machine.jit import Number, Word, inlined, subroutine
from tourney.games.blackjack.declaration import VALUES
from tourney.games.blackjack.kernels.accounts import (
    FIRST_SEAT,
    GOLDEN_U,
    LAST_SEAT,
    STAND_IN,
    WHO,
    Tables,
)
from tourney.games.blackjack.kernels.compiled_rules import CompiledRules, Players
from tourney.games.blackjack.kernels.luck import (
    LEFT,
    VALUE_OF,
    fill,
    luck_of_hands,
    luck_of_own,
    shown_next,
    take_out,
)
from tourney.games.blackjack.kernels.positions import (
    MOST_HANDS,
    POSITION,
    RANK_OF,
    STAKE,
    after_card,
)
from tourney.games.blackjack.kernels.shoes import (
    CHOSEN,
    DEALT,
    ENDLESS_ROOM,
    ONE,
    SIZE,
    Codes,
    Numbers,
    Shoe,
    U,
    Words,
    begin_from_discards,
    choose_more,
    code_of,
    dealt_word,
    new_shoes,
    shoe_of,
)
from tourney.games.blackjack.rules import CARDS_IN_A_DECK, MOST_SEATS

Arrays: TypeAlias = NDArray[Any]

SEATED, SEEN = range(2)
"""Indices in `TableState.state`: number of seats that play, and of cards seen since the shuffle."""
STAGE, TURN, HAND_NUMBER, ANSWER, CALL, ASKING, LEGAL = range(2, 9)
"""The stage, the turn and its hand; the answer to a question; the question: its call, its seat, and
the legal actions."""
NUMBER, FIRST_ROUND, LAST_ROUND, PLAYERS, ON_TABLE, BEFORE, EXPOSED = range(9, 16)
"""Numbers of the current, first and last round; number of seats with a player, of cards in the
round, of cards dealt from the shoe before it, and of entries of `TableState.exposed`."""
DEALER, FACE_UP, UPCARD, HOLE = range(16, 20)
"""The dealer's hand, its face-up part, and the codes of its first two cards."""
WAITS, IS_BROKE, COUNTS, IS_WATCHED, ROUNDS, SHUFFLES, CARDS = range(20, 27)
"""Whether a hand waits for the dealer, a seat must leave, a declared player counts, an asked player
watches; and the numbers of rounds, shuffles and cards in the block."""
NATURALS, INSURANCES, HAS_ENDED = 27, 28, 29
"""Number of seats with a natural, of seats with insurance, and whether the dealer's natural ended
the round."""
MOVES = 30
"""Whether the button moves every round."""
FOLLOWS, DEALER_AT = 31, 32
"""Whether luck is measured, and the dealer's position; see `luck`."""
STATES = 33

WAGER, BEHIND, INSURED, COUNT, SHOWN, HANDS_HELD, ACTIONS_PACKED, LUCK_SUM = range(8)
"""Columns of `TableState.occupants`: chips staked in the round, chips left, the stake on insurance,
the running count, number of exposures seen, number of hands, packed actions, luck in the round."""

LOGGED, LOG_COUNT, LOG_POINTS, LOG_WAGER = range(4)
"""Indices in `Log.state`: number of rounds written, the running count of the log's tags, the true
count before the round, rounded down, and its first wager."""
LOG_COLUMNS = 4
"""Columns of `Log.rows`: the true count before a round, the wager, the net result, and the luck."""

NO_SEAT = NO_CARD = SHUFFLED = 255


class Log(NamedTuple):
    """A log of every round of a single seat; without rows, it is off."""

    rows: Numbers  # (rounds, 4)
    state: Numbers  # (4,)
    tags: Numbers  # (52,) count of a seen card, by code


class TableState(NamedTuple):
    """One table during a block; seats are numbered as in the block."""

    state: Numbers  # (STATES,)
    turns: Numbers  # (7,) seats that play, in order
    occupants: Numbers  # (7, 8) by seat
    hands: Numbers  # (56, 2) by seat times 8 plus number of the hand; see `positions.POSITION`
    cards: Codes  # of the round, in dealing order
    owners: Codes  # the row of `hands` of each card
    exposed: Codes  # codes that some players have not seen yet, and SHUFFLED
    left: Numbers  # (11,) cards left; see `luck.fill`
    shoe: Shoe
    seats: Numbers  # (seats, 11) accounts
    mixes: Words  # (seats,) hashes
    block: Numbers  # (13,) see `accounts.Tables`
    log: Log


def most_cards(decks: int) -> int:
    """Return the most cards of a round: the whole shoe, or the cards of 56 hands."""
    return decks * CARDS_IN_A_DECK if decks else ENDLESS_ROOM


def new_log(rounds: int, tags: Sequence[int] = (0,) * DECK_SIZE) -> Log:
    """Allocate a log."""
    rows = np.zeros((rounds, LOG_COLUMNS), np.int64)
    return Log(rows, np.zeros(LOG_WAGER + 1, np.int64), np.array(tags, np.int64))


def new_layouts(
    house: CompiledRules, tables: Tables, room: int, log: Log | None = None
) -> TableState:
    """Allocate tables.

    Args:
        house: The rules of the tables.
        tables: The blocks to play.
        room: Number of tables in memory together; the first axis of their arrays.
        log: Log of every round, for tables with a single seat.
    """
    most = most_cards(house.decks)
    return TableState(
        state=np.zeros((room, STATES), np.int64),
        turns=np.zeros((room, MOST_SEATS), np.int64),
        occupants=np.zeros((room, MOST_SEATS, LUCK_SUM + 1), np.int64),
        hands=np.zeros((room, MOST_SEATS * MOST_HANDS, STAKE + 1), np.int64),
        cards=np.zeros((room, most), np.uint8),
        owners=np.zeros((room, most), np.uint8),
        # A round has at most one shuffle per card, and two more before its wagers.
        exposed=np.zeros((room, 2 * most + 2), np.uint8),
        left=np.zeros((room, LEFT + 1), np.int64),
        shoe=new_shoes(room, tables.keys, house.decks, is_riffled=house.is_riffled),
        seats=tables.seats,
        mixes=tables.mixes,
        block=tables.blocks,
        log=log or new_log(0),
    )


@inlined
def layout_of(layouts: TableState, table: Number, room: Number) -> TableState:
    """Return a view of one of many tables, in the memory `room`."""
    block = layouts.block[table]
    start, stop = block[FIRST_SEAT], block[LAST_SEAT]
    return TableState(
        layouts.state[room],
        layouts.turns[room],
        layouts.occupants[room],
        layouts.hands[room],
        layouts.cards[room],
        layouts.owners[room],
        layouts.exposed[room],
        layouts.left[room],
        shoe_of(layouts.shoe, table, room),
        layouts.seats[start:stop],
        layouts.mixes[start:stop],
        block,
        layouts.log,
    )


@inlined
def show(layout: TableState, code: Number) -> None:
    """Record a code for the players that watch."""
    layout.exposed[layout.state[EXPOSED]] = code
    layout.state[EXPOSED] += 1


@inlined
def expose(layout: TableState, players: Players, code: Number) -> None:
    """Show a card to all players."""
    state = layout.state
    if state[COUNTS]:
        state[SEEN] += 1
        for turn in range(state[SEATED]):
            seat = layout.turns[turn]
            who = layout.seats[seat, WHO]
            if who >= 0:
                layout.occupants[seat, COUNT] += players.tags[who, code]
        layout.log.state[LOG_COUNT] += layout.log.tags[code]
    if state[IS_WATCHED]:
        show(layout, code)


@subroutine
def end_shoe(layout: TableState) -> None:
    """Add the cards dealt from the shoe to the hashes of the seated players."""
    dealt = layout.shoe.state[DEALT]
    if dealt:
        layout.state[CARDS] += np.int64(dealt)
        word = dealt_word(layout.shoe, dealt)
        for turn in range(layout.state[SEATED]):
            seat = layout.turns[turn]
            if layout.seats[seat, WHO] != STAND_IN:
                layout.mixes[seat] = (layout.mixes[seat] + word) * GOLDEN_U


@subroutine
def begin_counting(layout: TableState, decks: Number) -> None:
    """Reset all counts for a new shoe of `decks` decks."""
    state = layout.state
    state[SHUFFLES] += 1
    state[SEEN] = 0
    layout.occupants[:, COUNT] = 0
    layout.log.state[LOG_COUNT] = 0
    if state[FOLLOWS]:
        fill(layout.left, decks)
    if state[IS_WATCHED]:
        show(layout, SHUFFLED)


@subroutine
def go_on_from_discards(layout: TableState) -> None:
    """Begin the next shoe in the middle of a round."""
    end_shoe(layout)
    begin_from_discards(layout.shoe, layout.cards, layout.state[ON_TABLE])
    if not layout.shoe.state[SIZE]:
        raise DeckEmpty("no discards to shuffle: the round has every card on the table")
    layout.state[BEFORE] = 0
    begin_counting(layout, layout.shoe.decks)
    if layout.state[FOLLOWS]:
        for place in range(layout.state[ON_TABLE]):
            take_out(layout.left, VALUE_OF[layout.cards[place]])


@inlined
def note_count(layout: TableState) -> None:
    """Record the true count before a round and its wager, if there is a log."""
    log, decks = layout.log, layout.shoe.decks
    if len(log.rows):
        unseen = max(decks * CARDS_IN_A_DECK - layout.state[SEEN], 1)
        log.state[LOG_POINTS] = log.state[LOG_COUNT] * CARDS_IN_A_DECK // unseen if decks else 0
        log.state[LOG_WAGER] = layout.occupants[layout.turns[0], WAGER]


@inlined
def note_round(layout: TableState, net: Number, luck: Number) -> None:
    """Write a round to the log, if there is one."""
    log = layout.log
    if len(log.rows):
        row = log.rows[log.state[LOGGED]]
        row[0], row[1] = log.state[LOG_POINTS], log.state[LOG_WAGER]
        row[2], row[3] = net, luck
        log.state[LOGGED] += 1


@inlined
def take(layout: TableState, owner: Number) -> Number:
    """Deal a card face down, and return its code.

    Args:
        layout: The table.
        owner: Row of the hand that gets the card, or NO_SEAT.
    """
    dealing, state = layout.shoe.state, layout.state
    if dealing[DEALT] == dealing[CHOSEN]:
        if dealing[DEALT] == dealing[SIZE]:
            go_on_from_discards(layout)
        choose_more(layout.shoe, dealing[DEALT] + ONE)
    code = code_of(U(layout.shoe.deck[dealing[DEALT]]))
    dealing[DEALT] += ONE
    layout.cards[state[ON_TABLE]] = code
    layout.owners[state[ON_TABLE]] = owner
    state[ON_TABLE] += 1
    return code


@subroutine
def follow_card(house: CompiledRules, layout: TableState, place: Number, code: Word) -> None:
    """Add the luck of a card for a hand, before the hand gets the card.

    Args:
        house: The rules.
        layout: The table.
        place: Row of the hand.
        code: Code of the card.
    """
    hand, value = layout.hands[place], VALUE_OF[code]
    own, shown = U(hand[POSITION]), U(layout.state[DEALER_AT])
    luck = luck_of_own(house.luck, layout.left, own, shown, value)
    layout.occupants[place // MOST_HANDS, LUCK_SUM] += hand[STAKE] * luck
    if house.decks:
        take_out(layout.left, value)


@subroutine
def follow_dealer(house: CompiledRules, layout: TableState, code: Word) -> None:
    """Add the luck of a card for the dealer to every seat."""
    state, occupants, value = layout.state, layout.occupants, VALUE_OF[code]
    shown = U(state[DEALER_AT])
    for turn in range(state[SEATED]):
        seat = layout.turns[turn]
        first = seat * MOST_HANDS
        hands = layout.hands[first : first + occupants[seat, HANDS_HELD]]
        luck = luck_of_hands(house.luck, layout.left, hands, shown, value)
        occupants[seat, LUCK_SUM] += luck
    state[DEALER_AT] = shown_next(shown, value)
    if house.decks:
        take_out(layout.left, value)


@inlined
def deal_to(house: CompiledRules, layout: TableState, place: Number) -> Number:
    """Deal a card to the hand of a row; return its code."""
    code, hand = take(layout, place), layout.hands[place]
    if layout.state[FOLLOWS]:
        follow_card(house, layout, place, code)
    hand[POSITION] = after_card(hand[POSITION], RANK_OF[code])
    return code


@inlined
def deal_to_dealer(
    house: CompiledRules, layout: TableState, dealer: Number
) -> tuple[Number, Number]:
    """Deal a card to the dealer; return its code and the new hand."""
    code = take(layout, NO_SEAT)
    if layout.state[FOLLOWS]:
        follow_dealer(house, layout, code)
    return code, house.after[dealer * VALUES + house.value[code]]
