"""Rounds as lines of text: everything that happens at a table, or the view of one seat.

The default text works for every game that describes views and actions.
"""

from collections.abc import Callable, Container, Sequence
from decimal import Decimal
from typing import Any

from tourney.game.cards.card import Card
from tourney.game.cards.shoe import Shoe
from tourney.game.ledger import BlockKey, Verdict
from tourney.game.turns import Watcher
from tourney.game.words import Words

INDENT = "  "
STANDARD = Words()


class Teller(Watcher):
    """Prints everything that happens at a table; this base class prints nothing."""

    def begun(self, key: BlockKey, names: Sequence[str]) -> None:
        """Announce a block: its number and its players."""

    def ended(self, bankroll: int, rounds: int) -> None:
        """Print the final result of the entrant at the centre of the transcript, after all blocks.

        Args:
            bankroll: In parts of a chip, or points.
            rounds: Number of rounds that it has played.
        """


class PlainTeller(Teller):
    """Prints the views and actions of all seats.

    Args:
        write: Takes one line, without its end.
        unit: Parts of a chip that bankrolls are counted in.
        words: The nouns of the game.
    """

    def __init__(
        self, write: Callable[[str], None], unit: int = 1, words: Words = STANDARD
    ) -> None:
        self._write, self._unit, self._words = write, unit, words
        self._names: Sequence[str] = ()
        self._order: Sequence[int] = ()  # of the seats, by their turns
        self._seen: dict[int, str] = {}  # by seat, until it acts

    def begun(self, key: BlockKey, names: Sequence[str]) -> None:
        """Announce a block: its number and its players."""
        self._names = [f"seat {seat} {name}" for seat, name in enumerate(names, start=1)]
        self._order = range(len(names))
        self._write(f"{str(key).rpartition(',')[0]}: {', '.join(self._names)}")

    def seated(self, seats: tuple[int, ...]) -> None:
        """Store the order of play."""
        self._order = seats

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Announce a round."""
        noun = self._words.round.capitalize()
        self._write(f"{noun} {number}: {self._by_seat(bankrolls)}")

    def asked(self, seat: int, call: str, seen: str, answer: str) -> None:
        """Remember the view of a seat."""
        del call
        if answer:
            self._seen[seat] = seen

    def acted(self, seat: int, place: int, told: str) -> None:
        """Print the view and the action of a seat."""
        del place
        who = self._order[seat]
        seen = self._seen.pop(who, "a stand-in")
        self._write(f"{INDENT}{self._names[who]}: {f'{seen} -> ' if seen else ''}{told}")

    def faulted(self, seat: int, verdict: Verdict) -> None:
        """Print the fault of a competitor."""
        who = self._names[self._order[seat]]
        self._write(f"{INDENT}{who} is out, a stand-in plays on: {verdict.message}")

    def closed(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Print all bankrolls."""
        del number
        self._write(f"{INDENT}then {self._by_seat(bankrolls)}")

    def _by_seat(self, bankrolls: Sequence[int]) -> str:
        parts = zip(self._order, bankrolls, strict=False)
        chips = sorted((seat, Decimal(each) / self._unit) for seat, each in parts)
        return ", ".join(f"{self._names[seat]} {bankroll}" for seat, bankroll in chips)


class AsSeen(Watcher):
    """Prints the view and the answers of one seat.

    Args:
        write: Takes one line, without its end.
        seat: Its place at the table.
        words: The nouns of the game.
    """

    def __init__(self, write: Callable[[str], None], seat: int, words: Words = STANDARD) -> None:
        self._write, self._seat, self._words = write, seat, words
        self._news: list[str] = []
        self._is_there = True

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Announce a round."""
        del bankrolls
        if self._is_there:
            self._tell()
            self._write(f"{self._words.round.capitalize()} {number}")

    def shuffled(self, shoe: Shoe) -> None:
        """Print that the shoe was shuffled, but not its order."""
        del shoe
        self._news.append("shuffle")

    def asked(self, seat: int, call: str, seen: str, answer: str) -> None:
        """Show a question to the seat with its answer."""
        if not self._is_there or seat != self._seat:
            return
        self._tell()
        shown = f"{seen} -> " if seen else ""
        self._write(f"{INDENT}{call}: {shown}{answer or 'at fault'}")
        self._is_there = bool(answer)

    def close(self) -> None:
        """Print the events after the last answer."""
        if self._is_there:
            self._tell()

    def _tell(self) -> None:
        for line in self._news:
            self._write(f"{INDENT}{line}")
        self._news = []


class Excerpt(Watcher):
    """Passes on the events of some rounds only."""

    def __init__(self, watcher: Watcher, rounds: Container[int]) -> None:
        """Forward the events of `rounds`; a shuffle belongs to the round that follows it."""
        self._watcher = watcher
        self._rounds = rounds
        self._round = 0
        self._told = Watcher()  # receives the current round; silent at first

    def shuffled(self, shoe: Shoe) -> None:
        """Pass on a shuffle; the initial one comes before round 1."""
        if max(self._round, 1) in self._rounds:
            self._watcher.shuffled(shoe)

    def seated(self, seats: tuple[int, ...]) -> None:
        """Pass on the order of play, also of other rounds."""
        self._watcher.seated(seats)

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Pass on the announcement of a round."""
        self._round = number
        self._told = self._watcher if number in self._rounds else Watcher()
        self._told.opened(number, bankrolls)

    def dealt(self, hands: Sequence[Sequence[Card]]) -> None:
        """Pass on the hands."""
        self._told.dealt(hands)

    def wagered(self, seat: int, wager: int) -> None:
        """Pass on a wager."""
        self._told.wagered(seat, wager)

    def faced(self, seat: int, view: Any, legal: Sequence[Any]) -> None:
        """Pass on the view and the legal actions of a seat."""
        self._told.faced(seat, view, legal)

    def asked(self, seat: int, call: str, seen: str, answer: str) -> None:
        """Pass on a question and its answer."""
        self._told.asked(seat, call, seen, answer)

    def acted(self, seat: int, place: int, told: str) -> None:
        """Pass on an action."""
        self._told.acted(seat, place, told)

    def happened(self, record: Any) -> None:
        """Pass on a record."""
        self._told.happened(record)

    def settled(self, seat: int, staked: int, net: int, luck: int | None = None) -> None:
        """Pass on the result of a seat's round."""
        self._told.settled(seat, staked, net, luck)

    def faulted(self, seat: int, verdict: Verdict) -> None:
        """Pass on a fault."""
        self._told.faulted(seat, verdict)

    def closed(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Pass on the end of a round."""
        self._told.closed(number, bankrolls)
