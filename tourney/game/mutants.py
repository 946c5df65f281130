"""Mutants: classes with one bug each, which a class's own tests should tell from correct ones.

A game that is taught may bring some; see `Game.mutants`. What is wrong with each, and what catches
it, stands in the docstring of its class. Leaves out how tests are tried on them; see
`tourney.testing.grading`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from inspect import cleandoc
from types import ModuleType

CAUGHT_BY = "\n\nCaught by: "
"""Begins the second paragraph of a mutant's docstring."""


@dataclass(frozen=True, slots=True)
class Implementation:
    """A class that a test may meet under the name of the one that it is about."""

    name: str  # such as `deck-07`, which gives nothing away
    of: str  # the name of the class that it stands in for
    kind: type

    @property
    def story(self) -> str:
        """What is wrong with it, or what is allowed about it."""
        return " ".join(self._parts[0].split())

    @property
    def caught_by(self) -> str:
        """What a test must do to notice; empty where nothing is wrong."""
        return " ".join(self._parts[2].split())

    @property
    def _parts(self) -> tuple[str, str, str]:
        return cleandoc(self.kind.__doc__ or "").partition(CAUGHT_BY)


@dataclass(frozen=True, slots=True)
class Mutants:
    """What the tests of a class are tried on, in the order in which it is told."""

    homes: Mapping[str, str]  # the classes under test, and the module that tests import each from
    correct: Mapping[str, type]  # what stands beside the one that is exchanged
    allowed: tuple[Implementation, ...]  # without a bug, and different where that is allowed
    buggy: tuple[Implementation, ...]

    @property
    def all(self) -> tuple[Implementation, ...]:
        """All that are exchanged for the correct ones."""
        return (*self.allowed, *self.buggy)


def numbered(of: str, *kinds: type, prefix: str = "") -> Iterator[Implementation]:
    """Give implementations of a class names that tell nothing of them."""
    for number, kind in enumerate(kinds, 1):
        yield Implementation(f"{prefix}{of.lower()}-{number:02}", of, kind)


def mutants_in(of: str, *modules: ModuleType) -> Iterator[Implementation]:
    """Number all classes of some modules that say what they are caught by, in their order."""
    classes = (each for module in modules for each in vars(module).values())
    return numbered(of, *(each for each in classes if CAUGHT_BY in _told_of(each)))


def _told_of(value: object) -> str:
    return cleandoc(value.__doc__ or "") if isinstance(value, type) else ""
