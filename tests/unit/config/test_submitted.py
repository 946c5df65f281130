"""An entry with a folder of submissions makes as many entrants as play."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tourney.config.model import Catalog, Submitted
from tourney.config.tournament import loads
from tourney.errors import ConfigError, TourneyError

TEXT = """\
name: Class
game: ve280
bankroll: 1000
minimum: 5
format: duplicate
entrants:
  - {submissions: pool, group: class}
  - strategy: simple
"""


@pytest.fixture
def asked() -> list[tuple[Path, str | None]]:
    """Note what the catalog is asked."""
    return []


@pytest.fixture
def catalog(catalog: Catalog, asked: list[tuple[Path, str | None]]) -> Catalog:
    """Let three play, one of each kind."""

    def submitted(folder: Path, rule: str | None) -> Sequence[Submitted]:
        asked.append((folder, rule))
        return (
            Submitted("Ada", "file", folder / "ada.py", "Ada Lovelace"),
            Submitted("Bob", "chart", folder / "bob.txt"),
            Submitted("Cee", "package", folder / "cee"),
        )

    return replace(catalog, submitted=submitted, rules=("last", "best"))


def test_everybody_plays_under_their_own_name(
    catalog: Catalog, folder: Path, asked: list[tuple[Path, str | None]]
) -> None:
    """With the group of the entry, and where the source is kept."""
    ada, bob, cee, simple = loads(TEXT, catalog, folder=folder).entrants
    pool = (folder / "pool").resolve()
    assert asked == [(pool, None)]
    assert [each.kind for each in (ada, bob, cee)] == ["file", "chart", "package"]
    assert (ada.name, ada.group, ada.source) == ("Ada", "class", pool / "ada.py")
    assert (bob.name, bob.group, bob.source) == ("Bob", "class", pool / "bob.txt")
    assert (cee.name, cee.group, cee.source) == ("Cee", "class", pool / "cee")
    assert (simple.name, simple.group) == ("simple", None)
    assert [each.author for each in (ada, bob)] == ["Ada Lovelace", None]


def test_the_entry_may_choose_the_rule(
    catalog: Catalog, folder: Path, asked: list[tuple[Path, str | None]]
) -> None:
    """Whatever the folder says itself."""
    loads(TEXT.replace("pool,", "pool, rule: best,"), catalog, folder=folder)
    assert asked[0][1] == "best"


def test_an_archived_run_asks_for_no_folder(
    catalog: Catalog, asked: list[tuple[Path, str | None]]
) -> None:
    """It keeps the sources itself; how many played is not counted again."""
    config = loads(TEXT, catalog, folder=None)
    assert [entrant.name for entrant in config.entrants] == ["simple"]
    assert asked == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("pool, ", "pool, as: Us, ", "7:25: entrants[0].as: 'as' is a setting of the submissions"),
        (
            "pool, ",
            "pool, options: {}, ",
            "7:25: entrants[0].options: 'options' is a setting of the",
        ),
        ("pool, ", "pool, author: Me, ", "7:25: entrants[0].author: 'author' is a setting of the"),
        ("pool, ", "pool, rule: first, ", "7:31: entrants[0].rule: expected best or last, got"),
        ("simple", "simple\n    as: ADA", "9:9: entrants[1].as: 'ADA' is already an entrant"),
        ("simple", "simple\n    rule: last", "9:5: entrants[1].rule: 'rule' has no effect without"),
    ],
)
def test_a_fault_has_its_place(
    catalog: Catalog, folder: Path, old: str, new: str, said: str
) -> None:
    """As in every entry."""
    with pytest.raises(ConfigError) as caught:
        loads(TEXT.replace(old, new), catalog, folder=folder)
    assert str(caught.value).startswith(f"<text>:{said}")


def test_a_folder_that_nobody_can_read_has_its_place(catalog: Catalog, folder: Path) -> None:
    """With what is wrong in it; as has one in which nobody plays."""

    def fails(folder: Path, rule: str | None) -> Sequence[Submitted]:
        raise TourneyError("expected a record, got rubbish")

    with pytest.raises(ConfigError) as caught:
        loads(TEXT, replace(catalog, submitted=fails), folder=folder)
    assert str(caught.value).startswith(
        "<text>:7:19: entrants[0].submissions: 'pool': expected a record, got rubbish"
    )
    with pytest.raises(ConfigError, match="no submission in 'pool' may play"):
        loads(TEXT, replace(catalog, submitted=lambda *_: ()), folder=folder)
