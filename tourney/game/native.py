"""Contracts for players in C++: headers for authors, and sources that call the player.

Both lie in the folder of the game. Other modules compile them.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)


class NativeContract(NamedTuple):
    """A contract for players in C++; a player's files include its header."""

    game: str  # its name
    player: str  # the class that is inherited, such as "Player"
    header: str  # the file that declares it, such as "player.h"
    functions: tuple[str, ...]  # the first one that an author's files define returns the player
    headers: tuple[Path, ...]  # all that authors may include, with distinct names
    parts: tuple[Path, ...]  # sources that call the player, and their headers
    alike: frozenset[str] = frozenset()
    """Names of sources that belong to the headers, even if a project has files of these names."""
    others: tuple[tuple[str, str], ...] = ()
    """Functions that return players of other interfaces, and the owners of these interfaces."""

    @property
    def ours(self) -> frozenset[str]:
        """Names of files that are the same for every competitor."""
        return self.alike.union(path.name for path in self.headers)

    @property
    def remedy(self) -> str:
        """Explain how a file provides its player."""
        given = f"{self.player} *{self.functions[0]}() {{ return &competitor; }}"
        return f'begin with #include "{self.header}", and add at the end: {given}'

    def texts(self) -> Mapping[str, bytes]:
        """Read all files that are compiled with a competitor's files, by name."""
        return {path.name: path.read_bytes() for path in (*self.headers, *self.parts)}


def written_to(
    files: Sequence[tuple[str, str]], contracts: Sequence[NativeContract]
) -> Sequence[NativeContract]:
    """Return the contracts whose header an author's files include.

    A project may contain a copy of a header; includes of other headers take precedence.

    Args:
        files: Names and texts.
        contracts: Contracts of one game or several.
    """
    included = {_folded(name) for _, text in files for name in INCLUDE.findall(text)}
    found = [each for each in contracts if each.header in included]
    own = {_folded(name) for name, _ in files}
    return [each for each in found if each.header not in own] or found[:1]


def first_missing(files: Sequence[tuple[str, str]]) -> tuple[str, str] | None:
    """Return "file:line" and the line of the first include of a missing project file, if any."""
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
    """Return the paths of files in a folder, from their names separated by white space."""
    return tuple(folder / PurePosixPath(name) for name in names.split())
