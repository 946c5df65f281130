"""The players of one entrant at many tables that advance together, in the players' process.

Every seat has a separate player, with the same checks and verdicts as in the reference engine.
`batches` defines the questions.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tourney.game.asking.exchange import SeatReply, Verdicts
from tourney.game.asking.player_calls import CompetitorError
from tourney.game.asking.seat_request import SeatRequest
from tourney.game.batches import QuestionBatch, TurnCodec
from tourney.game.codec import FAULT, Codec
from tourney.game.ledger import Account
from tourney.game.players import BasePlayer, give_luck
from tourney.game.seats import SeatedPlayer
from tourney.game.turns import Judge

ELSEWHERE = Account(seat=0, entrant=0, bankroll=0)
"""A placeholder: the table counts the chips of a seat, not this process."""


class Batch(NamedTuple):
    """A batch of turns, as it is received."""

    asked: Sequence[QuestionBatch]

    @property
    def rounds(self) -> list[int]:
        """Numbers of the rounds."""
        return [each.turn.round for each in self.asked]


class PlayerPool:
    """Makes and asks the players of an entrant.

    Args:
        game: The game that they play.
        contract: The class that they inherit.
        codec: Reads their turns.
        make_player: Makes a new player.
    """

    def __init__(
        self,
        game: Judge,
        contract: type[BasePlayer],
        codec: Codec,
        make_player: Callable[[], Any],
    ) -> None:
        self._game, self._contract, self._make_player = game, contract, make_player
        assert isinstance(codec, TurnCodec), "a game with another codec must override pool()"
        self._read = codec.reader()
        self._seated: list[SeatedPlayer | None] = []  # None if it could not be made, or has failed

    def read(self, body: bytes) -> Batch:
        """Read a batch of turns, in the order in which batches were written."""
        return Batch(self._read(body))

    def sit(self, seat_requests: Sequence[SeatRequest]) -> list[SeatReply]:
        """Make players, in order; seats are numbered as they come, from 0."""
        return [self._sit(seat_request) for seat_request in seat_requests]

    def decide(self, batch: Batch) -> tuple[list[int], Verdicts]:
        """Ask players whose seats have not failed, each at most once.

        Returns: Indices of the legal actions, or FAULT; and faults by the places of their turns.
        """
        game, seated = self._game, self._seated
        answers: list[int] = []
        faults: Verdicts = {}
        for place, (seat, turn) in enumerate(batch.asked):
            player = seated[seat]
            assert player is not None, "asked although it has failed"
            try:
                answers.append(turn.legal.index(player.ask(game, turn)))
            except CompetitorError as fault:
                answers.append(FAULT)
                faults[place] = fault.verdict
                seated[seat] = None
        return answers, faults

    def _sit(self, seat_request: SeatRequest) -> SeatReply:
        def make() -> BasePlayer:
            player: Any = self._make_player()
            if not isinstance(player, self._contract):
                named = str(self._game).capitalize()
                raise TypeError(f"{type(player).__name__} is not a player of {named}")
            give_luck(player, int.from_bytes(seat_request.random_key, "little"))
            return player

        try:
            self._seated.append(SeatedPlayer(ELSEWHERE, make, seat_request.first_round))
        except CompetitorError as fault:
            self._seated.append(None)
            return SeatReply(acts=False, watches=False, verdict=fault.verdict)
        return SeatReply(acts=False, watches=False)
