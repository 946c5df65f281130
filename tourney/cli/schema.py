"""`schema`: JSON Schemas of configurations, exports and `--json` output.

An answer, which is the `--json` output of a command, is a model with the keys that the command
adds, plus the dataclasses whose fields the command prints.
"""

import json
from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

import click
from pydantic import BaseModel, Field

from tourney.checks.report import CheckReport
from tourney.config.schema import DIALECT, json_schema
from tourney.config.settings import schema_of
from tourney.floor.utilization import Account
from tourney.planning.event_plan import Interval, Plan
from tourney.planning.pilot import Pilot
from tourney.planning.trial_rates import Rates
from tourney.plugins.loading import load_plugins
from tourney.report.publish.season import season_schema
from tourney.report.schema import board_schema
from tourney.report.site.site_files import schema_json
from tourney.research.bankroll_risk import BankrollRisk
from tourney.research.by_count import AtCount
from tourney.research.paired_comparison import Look
from tourney.research.simulated_ev import LongRun
from tourney.testing.student_tests import GradedTest
from tourney.tournament.catalog import catalog_of

ABSENT = "x-absent"
absent = partial(Field, default=None, json_schema_extra={ABSENT: True})
"""The default of a key that may be absent, and is never null."""


class Answer(BaseModel):
    """An object with these keys, those of another class, and no others."""

    beside: ClassVar[Any] = None

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: Any) -> dict[str, Any]:
        """Describe the keys of the model and of the dataclass."""
        schema: dict[str, Any] = handler.resolve_ref_schema(handler(core_schema))
        if cls.beside:
            schema["properties"] = schema_of(cls.beside)["properties"] | schema["properties"]
        return schema


class Risk(Answer):
    """The risk of a bankroll; infinite values are null."""

    beside = BankrollRisk

    kelly_bankroll: float | None
    """Bankroll for which these wagers are full Kelly; null without an advantage."""

    n0: float | None
    """Rounds until the mean is one SD above zero; null for never."""


class Counts(Answer):
    """The win rate at each true count."""

    tags: str
    """Count system."""

    counts: list[AtCount]
    """Lowest count first."""


class MeasuredAnswer(Answer):
    """Output of `tourney ev --json` for one strategy and game; a list for several."""

    beside = LongRun

    strategy: str
    """With its options."""

    game: str
    """A preset with overrides."""

    minimum: int
    """Least wager in chips."""

    mean: float
    """Result of a round in minimums, without the luck of the cards if it is known."""

    by_count: Counts = absent()
    """With --by-count."""

    risk: Risk = absent()
    """With --bankroll."""


class Value(Answer):
    """The value of a round."""

    minimum: int
    """Least wager in chips."""

    mean: float
    """Result of a round, in minimums."""

    sd: float | None
    """Of one round, in minimums; null if only the mean is calculated."""

    exact: str | None
    """`mean` as a fraction; null where digits were lost."""


class ExactAnswer(Value):
    """Output of `tourney ev --exact --json` for one game; a list for several."""

    risk: Risk = absent()
    """With --bankroll."""


class SolvedAnswer(Value):
    """Output of `tourney solve --json`."""

    game: str
    """A preset with overrides."""

    chart: str
    """Optimal play, in the format of a chart file."""

    notes: list[str]
    """Notes about it, a line each."""

    against: list[str] = absent()
    """With --against: the cost of the other chart and its places, a line each."""


class ActionChance(Answer):
    """An action in a situation of optimal play."""

    seat: int
    """From 1, in the order of turns."""

    view: str
    """What the seat sees."""

    action: str
    """A legal action."""

    chance: float
    """How often optimal play takes it, from 0 to 1."""


class EquilibriumAnswer(Answer):
    """Output of `tourney solve --json` for a small game for two."""

    game: str
    """A preset with overrides."""

    ways: int
    """Ways to play a round: each card that may come, and each action."""

    values: list[float]
    """Result of a round by seat if both play optimally, in minimums or points."""

    situations: list[ActionChance]
    """An entry for each action of each situation."""


