"""The costliest decisions of each entrant: on its page, with an example that shows the hand."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.told import told_of

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

CUP = """\
name: Cup
seed: 3
game: {preset: ve280, shuffle: uniform}
bankroll: 200
minimum: 5
format: {kind: duplicate, tables: 6, rounds: 40}
entrants:
  - {strategy: simple, as: Ada}
  - {strategy: mimic, as: Blaise}
  - {strategy: never-bust, as: Sofja}
"""
STRAIGHTS = """\
name: Four
game: straights
format: {kind: duplicate, tables: 2, rounds: 2}
entrants:
  - {strategy: thrifty, as: A}
  - {strategy: thrifty, as: B}
  - {strategy: first-legal, as: C}
  - {strategy: first-legal, as: D}
"""
VALUES = dict(zip("abcdefghijklm", [*range(2, 10), 10, 10, 10, 10, 11], strict=True))
CARD = re.compile(r"[\^_!]?[A-Za-z]|=\d|\d")


@pytest.fixture
def played(cli: Cli, write: Write) -> Cli:
    """Play a small cup."""
    write("cup.yaml", CUP)
    assert cli("run", "cup.yaml", "--workers", "1").status == 0
    return cli


def _value(letter: str) -> int:
    place = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".index(letter) % 13
    return VALUES["abcdefghijklm"[place]]


def _total(values: list[int]) -> tuple[int, bool]:
    total, aces = sum(values), values.count(11)
    while total > 21 and aces:
        total, aces = total - 10, aces - 1
    return total, aces > 0


def _stands(line: str) -> str | None:
    """Return the situation in which a line of one seat ends with a stand; read without the game."""
    own: list[int] = []
    up = 0
    for mark in CARD.findall(line.rpartition("|")[2]):
        if mark[0] == "^":
            up = up or _value(mark[1])
        elif mark == "2":
            total, soft = _total(own)
            against = "ace" if up == 11 else up
            return f"{'soft' if soft else 'hard'} {total} against {against}"
        elif mark.isalpha():
            own.append(_value(mark))
    return None


def test_the_page_counts_the_hands_that_are_published(played: Cli) -> None:
    """All six tables are published, so a reader can count how often a situation came up."""
    played("publish", "--output", "site", "--show-tables", "3", "--samples", "6")
    entrant = next(each for each in told_of("site")["entrants"] if each["name"] == "Sofja")
    found = entrant["mistakes"]
    lines = [line for table in entrant["tables"] for line in table["blocks"][0]["rounds"]]
    assert (found["tables"], found["rounds"], len(found["listed"])) == (6, len(lines), 10)
    stands = [_stands(line) for line in lines]
    costs = []
    for each in found["listed"]:
        assert (each["answer"], each["best"]) == ("stand", "hit")
        assert each["times"] == stands.count(each["situation"])
        assert each["cost_per_100"] == pytest.approx(
            100 * each["cost"] * each["times"] / found["rounds"]
        )
        costs.append(each["cost_per_100"])
    assert costs == sorted(costs, reverse=True)
    assert sum(costs) < found["cost_per_100"]


def test_the_page_and_the_command_agree_if_all_tables_are_sampled(played: Cli) -> None:
    """The command plays the whole run again."""
    played("publish", "--output", "site", "--samples", "6")
    for entrant in told_of("site")["entrants"]:
        found = entrant["mistakes"]
        ran = played("mistakes", "--entrant", entrant["name"], "--json")
        told = json.loads(ran.out)
        assert found["rounds"] == told["rounds"]
        assert found["cost_per_100"] == pytest.approx(told["cost_per_100"])
        names = ("situation", "answer", "best", "times")
        assert [[each[name] for name in names] for each in found["listed"]] == [
            [each[name] for name in names] for each in told["listed"]
        ]


def test_an_example_links_to_its_hand(played: Cli) -> None:
    """The hand that is linked has the situation, and the decision."""
    played("publish", "--output", "site", "--show-tables", "1", "--samples", "6")
    told = told_of("site")
    number, entrant = next(
        (number, each)
        for number, each in enumerate(told["entrants"], start=1)
        if each["name"] == "Sofja"
    )
    page = Path(f"site/entrants/{number}.html").read_text(encoding="utf-8")
    section = page.partition("Costliest decisions")[2].partition("</section>")[0]
    linked = re.findall(r'<a href="\.\./(hands/[^"#]+)#(\d+)">table (\d+), round (\d+)<', section)
    assert linked
    by_table = {each["table"]: each["blocks"][0]["rounds"] for each in entrant["tables"]}
    for path, at, table, round_ in linked:
        assert at == round_
        assert (Path("site") / path).is_file()
        situations = [
            each["situation"]
            for each in entrant["mistakes"]["listed"]
            if (each["table"], each["round"]) == (int(table), int(round_))
        ]
        assert _stands(by_table[int(table)][int(round_) - 1]) in situations
    unlinked = [each for each in entrant["mistakes"]["listed"] if each["table"] not in by_table]
    assert len(linked) + len(unlinked) == 10


def test_hidden_results_have_no_costs(played: Cli) -> None:
    """Costs would show who plays well before the results may be known."""
    played("publish", "--output", "site", "--freeze", "2001-01-01", "--reveal", "2999-01-01")
    assert not any(each["mistakes"] for each in told_of("site")["entrants"])


def test_without_samples_and_in_other_games_the_section_is_missing(
    played: Cli, write: Write
) -> None:
    """A game that does not know the value of actions has no costs."""
    played("publish", "--output", "none", "--samples", "0")
    write("four.yaml", STRAIGHTS)
    assert played("run", "four.yaml", "--workers", "1").status == 0
    assert played("publish", "--output", "straights").status == 0
    for folder in ("none", "straights"):
        assert not any(each["mistakes"] for each in told_of(folder)["entrants"])
        assert "Costliest" not in Path(f"{folder}/entrants/1.html").read_text(encoding="utf-8")
