"""Waiting for seats that are asked in Python, and replacing those that are at fault."""

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
BEFORE_ROUND = 1  # stands for legal moves where a seat looks before a round, not behind the last
"""What a seat is asked, as `tourney.games.blackjack.players.questions.Call` numbers it."""
NO_ANSWER, FAULT = -2, -1
TO_STAND, TO_HIT = 1 << Action.STAND, 1 << Action.HIT
STAND, DECLINE = int(Action.STAND), int(Action.DECLINE)


@inlined
def ask(layout: TableState, seat: Number, call: Number, legal: Number) -> None:
    """Write down a question."""
    state = layout.state
    state[ASKING], state[CALL], state[LEGAL] = seat, call, legal


@inlined
def answer_of(layout: TableState) -> Number:
    """Give the answer to the question that was asked, and forget it; NO_ANSWER if none was."""
    answer = layout.state[ANSWER]
    layout.state[ANSWER] = NO_ANSWER
    return answer


@subroutine
def replace(layout: TableState, seat: Number, dealt: Word) -> None:
    """Close the account of a seat at fault and put a stand-in in its place.

    Args:
        layout: The table.
        seat: Whose player is at fault.
        dealt: Cards gone from the shoe in the rounds that the seat has played.
    """
    layout.seats[seat, LEFT] = layout.state[NUMBER]
    layout.mixes[seat] = (layout.mixes[seat] + dealt_word(layout.shoe, dealt)) * GOLDEN_U
    layout.seats[seat, WHO] = STAND_IN
    layout.state[PLAYERS] -= 1


@subroutine
def lose_by_fault(layout: TableState, seat: Number) -> None:
    """Let a seat that is at fault in its turn lose what it has staked, and replace it."""
    wager, dealt = layout.occupants[seat, WAGER], U(layout.state[BEFORE])
    pay(layout.seats, layout.mixes, seat, wager, -wager, 0, dealt)
    replace(layout, seat, dealt)


@inlined
def asked_action(layout: TableState, seat: Number, legal: Number) -> Number:
    """Give what a seat that is asked does; NO_ANSWER, if it has not said so yet.

    Args:
        layout: The table.
        seat: Whose turn it is.
        legal: Bit i for the action numbered i.
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
