"""Mutants: classes with one bug each, which a class's own tests should tell from correct ones.

A game that is taught may bring some; see `Game.mutants`. What is wrong with each, and what catches
it, stands in the docstring of its class. In C++ they are files, which stand in classes of
their own all the same. Leaves out how tests are tried on them; see `tourney.testing.grading`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from pathlib import Path
from types import ModuleType
from typing import ClassVar

CAUGHT_BY = "\n\nCaught by: "
"""Begins the second paragraph of a mutant's docstring."""


TOLD_IN_FILES = re.compile(
    r"^ *// (?P<correct>Correct )?(?P<of>[A-Z]\w*) (?P<number>\d+): "
    r"(?P<told>.*(?:\n *// (?!.*:).*)*)"
    r"(?:\n *// Caught by: (?P<caught_by>.*(?:\n *// (?!.*:).*)*))?",
    re.MULTILINE,
)
"""How a file in C++ tells of what it is for a number of the class; see `native_mutants_in`."""


class NativeSource:
    """An implementation in C++; the docstring of each tells what is wrong with it.

    Compiled where the class's name in capitals is its number, and 0 of other classes: `-DDECK=3`.
    """

    file: ClassVar[Path]
    number: ClassVar[int] = 0  # 0 for the correct one
    beside: ClassVar[Sequence[Path]]  # correct files that it is linked with
    headers: ClassVar[Sequence[Path]]  # that it and cases include


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
    native: "Mutants | None" = None  # the same in C++, where `homes` tell how a case's name begins

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


def native_mutants_in(
    correct: Mapping[str, type[NativeSource]], homes: Mapping[str, str]
) -> Mutants:
    """Give the mutants that files in C++ tell of in their remarks.

        // Deck 1: What is wrong.
        // Caught by: what a test must do to notice.

    Args:
        correct: The correct implementation of each class.
        homes: How the names of test cases begin, by class.
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