class ExploitedAnswer(Answer):
    """Output of `tourney ev --json` for one small game; a list for several."""

    strategy: str
    """With its options."""

    game: str
    """A preset with overrides."""

    exploitability: float
    """Mean gain of a best response over the seats, in minimums or points; 0 in an equilibrium."""

    nash_conv: float
    """Sum of these gains."""

    values: list[float]
    """Result of the player against itself by seat."""

    best_responses: list[float]
    """Result by seat of an opponent that knows the player."""

    samples: int
    """Answers in each situation; 0 if the chances of the player are exact."""


class Deviation(Answer):
    """A move that is better from or up to some count."""

    hand: str
    """Such as `hard 16`."""

    against: str
    """Shown card of the dealer."""

    move: str
    """Move up to or from that count."""

    instead_of: str
    """Move beyond that count."""

    true_count: int
    """Count at which it begins or ends."""

    is_from: bool
    """True: from this count on; false: up to it."""

    worth: float
    """Minimums gained in 100 rounds of one minimum each."""


class DeviationsAnswer(Answer):
    """Output of `tourney solve --deviations N --json`."""

    game: str
    """A preset with overrides."""

    deviations: list[Deviation]
    """The most valuable ones, best first."""

    worth: float
    """Of all deviations, including those beyond N."""


class ComparedAnswer(Answer):
    """Output of `tourney compare --json`."""

    beside = Look

    one: str
    """The first strategy."""

    other: str
    """The second strategy."""

    game: str
    """A preset with overrides."""

    unit: str
    """Unit of the difference: minimums, or points, of which fewer are better."""

    minimum: int | None
    """Least wager in chips; null with points."""

    relation: str
    """Separated, practically equal, equal, or open."""


class CheckedAnswer(Answer):
    """Output of `tourney check --json`."""

    beside = CheckReport

    file: str
    """As typed."""

    game: str
    """Or the tournament of the check."""

    confinement: str
    """Level of the sandbox."""

    answers: str = absent()
    """Digest of its answers at standard tables."""


class PlannedAnswer(Answer):
    """Output of `tourney plan --json`."""

    beside = Plan

    name: str
    """Of the tournament."""

    entrants: int
    """Number of entrants."""

    start_time: str | None
    """As configured."""

    tables: int
    """On the floor."""

    dealers: int
    """On the floor."""

    rates: Rates
    """Rates of events at tables."""

    pilot: Pilot | None
    """Tables needed for a ranking, estimated from a few; null without a trial."""


class TimetableEntry(Answer):
    """A level or a break."""

    seconds: float
    """From the beginning."""

    what: str
    """Such as `level 2`."""

    time: str
    """In the format of a clock."""


class Intervals(Answer):
    """Means over replications, by figure."""

    tables: dict[str, Interval]
    """Of tables."""

    dealers: dict[str, Interval]
    """Of dealers."""


class FloorAnswer(Answer):
    """Output of `tourney floor --json`."""

    beside = Account

    name: str
    """Of the tournament."""

    start_time: str | None
    """As configured."""

    percentiles: list[int]
    """The percentiles, in per cent."""

    timetable: list[TimetableEntry]
    """Levels and breaks."""

    replications: int = absent()
    """Number of replications, if there are several."""

    end_interval: Interval = absent()
    """End over several replications."""

    intervals: Intervals = absent()
    """Figures of tables and of dealers over several replications."""


class Fault(Answer):
    """A broken contract."""

    entrant: str
    """Its name."""

    cause: str
    """Such as `raised` or `stalled`."""

    confirmed: bool | None
    """Whether a second play confirmed it; null without a second play."""

    stage: int
    """From 1."""

    heat: int
    """From 1."""

    table: int
    """From 1."""

    seating: int | None
    """From 1; null if all tables have one seating."""

    round: int
    """From 1."""

    decision: int
    """Of the block, from 1."""

    call: str
    """The question."""

    message: str
    """The expected and the actual answer."""

    seen: str
    """The player's view."""

    place: str
    """In its file; may be empty."""

    traceback: str
    """Lines of its author's code; may be empty."""


