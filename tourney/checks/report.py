"""The report of a check: whether a competitor may play, measurements, and faults to fix."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from statistics import fmean, stdev
from typing import Any, TypeAlias

from tourney.sandbox.levels import Level

LONGEST = 80
"""Most characters shown of a printed line."""
MICRO = 1e6
QUANTILE = 1.98
"""Quantile of Student's distribution for 95 %, with about one degree of freedom for each table."""


def level_words(level: Level) -> str:
    """Describe the level of the sandbox."""
    return "none: the file ran with all your rights" if level is Level.UNSAFE else level.value


def printed_words(printed: str) -> str:
    """Return the beginning of a player's output."""
    first, *others = printed.strip().splitlines() or [""]
    more = f" (and {len(others)} more {'lines' if others[1:] else 'line'})" if others else ""
    return f"{first[:LONGEST]}{more}"


def cost_words(seconds: float, most: float) -> str:
    """Describe the cost of a decision.

    >>> cost_words(3e-6, 1e-4)
    '3.0 µs a decision, of 100 µs allowed'
    """
    return f"{MICRO * seconds:.1f} µs a decision, of {MICRO * most:.0f} µs allowed"


def seconds_words(seconds: float) -> str:
    """Format CPU seconds.

    >>> seconds_words(3.1), seconds_words(0.0124), seconds_words(2.4e-6)
    ('3.1 s', '12 ms', '2 µs')
    """
    if seconds >= 1:
        return f"{seconds:,.1f} s"
    milli = 1_000 * seconds
    return f"{milli:.0f} ms" if milli >= 1 else f"{MICRO * seconds:.0f} µs"


def lead_words(ahead: Sequence[float]) -> str:
    """Format the mean lead of a player with its margin of error.

    >>> lead_words([0.0, 2.0, 1.0, 1.0])
    '+1.0 ± 0.8'
    """
    return f"{fmean(ahead):+z.1f} ± {margin_of(ahead):.1f}"


def margin_of(ahead: Sequence[float]) -> float:
    """Return half the width of the 95 % confidence interval of the mean."""
    return QUANTILE * stdev(ahead) / float(len(ahead) ** 0.5)


Tell: TypeAlias = Callable[[str], object]
"""Receives the measurements of a check as lines of text, while it runs."""


def tell_nobody(line: str) -> None:
    """Ignore a line."""


TOURNAMENT = "Tournament"
"""Name of the measurement that holds the demands of the tournament."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check found."""

    message: str
    """The problem."""

    place: str = ""
    """Place, such as `bold.py:7`; empty if it is about the whole."""

    remedy: str = ""
    """How to fix it; may be empty."""

    is_warning: bool = False
    """Whether the competitor may play anyway."""

    def __str__(self) -> str:
        """Return `place: message; remedy`.

        >>> str(Finding("expected a class, got 3", "bold.py:7", "write a class"))
        'bold.py:7: expected a class, got 3; write a class'
        """
        text = f"{self.place}: {self.message}" if self.place else self.message
        return f"{text}; {self.remedy}" if self.remedy else text


@dataclass(frozen=True, slots=True)
class Measurement:
    """A measurement or a passed step of a check."""

    what: str
    """Name, such as `Cost`."""

    told: str
    """The result, such as `3.1 µs a decision`."""

    def __str__(self) -> str:
        """Return `Cost: 3.1 µs a decision`."""
        return f"{self.what}: {self.told}"


@dataclass(frozen=True, slots=True)
class CostlyDecision:
    """A decision that loses against optimal play, over all rounds of the match."""

    situation: str
    """Such as `hard 16 against 10`."""

    answer: str
    """The decision."""

    best: str
    """The decision of optimal play that does not count cards."""

    times: int
    """Number of times that it was made."""

    cost_per_100: float
    """Minimum bets that it costs in 100 rounds."""

    def __str__(self) -> str:
        """Return the decision in one line.

        >>> str(CostlyDecision("hard 16 against 7", "stand", "hit", 9, 0.512))
        'hard 16 against 7: stand instead of hit costs 0.51 minimum bets per 100 rounds'
        """
        return (
            f"{self.situation}: {self.answer} instead of {self.best} costs "
            f"{self.cost_per_100:.2f} minimum bets per 100 rounds"
        )


@dataclass(slots=True)
class MeasuredParts:
    """The measurements so far, reported as they are made."""

    tell: Tell = tell_nobody
    found: list[Measurement] = field(default_factory=list)

    def add(self, what: str, told: str) -> None:
        """Add a measurement and report it."""
        measured = Measurement(what, told)
        self.found.append(measured)
        self.tell(str(measured))


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The result of a check."""

    passed: bool
    """Whether it may play."""

    findings: tuple[Finding, ...] = ()
    """Faults, then warnings; no faults if it passed."""

    score: float | None = None
    """Quality of its play, higher is better; None if it was not measured."""

    margin: float | None = None
    """Half the 95 % interval of the score."""

    measured: tuple[Measurement, ...] = ()
    """Measurements in order."""

    mistakes: tuple[CostlyDecision, ...] = ()
    """Its costliest decisions in the match, the costliest first; empty without known values."""

    answers: str = ""
    """Digest of all its answers at tables that are the same in every check."""

    @property
    def reason(self) -> str:
        """The first finding in one line; empty without findings."""
        if not self.findings:
            return ""
        others = len(self.findings) - 1
        return f"{self.findings[0]}{f' (and {others} more)' if others else ''}"

    @property
    def demanded(self) -> str:
        """The demands of the tournament; empty without a tournament."""
        return next((each.told for each in self.measured if each.what == TOURNAMENT), "")

    def to_data(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        return {
            "passed": self.passed,
            "score": self.score,
            "margin": self.margin,
            "findings": [asdict(each) for each in self.findings],
            "measured": [asdict(each) for each in self.measured],
            "mistakes": [asdict(each) for each in self.mistakes],
            **({"answers": self.answers} if self.answers else {}),
        }

    @classmethod
    def from_data(cls, data: Any) -> "CheckReport":
        """Return a report from the data of `to_data`."""
        findings = tuple(Finding(**each) for each in data["findings"])
        # Old stored reports have no measurements and no mistakes.
        measured = tuple(Measurement(**each) for each in data.get("measured", ()))
        mistakes = tuple(CostlyDecision(**each) for each in data.get("mistakes", ()))
        margin, answers = data.get("margin"), data.get("answers", "")
        return cls(data["passed"], findings, data["score"], margin, measured, mistakes, answers)


def slow_finding(cost: float, most: float, name: str) -> Finding:
    """Warn of decisions that take more than half of the allowed time, in seconds."""
    return Finding(
        f"expected at most {MICRO * most / 2:.0f} µs of CPU time for a decision, half of the "
        f"limit, got {MICRO * cost:.0f} µs",
        name,
        "compute results once and store them",
        is_warning=True,
    )
