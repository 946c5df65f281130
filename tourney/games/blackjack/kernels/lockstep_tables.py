"""Tables in machine code that wait for answers from Python.

The results are those of the reference engine.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tourney.games.blackjack.declaration import Declaration
from tourney.games.blackjack.kernels.compiled_rules import players_of, tables_of
from tourney.games.blackjack.kernels.declared_blocks import (
    TableEnd,
    TableStart,
    table_ends,
    table_rows,
)
from tourney.games.blackjack.kernels.lockstep_steps import (
    EXPOSURES,
    HAND_CARDS,
    QUESTIONS,
    give_answers,
    go_on_all,
    open_tables,
    write_questions,
)
from tourney.games.blackjack.kernels.luck import Worths
from tourney.games.blackjack.kernels.table_state import CARDS, ROUNDS, SHUFFLES, new_layouts
from tourney.games.blackjack.players.questions import WIDTH, Questions
from tourney.games.blackjack.rules import BlackjackRules


class LockstepTables:
    """Tables of the same rules that advance together, each in the middle of its block.

    The caller asks the players: an answer is legal here, or marks a fault.
    """

    def __init__(
        self,
        rules: BlackjackRules,
        tables: Sequence[TableStart],
        declarations: Sequence[Declaration],
        worths: Worths | None = None,
    ) -> None:
        """Begin all blocks.

        Args:
            rules: The rules of all tables.
            tables: The starts of the tables.
            declarations: Declarations, to which seats refer by index; other seats are asked.
            worths: Values of positions, if any table measures luck.
        """
        self._house = tables_of(rules, worths)
        self._players = players_of(declarations)
        self._tables = table_rows(tables)
        self._layouts = new_layouts(self._house, self._tables, len(tables))
        self._live = np.arange(len(tables), dtype=np.int64)
        open_tables(self._house, self._players, self._layouts)

    def advance(self) -> Questions | None:
        """Play every table until it waits for a seat; return the questions.

        All questions must be answered before the next call.

        Returns: Questions to seats, numbered table by table; `None` if all tables are over.
        Raises: DeckEmpty, if a shoe runs out while all its cards are on the table.
        """
        sizes = np.zeros(3, np.int64)
        go_on_all(self._house, self._players, self._layouts, self._live, sizes)
        count = sizes[QUESTIONS]
        self._live = self._live[:count]
        if not count:
            return None
        pending = Questions(
            seats=np.empty(count, np.int32),
            calls=np.empty(count, np.uint8),
            rounds=np.empty(count, np.int64),
            legal=np.empty(count, np.uint8),
            dealer=np.empty((count, 2), np.uint8),
            cards=np.empty(sizes[HAND_CARDS], np.uint8),
            card_stops=np.empty(count, np.int64),
            exposed=np.empty(sizes[EXPOSURES], np.uint8),
            exposed_stops=np.empty(count, np.int64),
            table=np.zeros((count, WIDTH), np.int64),
        )
        write_questions(self._house, self._layouts, self._tables.secrets, self._live, pending)
        return pending

    def answer(self, answers: NDArray[np.int64]) -> None:
        """Answer the questions of `advance`, in their order.

        Args:
            answers: A wager in chips, the number of an action, or -1 if the seat is at fault and a
                stand-in continues. Answers to questions that only show cards are ignored unless -1.
        """
        give_answers(self._layouts, self._live, np.maximum(answers, -1))

    def ends(self) -> list[TableEnd]:
        """Return the ends of the tables, in their order, when all tables are over."""
        counted = self._layouts.state[:, [ROUNDS, SHUFFLES, CARDS]]
        return table_ends(counted, self._tables)
