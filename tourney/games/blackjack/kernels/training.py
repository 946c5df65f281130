"""Tables of one seat each for a learning agent: features, legal choices and rewards.

`table_machine` plays every table until its seat is asked. `tourney.environments` adds seeds, spaces
and resets.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tourney.game.machine.jit import Number, compiled, inlined
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.declaration import TOTALS
from tourney.games.blackjack.hand import ACE_VALUE
from tourney.games.blackjack.kernels import accounts as col
from tourney.games.blackjack.kernels import table_state as at
from tourney.games.blackjack.kernels.accounts import ASKED, STAYED
from tourney.games.blackjack.kernels.compiled_rules import CompiledRules, Players
from tourney.games.blackjack.kernels.positions import HAND_OF, POSITION, STAKE
from tourney.games.blackjack.kernels.seat_turns import ACT, FAULT
from tourney.games.blackjack.kernels.shoes import Codes, Numbers
from tourney.games.blackjack.kernels.table_machine import CLOSING, OVER, go_on, open_table
from tourney.games.blackjack.kernels.table_state import TableState, layout_of
from tourney.games.blackjack.position import POSITIONS
from tourney.games.blackjack.rules import CARDS_IN_A_DECK

FEATURES = (
    *("phase", "total", "soft", "pair", "cards", "dealer_total", "dealer_soft"),
    *("hands", "stake", "count", "unseen", "bankroll", "rounds_left"),
)
"""Columns of observations. Chips are in minimums, rounded down."""
(PHASE, TOTAL, SOFT, PAIR_VALUE, HAND_CARDS, DEALER_TOTAL, DEALER_SOFT) = range(7)
HANDS, STAKED, COUNT, UNSEEN, CHIPS, ROUNDS_LEFT = range(7, 13)
WAGERING, MOVING, INSURING = range(3)
"""Phases: a wager (or the next round, if wagers are fixed), a move, or insurance."""
STAY, STEP, BEGIN = range(3)
"""Tasks of a table: nothing, continue with a choice, or begin a block."""
RUNNING, SEEN, BEFORE = range(3)
"""Columns of `Steps.seen`: the running count, cards seen, and the bankroll at the last step."""
GREATEST = 2**31 - 1
TO_STAND = 1 << Action.STAND

CARDS_OF = np.array([each.cards for each in POSITIONS], np.int64)
PAIR_OF = np.array(
    [
        (ACE_VALUE if each.hand >= TOTALS else each.hand // 2) if each.is_pair else 0
        for each in POSITIONS
    ],
    np.int64,
)
for _table in (CARDS_OF, PAIR_OF):
    _table.setflags(write=False)


class Choices(NamedTuple):
    """The choices of an agent: moves, and then wagers."""

    answers: Numbers  # (choices,) the number of an `Action`, or chips
    moves: int  # number of moves among them
    tags: Numbers  # (52,) count of a seen card, by its code
    bankroll: int  # at the beginning of a block, in the unit of the rules


class Steps(NamedTuple):
    """The results of a step of all tables."""

    observations: NDArray[np.int32]  # (n, 13) see FEATURES
    legal: NDArray[np.int8]  # (n, choices)
    rewards: NDArray[np.float64]  # (n,) minimums won since the last step
    terminations: NDArray[np.bool_]  # (n,) the seat left
    truncations: NDArray[np.bool_]  # (n,) all rounds are played
    faults: NDArray[np.bool_]  # (n,) the last choice was illegal
    seen: Numbers  # (n, 3)


def new_steps(tables: int, choices: int) -> Steps:
    """Allocate the results of a step."""
    return Steps(
        observations=np.zeros((tables, len(FEATURES)), np.int32),
        legal=np.zeros((tables, choices), np.int8),
        rewards=np.zeros(tables, np.float64),
        terminations=np.zeros(tables, np.bool_),
        truncations=np.zeros(tables, np.bool_),
        faults=np.zeros(tables, np.bool_),
        seen=np.zeros((tables, BEFORE + 1), np.int64),
    )


play_on = inlined(getattr(go_on, "py_func", go_on))
"""`go_on`, inlined into its only caller: passing a table as arguments takes half of a step."""


@inlined
def sit_down(layout: TableState, bankroll: Number) -> None:
    """Seat an agent with a new account."""
    account = layout.seats[0]
    account[:] = 0
    account[col.WHO], account[col.FINAL] = ASKED, bankroll
    account[col.ACTS] = account[col.WATCHES] = 1
    layout.mixes[0] = 0


@inlined
def look(layout: TableState, tags: Numbers, seen: Numbers) -> None:
    """Count the cards exposed since the last look."""
    state, occupant = layout.state, layout.occupants[0]
    for place in range(occupant[at.SHOWN], state[at.EXPOSED]):
        code = layout.exposed[place]
        if code == at.SHUFFLED:
            seen[RUNNING] = seen[SEEN] = 0
        else:
            seen[RUNNING] += tags[code]
            seen[SEEN] += 1
    occupant[at.SHOWN] = state[at.EXPOSED]


@inlined
def write_hand(layout: TableState, row: Any) -> None:
    """Write the hand in play and the dealer's face-up cards to a row of observations."""
    state, occupant = layout.state, layout.occupants[0]
    own = layout.hands[state[at.HAND_NUMBER]]
    place, dealer = own[POSITION], state[at.FACE_UP]
    row[PHASE] = MOVING if state[at.LEGAL] & TO_STAND else INSURING
    row[TOTAL], row[SOFT] = HAND_OF[place] % TOTALS, HAND_OF[place] // TOTALS
    row[PAIR_VALUE], row[HAND_CARDS] = PAIR_OF[place], CARDS_OF[place]
    row[DEALER_TOTAL], row[DEALER_SOFT] = dealer % TOTALS, dealer // TOTALS
    row[HANDS] = occupant[at.HANDS_HELD]
    row[STAKED] = min(own[STAKE] // layout.block[col.MINIMUM], GREATEST)
    row[CHIPS] = min(occupant[at.BEHIND] // layout.block[col.MINIMUM], GREATEST)


@inlined
def write_step(
    house: CompiledRules, layout: TableState, choices: Choices, seen: Numbers, row: Any, legal: Any
) -> None:
    """Write the observation and the legal choices; after the end of a block, all are legal."""
    state, block = layout.state, layout.block
    bankroll = layout.seats[0, col.FINAL]
    is_over, is_moving = state[at.STAGE] == OVER, state[at.CALL] == ACT and state[at.STAGE] != OVER
    row[:] = 0
    row[CHIPS] = min(bankroll // block[col.MINIMUM], GREATEST)
    row[COUNT] = seen[RUNNING]
    row[UNSEEN] = max(house.decks * CARDS_IN_A_DECK - seen[SEEN], 0)
    if not is_over:
        row[ROUNDS_LEFT] = min(state[at.LAST_ROUND] - state[at.NUMBER] + 1, GREATEST)
    if is_moving:
        write_hand(layout, row)
    most = min(bankroll, block[col.MAXIMUM])
    for place in range(len(choices.answers)):
        answer = choices.answers[place]
        if is_over:
            legal[place] = 1
        elif place < choices.moves:
            legal[place] = is_moving and (state[at.LEGAL] >> answer) & 1
        else:
            legal[place] = not is_moving and answer * house.unit <= most


@compiled
def step_tables(
    house: CompiledRules,
    players: Players,
    layouts: TableState,
    choices: Choices,
    tasks: Codes,
    chosen: Numbers,
    steps: Steps,
) -> None:
    """Continue or begin tables until their seats are asked, or their blocks are over.

    Args:
        house: The rules of all tables.
        players: Declarations; no seat uses them.
        layouts: The tables.
        choices: The possible choices.
        tasks: STAY, STEP or BEGIN, by table.
        chosen: Index in `choices.answers`, by table; an illegal choice is a fault.
        steps: Output.
    """
    for table in range(len(tasks)):
        if tasks[table] == STAY:
            continue
        layout, seen = layout_of(layouts, table, table), steps.seen[table]
        if tasks[table] == BEGIN:
            sit_down(layout, choices.bankroll)
            seen[:] = 0
            seen[BEFORE] = choices.bankroll
            open_table(house, players, layout)
            steps.faults[table] = False
        else:
            steps.faults[table] = not steps.legal[table, chosen[table]]
            answer = choices.answers[chosen[table]]
            layout.state[at.ANSWER] = FAULT if steps.faults[table] else answer
        while True:
            play_on(house, players, layout)
            if not steps.faults[table]:  # a seat at fault sees no more cards
                look(layout, choices.tags, seen)
            if layout.state[at.STAGE] != CLOSING:
                break
            layout.state[at.ANSWER] = 0  # the seat is only shown the last cards
        account = layout.seats[0]
        is_over, has_left = layout.state[at.STAGE] == OVER, account[col.LEFT] != STAYED
        steps.rewards[table] = (account[col.FINAL] - seen[BEFORE]) / layout.block[col.MINIMUM]
        seen[BEFORE] = account[col.FINAL]
        steps.terminations[table] = is_over and has_left
        steps.truncations[table] = is_over and not has_left
        write_step(house, layout, choices, seen, steps.observations[table], steps.legal[table])
