"""Observers of a table, for transcripts, replays and tests."""

from collections.abc import Sequence
from typing import Any

from tourney.game.cards.card import Card
from tourney.game.cards.shoe import Shoe
from tourney.game.ledger import Verdict


class Watcher:
    """Receives every event at a table, in order; does nothing. Override the methods you need."""

    def shuffled(self, shoe: Shoe) -> None:
        """A new shoe begins."""

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """A round is announced, before its shuffle and its wagers.

        In a game without chips, `bankrolls` are the points so far.
        """

    def seated(self, seats: tuple[int, ...]) -> None:
        """Seats begin a round in this order; called before `opened`, in games of chips.

        Except for `asked` and `faced`, other calls and records number seats by their turn in the
        round.
        """

    def dealt(self, hands: Sequence[Sequence[Card]]) -> None:
        """Hands were dealt, in games that deal all cards at the start."""

    def wagered(self, seat: int, wager: int) -> None:
        """A seat placed its wager."""

    def faced(self, seat: int, view: Any, legal: Sequence[Any]) -> None:
        """A seat has to answer; called before `asked`, which has its answer or fault.

        Args:
            seat: Its place at the table, even if other seats have left.
            view: Its view, as its game defines it.
            legal: Legal actions; empty if a number is asked for.
        """

    def asked(self, seat: int, call: str, seen: str, answer: str) -> None:
        """A seat was shown its view, and answered.

        Args:
            seat: Its place at the table, even if other seats have left.
            call: The method of its player that was called, such as "bet".
            seen: Its view, in one line.
            answer: The answer; empty for a fault.
        """

    def acted(self, seat: int, place: int, told: str) -> None:
        """A seat, or its stand-in, acts; called before the action, at tables with a flow.

        Args:
            seat: By its turn in the round.
            place: Index of the action among the legal ones.
            told: The action in words.
        """

    def happened(self, record: Any) -> None:  # records differ from game to game
        """A card was dealt or turned, or a seat acted or was settled."""

    def faulted(self, seat: int, verdict: Verdict) -> None:
        """A competitor broke its contract."""

    def settled(self, seat: int, staked: int, net: int, luck: int | None = None) -> None:
        """The result of a seat's round; called immediately for a seat at fault.

        Args:
            seat: By its turn in the round.
            staked: All chips at stake in the end, in the unit of the rules.
            net: Net result in the same unit, or points.
            luck: Luck of the cards, in parts of 2**-32 of the unit; `None` if it is not followed.
        """

    def closed(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """A round is over, and every account is settled."""
