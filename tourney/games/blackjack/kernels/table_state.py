"""What lies on a blackjack table, as arrays, and how cards come to lie there.

A table is small: some numbers, a row for every seat and one for every hand, and the cards of the
round. Thousands of tables are the same arrays with one more axis. Leaves out who decides.
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
"""Places in `TableState.state`: seats that play, and cards seen since the shuffle."""
STAGE, TURN, HAND_NUMBER, ANSWER, CALL, ASKING, LEGAL = range(2, 9)
"""Then: what is going on, whose turn it is and at which
of its hands, the answer to a question, and the question: what, to which seat, what is legal."""
NUMBER, FIRST_ROUND, LAST_ROUND, PLAYERS, ON_TABLE, BEFORE, EXPOSED = range(9, 16)
"""Number of the round, of the first and the last; seats with a player; cards of the round and
those gone from the shoe before it; entries of `TableState.exposed`."""
DEALER, FACE_UP, UPCARD, HOLE = range(16, 20)
"""The dealer's hand, as much of it as lies face up, and the codes of its first two cards."""
WAITS, IS_BROKE, COUNTS, IS_WATCHED, ROUNDS, SHUFFLES, CARDS = range(20, 27)
"""Whether a hand waits for the dealer, a seat has to leave, somebody declared that it counts,
somebody who is asked watches; what a block counts."""
NATURALS, INSURANCES, HAS_ENDED = 27, 28, 29
"""Seats that have a natural, seats that took insurance, and whether the dealer's natural ended
the round."""
MOVES = 30
"""Whether the order of play begins a seat further on every round."""
FOLLOWS, DEALER_AT = 31, 32
"""Whether the luck of the cards is summed up, and the dealer's position; see `luck`."""
STATES = 33

WAGER, BEHIND, INSURED, COUNT, SHOWN, HANDS_HELD, ACTIONS_PACKED, LUCK_SUM = range(8)
"""Columns of `TableState.occupants`: chips staked in the round and those left to stake, the part of
them on insurance, the running count, exposures seen, hands held, actions, luck in the round."""

LOGGED, LOG_COUNT, LOG_POINTS, LOG_WAGER = range(4)
"""Places in `Log.state`: rounds written, the running count of its tags, and of the round the true
count before it, rounded down, and the wager that it began with."""
LOG_COLUMNS = 4
"""Of `Log.rows`: the true count before a round, the wager, what it won, and its luck."""

NO_SEAT = NO_CARD = SHUFFLED = 255


class Log(NamedTuple):
    """Every round of a single seat, for whoever wants to know them; of no rows for nobody."""

    rows: Numbers  # (rounds, 4)
    state: Numbers  # (4,)
    tags: Numbers  # (52,) what a card that is seen counts, by code


class TableState(NamedTuple):
    """One table during a block; seats are numbered as in the block."""

    state: Numbers  # (STATES,)
    turns: Numbers  # (7,) seats that play, in order
    occupants: Numbers  # (7, 8) by seat
    hands: Numbers  # (56, 2) by seat times 8 and number of the hand; see `positions.POSITION`
    cards: Codes  # of the round, in dealing order
    owners: Codes  # the row of `hands` that each of them belongs to
    exposed: Codes  # codes that somebody has not seen yet, and SHUFFLED
    left: Numbers  # (11,) cards that may come, as `luck` counts them
    shoe: Shoe
    seats: Numbers  # (seats, 11) their accounts
    mixes: Words  # (seats,)
    block: Numbers  # (13,) what is played; see `rounds.Tables`
    log: Log


def most_cards(decks: int) -> int:
    """Give how many cards a round can have: all of them, or those of 56 hands."""
    return decks * CARDS_IN_A_DECK if decks else ENDLESS_ROOM


def new_log(rounds: int, tags: Sequence[int] = (0,) * DECK_SIZE) -> Log:
    """Make room for what is written down of some rounds."""
    rows = np.zeros((rounds, LOG_COLUMNS), np.int64)
    return Log(rows, np.zeros(LOG_WAGER + 1, np.int64), np.array(tags, np.int64))


