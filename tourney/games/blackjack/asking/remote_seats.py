"""Seats whose players are not called here: their answers arrive as numbers.

One kind of seat asks a pool, in any process, one question at a time. The other replays recorded
answers. `pool` asks many tables together.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from tourney.game.asking.exchange import AnyPool
from tourney.game.asking.player_calls import CompetitorError
from tourney.game.asking.seat_request import SeatRequest
from tourney.game.cards.card import Card
from tourney.game.ledger import Account, Verdict
from tourney.game.view import TableView
from tourney.games.blackjack.action import HIT_OR_STAND, Action
from tourney.games.blackjack.asking.player_seat import Exposures, StandIn
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.players.questions import FAULT, SHUFFLED, Call, question


class NumberedOccupant(StandIn):
    """A seat's account, and the conversion of its questions to numbers: wagers in chips,
    and moves.
    """

    __slots__ = ()

    is_stand_in = False

    @abstractmethod
    def answer(self, call: Call, exposures: Exposures, *seen: Iterable[Any]) -> int:
        """Answer, after cards are shown.

        Args:
            call: Kind of question.
            exposures: Cards shown since the wagers of the round before.
            seen: The dealer's cards, those of the hand in play, and the legal moves.
        Raises: CompetitorError, if the answer is not legal.
        """

    def ask_wager(self, bankroll: int, minimum: int, most: int, exposures: Exposures) -> int:
        """Ask for a wager; see `PlayerSeat.ask_wager`."""
        del bankroll, minimum, most  # the table has them
        return self.answer(Call.WAGER, exposures)

    def ask_draw(self, upcard: Card, hand: Hand, exposures: Exposures) -> bool:
        """Ask whether to hit; see `PlayerSeat.ask_draw`."""
        answer = self.answer(Call.DRAW, exposures, (upcard,), hand.cards, HIT_OR_STAND)
        return answer == Action.HIT

    def ask_action(
        self, dealer: Hand, hand: Hand, legal: tuple[Action, ...], exposures: Exposures
    ) -> Action:
        """Ask for a move; see `PlayerSeat.ask_action`."""
        return Action(self.answer(Call.ACT, exposures, dealer.cards, hand.cards, legal))

    def catch_up(self, exposures: Exposures) -> None:
        """Show new exposures; see `PlayerSeat.catch_up`."""
        self.show_rest(exposures)


class PooledOccupant(NumberedOccupant):
    """A seat whose player sits alone in a pool."""

    __slots__ = ("_look", "_pool", "acts", "seen", "watches")

    def __init__(
        self, account: Account, pool: AnyPool, look: Callable[[], TableView], first: int
    ) -> None:
        """Seat a new player.

        Args:
            account: The seat's chips.
            pool: The pool.
            look: Returns the table as the seat sees it.
            first: Number of the block's first round.
        Raises: CompetitorError, if creating the player fails.
        """
        self.account, self.round, self.seen = account, first, 0
        self._pool, self._look = pool, look
        (seating,) = pool.sit([SeatRequest(first, b"")])
        if seating.verdict:
            raise CompetitorError(seating.verdict)
        self.acts, self.watches = seating.acts, seating.watches

    def show_rest(self, exposures: Exposures) -> None:
        """Show the remaining exposures; see `PlayerSeat.show_rest`."""
        if self.watches and len(exposures) > self.seen:
            self.answer(Call.LOOK, exposures)

    def catch_up(self, exposures: Exposures) -> None:
        """Show new exposures; the table then clears its list."""
        self.show_rest(exposures)
        self.seen = 0

    def answer(self, call: Call, exposures: Exposures, *seen: Iterable[Any]) -> int:
        """Ask in the pool."""
        shown = exposures[self.seen :] if self.watches else ()
        self.seen = 0 if call == Call.WAGER else len(exposures)
        exposed = bytes([SHUFFLED if card is None else card.code for card in shown])
        asked = question(call, self._look(), *seen, exposed=exposed)
        asked.rounds[0] = self.round
        answers, faults = self._pool.decide(asked)
        if faults:
            raise CompetitorError(faults[0])
        return int(answers[0])


class Recorded(NamedTuple):
    """The answers of a seat in a block."""

    acts: bool
    answers: tuple[tuple[int, int], ...]  # calls and answers, in order
    verdict: Verdict | None  # of the answer FAULT; of the seating, if there are no answers


class RecordedOccupant(NumberedOccupant):
    """A seat that replays its record.

    Sandboxed players are asked in lockstep only. If the reference engine must play their block,
    because it is watched or a sum exceeded its word, it replays their answers.
    """

    __slots__ = ("_coming", "_verdict", "acts")

    def __init__(self, account: Account, recorded: Recorded) -> None:
        """Open the record.

        Args:
            account: The seat's chips.
            recorded: Its answers.
        Raises: CompetitorError, if its player could not be created.
        """
        self.account, self.round = account, 0
        self.acts, self._verdict = recorded.acts, recorded.verdict
        self._coming = list(reversed(recorded.answers))
        if not self._coming and self._verdict:
            raise CompetitorError(self._verdict)

    def show_rest(self, exposures: Exposures) -> None:
        """Fail if it failed when cards were shown."""
        if self._coming and self._coming[-1][0] == Call.LOOK:
            self.answer(Call.LOOK, exposures)

    def answer(self, call: Call, exposures: Exposures, *seen: Iterable[Any]) -> int:
        """Return the next answer."""
        del call, exposures, seen
        assert self._coming, "asked for more than was answered"
        _, answer = self._coming.pop()
        if answer == FAULT:
            assert self._verdict
            raise CompetitorError(self._verdict)
        return answer
