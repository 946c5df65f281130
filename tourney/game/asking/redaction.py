"""Replaces paths of this machine in texts that others will read.

Exceptions and output of competitors are published. A path in them would reveal the installation
folder of the platform, and often the name of its account.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

PYTHON, LIBRARY, HOME, FOLDER, USER = "<python>", "<library>", "<home>", "<folder>", "<user>"
"""The words that replace the installation of Python, a folder that modules are imported from, the
home folder, the current or temporary folder, and an account's name as a part of a path."""
NEUTRAL = PYTHON
"""The prefix of a sandboxed process, whose paths were replaced before a competitor was read."""
SEPARATOR = re.compile(r"[/\\]|%2f", re.IGNORECASE)
SPARE = 4_096
"""Characters examined beyond those kept, since a text may be cut within a path."""
NO_NAMES = {"", "root"}
"""Account names that reveal nothing about a person."""
VARIABLES = ("HOME", "USER", "LOGNAME", "USERNAME", "USERPROFILE", "TMPDIR")


def redact(text: str, most: int = sys.maxsize) -> str:
    """Replace the paths of this machine by neutral words.

    Args:
        text: Any text.
        most: Number of characters needed of the result; the rest may be missing.

    >>> redact(f"no file {sys.prefix}/lib/x.py")
    'no file <python>/lib/x.py'
    """
    if len(text) > most:
        text = text[: 2 * most + SPARE]
    if sys.prefix == NEUTRAL or not SEPARATOR.search(text):
        return text
    return replacing_here()(text)


def replacing_here() -> Callable[[str], str]:
    """Return a function that replaces the paths that this process knows now."""
    variables = tuple(os.environ.get(each, "") for each in VARIABLES)
    prefixes = sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix
    return _replacing(prefixes, tuple(sys.path), variables, _working_folder())


def forget() -> None:
    """Clear the cached paths of this process."""
    _replacing.cache_clear()


def _working_folder() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 - faster, and called for every text
    except OSError:  # the folder was removed
        return ""


@lru_cache(maxsize=8)
def _replacing(
    prefixes: tuple[str, ...], imported: tuple[str, ...], variables: tuple[str, ...], folder: str
) -> Callable[[str], str]:
    """Return a function that replaces the given paths."""
    words: dict[str, str] = {}
    for path, word in _paths(prefixes, imported, variables, folder):
        for each in (path, os.path.realpath(path)):
            for spelling in _spellings(each.rstrip("/\\")):
                words.setdefault(spelling.casefold(), word)
    longest = sorted(words, key=lambda each: (-len(each), each))
    parts = [re.escape(each) + ("" if _is_deep(each) else r"(?!\w)") for each in longest]
    if names := sorted(_account_names(variables) - NO_NAMES):
        parts.append(rf"(?<=[/\\])(?:{'|'.join(map(re.escape, names))})(?![\w.-])")
    pattern = re.compile("|".join(parts), re.IGNORECASE)

    def replaced(text: str) -> str:
        if not SEPARATOR.search(text):
            return text
        return pattern.sub(lambda found: words.get(found[0].casefold(), USER), text)

    return replaced


def _paths(
    prefixes: tuple[str, ...], imported: tuple[str, ...], variables: tuple[str, ...], folder: str
) -> Iterator[tuple[str, str]]:
    """Yield the folders of this machine to hide, with their words."""
    for each in prefixes:
        if each.strip("/\\"):
            yield each, PYTHON
    for each in (*imported, str(Path(__file__).parents[3])):
        if _is_deep(each):
            yield each, LIBRARY
    for each in (variables[0], variables[4], _home()):
        if each.strip("/\\"):
            yield each, HOME
    for each in (folder, variables[5]):
        if _is_deep(each):
            yield each, FOLDER


def _spellings(path: str) -> Iterator[str]:
    """Yield a path as it is, and as `repr` and URLs write it."""
    yield path
    yield path.replace("\\", "\\\\")
    yield path.replace("\\", "/")
    yield path.replace("/", "%2f")


def _is_deep(path: str) -> bool:
    """Return whether a path is longer than a top folder such as /tmp, which reveals nothing."""
    return len(re.findall(r"[^/\\]+", path)) > 1 and os.path.isabs(path)  # noqa: PTH117 - a text


def _account_names(variables: tuple[str, ...]) -> set[str]:
    return {*variables[1:4], Path(_home()).name if _home() else ""}


def _home() -> str:
    """Return this account's home folder from the system; empty if unknown."""
    with suppress(ImportError, KeyError):
        import pwd  # noqa: PLC0415 - exists on Unix only

        return pwd.getpwuid(os.getuid()).pw_dir
    return ""
