"""Mutants: classes with one bug each, to grade tests with; good tests fail on every mutant.

A game for teaching may bring some; see `Game.mutants`. The docstring of each class describes its
bug and a test that catches it. Mutants in C++ are files, represented by classes. The grading is in
`tourney.testing.grading`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from pathlib import Path
from types import ModuleType
from typing import ClassVar

CAUGHT_BY = "\n\nCaught by: "
"""Start of the second paragraph of a mutant's docstring."""


TOLD_IN_FILES = re.compile(
    r"^ *// (?P<correct>Correct )?(?P<of>[A-Z]\w*) (?P<number>\d+): "
    r"(?P<told>.*(?:\n *// (?!.*:).*)*)"
    r"(?:\n *// Caught by: (?P<caught_by>.*(?:\n *// (?!.*:).*)*))?",
    re.MULTILINE,
)
"""Comments of a C++ file that describe mutants of a class by number; see `native_mutants_in`."""


class NativeSource:
    """An implementation in C++; the docstring of each subclass describes its bug.

    It is compiled with the name of the class in capitals set to its number, such as `-DDECK=3`, and
    0 for the other classes.
    """

    file: ClassVar[Path]
    number: ClassVar[int] = 0  # 0 for the correct one
    beside: ClassVar[Sequence[Path]]  # correct files that it is linked with
    headers: ClassVar[Sequence[Path]]  # that it and cases include


@dataclass(frozen=True, slots=True)
class Implementation:
    """A class that replaces the class under test."""

    name: str  # such as `deck-07`, which does not reveal the bug
    of: str  # the name of the class that it replaces
    kind: type

    @property
    def story(self) -> str:
        """The bug, or the difference that is allowed."""
        return " ".join(self._parts[0].split())

    @property
    def caught_by(self) -> str:
        """How a test can catch the bug; empty without a bug."""
        return " ".join(self._parts[2].split())

    @property
    def _parts(self) -> tuple[str, str, str]:
        return cleandoc(self.kind.__doc__ or "").partition(CAUGHT_BY)


@dataclass(frozen=True, slots=True)
class Mutants:
    """The implementations that the tests of a class are graded with, in their published order."""

    homes: Mapping[str, str]  # the classes under test, and the module that tests import each from
    correct: Mapping[str, type]  # the correct classes, used with the replaced one
    allowed: tuple[Implementation, ...]  # correct, but different where that is allowed
    buggy: tuple[Implementation, ...]
    native: "Mutants | None" = None  # the same in C++; there `homes` has prefixes of case names

    @property
    def all(self) -> tuple[Implementation, ...]:
        """All replacements, correct and buggy."""
        return (*self.allowed, *self.buggy)


def numbered(of: str, *kinds: type, prefix: str = "") -> Iterator[Implementation]:
    """Number implementations of a class, so that their names do not reveal their bugs."""
    for number, kind in enumerate(kinds, 1):
        yield Implementation(f"{prefix}{of.lower()}-{number:02}", of, kind)


def mutants_in(of: str, *modules: ModuleType) -> Iterator[Implementation]:
    """Number all classes of some modules that document how to catch them, in their order."""
    classes = (each for module in modules for each in vars(module).values())
    return numbered(of, *(each for each in classes if CAUGHT_BY in _told_of(each)))


def _told_of(value: object) -> str:
    return cleandoc(value.__doc__ or "") if isinstance(value, type) else ""


def native_mutants_in(
    correct: Mapping[str, type[NativeSource]], homes: Mapping[str, str]
) -> Mutants:
    """Return the mutants that C++ files describe in their comments.

        // Deck 1: The bug.
        // Caught by: How a test can catch it.

    Args:
        correct: The correct implementation of each class.
        homes: Prefixes of the names of test cases, by class.
    """
    found = [each for of, source in correct.items() for each in _told_in(of, source)]
    return Mutants(
        homes=homes,
        correct=correct,
        allowed=tuple(each for each in found if not each.caught_by),
        buggy=tuple(each for each in found if each.caught_by),
    )


def _told_in(of: str, correct: type[NativeSource]) -> Iterator[Implementation]:
    for told in TOLD_IN_FILES.finditer(correct.file.read_text(encoding="utf-8")):
        if told["of"] == of:
            words = [re.sub(r"\n *// ", " ", told[each] or "") for each in ("told", "caught_by")]
            doc = words[0] if told["correct"] else CAUGHT_BY.join(words)
            number = int(told["number"])
            kind = type(of, (correct,), {"number": number, "__doc__": doc})
            prefix = "correct-" if told["correct"] else ""
            yield Implementation(f"{prefix}{of.lower()}-{number:02}", of, kind)
