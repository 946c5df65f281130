"""All errors that users can meet, below `TourneyError`.

A message names the place, the problem and the fix; the command line prints it without a
traceback. Faults of a competitor are no errors: they become a `tourney.game.ledger.Verdict`.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

DISTRIBUTION = "tourney-cards"
"""The platform's name on the package index; `tourney` there is an unrelated package."""


class TourneyError(Exception):
    """An error that a user can fix; its text is the whole message."""


class DeckEmpty(TourneyError):  # noqa: N818 - the documents give this exception its name
    """No card is left in the deck."""


class CardsError(TourneyError):
    """The rules do not allow this use of a deck, cut or hand."""


class RulesError(TourneyError):
    """Rules that contradict each other or that the game does not support."""


class IllegalActionError(TourneyError):
    """The rules do not allow this move in this state."""


class FormatError(TourneyError):
    """The format cannot be played with these entrants or this game."""


class PluginError(TourneyError):
    """A plugin is faulty, or no plugin provides a name."""


class PluginFailedError(PluginError):
    """A plugin failed while it ran. A corrected plugin counts as a new one."""


class SubmissionError(TourneyError):
    """A submission is rejected, or a folder of submissions cannot be used."""


class GradingError(TourneyError):
    """A file of tests that cannot be graded."""


class PortalError(TourneyError):
    """The portal cannot carry out a request; the message gives the reason and the alternatives."""


class GradebookError(TourneyError):
    """A gradebook cannot be read or filled, or a rule for marks makes no sense."""


class PointsError(GradebookError):
    """The last place is worth more points than the first."""


class StoreError(TourneyError):
    """The store cannot be read or written."""


class StoreNotFoundError(StoreError):
    """The file of the store does not exist."""


class StoreRemovedError(StoreError):
    """The store was deleted, moved or replaced while it was open."""

    def __init__(self, message: str, saved: Path | None = None) -> None:
        """Keep the message and the file that all stored data was saved in, if saving worked."""
        self.saved = saved
        super().__init__(message)


class StoreBusyError(StoreError):
    """Another process writes for longer than the caller wanted to wait."""


class StoreFullError(StoreError):
    """The disk is full or fails."""


class RunInProgressError(StoreError):
    """Another process plays this run."""


class StoreDamagedError(StoreError):
    """The store does not hold the data that was written: it was damaged or changed."""

    def __init__(self, message: str, batches: tuple[int, ...] = ()) -> None:
        """Keep the message and the numbers of the damaged batches, if known."""
        self.batches = batches
        super().__init__(message)


class RunNotFoundError(StoreError):
    """The store has no run of that name or number."""


class DigestMismatchError(StoreError):
    """The same block gave two different results, so one of them is wrong."""


class MissingHandsWarning(UserWarning):
    """Hands are missing because replaying them gives another result than the stored one."""


class CompetitorFailedError(TourneyError):
    """A competitor that plays alone broke its contract."""


class WorkerError(TourneyError):
    """A worker process died too often."""


class BuildError(SubmissionError):
    """The files of a competitor do not build; the message gives the place and the cause."""

    def __init__(self, what: str, place: str = "", remedy: str = "", told: str = "") -> None:
        """Keep the parts of the message.

        Args:
            what: The problem.
            place: "file:line"; empty if unknown.
            remedy: The fix.
            told: The whole output of the compiler, for the author only.
        """
        self.what, self.place, self.remedy, self.told = what, place, remedy, told
        self.further: tuple[BuildError, ...] = ()
        """Other faults that were found together with this one."""
        words = f"{place}: {what}" if place else what
        super().__init__(f"{words}; {remedy}" if remedy else words)


class ConfinementError(TourneyError):
    """A sandbox could not be set up; no untrusted code has run in it."""


class SandboxLostError(ConfinementError):
    """The fork server ended, and the players' processes with it; no player is at fault."""


class EngineError(TourneyError):
    """No engine has that name, or the engine cannot play these blocks."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a configuration or a chart, with its place."""

    source: str  # the file's name as the user gave it
    line: int  # from 1; 0 if the fault has no place in the file
    column: int  # from 1
    path: str  # such as `entrants[2].options.spread`; empty for the whole file
    message: str  # such as "expected a whole number, got 'x' (did you mean …?)"

    def __str__(self) -> str:
        """Format as `file:line:column: path: message`.

        >>> str(Fault("a.yaml", 3, 7, "seed", "expected a whole number, got text 'x'"))
        "a.yaml:3:7: seed: expected a whole number, got text 'x'"
        """
        place = f"{self.source}:{self.line}:{self.column}" if self.line else self.source
        return ": ".join(part for part in (place, self.path, self.message) if part)


class _FaultsError(TourneyError):
    """A file has faults; the message lists all of them, in the order of the file."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        """Sort the faults by place."""
        self.faults = tuple(sorted(faults, key=lambda each: (each.source, each.line, each.column)))
        super().__init__("\n".join(str(fault) for fault in self.faults))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the faults; the message is built from them again."""
        return type(self), (self.faults,)


class ConfigError(_FaultsError):
    """A configuration has faults."""


class TooLargeError(ConfigError):
    """A tournament is so large that it needs confirmation."""


class ChartError(_FaultsError):
    """A strategy chart has faults."""

    @classmethod
    def of(cls, source: str, message: str) -> "ChartError":
        """Make the error of a fault that has no place in the file."""
        return cls((Fault(source, 0, 0, "", message),))
