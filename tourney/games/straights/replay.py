"""Rounds of Straights in the words of the original program, with the hands above them.

The program calls its seats Player1 to Player4; here the entrants have names of their own, so
the first line of a seating says who is who.
"""

from collections.abc import Callable, Sequence

from tourney.game.cards.card import Card
from tourney.game.cards.letters import short_name
from tourney.game.ledger import BlockKey, Verdict
from tourney.game.narration import Teller
from tourney.games.straights.points import points_of
from tourney.games.straights.records import Played, Record


class StraightsReplay(Teller):
    """Writes what the program prints while four seats play."""

    def __init__(self, write: Callable[[str], None]) -> None:
        """Take where to write lines, each without its end."""
        self._write = write
        self._hands: Sequence[Sequence[Card]] = ()
        self._scores: tuple[int, ...] = ()
        self._discards: list[list[Card]] = []
        self._has_begun = False

    def begun(self, key: BlockKey, names: Sequence[str]) -> None:
        """Announce a seating."""
        sitting = ", ".join(f"Player{seat + 1} {name}" for seat, name in enumerate(names))
        game = f", game {key.heat + 1}" if key.heat else ""
        self._write(f"# Seating {key.seating + 1}{game}: {sitting}")

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Announce a round."""
        self._write(f"# Round {number}")
        self._scores = bankrolls
        self._discards = [[] for _ in bankrolls]
        self._has_begun = False

    def dealt(self, hands: Sequence[Sequence[Card]]) -> None:
        """Show the hands, which the program shows to the seat that plays only."""
        for seat, hand in enumerate(hands):
            self._write(f"# Player{seat + 1}'s hand: {_cards(hand)}")

    def happened(self, record: Record) -> None:
        """Tell a play or a discard."""
        who = f"Player{record.seat + 1}"
        if not self._has_begun:
            self._has_begun = True
            self._write(f"A new round begins. It's {who}'s turn to play.")
        if isinstance(record, Played):
            self._write(f"{who} plays {short_name(record.card)}.")
        else:
            self._discards[record.seat].append(record.card)
            self._write(f"{who} discards {short_name(record.card)}.")

    def faulted(self, seat: int, verdict: Verdict) -> None:
        """Say what a competitor did wrong."""
        self._write(f"# Player{seat + 1} is out, a stand-in plays on: {verdict.message}")

    def closed(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Count the round."""
        del number, bankrolls
        for seat, cards in enumerate(self._discards):
            before, gain = self._scores[seat], sum(map(points_of, cards))
            who = f"Player{seat + 1}'s"
            self._write(f"{who} discards: {_cards(cards)}".rstrip())
            self._write(f"{who} score: {before} + {gain} = {before + gain}")


def _cards(cards: Sequence[Card]) -> str:
    return " ".join(map(short_name, cards))
