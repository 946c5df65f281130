"""What every format owes the platform."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import ClassVar, Literal, Protocol

from tourney.games import Rules
from tourney.ledger import BlockResult
from tourney.schedule.blocks import Batch
from tourney.schedule.field import Field
from tourney.schedule.happenings import Happening
from tourney.standings import Better, Finish, Measure

FaultCost = Literal["lost", "out", "stands"]
"""What a verdict costs: all that table is worth, the place in the standings, or nothing."""


class Schedule(ABC):
    """A format at work on a field: it draws up batches and takes in their results.

    Where the field is not all of the run, the results that it takes in are of the field's own:
    entrants in them have the field's numbers.
    """

    batches: int | None
    """How many batches there will be at most; None if that depends on results."""

    @abstractmethod
    def waves(self) -> Iterator[Iterable[Batch]]:
        """Draw up the tournament, wave by wave.

        The next wave is asked for when every result of the one before has been taken in.
        """

    @abstractmethod
    def take(self, result: BlockResult) -> None:
        """Take in a result, as far as later waves depend on it."""

    # Most formats leave places to the standings, and decide nothing between waves.

    def finishes(self) -> tuple[Finish, ...] | None:
        """Give everybody's place, as it stands or in the end; None if the measure decides."""
        return None

    def better(self) -> Better | None:
        """Say who is known to be better than whom, where the format gives the places.

        Returns: By two entrants; None if a place is all that is known.
        """
        return None

    def happenings(self) -> tuple[Happening, ...]:
        """Give what was decided since the last call, in order."""
        return ()


class Format(Protocol):
    """The options of a format, as the organiser set them."""

    kind: ClassVar[str]
    summary: ClassVar[str]

    @property
    def fault(self) -> FaultCost:
        """What a verdict costs an entrant."""

    @property
    def scheduled_rounds(self) -> int:
        """Rounds an entrant is to play at one table."""

    def check(self, entrants: int, rules: Rules) -> None:
        """Raise FormatError if so many entrants cannot play this game in this format."""

    def measure(self, rules: Rules) -> Measure:
        """Say what is counted at a table."""

    def table_words(self, rules: Rules) -> str:
        """Say what is played at one table, such as `1,000 rounds at a table`."""

    def schedule(self, field: Field) -> Schedule:
        """Draw up the tournament of a field."""
