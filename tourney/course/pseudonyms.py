"""What those who play are called where names are withheld: a handle of their own, or a random one.

A random handle follows from a name and from the key of the folder by a keyed hash, so it stays the
same over runs, boards and seasons without a table, and nobody finds the name without the key. It
hides a name, and not who plays in some manner, or whose code it is.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from secrets import token_hex
from typing import Protocol
from unicodedata import normalize

from tourney.course.files import only_one, write_whole
from tourney.course.names import check_name, find_alike
from tourney.errors import SubmissionError

KEY = "handles.key"
"""Of a folder of submissions; whoever has it can find out who is behind a random handle."""

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
"""With 64 words in each list, one class of 300 in a thousand has a handle twice."""

A_ROW = re.compile(r"player\s*\d+", re.IGNORECASE)
"""What somebody is called who has no handle."""


class Somebody(Protocol):
    """Somebody on a roster."""

    @property
    def names(self) -> tuple[str, ...]:
        """Under which they may submit, at least one."""

    @property
    def handle(self) -> str:
        """Of their choice; empty if they chose none."""


class Pseudonyms:
    """The handles of those who play from a folder of submissions."""

    def __init__(self, chosen: Mapping[str, str], key: bytes | None) -> None:
        """Take what is known.

        Args:
            chosen: Handles of their own choice, by the names that play.
            key: From which random handles follow; None if there are none.
        """
        self._chosen = {_same(name): handle for name, handle in chosen.items()}
        self._key = key

    def is_chosen(self, name: str) -> bool:
        """Say whether somebody chose the handle of a name."""
        return _same(name) in self._chosen

    def of(self, name: str) -> str | None:
        """Give the handle of a name; None if it has none."""
        chosen = self._chosen.get(_same(name))
        return random_handle(name, self._key) if self._key and chosen is None else chosen

    def name_of(self, word: str, names: Sequence[str]) -> str:
        """Give the name that is meant by a handle; the word itself if it is nobody's.

        Args:
            word: A name or a handle, however it is capitalised.
            names: Of those who play.
        """
        if word in names:
            return word
        found = [each for each in names if _same(self.of(each) or "") == _same(word)]
        return found[0] if len(found) == 1 else word

    def check(self, names: Sequence[str]) -> None:
        """Refuse two names with one handle.

        Raises: SubmissionError, with both.
        """
        seen: dict[str, str] = {}
        for name in names:
            if handle := self.of(name):
                if other := seen.get(_same(handle)):
                    raise SubmissionError(
                        f"handle {handle!r}: expected one for each name, got it for {other!r} and "
                        f"{name!r}: let one of them choose another, in the roster"
                    )
                seen[_same(handle)] = name


def random_handle(name: str, key: bytes) -> str:
    """Give the random handle of a name; the same for the same key.

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
    """Read the key of a folder of submissions; None if it has none.

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
            f"{path}: expected {2 * KEY_BYTES} hexadecimal digits, got something else; put the "
            "file back from a copy: with another key everybody has another handle"
        )
    return key


def make_key(folder: Path) -> bytes:
    """Draw the key of a folder of submissions and keep it there, or give the one that it has."""
    with only_one(folder):
        if read_key(folder) is None:
            write_whole(folder / KEY, f"{token_hex(KEY_BYTES)}\n", mode=0o600)
        key = read_key(folder)
    assert key
    return key


def chosen_handles(people: Iterable[Somebody]) -> dict[str, str]:
    """Give the handles that people chose, by the names that play: the first of each."""
    return {each.names[0]: each.handle for each in people if each.handle}


def faults_of_handles(people: Sequence[Somebody]) -> Iterator[tuple[int, str]]:
    """Say who cannot have the handle of their choice, and why; teams have one together.

    Args:
        people: Everybody on a roster.
    Returns: Numbers of people, from 0, and what is wrong.
    """
    names = tuple(dict.fromkeys(name for person in people for name in person.names))
    chosen: dict[str, str] = {}
    for number, person in enumerate(people):
        if not (handle := person.handle):
            continue
        first = person.names[0]
        before = chosen.setdefault(first, handle)
        if before != handle:
            yield number, f"expected one handle for {first}, got {before!r} and {handle!r}"
        others = (each for name, each in chosen.items() if name != first)
        taken = [*(name for name in names if name not in person.names), *others]
        if fault := _fault_of_handle(handle, taken):
            yield number, fault


def _fault_of_handle(handle: str, taken: Sequence[str]) -> str:
    """Say why a handle will not do, beside names and handles of others; empty if it will."""
    try:
        check_name(handle)
    except SubmissionError as error:
        return str(error).replace("name ", "handle ", 1)
    if A_ROW.fullmatch(handle):
        return f"expected a handle, got {handle!r}, as those are called who have none"
    other = handle if handle in taken else find_alike(handle, taken)
    if not other:
        return ""
    got = f"{handle!r} beside {other!r}: choose another"
    return f"expected a handle that nobody takes for somebody else's, got {got}"


def _same(name: str) -> str:
    """Give what names have in common that differ by capitals alone."""
    return normalize("NFC", name.casefold())
