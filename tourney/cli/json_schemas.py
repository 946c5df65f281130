"""What commands print with `--json`, as JSON Schemas: every key, its unit and when it is null.

An answer is a model with the keys that the command adds, and the dataclasses whose fields it
prints beside them.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

from pydantic import BaseModel, Field

from tourney.checks.report import CheckReport
from tourney.config.settings import schema_of
from tourney.floor.utilization import Account
from tourney.planning.event_plan import Interval, Plan
from tourney.planning.pilot import Pilot
from tourney.planning.trial_rates import Rates
from tourney.research.bankroll_risk import BankrollRisk
from tourney.research.by_count import AtCount
from tourney.research.paired_comparison import Look
from tourney.research.simulated_ev import LongRun
from tourney.testing.student_tests import GradedTest

DRAFT = "https://json-schema.org/draft/2020-12/schema"

ABSENT = "x-absent"
absent = partial(Field, default=None, json_schema_extra={ABSENT: True})
"""The default of a key that may be absent, and is never null."""


class Answer(BaseModel):
    """An object with these keys, those of another class, and no others."""

    beside: ClassVar[Any] = None

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: Any) -> dict[str, Any]:
        """Describe the keys of both."""
        schema: dict[str, Any] = handler.resolve_ref_schema(handler(core_schema))
        if cls.beside:
            schema["properties"] = schema_of(cls.beside)["properties"] | schema["properties"]
        return schema


class Risk(Answer):
    """What a bankroll has to expect; nothing is infinite, but null."""

    beside = BankrollRisk

    kelly_bankroll: float | None
    """Bankroll for which these wagers are full Kelly; null without an advantage."""

    n0: float | None
    """Rounds until the mean is one SD above zero; null for never."""


class Counts(Answer):
    """What is won at each true count."""

    tags: str
    """Which count."""

    counts: list[AtCount]
    """Lowest count first."""


class MeasuredAnswer(Answer):
    """What `tourney ev --json` prints of one strategy and game; of several it prints a list."""

    beside = LongRun

    strategy: str
    """With its options."""

    game: str
    """A preset with overrides."""

    minimum: int
    """Least wager in chips."""

    by_count: Counts = absent()
    """With --by-count."""

    risk: Risk = absent()
    """With --bankroll."""


class Value(Answer):
    """What a round is worth."""

    minimum: int
    """Least wager in chips."""

    mean: float
    """Result of a round, in minimums."""

    sd: float | None
    """Of one round, in minimums; null where only the mean is worked out."""

    exact: str | None
    """`mean` as a fraction; null where digits were lost."""


class ExactAnswer(Value):
    """What `tourney ev --exact --json` prints of one game; of several it prints a list."""

    risk: Risk = absent()
    """With --bankroll."""


class SolvedAnswer(Value):
    """What `tourney solve --json` prints."""

    game: str
    """A preset with overrides."""

    chart: str
    """The best play, as a chart file holds it."""

    notes: list[str]
    """Notes about it, a line each."""

    against: list[str] = absent()
    """With --against: what the other chart costs, and where, a line each."""


class Deviation(Answer):
    """A move that is better from some count on, or up to it."""

    hand: str
    """Such as `hard 16`."""

    against: str
    """What the dealer shows."""

    move: str
    """What to do."""

    instead_of: str
    """What to do beyond that count."""

    true_count: int
    """Count that it begins or ends at."""

    is_from: bool
    """Whether from this count on; else up to it."""

    worth: float
    """Minimums gained in 100 rounds of one minimum each."""


class DeviationsAnswer(Answer):
    """What `tourney solve --deviations N --json` prints."""

    game: str
    """A preset with overrides."""

    deviations: list[Deviation]
    """Those that are worth most first."""

    worth: float
    """Of all there are, also those beyond N."""


class ComparedAnswer(Answer):
    """What `tourney compare --json` prints."""

    beside = Look

    one: str
    """The first strategy."""

    other: str
    """The second."""

    game: str
    """A preset with overrides."""

    relation: str
    """Separated, practically equal, equal, or open."""


class CheckedAnswer(Answer):
    """What `tourney check --json` prints."""

    beside = CheckReport

    file: str
    """As it was named."""

    game: str
    """Or the tournament that it was checked for."""

    confinement: str
    """How well it was confined."""

    answers: str = absent()
    """Digest of all its answers at tables that are the same for everybody."""


class PlannedAnswer(Answer):
    """What `tourney plan --json` prints."""

    beside = Plan

    name: str
    """Of the tournament."""

    entrants: int
    """How many."""

    start_time: str | None
    """As configured."""

    tables: int
    """On the floor."""

    dealers: int
    """On the floor."""

    rates: Rates
    """What happens at tables."""

    pilot: Pilot | None
    """What a few tables say of how many tell the field apart; null without a trial."""


class TimetableEntry(Answer):
    """A level or a break."""

    seconds: float
    """From the beginning."""

    what: str
    """Such as `level 2`."""

    time: str
    """As a clock shows it."""


class Intervals(Answer):
    """Means over replications, by figure."""

    tables: dict[str, Interval]
    """Of tables."""

    dealers: dict[str, Interval]
    """Of dealers."""


class FloorAnswer(Answer):
    """What `tourney floor --json` prints."""

    beside = Account

    name: str
    """Of the tournament."""

    start_time: str | None
    """As configured."""

    percentiles: list[int]
    """Which are given, in per cent."""

    timetable: list[TimetableEntry]
    """Levels and breaks."""

    replications: int = absent()
    """Of several: how many."""

    end_interval: Interval = absent()
    """Of several: the end."""

    intervals: Intervals = absent()
    """Of several: figures of tables and of dealers."""


class Fault(Answer):
    """Who broke the contract, and how."""

    entrant: str
    """Its name."""

    cause: str
    """Such as `raised` or `stalled`."""

    confirmed: bool | None
    """Whether it came again; null where that was not asked."""

    stage: int
    """From 1."""

    heat: int
    """From 1."""

    table: int
    """From 1."""

    seating: int | None
    """From 1; null where tables have one."""

    round: int
    """From 1."""

    decision: int
    """Of the block, from 1."""

    call: str
    """What was asked."""

    message: str
    """What was expected, and what came."""

    seen: str
    """What the player saw."""

    place: str
    """In its file; may be empty."""

    traceback: str
    """Of its author's lines; may be empty."""


