"""Advancing many tables until each waits for an answer, and writing their questions.

The arrays belong to `lockstep_tables`.
"""

from typing import TYPE_CHECKING

from tourney.game.machine.jit import Number, compiled, inlined
from tourney.games.blackjack.kernels import accounts as col
from tourney.games.blackjack.kernels import table_state as at
from tourney.games.blackjack.kernels.compiled_rules import CompiledRules, Players
from tourney.games.blackjack.kernels.positions import MOST_HANDS
from tourney.games.blackjack.kernels.seat_turns import DRAW
from tourney.games.blackjack.kernels.shoes import Numbers
from tourney.games.blackjack.kernels.table_machine import OVER, WAGERS, go_on, open_table
from tourney.games.blackjack.kernels.table_state import NO_CARD, TableState, layout_of
from tourney.games.blackjack.rules import MOST_SEATS

if TYPE_CHECKING:  # so that a change of that module does not recompile this one
    from tourney.games.blackjack.players.questions import Questions

QUESTIONS, HAND_CARDS, EXPOSURES = range(3)
"""Indices in `sizes`: the numbers of questions, and of entries of `cards` and `exposed`."""


@compiled
def open_tables(house: CompiledRules, players: Players, layouts: TableState) -> None:
    """Begin the blocks of all tables."""
    for number in range(len(layouts.block)):
        open_table(house, players, layout_of(layouts, number, number))


@compiled
def play_blocks(
    house: CompiledRules, players: Players, layouts: TableState, chosen: Numbers, counted: Numbers
) -> None:
    """Play blocks of declared players at one table, one after another.

    Args:
        house: The rules of all blocks.
        players: The declarations.
        layouts: The blocks, and memory for one table.
        chosen: Numbers of the blocks.
        counted: Output: rounds, shuffles and cards; shape (blocks, 3).
    """
    for number in chosen:
        layout = layout_of(layouts, number, 0)
        open_table(house, players, layout)
        go_on(house, players, layout)
        for place in range(3):
            counted[number, place] = layout.state[at.ROUNDS + place]


@compiled
def go_on_all(
    house: CompiledRules, players: Players, layouts: TableState, live: Numbers, sizes: Numbers
) -> None:
    """Play tables until each waits or is over.

    Args:
        house: The rules.
        players: The declarations.
        layouts: The tables.
        live: Numbers of the tables; the tables that wait are moved to the front.
        sizes: Output: the sizes of the questions; see QUESTIONS.
    """
    sizes[:] = 0
    for row in range(len(live)):
        number = live[row]
        layout = layout_of(layouts, number, number)
        go_on(house, players, layout)
        if layout.state[at.STAGE] != OVER:
            live[sizes[QUESTIONS]] = number
            sizes[QUESTIONS] += 1
            sizes[HAND_CARDS] += cards_of_hand(layout)
            seat = layout.state[at.ASKING]
            if layout.seats[seat, col.WATCHES]:
                sizes[EXPOSURES] += layout.state[at.EXPOSED] - layout.occupants[seat, at.SHOWN]


@inlined
def cards_of_hand(layout: TableState) -> Number:
    """Count the cards of the hand in question."""
    state = layout.state
    held = 0
    if state[at.CALL] >= DRAW:
        owner = state[at.ASKING] * MOST_HANDS + state[at.HAND_NUMBER]
        for place in range(state[at.ON_TABLE]):
            held += layout.owners[place] == owner
    return held


@compiled
def write_questions(
    house: CompiledRules, layouts: TableState, secrets: Numbers, live: Numbers, written: "Questions"
) -> None:
    """Write the questions of waiting tables; their exposed cards then count as seen.

    Args:
        house: The rules.
        layouts: The tables.
        secrets: Rounds with secret wagers, table by table.
        live: Numbers of the waiting tables.
        written: Output, with the sizes from `go_on_all`; seats are numbered over all tables.
    """
    cards = exposed = 0
    for row in range(len(live)):
        layout = layout_of(layouts, live[row], live[row])
        state, occupants, seat = layout.state, layout.occupants, layout.state[at.ASKING]
        written.seats[row] = layout.block[col.FIRST_SEAT] + seat
        written.calls[row], written.legal[row] = state[at.CALL], state[at.LEGAL]
        written.rounds[row] = max(state[at.NUMBER], state[at.FIRST_ROUND])
        written.dealer[row, 0] = written.dealer[row, 1] = NO_CARD
        if state[at.CALL] >= DRAW:
            written.dealer[row, 0] = state[at.UPCARD]
            if house.is_shown:
                written.dealer[row, 1] = state[at.HOLE]
            owner = seat * MOST_HANDS + state[at.HAND_NUMBER]
            for place in range(state[at.ON_TABLE]):
                if layout.owners[place] == owner:
                    written.cards[cards] = layout.cards[place]
                    cards += 1
        written.card_stops[row] = cards
        if layout.seats[seat, col.WATCHES]:
            for place in range(occupants[seat, at.SHOWN], state[at.EXPOSED]):
                written.exposed[exposed] = layout.exposed[place]
                exposed += 1
            occupants[seat, at.SHOWN] = state[at.EXPOSED]
        written.exposed_stops[row] = exposed
        hides = state[at.STAGE] == WAGERS and is_secret(secrets, layout.block, state[at.NUMBER])
        write_view(house, layout, hides, written.table[row])


@inlined
def is_secret(secrets: Numbers, block: Numbers, number: Number) -> bool:
    """Return whether the wagers of a round stay hidden until all are placed."""
    is_one = False
    for row in range(block[col.FIRST_SECRET], block[col.LAST_SECRET]):
        is_one |= secrets[row] == number
    return is_one


@inlined
def write_view(house: CompiledRules, layout: TableState, hides: Number, row: Numbers) -> None:
    """Write the table as the asked seat sees it, in whole chips.

    Args:
        house: The rules.
        layout: The table.
        hides: Whether wagers are hidden.
        row: Output.
    """
    state, block = layout.state, layout.block
    row[0], row[1] = state[at.ASKING], len(layout.seats)
    row[2], row[3] = block[col.MINIMUM] // house.unit, block[col.MAXIMUM] // house.unit
    has_begun = state[at.NUMBER] >= state[at.FIRST_ROUND]
    left = state[at.LAST_ROUND] - state[at.NUMBER] + 1 if has_begun else 0
    row[4] = left + block[col.ROUNDS_AFTER]
    for seat in range(row[1]):
        wager = 0 if hides else layout.occupants[seat, at.WAGER]
        row[5 + seat] = (layout.seats[seat, col.FINAL] - wager) // house.unit
        row[5 + MOST_SEATS + seat] = wager // house.unit
    row[5 + 2 * MOST_SEATS] = layout.turns[0]
    row[6 + 2 * MOST_SEATS], row[7 + 2 * MOST_SEATS] = block[col.LEVEL], block[col.ADVANCE]


@compiled
def give_answers(layouts: TableState, live: Numbers, answers: Numbers) -> None:
    """Record the answers of waiting tables."""
    for row in range(len(live)):
        layouts.state[live[row], at.ANSWER] = answers[row]
