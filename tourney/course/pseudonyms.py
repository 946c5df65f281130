"""Pseudonyms (handles) of students, chosen or random, for boards that hide names.

A random pseudonym is a keyed hash of the name with the key of the folder. It is the same in all
runs, boards and seasons without a table, and reveals the name only to holders of the key. It does
not hide a competitor's style of play or code.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from secrets import token_hex
from unicodedata import normalize

from tourney.course.files import only_one, write_whole
from tourney.course.names import check_name, find_alike
from tourney.course.roster import Person
from tourney.errors import SubmissionError

KEY = "handles.key"
"""Key file of a folder of submissions; with it, random pseudonyms can be resolved to names."""

KEY_BYTES = 32

FIRST = (
    "Amber Ancient Autumn Azure Blue Brave Bright Brisk Calm Clear Clever Copper Coral Crisp "
    "Crystal Eager Early Emerald Fair Fleet Gentle Glad Golden Grand Green Happy Hazel Honest "
    "Indigo Ivory Jolly Keen Kind Lilac Lively Lucky Lunar Merry Mild Misty Noble Northern Ocean "
    "Patient Pearl Polar Proud Quick Quiet Royal Silver Smart Snowy Solar Steady Summer Sunny "
    "Swift Tidy Topaz True Velvet Winter Witty"
)
SECOND = (
    "Acorn Alder Aspen Badger Beech Birch Bison Cedar Cherry Clover Comet Crane Curlew Cypress "
    "Daisy Dolphin Eagle Elm Falcon Fern Finch Fir Fox Gannet Ginkgo Harbour Hawk Heron Holly "
    "Iris Ivy Juniper Kestrel Lark Laurel Linden Lotus Lynx Magnolia Maple Marten Meadow Moose "
    "Myrtle Oak Orchid Osprey Otter Owl Petrel Pine Plover Poplar Puffin Raven Reed Robin Rowan "
    "Sparrow Spruce Swan Tern Thistle Willow"
)
NUMBERS = range(1000, 10_000)
"""With 64 words in each list, one class of 300 in a thousand has a pseudonym twice."""

A_ROW = re.compile(r"player\s*\d+", re.IGNORECASE)
"""The public name of a row without a pseudonym."""


class Pseudonyms:
    """The pseudonyms of the entrants from a folder of submissions."""

    def __init__(self, chosen: Mapping[str, str], key: bytes | None) -> None:
        """Store the pseudonyms.

        Args:
            chosen: Chosen pseudonyms, by name.
            key: Key of the random pseudonyms; `None` if there are no random ones.
        """
        self._chosen = {_same(name): handle for name, handle in chosen.items()}
        self._key = key

    def is_chosen(self, name: str) -> bool:
        """Return whether the pseudonym of a name was chosen."""
        return _same(name) in self._chosen

    def of(self, name: str) -> str | None:
        """Return the pseudonym of a name, if it has one."""
        chosen = self._chosen.get(_same(name))
        return random_handle(name, self._key) if self._key and chosen is None else chosen

    def name_of(self, word: str, names: Sequence[str]) -> str:
        """Return the name behind a pseudonym; an unknown word is returned unchanged.

        Args:
            word: A name or a pseudonym in any capitalisation.
            names: The names that play.
        """
        if word in names:
            return word
        found = [each for each in names if _same(self.of(each) or "") == _same(word)]
        return found[0] if len(found) == 1 else word

    def check(self, names: Sequence[str]) -> None:
        """Reject two names with the same pseudonym.

        Raises: SubmissionError, with both.
        """
        seen: dict[str, str] = {}
        for name in names:
            if handle := self.of(name):
                if other := seen.get(_same(handle)):
                    raise SubmissionError(
                        f"handle {handle!r}: {other!r} and {name!r} both have it. Set another "
                        "handle for one of them in the roster."
                    )
                seen[_same(handle)] = name


def random_handle(name: str, key: bytes) -> str:
    """Return the random pseudonym of a name; the same for the same key.

    >>> random_handle("Ada", bytes(32)), random_handle("ADA", bytes(32))
    ('Crystal Willow 1092', 'Crystal Willow 1092')
    """
    drawn = blake2b(_same(name).encode(), key=key, digest_size=16, person=b"tourney.handle")
    rest = int.from_bytes(drawn.digest(), "little")
    words = []
    for choice in (FIRST.split(), SECOND.split(), NUMBERS):
        rest, place = divmod(rest, len(choice))
        words.append(str(choice[place]))
    return " ".join(words)


def read_key(folder: Path) -> bytes | None:
    """Read the key of a folder of submissions, if it has one.

    Raises: SubmissionError, if it is damaged.
    """
    path = folder / KEY
    if not path.is_file():
        return None
    try:
        key = bytes.fromhex(path.read_text(encoding="ascii").strip())
    except (OSError, ValueError):
        key = b""
    if len(key) != KEY_BYTES:
        raise SubmissionError(
            f"{path} is damaged: it must have {2 * KEY_BYTES} hexadecimal digits. Restore it from "
            "a copy, because another key changes all random handles."
        )
    return key


def make_key(folder: Path, usual: bytes | None = None) -> bytes:
    """Return the key of a folder of submissions.

    Args:
        folder: The folder.
        usual: The key that a folder without one gets; by default a random one.
    """
    with only_one(folder):
        if read_key(folder) is None:
            text = usual.hex() if usual else token_hex(KEY_BYTES)
            write_whole(folder / KEY, f"{text}\n", mode=0o600)
        key = read_key(folder)
    assert key
    return key


def faults_of_handles(people: Sequence[Person]) -> Iterator[tuple[int, str]]:
    """Check the chosen pseudonyms of a roster; a team has one in common.

    Args:
        people: All students on the roster.
    Returns: Index of the student, from 0, and the fault.
    """
    names = tuple(dict.fromkeys(name for person in people for name in person.names))
    chosen: dict[str, str] = {}
    for number, person in enumerate(people):
        if not (handle := person.handle):
            continue
        first = person.names[0]
        before = chosen.setdefault(first, handle)
        if before != handle:
            yield number, f"{first} has two handles, {before!r} and {handle!r}; keep one of them"
        others = (each for name, each in chosen.items() if name != first)
        taken = [*(name for name in names if name not in person.names), *others]
        if fault := _fault_of_handle(handle, taken):
            yield number, fault


def _fault_of_handle(handle: str, taken: Sequence[str]) -> str:
    """Return why a pseudonym is not allowed, given the names and pseudonyms of others."""
    try:
        check_name(handle)
    except SubmissionError as error:
        return str(error).replace("name ", "handle ", 1)
    if A_ROW.fullmatch(handle):
        return f"handle {handle!r} is reserved for entrants without a handle; choose another"
    other = handle if handle in taken else find_alike(handle, taken)
    if not other:
        return ""
    return f"handle {handle!r} is too much like {other!r}; choose another"


def _same(name: str) -> str:
    """Return a name in a form that ignores capitals."""
    return normalize("NFC", name.casefold())