class FirstFault(Fault):
    """The first fault of its cause."""

    tables: int
    """Tables at which that happened."""


class WarningAnswer(Answer):
    """Whom a warning is about, and what it says."""

    entrant: str
    """Its name."""

    message: str
    """In words."""


class VerdictsAnswer(Answer):
    """What `tourney verdicts --json` prints."""

    run: int
    """Its number."""

    name: str
    """Of the run."""

    on_fault: str
    """What a fault does in this tournament: zero, keep or disqualify."""

    verdicts: list[FirstFault]
    """The first of each cause."""

    unconfirmed: list[Fault]
    """First faults that a second play did not give there; the second play's result stands."""

    replays: list[WarningAnswer]
    """Entrants whose batches were played again because a first play was lost; no faults."""

    warnings: list[WarningAnswer]
    """No faults."""

    withheld: str = absent()
    """What is not shown, and until when."""


class TestAnswer(Answer):
    """A test, and its result."""

    beside = GradedTest

    counts: bool
    """Whether it passes what is correct."""


class Bugs(Answer):
    """Bugs of a class, by name."""

    caught: list[str]
    """That some test catches."""

    missed: list[str]
    """That no test catches."""


class MissedBug(Answer):
    """A bug that no test catches."""

    bug: str
    """What it is."""

    caught_by: str
    """What kind of test catches it."""


class MutantsAnswer(Answer):
    """What `tourney mutants --json` prints."""

    tests: list[TestAnswer]
    """In the order of the file."""

    classes: dict[str, Bugs]
    """By class that is tested."""

    revealed: dict[str, MissedBug] = absent()
    """With --show-missed: bugs that no test catches, by name."""


ANSWERS: Mapping[str, type[Answer]] = {
    "check": CheckedAnswer,
    "compare": ComparedAnswer,
    "deviations": DeviationsAnswer,
    "ev": MeasuredAnswer,
    "exact": ExactAnswer,
    "floor": FloorAnswer,
    "mutants": MutantsAnswer,
    "plan": PlannedAnswer,
    "solve": SolvedAnswer,
    "verdicts": VerdictsAnswer,
}
"""By what `tourney schema` calls them."""


def answer_schema(what: str) -> dict[str, Any]:
    """Give the JSON Schema of what a command prints: one of ANSWERS."""
    schema: dict[str, Any] = _closed(schema_of(ANSWERS[what]))
    return {"$schema": DRAFT, **schema, "title": f"tourney {what}"}


def _closed(schema: Any) -> Any:
    """Require every key but those that may be absent, and allow no others."""
    if isinstance(schema, list):
        return [_closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: _closed(each) for key, each in schema.items()}
    if "properties" not in closed:
        return closed
    properties = closed["properties"]
    needed = [name for name, each in properties.items() if not each.pop(ABSENT, False)]
    return {**closed, "required": needed, "additionalProperties": False}
