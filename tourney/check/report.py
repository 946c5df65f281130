"""What a check says about something handed in: whether it may play, and what to mend."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

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
class Measured:
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
    found: list[Measured] = field(default_factory=list)

    def add(self, what: str, told: str) -> None:
        """Take one up."""
        measured = Measured(what, told)
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

    measured: tuple[Measured, ...] = ()
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
        measured = tuple(Measured(**each) for each in data.get("measured", ()))
        margin, answers = data.get("margin"), data.get("answers", "")
        return cls(data["passed"], findings, data["score"], margin, measured, answers)
