"""Every error a user can meet, under one `TourneyError`.

A message says where, what was expected, what was found and how to mend it; the
command line prints it as it is, without a traceback. Faults of a competitor are
not errors of a run: they become a `tourney.game.ledger.Verdict`.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

DISTRIBUTION = "tourney-cards"
"""What pip calls the platform; `tourney` on the package index is somebody else's."""


class TourneyError(Exception):
    """Something a user can mend; its text is the whole message."""


class DeckEmpty(TourneyError):  # noqa: N818 - the documents give this exception its name
    """A card was asked of a deck that has none left."""


class CardsError(TourneyError):
    """A deck, cut or hand was used in a way its rules do not allow."""


class RulesError(TourneyError):
    """Rules that contradict each other or lie outside what the game knows."""


class IllegalActionError(TourneyError):
    """A move that the rules do not allow in this state."""


class FormatError(TourneyError):
    """A format that cannot be played with these entrants or this game."""


class PluginError(TourneyError):
    """A plugin, or a name that no plugin provides."""


class PluginFailedError(PluginError):
    """A plugin made a mistake while it was at work; once mended, it is another plugin."""


class SubmissionError(TourneyError):
    """Something that cannot be taken in, or a folder of submissions that cannot be used."""


class GradingError(TourneyError):
    """A file of tests that cannot be graded."""


class PortalError(TourneyError):
    """What was asked of a portal cannot be done; says to whoever asked why, and what can."""


class GradebookError(TourneyError):
    """A gradebook that cannot be read or filled, or a rule for marks that makes no sense."""


class PointsError(GradebookError):
    """A last place that is worth more than the first."""


class StoreError(TourneyError):
    """The file that keeps the runs cannot be read or written."""


class StoreNotFoundError(StoreError):
    """There is no file of that name that could keep runs."""


class StoreRemovedError(StoreError):
    """The file was deleted, moved or replaced while it was open."""

    def __init__(self, message: str, saved: Path | None = None) -> None:
        """Keep where everything stored so far was saved, if it could be."""
        self.saved = saved
        super().__init__(message)


class StoreFullError(StoreError):
    """There is no room to write what shall be kept, or the disk does not take it."""


class RunInProgressError(StoreError):
    """Somebody else plays this run."""


class StoreDamagedError(StoreError):
    """What is stored is not what was written: the file was damaged or changed."""

    def __init__(self, message: str, batches: tuple[int, ...] = ()) -> None:
        """Keep the message, and the numbers of the batches it is about, if they are known."""
        self.batches = batches
        super().__init__(message)


class RunNotFoundError(StoreError):
    """No run of that name or number is kept in the store."""


class DigestMismatchError(StoreError):
    """The same block gave two different results, so one of them is wrong."""


class MissingHandsWarning(UserWarning):
    """Hands were left out because playing them again gives another result than the stored one."""


class CompetitorFailedError(TourneyError):
    """A competitor that plays alone broke its contract."""


class WorkerError(TourneyError):
    """A worker process died more often than it may."""


class BuildError(SubmissionError):
    """A competitor's files that give no program; says where and why."""

    def __init__(self, what: str, place: str = "", remedy: str = "", told: str = "") -> None:
        """Keep the parts.

        Args:
            what: What was expected, and what was found.
            place: "file:line"; empty if there is none.
            remedy: What to do about it.
            told: All that the compiler said, for the author alone.
        """
        self.what, self.place, self.remedy, self.told = what, place, remedy, told
        words = f"{place}: {what}" if place else what
        super().__init__(f"{words}; {remedy}" if remedy else words)


class ConfinementError(TourneyError):
    """A player's process could not be shut in; nobody's code has run in it."""


class SandboxLostError(ConfinementError):
    """Players' processes ended with the one that they are forked from, which is nobody's fault."""


class EngineError(TourneyError):
    """No engine of that name, or one that cannot play these blocks."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a configuration or a chart, and where."""

    source: str  # the file's name as the user gave it
    line: int  # from 1; 0 if the fault has no place in the text
    column: int  # from 1
    path: str  # such as `entrants[2].options.spread`; empty for the whole file
    message: str  # "expected …, got … (did you mean …?)"

    def __str__(self) -> str:
        """Read `file:line:column: path: message`.

        >>> str(Fault("a.yaml", 3, 7, "seed", "expected a whole number, got text 'x'"))
        "a.yaml:3:7: seed: expected a whole number, got text 'x'"
        """
        place = f"{self.source}:{self.line}:{self.column}" if self.line else self.source
        return ": ".join(part for part in (place, self.path, self.message) if part)


def _place(fault: Fault) -> tuple[str, int, int]:
    return fault.source, fault.line, fault.column


class ConfigError(TourneyError):
    """A configuration with faults; all of them, in the order of the file."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        """Keep the faults, in the order of their places."""
        self.faults = tuple(sorted(faults, key=_place))
        super().__init__("\n".join(str(fault) for fault in self.faults))

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel between processes by the faults, of which the text is made again."""
        return type(self), (self.faults,)


class TooLargeError(ConfigError):
    """A tournament that takes so much that nobody begins it by mistake."""


class ChartError(TourneyError):
    """A strategy chart with faults; all of them, in the order of the file."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        """Keep the faults, in the order of their places."""
        self.faults = tuple(sorted(faults, key=_place))
        super().__init__("\n".join(str(fault) for fault in self.faults))

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel between processes as above."""
        return type(self), (self.faults,)

    @classmethod
    def of(cls, source: str, message: str) -> "ChartError":
        """Make the error of a fault that has no place in the text."""
        return cls((Fault(source, 0, 0, "", message),))