def new_layouts(
    house: CompiledRules, tables: Tables, room: int, log: Log | None = None
) -> TableState:
    """Make room for tables.

    Args:
        house: Their rules.
        tables: What is to be played there.
        room: For how many at a time; the first axis of what lies on a table.
        log: Where every round is written, of tables with a single seat.
    """
    most = most_cards(house.decks)
    return TableState(
        state=np.zeros((room, STATES), np.int64),
        turns=np.zeros((room, MOST_SEATS), np.int64),
        occupants=np.zeros((room, MOST_SEATS, LUCK_SUM + 1), np.int64),
        hands=np.zeros((room, MOST_SEATS * MOST_HANDS, STAKE + 1), np.int64),
        cards=np.zeros((room, most), np.uint8),
        owners=np.zeros((room, most), np.uint8),
        # Every shuffle in a round is for a card of it, and there are two more before its wagers.
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
    """Give one of many tables, in the room for one of them."""
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
    """Keep a code for those who have to be shown it."""
    layout.exposed[layout.state[EXPOSED]] = code
    layout.state[EXPOSED] += 1


@inlined
def expose(layout: TableState, players: Players, code: Number) -> None:
    """Let everybody see a card."""
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
    """Fold the cards dealt from the shoe into the mixes of the players who sit here."""
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
    """Let a new shoe of so many decks begin: all counts start again."""
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
        raise DeckEmpty("expected discards to shuffle, got every card on the table")
    layout.state[BEFORE] = 0
    begin_counting(layout, layout.shoe.decks)
    if layout.state[FOLLOWS]:
        for place in range(layout.state[ON_TABLE]):
            take_out(layout.left, VALUE_OF[layout.cards[place]])


@inlined
def note_count(layout: TableState) -> None:
    """Keep the true count before a round and its wager, for whoever wants to know all rounds."""
    log, decks = layout.log, layout.shoe.decks
    if len(log.rows):
        unseen = max(decks * CARDS_IN_A_DECK - layout.state[SEEN], 1)
        log.state[LOG_POINTS] = log.state[LOG_COUNT] * CARDS_IN_A_DECK // unseen if decks else 0
        log.state[LOG_WAGER] = layout.occupants[layout.turns[0], WAGER]


@inlined
def note_round(layout: TableState, net: Number, luck: Number) -> None:
    """Write a round down for whoever wants to know all of them."""
    log = layout.log
    if len(log.rows):
        row = log.rows[log.state[LOGGED]]
        row[0], row[1] = log.state[LOG_POINTS], log.state[LOG_WAGER]
        row[2], row[3] = net, luck
        log.state[LOGGED] += 1


@inlined
def take(layout: TableState, owner: Number) -> Number:
    """Deal a card, face down as yet, and give its code.

    Args:
        layout: The table.
        owner: Row of the hand that it is for, or NO_SEAT.
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
    """Note the luck of a card for a hand, before the hand has it.

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
    if house.decks:
        take_out(layout.left, value)


@subroutine
def follow_dealer(house: CompiledRules, layout: TableState, code: Word) -> None:
    """Note the luck of a card for the dealer, which every hand has its part in."""
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
    """Deal a card to a hand, of a row, and give its code."""
    code, hand = take(layout, place), layout.hands[place]
    if layout.state[FOLLOWS]:
        follow_card(house, layout, place, code)
    hand[POSITION] = after_card(hand[POSITION], RANK_OF[code])
    return code


@inlined
def deal_to_dealer(
    house: CompiledRules, layout: TableState, dealer: Number
) -> tuple[Number, Number]:
    """Deal a card to the dealer's hand; give its code, and the hand with it."""
    code = take(layout, NO_SEAT)
    if layout.state[FOLLOWS]:
        follow_dealer(house, layout, code)
    return code, house.after[dealer * VALUES + house.value[code]]
