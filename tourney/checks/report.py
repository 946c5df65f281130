"""The report of a check: whether a competitor may play, what was measured, and what to fix."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from statistics import fmean, stdev
from typing import Any, TypeAlias

from tourney.sandbox.levels import Level

LONGEST = 80
"""Characters shown of a printed line."""
MICRO = 1e6
QUANTILE = 1.98
"""Of Student's distribution for 95 %, with about as many degrees of freedom as there are tables."""


def level_words(level: Level) -> str:
    """Say how well a file was confined."""
    return "none: the file ran with all your rights" if level is Level.UNSAFE else level.value


def printed_words(printed: str) -> str:
    """Show the beginning of what a player printed."""
    first, *others = printed.strip().splitlines() or [""]
    more = f" (and {len(others)} more {'lines' if others[1:] else 'line'})" if others else ""
    return f"{first[:LONGEST]}{more}"


def cost_words(seconds: float, most: float) -> str:
    """Say what a decision costs.

    >>> cost_words(3e-6, 1e-4)
    '3.0 µs a decision, of 100 µs allowed'
    """
    return f"{MICRO * seconds:.1f} µs a decision, of {MICRO * most:.0f} µs allowed"


def seconds_words(seconds: float) -> str:
    """Say how much computing something takes.

    >>> seconds_words(3.1), seconds_words(0.0124), seconds_words(2.4e-6)
    ('3.1 s', '12 ms', '2 µs')
    """
    if seconds >= 1:
        return f"{seconds:,.1f} s"
    milli = 1_000 * seconds
    return f"{milli:.0f} ms" if milli >= 1 else f"{MICRO * seconds:.0f} µs"


def lead_words(ahead: Sequence[float]) -> str:
    """Say by how much a player leads, with the interval of the mean.

    >>> lead_words([0.0, 2.0, 1.0, 1.0])
    '+1.0 ± 0.8'
    """
    return f"{fmean(ahead):+.1f} ± {margin_of(ahead):.1f}"


def margin_of(ahead: Sequence[float]) -> float:
    """Give half the interval of the mean."""
    return QUANTILE * stdev(ahead) / float(len(ahead) ** 0.5)


Tell: TypeAlias = Callable[[str], object]
"""Hears what a check finds out, line by line, while it goes on."""


def tell_nobody(line: str) -> None:
    """Let a check go on in silence."""


TOURNAMENT = "Tournament"
"""What a report calls the demands of the tournament that a check was for."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check found."""

    message: str
    """What was expected, and what was found."""

    place: str = ""
    """Place, such as `bold.py:7`; empty if it is about the whole."""

    remedy: str = ""
    """How to fix it; may be empty."""

    is_warning: bool = False
    """Whether it may play all the same."""

    def __str__(self) -> str:
        """Read `place: message; remedy`.

        >>> str(Finding("expected a class, got 3", "bold.py:7", "write a class"))
        'bold.py:7: expected a class, got 3; write a class'
        """
        said = f"{self.place}: {self.message}" if self.place else self.message
        return f"{said}; {self.remedy}" if self.remedy else said


@dataclass(frozen=True, slots=True)
class Measurement:
    """One thing that a check has measured, or seen to."""

    what: str
    """Name, such as `Cost`."""

    told: str
    """What was found, such as `3.1 µs a decision`."""

    def __str__(self) -> str:
        """Read `Cost: 3.1 µs a decision`."""
        return f"{self.what}: {self.told}"


@dataclass(slots=True)
class MeasuredParts:
    """What a check has measured so far, told as it is found out."""

    tell: Tell = tell_nobody
    found: list[Measurement] = field(default_factory=list)

    def add(self, what: str, told: str) -> None:
        """Take one up."""
        measured = Measurement(what, told)
        self.found.append(measured)
        self.tell(str(measured))


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What a check says."""

    passed: bool
    """Whether it may play."""

    findings: tuple[Finding, ...] = ()
    """Faults first; none of them if it passed."""

    score: float | None = None
    """How well it plays, the more the better; None if that was not measured."""

    margin: float | None = None
    """Half the 95 % interval of the score."""

    measured: tuple[Measurement, ...] = ()
    """What was measured."""

    answers: str = ""
    """Digest of all its answers at tables that are the same for everybody."""

    @property
    def reason(self) -> str:
        """Say in one line what was found first; empty if nothing was."""
        if not self.findings:
            return ""
        others = len(self.findings) - 1
        return f"{self.findings[0]}{f' (and {others} more)' if others else ''}"

    @property
    def demanded(self) -> str:
        """What the tournament demanded that it was checked for; empty if none was named."""
        return next((each.told for each in self.measured if each.what == TOURNAMENT), "")

    def to_data(self) -> dict[str, Any]:
        """Give it as JSON holds it."""
        return {
            "passed": self.passed,
            "score": self.score,
            "margin": self.margin,
            "findings": [asdict(each) for each in self.findings],
            "measured": [asdict(each) for each in self.measured],
            **({"answers": self.answers} if self.answers else {}),
        }

    @classmethod
    def from_data(cls, data: Any) -> "CheckReport":
        """Read what `to_data` gave."""
        findings = tuple(Finding(**each) for each in data["findings"])
        # Reports that were kept before anything was measured say nothing of it.
        measured = tuple(Measurement(**each) for each in data.get("measured", ()))
        margin, answers = data.get("margin"), data.get("answers", "")
        return cls(data["passed"], findings, data["score"], margin, measured, answers)
