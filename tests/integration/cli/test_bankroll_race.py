"""The bankroll race on the board: its lines and its table are medians of the published hands."""

from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from tests.support.drawings import Drawings
from tests.support.told import told_of

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

CUP = """\
name: Cup
seed: 5
game: {{preset: ve280, shuffle: uniform}}
bankroll: {bankroll}
minimum: 5
format: {{kind: duplicate, tables: 6, rounds: {rounds}{more}}}
entrants:
  - {{strategy: simple, as: Ada}}
  - {{strategy: counting, as: Blaise}}
  - {{strategy: never-bust, as: Sofja}}
  - {{strategy: progression, as: Emmy}}
"""
LEFT, TOP, RIGHT, BOTTOM = 58, 10, 590, 326
"""Borders of the drawing, in pixels."""


def _bankrolls(table: dict[str, Any], unit: int, rounds: int) -> list[float]:
    """Return the bankrolls at a table before the first round and after each one."""
    chips = []
    for block in table["blocks"]:
        before = [line.partition("|")[0].split(",")[block["seat"]] for line in block["rounds"]]
        chips += [float(each) / unit for each in before if each]
    chips.append(table["blocks"][-1]["last"][table["blocks"][-1]["seat"]] / unit)
    return chips + [chips[-1]] * (rounds + 1 - len(chips))  # a broke entrant stays broke


@pytest.mark.parametrize(
    ("bankroll", "rounds", "more"), [(200, 30, ""), (60, 230, ""), (80, 60, ", block_rounds: 7")]
)
def test_the_race_shows_the_medians_of_the_hands(
    cli: Cli, write: Write, bankroll: int, rounds: int, more: str
) -> None:
    """All six tables of each entrant are sampled and published, so that a reader can count."""
    write("cup.yaml", CUP.format(bankroll=bankroll, rounds=rounds, more=more))
    assert cli("run", "cup.yaml", "--workers", "1").status == 0
    cli("publish", "--output", "site", "--show-tables", "3", "--samples", "6")
    told = told_of("site")
    drawn = Drawings(Path("site/index.html").read_text(encoding="utf-8"))
    medians = []
    for entrant in told["entrants"]:
        assert len(entrant["tables"]) == 6
        tables = [_bankrolls(each, told["run"]["unit"], rounds) for each in entrant["tables"]]
        medians.append([median(table[at] for table in tables) for at in range(rounds + 1)])
        fan = entrant["fan"]
        at_rounds = [medians[-1][at] for at in fan["rounds"]]
        assert fan["quantiles"]["50"] == pytest.approx(at_rounds, abs=0.006)
    step = -(-rounds // 100)
    shown = [*range(0, rounds, step), rounds]
    least = min(bankroll, *(own[at] for own in medians for at in shown))
    most = max(bankroll, *(own[at] for own in medians for at in shown))
    assert len(drawn.lines) == 4
    for own, line in zip(medians, drawn.lines, strict=True):
        wanted = [
            (
                LEFT + (RIGHT - LEFT) * at / rounds,
                BOTTOM - (BOTTOM - TOP) * (own[at] - least) / (most - least),
            )
            for at in shown
        ]
        assert [x for x, _ in line] == pytest.approx([x for x, _ in wanted], abs=0.006)
        assert [y for _, y in line] == pytest.approx([y for _, y in wanted], abs=0.006)
    head, *rows = drawn.tables["race"]
    assert head[1:] == [f"{each['number']} {each['name']}" for each in told["entrants"]]
    assert len(rows) >= 10
    for cells in rows:
        at = int(cells[0].replace(",", ""))
        values = [float(each.replace(",", "")) for each in cells[1:]]
        assert values == [pytest.approx(own[at], abs=0.006) for own in medians]
    assert int(rows[-1][0]) == rounds


def test_eight_entrants_race_at_most_and_hidden_ones_not_at_all(cli: Cli, write: Write) -> None:
    """The leading ones of the board, by name or by pseudonym."""
    cup = CUP.format(bankroll=200, rounds=20, more="") + "  - {strategy: mimic, count: 6}\n"
    write("cup.yaml", cup)
    assert cli("run", "cup.yaml", "--workers", "1").status == 0
    for options, count in ((), 8), (("--top", "3"), 3), (("--names", "handles"), 8):
        asked = ("--show-tables", "0", "--samples", "2", *options)
        assert cli("publish", "--output", "site", *asked).status == 0
        told = told_of("site")
        names = [f"{each['number']} {each['name']}" for each in told["entrants"][:count]]
        drawn = Drawings(Path("site/index.html").read_text(encoding="utf-8"))
        assert drawn.tables["race"][0][1:] == names
        assert len(drawn.lines) == count
    assert "Ada" not in Path("site/index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("samples", ["0", "2"])
def test_there_is_no_race_without_bankrolls_or_samples(
    cli: Cli, write: Write, samples: str
) -> None:
    """A game of points has no bankroll, and without samples nothing is known of the rounds."""
    cup = CUP.format(bankroll=200, rounds=20, more="")
    if samples != "0":
        cup = (
            "name: Points\nseed: 1\ngame: straights\nformat: {kind: duplicate, tables: 4, "
            "rounds: 2}\nentrants: [{strategy: thrifty}, {strategy: blocker, count: 3}]\n"
        )
    write("cup.yaml", cup)
    assert cli("run", "cup.yaml", "--workers", "1").status == 0
    asked = ("--show-tables", "0", "--samples", samples)
    assert cli("publish", "--output", "site", *asked).status == 0
    assert told_of("site")["race"] is None
    assert "race" not in Path("site/index.html").read_text(encoding="utf-8").casefold()
