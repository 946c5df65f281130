"""The feedback for one student: plain data for pages and comments.

Sentences are plain text; pages escape them.
"""

from dataclasses import dataclass
from datetime import UTC
from typing import Literal

from tourney.checks.report import Finding
from tourney.course.records import DIGITS, Submission
from tourney.course.submission_status import HandedIn
from tourney.report.site.model import MistakesData

State = Literal[
    "played",
    "disqualified",
    "plays",
    "not playable",
    "withdrawn",
    "not entered",
    "refused",
    "excluded",
    "no submission",
]
"""The result of a student's submissions; `plays` while results are hidden."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The first fault of one cause."""

    cause: str
    where: str  # table, round and decision
    finding: Finding  # with line and remedy
    seen: str  # the cards before the seat; empty if the player was not asked
    tables: int  # number of tables with this cause
    caveat: str = ""  # note that it may have been another decision

    def __str__(self) -> str:
        """Return the fault and how to fix it."""
        count = "1 table" if self.tables == 1 else f"{self.tables} tables"
        return f"{self.cause.capitalize()} at {count}: {self.finding}"


@dataclass(frozen=True, slots=True)
class TableSeen:
    """One of the best tables, or of the worst."""

    kind: Literal["best", "worst"]
    name: str  # with stage and heat where there are several
    result: float
    links: tuple[str, ...]  # to its hands; empty if they are not published
    is_lost: bool = False  # by a fault, so that its result is the worst there is


@dataclass(frozen=True, slots=True)
class Played:
    """A competitor that took part in the run."""

    name: str
    called: str  # on the board; empty if it is not shown there
    digest: str  # of the source that played, 32 hex digits
    version: Submission | None  # None if the organiser entered it without a submission
    standing: str  # place and ranks in a sentence; empty while results are hidden
    place: int | None  # None if out, or hidden
    is_out: bool = False
    facts: tuple[tuple[str, str], ...] = ()  # titles and cells of columns
    beside: tuple[str, ...] = ()  # sentences that compare it with the rows above and below
    faults: tuple[Fault, ...] = ()
    cost: str = ""  # of a fault in this run
    result_title: str = ""  # title of the results of tables
    tables: tuple[TableSeen, ...] = ()
    page: str = ""  # its page of the published site; empty if there is no page
    mistakes: MistakesData | None = None  # its costliest decisions, from that page
    examples: tuple[str, ...] = ()  # links to their hands; empty if they are not published


@dataclass(frozen=True, slots=True)
class Answer:
    """The feedback for one student."""

    handed_in: HandedIn
    state: State
    why: str  # a sentence or two
    played: tuple[Played, ...] = ()
    withheld: str = ""  # the hidden results, in a sentence; empty if all are shown

    @property
    def person(self) -> str:
        """The student."""
        return self.handed_in.person.person

    @property
    def title(self) -> str:
        """The student with a login, a player name or an address, because names may repeat."""
        return self.handed_in.person.title

    @property
    def comment(self) -> str:
        """Text for one cell: the result, the version that played, and where to read more."""
        parts = [f"{self.state.capitalize()}: {self.why}"]
        for each in self.played:
            parts.append(f"{version_words(each)}.")
            parts += [f"{fault}." for fault in each.faults]
            parts += each.beside
            # A path on the organiser's disk is useless to a student.
            parts += [f"More: {each.page}"] if "://" in each.page else []
        return " ".join(filter(None, (*parts, self.withheld)))


def version_words(played: Played) -> str:
    """Name the version that played.

    Args:
        played: The competitor in the run.
    """
    words = f"Version {played.digest[:DIGITS]} played as {played.name}"
    if played.version is None:
        return words
    return f"{words}, {time_words(played.version)}"


def time_words(version: Submission) -> str:
    """Describe when a version was submitted; a platform may not record the time."""
    at = f"{version.time.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    late = f", {version.late_days} d late" if version.late_days else ""
    if version.late_days and "deadline" in version.override:
        late += ", accepted by the lecturer"
    match version.stated:
        case "in time":
            return f"submitted in time, taken in {at}"
        case "late" if version.late_days:  # not if no deadline is set, or an extension covers it
            return f"submitted late, taken in {at}{late}"
        case "late" | "nothing":
            return f"submitted {at} or before{late}"
    return f"submitted {at}{late}"
