"""Rounds told line by line: all that happens at a table, or what one seat sees of it.

The words are plain, and fit every game that says what lay before a seat and what it did.
"""

from collections.abc import Callable, Sequence

from tourney.game.cards.shoe import Shoe
from tourney.game.ledger import BlockKey, Verdict
from tourney.game.watcher import Watcher

INDENT = "  "


class Teller(Watcher):
    """Tells all that happens at a table; by itself it is silent."""

    def begun(self, key: BlockKey, names: Sequence[str]) -> None:
        """Announce a block: its number, and who sits there."""

    def ended(self, bankroll: int, rounds: int) -> None:
        """Say how it ended for whose table it is, once all blocks are told.

        Args:
            bankroll: In parts of a chip, or points.
            rounds: That it has played.
        """


class PlainTeller(Teller):
    """Tells what every seat saw, and what it did.

    Args:
        write: Takes one line, without its end.
    """

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._names: Sequence[str] = ()
        self._order: Sequence[int] = ()  # of the seats, by their turns
        self._seen: dict[int, str] = {}  # by seat, until it acts

    def begun(self, key: BlockKey, names: Sequence[str]) -> None:
        """Announce a block: its number, and who sits there."""
        self._names = [f"seat {seat} {name}" for seat, name in enumerate(names, start=1)]
        self._order = range(len(names))
        self._write(f"{str(key).rpartition(',')[0]}: {', '.join(self._names)}")

    def seated(self, seats: tuple[int, ...]) -> None:
        """Note who plays in which turn."""
        self._order = seats

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Announce a round."""
        self._write(f"Round {number}: {self._by_seat(bankrolls)}")

    def asked(self, seat: int, call: str, seen: str, answer: str) -> None:
        """Remember what lies before a seat."""
        del call
        if answer:
            self._seen[seat] = seen

    def acted(self, seat: int, place: int, told: str) -> None:
        """Tell what a seat saw and did."""
        del place
        who = self._order[seat]
        seen = self._seen.pop(who, "a stand-in")
        self._write(f"{INDENT}{self._names[who]}: {f'{seen} -> ' if seen else ''}{told}")

    def faulted(self, seat: int, verdict: Verdict) -> None:
        """Say what a competitor did wrong."""
        who = self._names[self._order[seat]]
        self._write(f"{INDENT}{who} is out, a stand-in plays on: {verdict.message}")

    def closed(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Say what everybody has now."""
        del number
        self._write(f"{INDENT}then {self._by_seat(bankrolls)}")

    def _by_seat(self, bankrolls: Sequence[int]) -> str:
        chips = sorted(zip(self._order, bankrolls, strict=False))
        return ", ".join(f"{self._names[seat]} {bankroll}" for seat, bankroll in chips)


class AsSeen(Watcher):
    """Tells what one seat sees and says.

    Args:
        write: Takes one line, without its end.
        seat: Its place at the table.
    """

    def __init__(self, write: Callable[[str], None], seat: int) -> None:
        self._write, self._seat = write, seat
        self._news: list[str] = []
        self._is_there = True

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Announce a round."""
        del bankrolls
        if self._is_there:
            self._tell()
            self._write(f"Round {number}")

    def shuffled(self, shoe: Shoe) -> None:
        """Say that there was a shuffle, and look away."""
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
        """Show what was seen after the last answer."""
        if self._is_there:
            self._tell()

    def _tell(self) -> None:
        for line in self._news:
            self._write(f"{INDENT}{line}")
        self._news = []
