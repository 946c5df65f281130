"""Every numbered rule has its test, and every test of a rule has its number."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "rules").glob("*.md"))
TESTS = {path.stem: path for path in (ROOT / "tests" / "unit").rglob("rules/test_*.py")}
ALSO = {"blackjack": ["casino", "choices"], "formats": ["formats_of_four"]}
"""Further files of a page's tests, where one would be too long."""


def numbers_of(page: Path) -> set[int]:
    """Give the numbers of a page's clauses."""
    return {int(number) for number in re.findall(r"(?m)^(\d+)\. ", page.read_text("utf-8"))}


def numbers_tested(page: Path) -> set[int]:
    """Give the numbers in the names of a page's tests."""
    names = [
        node.name
        for stem in (page.stem, *ALSO.get(page.stem, []))
        for node in ast.walk(ast.parse(TESTS[f"test_{stem}"].read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
    ]
    return {int(found[1]) for name in names if (found := re.match(r"test_rule_(\d+)_", name))}


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_rules_and_tests_have_the_same_numbers(page: Path) -> None:
    """A clause nobody tests is a promise nobody keeps."""
    numbers = numbers_of(page)
    assert numbers == set(range(1, max(numbers) + 1))
    assert numbers_tested(page) == numbers
