"""What authors in C++ write players of a game to, and what answers the game's questions for them.

A game that can be played in C++ brings headers for authors, and sources of its own that read its
questions and ask the player; both lie in its folder. Leaves out how any of it is compiled.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)


class NativeContract(NamedTuple):
    """A contract of a game's players in C++; whoever includes its header writes to it."""

    game: str  # its name
    player: str  # the class that is inherited, such as "Player"
    header: str  # where it stands, such as "player.h"
    functions: tuple[str, ...]  # the first of these that an author's files have gives the player
    headers: tuple[Path, ...]  # all that authors may include; no two have the same name
    parts: tuple[Path, ...]  # what asks the player: sources, and headers of theirs
    alike: frozenset[str] = frozenset()
    """Names of sources that belong to the headers, whatever a project brings under them."""
    others: tuple[tuple[str, str], ...] = ()
    """Functions by which players of other interfaces are given, and whose interfaces they are."""

    @property
    def ours(self) -> frozenset[str]:
        """Names of files that every competitor has alike."""
        return self.alike.union(path.name for path in self.headers)

    @property
    def remedy(self) -> str:
        """Say what a file needs to give its player."""
        given = f"{self.player} *{self.functions[0]}() {{ return &competitor; }}"
        return f'begin with #include "{self.header}", and add at the end: {given}'

    def texts(self) -> Mapping[str, bytes]:
        """Read all that is compiled with a competitor's files, by name."""
        return {path.name: path.read_bytes() for path in (*self.headers, *self.parts)}


def written_to(
    files: Sequence[tuple[str, str]], contracts: Sequence[NativeContract]
) -> Sequence[NativeContract]:
    """Give those of some contracts whose header an author's files include.

    A project may have its own copy of a header; whatever else it includes counts more.

    Args:
        files: (name, text).
        contracts: Of one game, or of several.
    """
    included = {_folded(name) for _, text in files for name in INCLUDE.findall(text)}
    found = [each for each in contracts if each.header in included]
    own = {_folded(name) for name, _ in files}
    return [each for each in found if each.header not in own] or found[:1]


def first_missing(files: Sequence[tuple[str, str]]) -> tuple[str, str] | None:
    """Give "file:line" and the line where a file of a project is included that is not among them.

    Returns: None, if there is no such line.
    """
    own = {_folded(name) for name, _ in files}
    for name, text in files:
        for found in INCLUDE.finditer(text):
            if found[0].endswith('"') and _folded(found[1]) not in own:
                return f"{name}:{text.count(chr(10), 0, found.end()) + 1}", found[0].strip()
    return None


def _folded(name: str) -> str:
    """Give a file's name as systems know it that do not tell capitals from small letters."""
    return PurePosixPath(name).name.lower()


def in_folder(folder: Path, names: str) -> tuple[Path, ...]:
    """Give files of a folder by their names, one after another."""
    return tuple(folder / PurePosixPath(name) for name in names.split())
