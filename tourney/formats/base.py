"""What every format owes the platform: its options, a schedule that plays them, what happened.

A format is a frozen dataclass that inherits `Format`: its fields are the options of the YAML
file. What is abstract here it has to answer; everything else has a default that is right for
most formats. docs/how-to/add-a-format.md writes one from the beginning.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import ClassVar, Literal, NamedTuple

from tourney.formats.field import Field
from tourney.game.blocks import Batch
from tourney.game.ledger import BlockResult
from tourney.game.rules import Rules
from tourney.standings.bounded_differences import Bounds
from tourney.standings.meetings import Better
from tourney.standings.places import Finish
from tourney.standings.standing import Measure
from tourney.standings.tallies import Scoring

OnFault = Literal["zero", "keep", "disqualify"]
"""What a verdict does: the table counts as nothing, its result is kept, or there is no place."""

FaultCost = Literal["lost", "out", "stands"]
"""The same, as standings and published data have it."""

FAULT_COSTS: Mapping[OnFault, FaultCost] = {
    "zero": "lost",
    "keep": "stands",
    "disqualify": "out",
}


class Event(StrEnum):
    """Kinds of what happens at a tournament, besides hands."""

    SEAT = "seat"  # somebody sits down for the first time
    MOVE = "move"  # somebody changes tables
    LEVEL = "level"  # a level begins; the value is its minimum
    OUT = "out"  # somebody is out; the value is the place, 0 if it is not known yet
    REBUY = "rebuy"  # somebody buys chips again; the value is how many
    ADDON = "add-on"  # somebody buys chips on top; the value is how many
    BREAK_TABLE = "break table"  # a table closes
    FINAL_TABLE = "final table"  # all who are left sit at one table
    ADVANCE = "advance"  # somebody goes on to the next round or stage
    BYE = "bye"  # somebody goes on without playing
    # Not decided by formats, but seen by whoever follows them:
    BREAK = "break"  # all tables rest; the value is how many breaks there have been
    VERDICT = "verdict"  # a competitor failed for the first time; the value is the round


class Happening(NamedTuple):
    """Something that a format decided between two waves."""

    event: Event
    entrant: int = -1  # by the field's numbers; -1 if it is about nobody
    table: int = -1  # -1 if it is about none
    value: int = 0


class Schedule(ABC):
    """A format at work on a field: it draws up batches and takes in their results.

    Where the field is not all of the run, the results that it takes in are of the field's own:
    entrants in them have the field's numbers.
    """

    batches: int | None = None
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
        """Say who is known to be better than whom: booleans by two entrants, as a NumPy array.

        Only where the format gives the places. Row i, column j: whether i is better than j.
        Returns: Of shape (entrants, entrants); None if a place is all that is known.
        """
        return None

    def happenings(self) -> tuple[Happening, ...]:
        """Give what was decided since the last call, in order."""
        return ()


class Format(ABC):
    """The options of a format, as the organiser set them."""

    __slots__ = ()

    summary: ClassVar[str] = ""
    """One line for `tourney list formats`; by default the first of the class's docstring."""

    adjusts_luck: ClassVar[bool] = False
    """Whether the luck of the cards may be taken out of its results: only where bankrolls are
    averaged over tables, and no choice of the format depends on them."""

    shares_shoes: ClassVar[bool | None] = None
    """Whether all who sit alone are dealt the same cards; None where that is no question."""

    @property
    def on_fault(self) -> OnFault:
        """What a verdict does to the entrant's result."""
        return "zero"

    @property
    def fault(self) -> FaultCost:
        """What a verdict costs an entrant, in the words of standings and published data."""
        return FAULT_COSTS[self.on_fault]

    @property
    @abstractmethod
    def scheduled_rounds(self) -> int:
        """Rounds an entrant is to play at one table."""

    @abstractmethod
    def check(self, entrants: int, rules: Rules) -> None:
        """Raise FormatError if so many entrants cannot play this game in this format."""

    @abstractmethod
    def measure(self, rules: Rules) -> Measure:
        """Say what is counted at a table."""

    @abstractmethod
    def table_words(self, rules: Rules) -> str:
        """Say what is played at one table, such as `1,000 rounds at a table`."""

    @abstractmethod
    def schedule(self, field: Field) -> Schedule:
        """Draw up the tournament of a field."""

    # What few formats have another answer to.

    @property
    def asks_policies(self) -> tuple[str, ...]:
        """Settings of an entrant's policy that the format asks for; others are refused."""
        return ()

    @property
    def named_entrants(self) -> tuple[str, ...]:
        """Names in the options that entrants must have."""
        return ()

    @property
    def margin(self) -> float | None:
        """Chips or points a round by which two may differ and count as practically equal."""
        return None

    @property
    def tables_each(self) -> int:
        """Tables from each of which an entrant brings a bankroll to the next stage."""
        return 1

    def looks_for(self, entrants: int, rules: Rules) -> tuple[int, ...]:
        """Give the tables after which it may stop, the last one all; nothing if it never does."""
        del entrants, rules
        return ()

    def table_bounds(self, rules: Rules, bankroll: int, minimum: int) -> Bounds | None:
        """Give the least and the most that a table can bring an entrant; None for no bounds.

        In the unit that ranks are computed from: the profit in chips a round, with the luck of the
        cards, points a round, or the mean place. Rank sets then hold for all results within.

        Args:
            rules: Of the game.
            bankroll: At the start, in the unit of the rules.
            minimum: The least wager, in the unit of the rules.
        """
        del rules, bankroll, minimum
        return None

    def tables_for(self, entrants: int, rules: Rules) -> int:
        """Count the tables whose places count by themselves, so that the best of each go on."""
        del entrants, rules
        return 0


def scoring_of(options: Format, field: Field) -> Scoring:
    """Say how the results of a format count.

    Args:
        options: The format.
        field: Who plays it.
    """
    return Scoring(
        rules=field.rules,
        bankroll=field.bankroll,
        minimum=field.minimum,
        scheduled_rounds=options.scheduled_rounds,
        fault=options.fault,
        measure=options.measure(field.rules),
        margin=options.margin,
        looks=options.looks_for(field.entrants, field.rules),
        shares_shoes=options.shares_shoes,
        bounds=options.table_bounds(field.rules, field.bankroll, field.minimum),
    )
