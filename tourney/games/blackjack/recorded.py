"""Seats whose players cannot be asked again: they answer what they answered before.

Confined players are asked in lockstep only. Where their block has to be played by the reference
engine, to be watched or because a sum outgrew its word, it is played from their answers.
"""

from collections.abc import Iterator
from typing import NamedTuple

from tourney.game.asking.seated import CompetitorFault
from tourney.game.cards.card import Card
from tourney.game.ledger import Account, Verdict
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.asking.chair import Exposures, StandIn
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.players.questions import FAULT, Call


class Recorded(NamedTuple):
    """What a seat answered in a block."""

    acts: bool
    answers: tuple[tuple[int, int], ...]  # calls and answers, in order
    verdict: Verdict | None  # of the answer that is FAULT; of its seating, if there is no answer


class RecordedChair(StandIn):
    """A seat that answers by its record."""

    __slots__ = ("_coming", "_left", "_verdict", "acts")

    is_stand_in = False

    def __init__(self, account: Account, recorded: Recorded) -> None:
        """Open the record.

        Args:
            account: The seat's chips.
            recorded: Its answers.
        Raises: CompetitorFault, if its player could not be made.
        """
        self.account = account
        self.round = 0
        self.acts = recorded.acts
        self._verdict = recorded.verdict
        self._left: Iterator[tuple[int, int]] = iter(recorded.answers)
        self._coming = next(self._left, None)
        if self._coming is None and self._verdict:
            raise CompetitorFault(self._verdict)

    def ask_wager(self, bankroll: int, minimum: int, most: int, exposures: Exposures) -> int:
        """Give the wager that was made."""
        del bankroll, minimum, most, exposures
        return self._answer()

    def ask_draw(self, upcard: Card, hand: Hand, exposures: Exposures) -> bool:
        """Draw if it drew."""
        del upcard, hand, exposures
        return self._answer() == Action.HIT

    def ask_action(
        self, dealer: Hand, hand: Hand, legal: tuple[Action, ...], exposures: Exposures
    ) -> Action:
        """Give the move that was made."""
        del dealer, hand, legal, exposures
        return Action(self._answer())

    def catch_up(self, exposures: Exposures) -> None:
        """Fail where it failed when cards were shown."""
        self.show_rest(exposures)

    def show_rest(self, exposures: Exposures) -> None:
        """Fail where it failed when cards were shown."""
        del exposures
        if self._coming and self._coming[0] == Call.LOOK:
            self._answer()

    def _answer(self) -> int:
        assert self._coming, "asked for more than was answered"
        (_, answer), self._coming = self._coming, next(self._left, None)
        if answer == FAULT:
            assert self._verdict
            raise CompetitorFault(self._verdict)
        return answer
