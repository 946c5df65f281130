"""Who is told what happens at a table: transcripts, replays and tests."""

from collections.abc import Sequence
from typing import Any

from tourney.cards.card import Card
from tourney.cards.shoe import Shoe
from tourney.ledger import Verdict


class Watcher:
    """Told everything, in order; says nothing. Override what you want to see."""

    def shuffled(self, shoe: Shoe) -> None:
        """A shoe begins."""

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """A round is announced, before its shuffle and its wagers.

        Without chips, `bankrolls` are the points so far.
        """

    def dealt(self, hands: Sequence[Sequence[Card]]) -> None:
        """Hands were dealt, in games where that is all of the dealing."""

    def wagered(self, seat: int, wager: int) -> None:
        """A seat placed its wager."""

    def happened(self, record: Any) -> None:  # records differ from game to game
        """A card was dealt or turned, a seat acted or was settled."""

    def faulted(self, seat: int, verdict: Verdict) -> None:
        """A competitor broke its contract."""

    def closed(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """A round is over, every account settled."""
