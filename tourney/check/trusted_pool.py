"""A pool for one's own file in this process, on systems where no process can be had for it.

It answers like one whose players are shut in, and nothing else is alike: who ends its process ends
this one, who never answers is waited for, and what a player prints is printed.
"""

import sys
from collections.abc import Sequence
from time import process_time
from typing import Any, Self

import numpy as np

from tourney.check.source import Source
from tourney.errors import TourneyError
from tourney.game import Game
from tourney.game.asking.exchange import AskedHere, Decided, SeatReply
from tourney.game.asking.seat_request import SeatRequest
from tourney.game.ledger import Verdict

HAS_PROCESSES = sys.platform == "linux"
"""Whether a process can be started for a player, shut in or not."""


class TrustedPool:
    """The players of somebody's own file.

    Args:
        game: What is played.
        source: The file, which runs with all rights of this process.
    """

    def __init__(self, game: Game[Any, Any, Any], source: Source) -> None:
        self._codec, self._make_pool, self._source = game.codec(), game.pool(), source
        self._pool: Any = None
        self.cpu_seconds = self.loading_seconds = 0.0
        self.warning = self.printed = ""
        self.ended: tuple[str, str] | None = None

    def __enter__(self) -> Self:
        """Give itself."""
        return self

    def __exit__(self, *error: object) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""

    def sit(self, seat_requests: Sequence[SeatRequest]) -> list[SeatReply]:
        """Run the file and make players; seats are numbered as they come, from 0."""
        began = process_time()
        try:
            make = self._source.language.load(self._source.name, self._source.files)
        except TourneyError as error:
            message = f"import: {error}"
            return [
                SeatReply(acts=False, watches=False, verdict=_verdict(message, each.first_round))
                for each in seat_requests
            ]
        self._pool = self._make_pool(make)
        seatings: list[SeatReply] = self._pool.sit(seat_requests)
        self.loading_seconds = process_time() - began
        return seatings

    def decide(self, questions: Any) -> Decided:
        """Ask players whose seats have not failed, each at most once."""
        asked = self._pool.read(self._codec.write(questions))
        began = process_time()
        answers, faults = self._pool.decide(asked)
        self.cpu_seconds += process_time() - began
        return Decided(np.array(answers, np.int64), faults)

    def asking(self, questions: Any) -> AskedHere:
        """Prepare to ask players."""
        return AskedHere(lambda: self.decide(questions))


def _verdict(message: str, round_: int) -> Verdict:
    return Verdict("raised", "import", round_, 0, message, place="", traceback="")
