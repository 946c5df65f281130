"""Many tables at once that wait for players who are asked in Python; for callers without arrays.

The results are those of the reference engine. Leaves out who asks the players and what a fault
is: an answer given here is legal, or it is a fault.
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
    """Tables of the same rules, each in the middle of its block."""

    def __init__(
        self,
        rules: BlackjackRules,
        tables: Sequence[TableStart],
        declarations: Sequence[Declaration],
        worths: Worths | None = None,
    ) -> None:
        """Begin all blocks.

        Args:
            rules: Of all the tables.
            tables: They do not depend on each other.
            declarations: Seats name them by their place here; the others are asked.
            worths: Of positions, if the luck of any table is followed.
        """
        self._house = tables_of(rules, worths)
        self._players = players_of(declarations)
        self._tables = table_rows(tables)
        self._layouts = new_layouts(self._house, self._tables, len(tables))
        self._live = np.arange(len(tables), dtype=np.int64)
        open_tables(self._house, self._players, self._layouts)

    def advance(self) -> Questions | None:
        """Let every table play until it waits for a seat; give what they wait for.

        Every question must be answered before this is called again.

        Returns: Questions to seats, numbered table by table; None, if all tables are over.
        Raises: DeckEmpty, if a shoe runs out while all of its cards lie on the table.
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
        """Answer the questions that `advance` gave, in their order.

        Args:
            answers: A wager in chips, or the number of an action, or -1: the seat is at fault,
                and a stand-in plays on. Of questions that only show cards, anything else will do.
        """
        give_answers(self._layouts, self._live, np.maximum(answers, -1))

    def ends(self) -> list[TableEnd]:
        """Give what came of the tables, in their order, once all of them are over."""
        counted = self._layouts.state[:, [ROUNDS, SHUFFLES, CARDS]]
        return table_ends(counted, self._tables)
