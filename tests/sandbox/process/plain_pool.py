"""A pool that works without NumPy, as small as one can be: one player for all seats."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from tourney.game.codec import read_columns
from tourney.games.blackjack.players.questions import LAYOUT, WIDTH

HIT, STAND = 1, 2
WAGER, DRAW = 1, 2


class PlainPool:
    """Asks a player with nothing but the columns of a frame.

    Args:
        make_player: Makes the player.
    """

    def __init__(self, make_player: Callable[[], Any]) -> None:
        self._player = make_player()

    def read(self, body: bytes) -> SimpleNamespace:
        """Read a batch of questions."""
        columns = zip(LAYOUT, read_columns(LAYOUT, body), strict=True)
        return SimpleNamespace(**{column.name: numbers for column, numbers in columns})

    def sit(self, seat_requests: Sequence[Any]) -> list[SimpleNamespace]:
        """Seat it everywhere."""
        seating = SimpleNamespace(acts=False, watches=False, verdict=None)
        return [seating for _ in seat_requests]

    def decide(self, questions: Any) -> tuple[list[int], dict[int, Any]]:
        """Ask it, one seat after another."""
        stops = [0, *questions.card_stops.tolist()]
        answers = []
        for place, call in enumerate(questions.calls):
            row = questions.table[WIDTH * place : WIDTH * (place + 1)]
            if call == WAGER:
                answers.append(self._player.bet(row[5 + row[0]], row[2]))
            elif call == DRAW:
                hand = questions.cards[stops[place] : stops[place + 1]].tolist()
                answers.append(
                    HIT if self._player.draw(questions.dealer[2 * place], hand) else STAND
                )
            else:
                answers.append(0)
        return answers, {}
