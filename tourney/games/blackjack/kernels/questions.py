"""Tables that wait: letting them all go on, and writing down what they wait for.

Leaves out the arrays' owner; see `blackjack_waiting`.
"""

from typing import NamedTuple

from tourney.game.machine.jit import Number, compiled, inlined
from tourney.games.blackjack.kernels.asking import DRAW
from tourney.games.blackjack.kernels.rounds import FINAL, FOLLOWS_LUCK, WATCHES
from tourney.games.blackjack.kernels.rule_tables import House, Players
from tourney.games.blackjack.kernels.shoes import Codes, Numbers, Shoe, Words, shoe_of
from tourney.games.blackjack.kernels.table_layout import (
    ANSWER,
    ASKING,
    CALL,
    EXPOSED,
    FIRST_ROUND,
    HAND_NUMBER,
    HOLE,
    LAST_ROUND,
    LEGAL,
    MOST_HANDS,
    NO_CARD,
    NUMBER,
    ON_TABLE,
    ROUNDS,
    SHOWN,
    STAGE,
    UPCARD,
    WAGER,
    Layout,
    layout_of,
)
from tourney.games.blackjack.kernels.table_machine import OVER, WAGERS, go_on, open_table
from tourney.games.blackjack.rules import MOST_SEATS

TABLE_COLUMNS = 8 + 2 * MOST_SEATS
FIRST_SEAT, LAST_SEAT = 4, 5
"""Columns of `Tables.blocks`: the first seat of a table and the one after its last."""
ROUNDS_AFTER, LEVEL, ADVANCE, FIRST_SECRET, LAST_SECRET = range(7, 12)
"""Columns after MOVES_BUTTON: what is shown, and where the secret rounds of a table stand."""
BLOCK_COLUMNS = FOLLOWS_LUCK + 1
QUESTIONS, HAND_CARDS, EXPOSURES = range(3)
"""Places in the sizes of what is written: questions, and entries of `cards` and `exposed`."""


class Tables(NamedTuple):
    """All tables of a wave."""

    blocks: Numbers  # (tables, 13) first round, rounds, minimum, maximum, seats from, to;
    # whether the button moves, rounds after, level, places that advance, first secret, last + 1,
    # whether luck is followed
    seats: Numbers  # (seats, 10)
    mixes: Words  # (seats,)
    secrets: Numbers  # numbers of the rounds with secret wagers, table by table


class Written(NamedTuple):
    """Questions; its columns are those of `players.questions.Questions`."""

    rows: Numbers
    calls: Codes
    rounds: Numbers
    legal: Codes
    dealer: Codes
    cards: Codes
    card_stops: Numbers
    exposed: Codes
    exposed_stops: Numbers
    table: Numbers


@compiled
def open_tables(
    house: House, players: Players, layouts: Layout, shoes: Shoe, tables: Tables, keys: Words
) -> None:
    """Begin the blocks of all tables."""
    for number in range(len(tables.blocks)):
        block = tables.blocks[number]
        start, stop = block[FIRST_SEAT], block[LAST_SEAT]
        shoe = shoe_of(shoes, number)
        shoe.key[0], shoe.key[1] = keys[number, 0], keys[number, 1]
        seats, mixes = tables.seats[start:stop], tables.mixes[start:stop]
        open_table(house, players, layout_of(layouts, number), shoe, seats, mixes, block)


@compiled
def play_blocks(
    house: House,
    players: Players,
    layouts: Layout,
    shoe: Shoe,
    tables: Tables,
    keys: Words,
    chosen: Numbers,
    counted: Numbers,
) -> None:
    """Play blocks at one table, one after another; nobody is asked.

    Args:
        house: The rules of all of them.
        players: What is declared.
        layouts: Room for one table.
        shoe: Room for a shoe.
        tables: The blocks and the accounts of their seats.
        keys: Of the shoes; shape (blocks, 2), low word first.
        chosen: Numbers of the blocks.
        counted: Rounds, shuffles and cards are written there; shape (blocks, 3).
    """
    layout = layout_of(layouts, 0)
    for number in chosen:
        block = tables.blocks[number]
        start, stop = block[FIRST_SEAT], block[LAST_SEAT]
        seats, mixes, limits = tables.seats[start:stop], tables.mixes[start:stop], block[2:4]
        shoe.key[0], shoe.key[1] = keys[number, 0], keys[number, 1]
        open_table(house, players, layout, shoe, seats, mixes, block)
        go_on(house, players, layout, shoe, seats, mixes, limits)
        for place in range(3):
            counted[number, place] = layout.state[ROUNDS + place]