class FirstFault(Fault):
    """The first fault of its cause."""

    tables: int
    """Tables with this fault."""


class WarningAnswer(Answer):
    """A warning about an entrant."""

    entrant: str
    """Its name."""

    message: str
    """In words."""


class VerdictsAnswer(Answer):
    """Output of `tourney verdicts --json`."""

    run: int
    """Its number."""

    name: str
    """Of the run."""

    on_fault: str
    """Cost of a fault in this tournament: zero, keep or disqualify."""

    verdicts: list[FirstFault]
    """The first fault of each cause."""

    unconfirmed: list[Fault]
    """First faults that a second play did not confirm; the result of the second play counts."""

    replays: list[WarningAnswer]
    """Entrants whose batches were played again because a first play was lost; not faults."""

    warnings: list[WarningAnswer]
    """Not faults."""

    withheld: str = absent()
    """Hidden results, and the time until which they are hidden."""


class TestAnswer(Answer):
    """A test, and its result."""

    beside = GradedTest

    counts: bool
    """Whether it passes with the correct implementations."""


class Bugs(Answer):
    """Bugs of a class, by name."""

    caught: list[str]
    """Caught by at least one test."""

    missed: list[str]
    """Caught by no test."""


class MissedBug(Answer):
    """A bug that no test catches."""

    bug: str
    """Description of the bug."""

    caught_by: str
    """Kind of test that catches it."""


class MutantsAnswer(Answer):
    """Output of `tourney mutants --json`."""

    tests: list[TestAnswer]
    """In the order of the file."""

    classes: dict[str, Bugs]
    """By tested class."""

    revealed: dict[str, MissedBug] = absent()
    """With --show-missed: bugs that no test catches, by name."""


ANSWERS: Mapping[str, type[Answer]] = {
    "check": CheckedAnswer,
    "compare": ComparedAnswer,
    "deviations": DeviationsAnswer,
    "equilibrium": EquilibriumAnswer,
    "ev": MeasuredAnswer,
    "exact": ExactAnswer,
    "exploitability": ExploitedAnswer,
    "floor": FloorAnswer,
    "mutants": MutantsAnswer,
    "plan": PlannedAnswer,
    "solve": SolvedAnswer,
    "verdicts": VerdictsAnswer,
}
"""Answers by their name in `tourney schema`."""


def answer_schema(what: str) -> dict[str, Any]:
    """Return the JSON Schema of a command's output, one of ANSWERS."""
    schema: dict[str, Any] = _closed(schema_of(ANSWERS[what]))
    return {"$schema": DIALECT, **schema, "title": f"tourney {what}"}


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


@click.command("schema")
@click.argument(
    "what",
    type=click.Choice(["configuration", "leaderboard", "season", "site", *ANSWERS]),
    default="configuration",
)
def schema_command(what: str) -> None:
    """Print the JSON Schema of configurations, for editors.

    Other schemas describe exported data: leaderboard and season are the output of `--format json`,
    site is the data.json of published pages, and the others are the output of commands with
    `--json` (deviations of `solve --deviations`, exact of `ev --exact`, and for small games
    equilibrium of `solve` and exploitability of `ev`).
    """
    if what in {"season", "site"}:
        click.echo(season_schema() if what == "season" else schema_json(), nl=False)
        return
    if what in ANSWERS:
        schema = answer_schema(what)
    else:
        is_board = what == "leaderboard"
        schema = board_schema() if is_board else json_schema(catalog_of(load_plugins()))
    click.echo(json.dumps(schema, indent=2, ensure_ascii=False))
