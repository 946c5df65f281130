"""Starter files for a new competitor: its source and a test.

Both run unchanged: the competitor plays, with room for improvement, and the test passes.
"""

from __future__ import annotations

import re
import sys
from keyword import iskeyword
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from tourney.errors import SubmissionError
from tourney.game.arrays import NDArray, np
from tourney.game.rules import Rules

TAKEN = frozenset({"tourney", "numpy", "scipy", "pytest", "conftest"})
"""Modules that a file of the same name would hide."""


def starting_files(name: str, rules: Rules, learned: Path | None = None) -> dict[str, str]:
    """Return the starter files of a competitor.

    Args:
        name: Name of the competitor; its words become the names of a file and of a class.
        rules: Rules of its game.
        learned: A file of arrays from a training program, for a player of that policy.
    Returns: Texts by file name, the competitor's first.
    Raises: SubmissionError, if the name is no valid name of a file and a class, or the arrays
        cannot be read.
    """
    words = re.findall(r"[A-Za-z0-9]+", name)
    file = "_".join(words).lower()
    # Not capitalize(), which would remove the inner capitals of a name.
    made = "".join(word[:1].upper() + word[1:] for word in words)
    _check(name, file, made)
    if learned:
        competitor, test, suffix = rules.game.learned(rules, _arrays_in(learned))
    else:
        competitor, test, suffix = rules.game.templates(rules)
    modules, names = _imported(competitor, test)
    is_hidden = file in sys.stdlib_module_names or file in modules or file.startswith("test_")
    if is_hidden or made in names:
        raise SubmissionError(
            f"the name {name[:40]!r} would hide an existing module or class; choose another name"
        )
    texts = {f"{file}{suffix}": competitor.replace("NAME", made)}
    if test:
        texts[f"test_{file}.py"] = test.replace("FILE", file).replace("NAME", made)
    return texts


def _arrays_in(path: Path) -> dict[str, NDArray[Any]]:
    """Read the arrays of a file that NumPy wrote.

    Raises: SubmissionError, if it is no such file, or contains Python objects.
    """
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return dict(arrays)
    except OSError as error:
        raise SubmissionError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (AttributeError, TypeError, ValueError, BadZipFile, EOFError):
        # A file with a single array is no archive, and text looks like a pickle to NumPy.
        raise SubmissionError(
            f"{path}: this is not a file of arrays; write it with numpy.savez"
        ) from None


def _imported(*texts: str) -> tuple[frozenset[str], set[str]]:
    """Return the modules that a file must not hide, and the names that a class must not."""
    lines = re.findall(r"^from ([\w.]+) import (.*)$", "\n".join(texts), re.MULTILINE)
    modules = {module.partition(".")[0] for module, _ in lines}
    return TAKEN | modules, {name for _, names in lines for name in names.split(", ")}


def _check(name: str, file: str, made: str) -> None:
    """Reject a name that gives no name of a file or of a class, such as `true`."""
    is_reserved = iskeyword(file) or iskeyword(made)
    if not file.isidentifier() or is_reserved or not re.fullmatch(r"[A-Za-z0-9_ .-]+", name):
        raise SubmissionError(
            f"{name[:40]!r} cannot name a file and a class; use a letter from a to z and then "
            "letters and digits, such as bold or card-shark"
        )
