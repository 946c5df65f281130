"""Suspension of tables until Python answers for a seat, and replacement of seats at fault."""

from tourney.game.machine.jit import Number, Word, inlined, subroutine
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.kernels.accounts import ACTS, GOLDEN_U, LEFT, STAND_IN, WHO, pay
from tourney.games.blackjack.kernels.shoes import U, dealt_word
from tourney.games.blackjack.kernels.table_state import (
    ANSWER,
    ASKING,
    BEFORE,
    CALL,
    LEGAL,
    NUMBER,
    PLAYERS,
    WAGER,
    TableState,
)

LOOK, ASK_WAGER, DRAW, ACT = range(4)
"""Calls, numbered like `tourney.games.blackjack.players.questions.Call`."""
BEFORE_ROUND = 1
"""Instead of legal moves: a seat looks before a round, not after the last."""
NO_ANSWER, FAULT = -2, -1
TO_STAND, TO_HIT = 1 << Action.STAND, 1 << Action.HIT
STAND, DECLINE = int(Action.STAND), int(Action.DECLINE)


@inlined
def ask(layout: TableState, seat: Number, call: Number, legal: Number) -> None:
    """Record a question to a seat."""
    state = layout.state
    state[ASKING], state[CALL], state[LEGAL] = seat, call, legal


@inlined
def answer_of(layout: TableState) -> Number:
    """Return and clear the answer to the last question; NO_ANSWER if there is no answer."""
    answer = layout.state[ANSWER]
    layout.state[ANSWER] = NO_ANSWER
    return answer


@subroutine
def replace(layout: TableState, seat: Number, dealt: Word) -> None:
    """Close the account of a seat at fault and replace its player by a stand-in.

    Args:
        layout: The table.
        seat: The seat at fault.
        dealt: Number of cards dealt from the shoe in the rounds that the seat has played.
    """
    layout.seats[seat, LEFT] = layout.state[NUMBER]
    layout.mixes[seat] = (layout.mixes[seat] + dealt_word(layout.shoe, dealt)) * GOLDEN_U
    layout.seats[seat, WHO] = STAND_IN
    layout.state[PLAYERS] -= 1


@subroutine
def lose_by_fault(layout: TableState, seat: Number) -> None:
    """Take the stakes of a seat at fault in its turn, and replace its player."""
    wager, dealt = layout.occupants[seat, WAGER], U(layout.state[BEFORE])
    pay(layout.seats, layout.mixes, seat, wager, -wager, 0, dealt)
    replace(layout, seat, dealt)


@inlined
def asked_action(layout: TableState, seat: Number, legal: Number) -> Number:
    """Return the action of a seat that is asked; NO_ANSWER if it has not answered yet.

    Args:
        layout: The table.
        seat: The seat in turn.
        legal: Bit i is set if action number i is legal.
    """
    action = answer_of(layout)
    if action == NO_ANSWER:
        if layout.seats[seat, ACTS]:
            ask(layout, seat, ACT, legal)
        else:
            ask(layout, seat, DRAW, TO_STAND | TO_HIT)
    elif action == FAULT:
        lose_by_fault(layout, seat)
        action = DECLINE if legal & (1 << DECLINE) else STAND
    return action
