"""Identity of students: the one place that decides whether two mentions are the same student.

A mention is a name, a login, an address or a number in a roster, an archive, a gradebook or a
worksheet. Names compare after Unicode normalisation, case folding and removal of invisible marks.
Numbers of different kinds are never equal: a Canvas ID is not a SIS ID.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar
from unicodedata import category, normalize

KINDS = ("canvas", "sis", "login", "integration", "participant")
"""Kinds of ids. A roster may write one before an id, as in `sis:0042`."""
PARTICIPANT = "participant"
"""The kind of a number that Moodle gives a student in one assignment only."""

FILLERS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Characters that are invisible although Unicode does not count them among the format marks."""

T = TypeVar("T")


def shown(text: str) -> str:
    r"""Return a text with composed accents and single spaces, without invisible marks.

    >>> shown("  Jose\u0301\u200f   Pe\u0301rez ") == "José Pérez"
    True
    """
    kept = "".join(char for char in text if category(char) != "Cf")
    return " ".join(normalize("NFC", FILLERS.sub("", kept)).split())


def has_marks(text: str) -> bool:
    """Report whether a text has invisible marks."""
    return bool(FILLERS.search(text)) or any(category(char) == "Cf" for char in text)


def folded(text: str) -> str:
    r"""Return a text in the form that is compared.

    >>> folded("JOSE\u0301 \ufb01sh") == folded("José fish")
    True
    """
    plain = normalize("NFKC", shown(normalize("NFKC", text)).casefold())
    return " ".join(plain.split())


def squeezed(name: str) -> str:
    """Return the letters and digits of a name, as platforms write it into the names of files.

    >>> squeezed("O'Brien, Seán"), squeezed("Smith_Jones, Bo")
    ('obrienseán', 'smithjonesbo')
    """
    return "".join(char for char in folded(name) if char.isalnum() or category(char)[0] == "M")


def same_name(one: str, other: str) -> bool:
    """Report whether two spellings are of one name, in the same order of its words."""
    return (squeezed(one) or folded(one)) == (squeezed(other) or folded(other))


def name_keys(name: str) -> frozenset[str]:
    """Return the keys of a name; its words may be in any rotation, such as family name first."""
    words = folded(name).split()
    turned = (squeezed(" ".join([*words[at:], *words[:at]])) for at in range(len(words)))
    return frozenset(filter(None, [" ".join(words), *turned]))


def kind_and_id(text: str) -> tuple[str, str]:
    """Split an id from its kind; the kind may be empty.

    >>> kind_and_id("sis:0042"), kind_and_id("0042"), kind_and_id("Participant:7")
    (('sis', '0042'), ('', '0042'), ('participant', '7'))
    """
    kind, colon, rest = text.partition(":")
    kind = kind.strip().casefold()
    return (kind, rest.strip()) if colon and kind in KINDS else ("", text.strip())


def id_key(text: str) -> str:
    """Return an id with its kind, in the form that is compared.

    >>> id_key("SIS: Ab1"), id_key("ADA@Example.org")
    ('sis:ab1', 'ada@example.org')
    """
    kind, value = kind_and_id(text)
    return f"{kind}:{folded(value)}" if kind else folded(value)


def same_id(one: str, other: str) -> bool:
    """Report whether two ids are one, with the zeros before a number or without.

    >>> same_id("0042", "sis:42"), same_id("canvas:42", "sis:42")
    (True, False)
    """
    (kind, value), (other_kind, other_value) = kind_and_id(one), kind_and_id(other)
    return _may_be_one(kind, other_kind) and not {*_id_keys(value)}.isdisjoint(
        _id_keys(other_value)
    )


class Directory(Generic[T]):
    """Students by their names, ids and addresses."""

    def __init__(
        self,
        people: Iterable[T],
        names_of: Callable[[T], Iterable[str]],
        ids_of: Callable[[T], Iterable[str]],
    ) -> None:
        """Index students.

        Args:
            people: All of them.
            names_of: Gives a student's names.
            ids_of: Gives a student's ids and addresses, with kinds where they have one.
        """
        self._names: dict[str, list[T]] = {}
        self._ids: dict[str, list[tuple[str, T]]] = {}
        for each in people:
            for name in names_of(each):
                for key in name_keys(name):
                    _add(self._names, key, each)
            for text in ids_of(each):
                kind, value = kind_and_id(text)
                for key in _id_keys(value):
                    _add(self._ids, key, (kind, each))

    def named(self, name: str) -> list[T]:
        """Return the students of a name."""
        return next(
            (self._names[key] for key in (folded(name), squeezed(name)) if key in self._names), []
        )

    def numbered(self, text: str) -> list[T]:
        """Return the students of an id of the same kind; an id without a kind matches all kinds."""
        kind, value = kind_and_id(text)
        found: list[T] = []
        for key in _id_keys(value):
            for other, each in self._ids.get(key, ()):
                if _may_be_one(kind, other) and each not in found:
                    found.append(each)
            if found:  # with the zeros before a number, if one has them
                break
        return found

    def called(self, text: str) -> list[T]:
        """Return the students of an id; if there are no such students, those of a name."""
        kind, value = kind_and_id(text)
        is_number = kind == PARTICIPANT or (kind and value.isdecimal())
        return self.numbered(text) or ([] if is_number else self.named(value))

    def keys(self) -> Mapping[str, T]:
        """Return the first student of every name and id."""
        ids = {key: each[0][1] for key, each in self._ids.items()}
        return ids | {key: each[0] for key, each in self._names.items()}


def agreed(called: Sequence[Sequence[T]]) -> list[T]:
    """Return the students who match every mention.

    Args:
        called: For each mention that matches a student, all students that it matches.
    """
    first = called[0] if called else ()
    return [each for each in first if all(each in those for those in called)]


def _add(index: dict[str, list[T]], key: str, value: T) -> None:
    those = index.setdefault(key, [])
    if value not in those:
        those.append(value)


def _id_keys(value: str) -> tuple[str, ...]:
    """Return the keys of an id: as it is, and without the zeros that a spreadsheet removes."""
    key = folded(value)
    bare = key.lstrip("0")
    return (key, f"#{bare}") if key.isdecimal() and bare else (key,)


def _may_be_one(one: str, other: str) -> bool:
    if PARTICIPANT in {one, other}:
        return one == other
    return one == other or not one or not other
