"""The interface of a format: its options, its schedule, and the events that it reports.

A format is a frozen dataclass that inherits `Format`; its fields are the options in the YAML file.
It must implement the abstract methods. The others have defaults that suit most formats.
docs/how-to/add-a-format.md builds one step by step.
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
from tourney.standings.places import Better, Finish
from tourney.standings.standing import Measure
from tourney.standings.tallies import Scoring

OnFault = Literal["zero", "keep", "disqualify"]
"""Effect of a verdict: the table counts as zero, its result is kept, or the entrant has no
place."""

FaultCost = Literal["lost", "out", "stands"]
"""The same effect, in the terms of standings and published data."""

FAULT_COSTS: Mapping[OnFault, FaultCost] = {
    "zero": "lost",
    "keep": "stands",
    "disqualify": "out",
}


class Event(StrEnum):
    """Kinds of tournament events, other than hands."""

    SEAT = "seat"  # an entrant sits down for the first time
    MOVE = "move"  # an entrant changes tables
    LEVEL = "level"  # a level begins; the value is its minimum
    OUT = "out"  # an entrant is out; the value is its place, 0 if it is not known yet
    REBUY = "rebuy"  # an entrant buys the starting bankroll again; the value is the chips
    ADDON = "add-on"  # an entrant buys extra chips; the value is the chips
    BREAK_TABLE = "break table"  # a table closes
    FINAL_TABLE = "final table"  # all remaining entrants sit at one table
    ADVANCE = "advance"  # an entrant advances to the next round or stage
    BYE = "bye"  # an entrant advances without playing
    # Formats do not report these two; viewers of a run add them:
    BREAK = "break"  # all tables rest; the value is the number of breaks so far
    VERDICT = "verdict"  # a competitor failed for the first time; the value is the round


class Happening(NamedTuple):
    """A decision of a format between two waves."""

    event: Event
    entrant: int = -1  # number in the field; -1 if the event concerns no entrant
    table: int = -1  # -1 if the event concerns no table
    value: int = 0


class Schedule(ABC):
    """The schedule of a field: creates batches and receives their results.

    Entrants in results have the numbers of the field, even if the field is only a part of the run.
    """

    batches: int | None = None
    """Greatest number of batches; `None` if that depends on results."""

    @abstractmethod
    def waves(self) -> Iterator[Iterable[Batch]]:
        """Create the batches, wave by wave.

        The platform requests the next wave when it has passed on all results of the one before.
        """

    @abstractmethod
    def take(self, result: BlockResult) -> None:
        """Receive a result. Needed only if later waves depend on it."""

    # Most formats leave places to the standings and decide nothing between waves.

    def finishes(self) -> tuple[Finish, ...] | None:
        """Return the current places of all entrants; `None` if the measure decides."""
        return None

    def better(self) -> Better | None:
        """Return which entrants are known to be better than which others.

        Only used if the format gives the places.

        Returns: Booleans of shape (entrants, entrants), in row i and column j whether i is better
            than j; `None` if only the places are known.
        """
        return None

    def happenings(self) -> tuple[Happening, ...]:
        """Return the decisions since the last call, in order."""
        return ()


class Format(ABC):
    """The options of a format, as the organiser set them."""

    __slots__ = ()

    summary: ClassVar[str] = ""
    """One line for `tourney list formats`; by default the first line of the class docstring."""

    adjusts_luck: ClassVar[bool] = False
    """Whether results may be adjusted for the luck of the cards: only if bankrolls are averaged
    over tables and no decision of the format depends on them."""

    shares_shoes: ClassVar[bool | None] = None
    """Whether entrants that sit alone get the same cards; `None` if entrants do not sit alone."""

    @property
    def on_fault(self) -> OnFault:
        """Effect of a verdict on the entrant's result."""
        return "zero"

    @property
    def fault(self) -> FaultCost:
        """Cost of a verdict, in the terms of standings and published data."""
        return FAULT_COSTS[self.on_fault]

    @property
    @abstractmethod
    def scheduled_rounds(self) -> int:
        """Rounds that an entrant is scheduled to play at one table."""

    @abstractmethod
    def check(self, entrants: int, rules: Rules) -> None:
        """Raise FormatError if this number of entrants cannot play this game in this format."""

    @abstractmethod
    def measure(self, rules: Rules) -> Measure:
        """Return the measure that the standings use."""

    @abstractmethod
    def table_words(self, rules: Rules) -> str:
        """Describe the play at one table, such as `1,000 rounds at a table`."""

    @abstractmethod
    def schedule(self, field: Field) -> Schedule:
        """Create the schedule of a field."""

    # Few formats override these.

    @property
    def asks_policies(self) -> tuple[str, ...]:
        """Settings of an entrant's policy that the format uses; others are rejected."""
        return ()

    @property
    def named_entrants(self) -> tuple[str, ...]:
        """Entrant names that appear in the options; they must exist."""
        return ()

    @property
    def margin(self) -> float | None:
        """Difference in chips or points per round that counts as practically equal."""
        return None

    @property
    def tables_each(self) -> int:
        """Number of tables whose bankrolls an entrant could carry to the next stage."""
        return 1

    def looks_for(self, entrants: int, rules: Rules) -> tuple[int, ...]:
        """Return the tables of each interim analysis and of the end; empty if the format never
        stops early.
        """
        del entrants, rules
        return ()

    def table_bounds(self, rules: Rules, bankroll: int, minimum: int) -> Bounds | None:
        """Return the bounds of an entrant's result at one table; `None` if there are no bounds.

        The unit is that of the ranks: profit in chips per round (with luck), points per round, or
        mean place. With bounds, rank sets are valid for all results within them.

        Args:
            rules: Of the game.
            bankroll: At the start, in the unit of the rules.
            minimum: The minimum bet, in the unit of the rules.
        """
        del rules, bankroll, minimum
        return None

    def tables_for(self, entrants: int, rules: Rules) -> int:
        """Return the number of tables with separate places, for `per_table` in the next stage."""
        del entrants, rules
        return 0


def scoring_of(options: Format, field: Field) -> Scoring:
    """Describe how the results of a format count."""
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
