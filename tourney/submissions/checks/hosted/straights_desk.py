"""A desk for players of Straights: a question is a whole table, and its answer the points.

Tournaments ask card by card. A check only has to know whether the answers are legal and the same
again, so it lets the table be played where the player is.
"""

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np

from tourney.asking.newcomer import Newcomer
from tourney.asking.seating import Decided, Seating, Verdicts
from tourney.engine.reference.straights import play_straights
from tourney.games.straights.records import SEATS
from tourney.games.straights.rules import StraightsRules
from tourney.ledger import BlockKey, Verdict
from tourney.players import PreferencePlayer, StraightsPlayer
from tourney.players.questions import FAULT, Questions
from tourney.schedule import Block, Seat

ROUNDS = 4
KEY_BYTES = 16


class Others(PreferencePlayer):
    """Plays the first card that may be played, like the document's computer."""


class StraightsDesk:
    """The players of one competitor, each at a table of its own with three that are known.

    Args:
        make_player: Makes a new player.
    """

    def __init__(self, make_player: Callable[[], Any]) -> None:
        self._make_player = make_player

    def sit(self, newcomers: Sequence[Newcomer]) -> list[Seating]:
        """Make a player to see whether it can be made; tables make their own.

        Raises: TypeError, if it plays another game; and whatever its constructor raises.
        """
        player = self._make_player()
        if not isinstance(player, StraightsPlayer):
            raise TypeError(f"expected a player of Straights, got {type(player).__name__}")
        return [Seating(acts=False, watches=False) for _ in newcomers]

    def decide(self, questions: Questions) -> Decided:
        """Play tables, which questions name by their rounds."""
        answers, faults = np.zeros(len(questions.calls), np.int64), Verdicts()
        for place, table in enumerate(questions.rounds.tolist()):
            answers[place], verdict = points_at(table, self._make_player)
            if verdict:
                answers[place] = FAULT
                faults[place] = verdict
        return Decided(answers, faults)


def points_at(table: int, make_player: Callable[[], Any]) -> tuple[int, Verdict | None]:
    """Play some rounds, and give the points and the verdict of a player.

    Args:
        table: Its number; it says how cards are dealt and where the player sits.
        make_player: Makes the player.
    """
    seat = table % SEATS
    block = Block(
        key=BlockKey(0, 0, table, 0, 1),
        rules=StraightsRules(),
        seats=tuple(
            Seat(int(number == seat), 0, _key("luck", SEATS * table + number))
            for number in range(SEATS)
        ),
        minimum=0,
        maximum=0,
        rounds=ROUNDS,
        shoe_key=_key("shoes", table),
    )
    makers = (Others, make_player)
    played = play_straights(block, StraightsRules(), lambda entrant: makers[entrant]())
    return played.seats[seat].final, played.seats[seat].verdict


def _key(use: str, number: int) -> bytes:
    """Give a key: the same in every check, so that an author can try again."""
    return blake2b(f"check straights {use} {number}".encode(), digest_size=KEY_BYTES).digest()


# What a table imports on its first use cannot be imported any more once the process is shut in.
points_at(0, Others)
