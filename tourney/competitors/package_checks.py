"""Small packages of pure Python: a folder with a `pyproject.toml` and one entry point.

Says whether a folder is such a package. Reads its project file, which is data, and no Python.
"""

import re
import sys
from pathlib import PurePosixPath

from tourney.competitors.packages import entry_of, project_of, tops_of
from tourney.errors import DISTRIBUTION, PluginError, SubmissionError
from tourney.plugins.discovery import normalised

BROUGHT = frozenset({DISTRIBUTION, "numpy", "scipy"})
"""What is installed wherever the platform is, as pip calls it."""

TAKEN = sys.stdlib_module_names | {"tourney", "strategies", "numpy", "scipy"}
"""Modules that are there."""

SUFFIXES = frozenset({".py", ".toml", ".txt", ".md", ".rst", ".csv", ".json", ".typed", ""})
"""What a package of pure Python may hold."""

Texts = tuple[tuple[str, str], ...]


def check_package(files: Texts) -> Texts:
    """Return a package's files, if it can be one that plays.

    Args:
        files: (relative path, text), with a project file.
    Raises: SubmissionError, with what is wrong and a remedy.
    """
    for name, _ in files:
        suffix = PurePosixPath(name).suffix.lower()
        if suffix not in SUFFIXES:
            raise SubmissionError(
                f"{name}: expected a package of pure Python, got a file with {suffix}; leave it out"
            )
    try:
        entry_of(files)
        needs = project_of(files).get("dependencies", [])
    except PluginError as error:
        raise SubmissionError(str(error)) from error
    _check_needs(needs if isinstance(needs, list) else [needs])
    _check_modules(files)
    return files


def _check_needs(needs: list[object]) -> None:
    """Refuse a package that needs what the organiser would have to install."""
    names = [normalised(re.split(r"[^\w.-]", str(need).strip())[0]) for need in needs]
    others = sorted(set(names) - BROUGHT)
    if others:
        raise SubmissionError(
            f"pyproject.toml: expected no dependencies but {', '.join(sorted(BROUGHT))}; got "
            f"{', '.join(others)[:100]}; do without them"
        )


def _check_modules(files: Texts) -> None:
    """Refuse a package that would take the place of another's modules."""
    hidden = sorted(tops_of(files) & TAKEN)
    if hidden:
        raise SubmissionError(
            f"expected modules with names of their own, got {hidden[0]}, which would hide "
            "another; rename it"
        )
