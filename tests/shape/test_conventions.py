"""Conventions of the project that no linter holds."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted(
    path for folder in ("tourney", "strategies") for path in (ROOT / folder).rglob("*.py")
)
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))
HEAVY = {"numpy", "scipy", "yaml", "pluggy", "pydantic", "simpy", "sqlite3", "click", "rich"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_teaches_one_idea(path: Path) -> None:
    """At most 500 lines, and no body of more than 50."""
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 500
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            lines = body[-1].end_lineno - body[0].lineno + 1 if body else 0  # type: ignore[operator]  # parsed code has lines
            assert lines <= 50, f"{node.name}: {lines} lines"


@pytest.mark.parametrize("path", TESTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_test_is_a_sentence_with_a_docstring(path: Path) -> None:
    """What it proves can be read without its code."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            assert ast.get_docstring(node), f"{path.name}: {node.name}"


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
    ROOT / "tourney" / "entrants" / f"{name}.py" for name in ("builtin", "languages")
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


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_languages_tell_one_language_from_another(path: Path) -> None:
    """Whoever else wants to know something asks the language, so that another can come in."""
    if path not in LANGUAGE_MODULES:
        assert _branches_on_a_language(ast.parse(path.read_text(encoding="utf-8"))) == []


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
    from tourney.entrants import installed_plugins

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
