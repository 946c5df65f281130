"""What may stand in the files of the project, whatever their kind."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

MACHINE = re.compile(rb"/(?:home|root|Users)/(?!ada/)\w+|[A-Z]:\\\\?Users\\")
"""A path of somebody's machine, which says nothing on any other; Ada is the docs' reader."""


AT_THE_TOP = {
    ".gitignore",
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "SECURITY.md",
    "pyproject.toml",
}
"""The files beside the folders; any other was left there by a test or a person."""


def tracked() -> list[Path]:
    """List the files that belong to the project."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if done.returncode:
        pytest.skip("these files are no git checkout")
    return [path for name in done.stdout.decode().split("\0") if (path := ROOT / name).is_file()]


def test_no_file_names_a_path_of_somebodys_machine() -> None:
    """Whoever has the files can use them as they are."""
    named = {
        f"{path.relative_to(ROOT)}: {found.group().decode()}"
        for path in tracked()
        if path != Path(__file__)
        for found in MACHINE.finditer(path.read_bytes())
    }
    assert not named


def test_the_top_level_has_only_its_known_files() -> None:
    """A file that a command wrote there by accident is not committed."""
    assert {path.name for path in tracked() if path.parent == ROOT} == AT_THE_TOP


def test_every_file_of_tests_says_what_it_proves() -> None:
    """A reader of a failure learns from the first line what it is about."""
    silent = [
        path.name
        for path in (ROOT / "tests").rglob("*.py")
        if path.name != "__init__.py"
        and not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not silent


def test_tests_of_one_class_are_sentences_too() -> None:
    """Methods have docstrings like functions."""
    silent = [
        f"{path.name}: {node.name}"
        for path in (ROOT / "tests").rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        and node.name.startswith("test_")
        and not ast.get_docstring(node)
    ]
    assert not silent
