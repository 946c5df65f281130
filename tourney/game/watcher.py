"""Who is told what happens at a table: transcripts, replays and tests."""

from collections.abc import Sequence
from typing import Any

from tourney.game.cards.card import Card
from tourney.game.cards.shoe import Shoe
from tourney.game.ledger import Verdict


class Watcher:
    """Told everything, in order; says nothing. Override what you want to see."""

    def shuffled(self, shoe: Shoe) -> None:
        """A shoe begins."""

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """A round is announced, before its shuffle and its wagers.

        Without chips, `bankrolls` are the points so far.
        """

    def seated(self, seats: tuple[int, ...]) -> None:
        """Seats begin a round in this order; told before `opened`, where chips are played for.

        Other calls and records number seats by their turn in the round, but for `asked`.
        """

    def dealt(self, hands: Sequence[Sequence[Card]]) -> None:
        """Hands were dealt, in games where that is all of the dealing."""

    def wagered(self, seat: int, wager: int) -> None:
        """A seat placed its wager."""

    def faced(self, seat: int, view: Any, legal: Sequence[Any]) -> None:
        """A seat has to answer; told before `asked`, which says what it did, or that it failed.

        Args:
            seat: Its place at the table, whoever else has left.
            view: What lies before it, in the words of its game.
            legal: Actions that it can choose from; none where a number is asked for.
        """

    def asked(self, seat: int, call: str, seen: str, answer: str) -> None:
        """A seat was shown what it may see, and answered.

        Args:
            seat: Its place at the table, whoever else has left.
            call: What of its player was called, such as "bet".
            seen: What lay before it; in one line.
            answer: What it said; empty for a seat at fault.
        """

    def acted(self, seat: int, place: int, told: str) -> None:
        """A seat acts, or a stand-in for it; told before it happens, where tables have a flow.

        Args:
            seat: By its turn in the round.
            place: Of the action among those that are legal, from 0.
            told: The action in words.
        """

    def happened(self, record: Any) -> None:  # records differ from game to game
        """A card was dealt or turned, a seat acted or was settled."""

    def faulted(self, seat: int, verdict: Verdict) -> None:
        """A competitor broke its contract."""

    def settled(self, seat: int, staked: int, net: int, luck: int | None = None) -> None:
        """A seat's round came to something; a seat at fault is told its loss at once.

        Args:
            seat: By its turn in the round.
            staked: All that it had at stake in the end, in the unit of the rules.
            net: What it won, in the same unit, or its points.
            luck: Of the cards, in parts of 2**-32 of the unit; None where it is not followed.
        """

    def closed(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """A round is over, every account settled."""