@compiled
def go_on_all(
    house: House,
    players: Players,
    layouts: Layout,
    shoes: Shoe,
    tables: Tables,
    live: Numbers,
    sizes: Numbers,
) -> None:
    """Let tables play until each waits or is over.

    Args:
        house: The rules.
        players: What is declared.
        layouts: The tables.
        shoes: Theirs.
        tables: Their blocks, and the accounts of their seats.
        live: Numbers of the tables; those that wait then stand in front.
        sizes: Of the questions that are then to be written; see QUESTIONS.
    """
    sizes[:] = 0
    for at in range(len(live)):
        number = live[at]
        block = tables.blocks[number]
        start, stop = block[FIRST_SEAT], block[LAST_SEAT]
        layout, seats = layout_of(layouts, number), tables.seats[start:stop]
        mixes, limits = tables.mixes[start:stop], block[2:4]
        go_on(house, players, layout, shoe_of(shoes, number), seats, mixes, limits)
        if layout.state[STAGE] != OVER:
            live[sizes[QUESTIONS]] = number
            sizes[QUESTIONS] += 1
            sizes[HAND_CARDS] += cards_of_hand(layout)
            if seats[layout.state[ASKING], WATCHES]:
                sizes[EXPOSURES] += (
                    layout.state[EXPOSED] - layout.occupants[layout.state[ASKING], SHOWN]
                )


@inlined
def cards_of_hand(layout: Layout) -> Number:
    """Count the cards of the hand that a question is about."""
    state = layout.state
    held = 0
    if state[CALL] >= DRAW:
        owner = state[ASKING] * MOST_HANDS + state[HAND_NUMBER]
        for place in range(state[ON_TABLE]):
            held += layout.owners[place] == owner
    return held


@compiled
def write_questions(
    house: House, layouts: Layout, tables: Tables, live: Numbers, written: Written
) -> None:
    """Write down what tables wait for; what is exposed with it will have been seen.

    Args:
        house: The rules.
        layouts: The tables.
        tables: Their blocks, and the accounts of their seats.
        live: Numbers of the tables that wait.
        written: Where to, of the sizes that `go_on_all` gives.
    """
    cards = exposed = 0
    for at in range(len(live)):
        number = live[at]
        block = tables.blocks[number]
        start = block[FIRST_SEAT]
        layout = layout_of(layouts, number)
        state, occupants, seat = layout.state, layout.occupants, layout.state[ASKING]
        written.rows[at] = start + seat
        written.calls[at], written.legal[at] = state[CALL], state[LEGAL]
        written.rounds[at] = max(state[NUMBER], state[FIRST_ROUND])
        written.dealer[at, 0] = written.dealer[at, 1] = NO_CARD
        if state[CALL] >= DRAW:
            written.dealer[at, 0] = state[UPCARD]
            if house.is_shown:
                written.dealer[at, 1] = state[HOLE]
            owner = seat * MOST_HANDS + state[HAND_NUMBER]
            for place in range(state[ON_TABLE]):
                if layout.owners[place] == owner:
                    written.cards[cards] = layout.cards[place]
                    cards += 1
        written.card_stops[at] = cards
        if tables.seats[start + seat, WATCHES]:
            for place in range(occupants[seat, SHOWN], state[EXPOSED]):
                written.exposed[exposed] = layout.exposed[place]
                exposed += 1
            occupants[seat, SHOWN] = state[EXPOSED]
        written.exposed_stops[at] = exposed
        hides = state[STAGE] == WAGERS and is_secret(tables.secrets, block, state[NUMBER])
        write_view(house, layout, tables.seats, block, hides, written.table[at])


@inlined
def is_secret(secrets: Numbers, block: Numbers, number: Number) -> bool:
    """Say whether wagers of a round are not shown before all of them are placed."""
    is_one = False
    for at in range(block[FIRST_SECRET], block[LAST_SECRET]):
        is_one |= secrets[at] == number
    return is_one


@inlined
def write_view(
    house: House, layout: Layout, seats: Numbers, block: Numbers, hides: Number, row: Numbers
) -> None:
    """Write down what the seat that is asked sees of its table, in whole chips.

    Args:
        house: The rules.
        layout: The table.
        seats: Rows of the accounts of all tables.
        block: Row of the table.
        hides: Whether no wager is shown.
        row: Where to.
    """
    state, start = layout.state, block[FIRST_SEAT]
    row[0], row[1] = state[ASKING], block[LAST_SEAT] - start
    row[2], row[3] = block[2] // house.unit, block[3] // house.unit
    has_begun = state[NUMBER] >= state[FIRST_ROUND]
    left = state[LAST_ROUND] - state[NUMBER] + 1 if has_begun else 0
    row[4] = left + block[ROUNDS_AFTER]
    for seat in range(row[1]):
        wager = 0 if hides else layout.occupants[seat, WAGER]
        row[5 + seat] = (seats[start + seat, FINAL] - wager) // house.unit
        row[5 + MOST_SEATS + seat] = wager // house.unit
    row[5 + 2 * MOST_SEATS] = layout.turns[0]
    row[6 + 2 * MOST_SEATS], row[7 + 2 * MOST_SEATS] = block[LEVEL], block[ADVANCE]


@compiled
def give_answers(layouts: Layout, live: Numbers, answers: Numbers) -> None:
    """Give tables the answers that they wait for."""
    for at in range(len(live)):
        layouts.state[live[at], ANSWER] = answers[at]
