"""Conventions of the project that no linter holds."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.code_size import code_lines

ROOT = Path(__file__).parents[2]
MODULES = sorted(
    path for folder in ("tourney", "strategies") for path in (ROOT / folder).rglob("*.py")
)
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))
HEAVY = {"numpy", "scipy", "yaml", "pluggy", "pydantic", "simpy", "sqlite3", "click", "rich"}


@pytest.fixture(scope="module")
def modules() -> dict[Path, ast.Module]:
    """Parse all modules once; a test names whatever is amiss in any of them."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}


def _lines_of(node: ast.FunctionDef) -> int:
    body = node.body[1:] if ast.get_docstring(node) else node.body
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0  # type: ignore[operator]  # parsed code has lines


def test_a_module_teaches_one_idea(modules: dict[Path, ast.Module]) -> None:
    """At most 400 lines of code, and no body of more than 50 lines."""
    assert len(modules) > 300
    long = [str(path) for path in modules if code_lines(path.read_text(encoding="utf-8")) > 400]
    long += [
        f"{path}: {node.name}: {_lines_of(node)} lines"
        for path, tree in modules.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and _lines_of(node) > 50
    ]
    assert not long, "\n".join(long)


def test_a_test_is_a_sentence_with_a_docstring() -> None:
    """What it proves can be read without its code."""
    silent = [
        f"{path}: {node.name}"
        for path in TESTS
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
        and node.name.startswith("test_")
        and not ast.get_docstring(node)
    ]
    assert len(TESTS) > 300
    assert not silent, "\n".join(silent)


def test_a_player_loads_the_contract_and_nothing_else() -> None:
    """A jail can import what a competitor imports without any library."""
    program = (
        "import sys\n"
        "from tourney import Card, Hand, Player, Rank, Suit\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert not HEAVY & set(done.stdout.split())


LANGUAGES = {"class", "strategy", "file", "cpp", "chart", "package", "program", "command"}
LANGUAGE_MODULES = {
    ROOT / "tourney" / "competitors" / f"{name}.py" for name in ("builtin_plugin", "languages")
}


def _branches_on_a_language(tree: ast.AST) -> list[int]:
    """Give the lines that compare the kind of a competitor with a language's name, or look it up.

    A comparison, an `in`, a `match`, and a mapping from names to what each needs count alike.
    """

    def is_kind(node: ast.AST) -> bool:
        name = getattr(node, "attr", getattr(node, "id", ""))
        return name in {"kind", "language"}

    def names(node: ast.AST) -> set[object]:
        return {each.value for each in ast.walk(node) if isinstance(each, ast.Constant)} & LANGUAGES

    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            hit = any(map(is_kind, sides)) and any(map(names, sides))
        elif isinstance(node, ast.Match):
            hit = is_kind(node.subject) and any(names(case.pattern) for case in node.cases)
        elif isinstance(node, ast.Dict):
            hit = (
                len({key.value for key in node.keys if isinstance(key, ast.Constant)} & LANGUAGES)
                > 1
            )
        else:
            continue
        if hit:
            found.append(node.lineno)
    return found


def test_only_languages_tell_one_language_from_another(modules: dict[Path, ast.Module]) -> None:
    """Whoever else wants to know something asks the language, so that another can come in."""
    others = modules.keys() - LANGUAGE_MODULES
    assert len(others) == len(modules) - len(LANGUAGE_MODULES)
    branches = [
        f"{path}:{line}"
        for path in sorted(others)
        for line in _branches_on_a_language(modules[path])
    ]
    assert not branches, "\n".join(branches)


@pytest.mark.parametrize(
    "text",
    [
        'record.kind == "chart"',
        'if "file" != kind: pass',
        'spec.kind in {"file", "chart"}',
        'entrant.kind not in ("strategy",)',
        'match source.kind:\n    case "file" | "chart":\n        pass',
        'LOADERS = {"file": 1, "chart": 2}[each]',
    ],
)
def test_a_branch_on_a_language_is_seen(text: str) -> None:
    """However it is written; the test above would let no such line pass."""
    assert _branches_on_a_language(ast.parse(text)) == [1]


def test_the_names_of_languages_are_those_that_are_installed() -> None:
    """Whoever adds one to the platform adds it here."""
    from tourney.plugins.loading import installed_plugins

    (builtin,) = (each for each in installed_plugins().plugins if each.entry_point == "builtin")
    assert set(builtin.languages) == LANGUAGES


def test_the_top_level_is_the_design() -> None:
    """A reader sees the whole programme in one listing."""
    names = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    expected = {"pyproject.toml", "Makefile", "README.md", "tourney", "strategies", "configs"}
    expected |= {"examples", "tests", "benchmarks", "docs"}
    assert expected <= names


@pytest.mark.parametrize("word", ["utils", "helpers", "misc"])
def test_nothing_is_called_by_what_it_is_not(word: str) -> None:
    """A module is named for its idea."""
    assert not [path for path in MODULES if path.stem == word]


SILENCED = re.compile(r"#\s*(?:noqa\b(?!: [A-Z0-9, ]+ - \S)|type: ignore\b(?!\[[a-z, -]+\]  # \S))")


@pytest.mark.parametrize(
    ("line", "lacks"),
    [
        ("f()  # noqa: S603 - our own", False),
        ("f()  # noqa: S603", True),
        ("f()  # noqa", True),
        ("f()  # type: ignore[misc]  # no types", False),
        ("f()  # type: ignore[misc]", True),
    ],
)
def test_a_silenced_check_without_a_reason_is_seen(line: str, lacks: bool) -> None:
    """Of both tools."""
    assert bool(SILENCED.search(line)) == lacks


def test_silenced_checks_have_reasons() -> None:
    """Each says beside it why the tool is wrong there."""
    here = Path(__file__)
    folders = ("tourney", "strategies", "tests", "examples", "benchmarks", "docs")
    lacking = [
        f"{path.relative_to(ROOT)}:{number}"
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.py"))
        if path != here
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if SILENCED.search(line)
    ]
    assert not lacking, "\n".join(lacking)
