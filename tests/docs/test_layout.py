"""The page of the layout names each room, and only files that are there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "tourney"
PAGE = (ROOT / "docs" / "explanation" / "layout.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(?P<room>[a-z]+)` \|[^|]*\|(?P<first>[^|]*)\|$", re.MULTILINE)
NAMED = re.compile(r"`([\w/]+(?:\.py|/))`")


def test_each_room_has_a_row() -> None:
    """A newcomer finds every folder of the package in the table."""
    rooms = {each.name for each in PACKAGE.iterdir() if (each / "__init__.py").is_file()}
    assert {row["room"] for row in ROW.finditer(PAGE)} == rooms


def test_the_modules_to_open_first_are_there() -> None:
    """Also after a module was renamed or merged."""
    named = [
        PACKAGE / row["room"] / path
        for row in ROW.finditer(PAGE)
        for path in NAMED.findall(row["first"])
    ]
    assert len(named) > 40
    assert [str(path) for path in named if not path.exists()] == []
