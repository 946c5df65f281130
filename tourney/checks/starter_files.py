"""The file that a new competitor starts from, and its test.

Both run as they are: the file plays, badly enough to be improved, and the test passes.
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
    """Write a competitor to start from, and its test.

    Args:
        name: What it is called; words become the name of a file and of a class.
        rules: The game it is for.
        learned: A file of arrays that a program wrote after training, if it shall play by that.
    Returns: Texts by the names of their files, the competitor's first.
    Raises: SubmissionError, if no file or class can be called like that, or nothing can be read
        off the arrays.
    """
    words = re.findall(r"[A-Za-z0-9]+", name)
    file = "_".join(words).lower()
    # Not capitalize(), which would take the inner capitals of a name away.
    made = "".join(word[:1].upper() + word[1:] for word in words)
    _check(name, file)
    if learned:
        competitor, test, suffix = rules.game.learned(rules, _arrays_in(learned))
    else:
        competitor, test, suffix = rules.game.templates(rules)
    modules, names = _imported(competitor, test)
    is_hidden = file in sys.stdlib_module_names or file in modules or file.startswith("test_")
    if is_hidden or made in names:
        raise SubmissionError(
            f"{_expected(name)} of your own, got one that hides something else; choose another"
        )
    texts = {f"{file}{suffix}": competitor.replace("NAME", made)}
    if test:
        texts[f"test_{file}.py"] = test.replace("FILE", file).replace("NAME", made)
    return texts


def _arrays_in(path: Path) -> dict[str, NDArray[Any]]:
    """Read the arrays of a file that NumPy wrote.

    Raises: SubmissionError, if it is no such file, or has Python objects in it.
    """
    expected = f"{path}: expected arrays as numpy.savez writes them"
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return dict(arrays)
    except OSError as error:
        raise SubmissionError(f"{expected}, got: {error.strerror or error}") from None
    except (AttributeError, TypeError, ValueError, BadZipFile, EOFError):
        # A file of one array is no archive, one of text is taken for a pickle.
        raise SubmissionError(f"{expected}, got something else") from None


def _imported(*texts: str) -> tuple[frozenset[str], set[str]]:
    """Give the modules that a file may not hide, and the names that a class may not."""
    lines = re.findall(r"^from ([\w.]+) import (.*)$", "\n".join(texts), re.MULTILINE)
    modules = {module.partition(".")[0] for module, _ in lines}
    return TAKEN | modules, {name for _, names in lines for name in names.split(", ")}


def _check(name: str, file: str) -> None:
    if not file.isidentifier() or iskeyword(file) or not re.fullmatch(r"[A-Za-z0-9_ .-]+", name):
        raise SubmissionError(
            f"{_expected(name)}, such as bold or card-shark; got another: begin with a letter of a "
            "to z, and go on with letters and digits"
        )


def _expected(name: str) -> str:
    return f"name {name[:40]!r}: expected one that can name a file and a class"
