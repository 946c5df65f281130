"""How many tables tell how much apart, as `run --dry-run` and `plan` say before a run."""

import json
import re
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any

import pytest

from tests.support.proving import with_more
from tourney.config.tournament import loads
from tourney.planning.pilot import Pilot, play_pilot
from tourney.plugins.loading import load_plugins
from tourney.tournament.catalog import catalog_of
from tourney.tournament.loading import enter

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

CLASS = """\
name: Class
seed: 5
game: {preset: ve280, shuffle: uniform}
bankroll: 200
minimum: 5
maximum: 50
format: {kind: duplicate, tables: 20, rounds: 40}
entrants:
  - strategy: simple
  - strategy: sharp
  - strategy: mimic
  - {strategy: never-bust, as: Blaise}
"""
OTHERS = {
    "knockout": "kind: knockout, seats: 2",
    "multi-table": "kind: multi-table, block_rounds: 10, level_rounds: 20",
    "roundrobin": "kind: roundrobin, rounds: 10",
    "swiss": "kind: swiss, rounds: 10, waves: 2",
}


def told(cli: Cli, write: Write, text: str, *more: object) -> list[str]:
    """Give what a dry run says of the number of tables, without times."""
    write("class.yaml", text)
    ran = cli("run", "class.yaml", "--workers", 1, "--dry-run", *more)
    assert ran.status == 0
    lines = [line for line in ran.lines if "tables" in line]
    return [re.sub(r", about .*|; about .*", "", line) for line in lines]


def asked(text: str, workers: int = 1) -> Pilot:
    """Play the pilot of a configuration."""
    registry = load_plugins()
    return play_pilot(enter(loads(text, catalog_of(registry)), registry), workers=workers)


def test_a_pilot_says_the_same_of_the_same_seed(cli: Cli, write: Write) -> None:
    """A range for half of the neighbours, and one for nine in ten; nobody is named in it."""
    once = told(cli, write, CLASS)
    assert once[0].startswith(
        "tables needed to separate neighbours (95 % interval, from a pilot of 1,000 tables"
    )
    assert [line.split(":")[0] for line in once[1:]] == ["  2 of 3 pairs", "  3 of 3 pairs"]
    assert not re.search(r"simple|sharp|mimic|Blaise", "".join(once))
    assert told(cli, write, CLASS) == once
    assert told(cli, write, CLASS, "--seed", 6) != once


def test_a_pilot_says_the_same_with_any_number_of_processes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Those that machine code cannot play are shared among them."""
    monkeypatch.setattr("tourney.planning.pilot.CHIP_ROUNDS", 24_000)
    class_text = CLASS + "  - strategy: edge\n  - strategy: kelly\n"
    assert asked(class_text, workers=3) == asked(class_text)


def test_a_plan_says_the_same_with_times_of_the_floor(cli: Cli, write: Write) -> None:
    """In words and as data; whoever brings rates has no card dealt."""
    lines = told(cli, write, CLASS)
    seen = cli("plan", "class.yaml", "--replications", 2)
    shown = [line for line in seen.lines if "pair" in line or "pilot" in line]
    assert [re.sub(r", about .*|; about .*", "", line) for line in shown] == lines
    assert all(line.endswith((" on the floor", "tables):")) for line in shown)
    data = json.loads(cli("plan", "class.yaml", "--replications", 2, "--json").out)
    assert data["pilot"]["neighbours"] == 3
    assert [each["pairs"] for each in data["pilot"]["needed"]] == [2, 3]
    write("rates.json", json.dumps(data))
    by_rates = cli("plan", "class.yaml", "--replications", 2, "--rates", "rates.json")
    assert "pilot" not in by_rates.out


def test_the_range_is_that_of_the_format(cli: Cli, write: Write) -> None:
    """With shoes of one's own, or luck in the results, it takes more tables."""
    shared = asked(CLASS)
    own = asked(CLASS.replace("duplicate", "independent"))
    lucky = asked(CLASS.replace("seed: 5", "seed: 5\nluck_adjustment: false"))
    assert shared.tables == own.tables == lucky.tables
    for other in (own, lucky):
        for one, two in zip(shared.needed, other.needed, strict=True):
            assert (one.most or inf) < (two.most or inf) or one.most is two.most is None
    for one, two in zip(shared.needed, lucky.needed, strict=True):
        assert 2 * (one.least or inf) < (two.least or inf)


def test_a_pilot_has_shoes_that_no_run_has() -> None:
    """Its secret follows from the run's, and tells nothing of it."""
    registry = load_plugins()
    secret = enter(loads(CLASS, catalog_of(registry)), registry).secret
    assert secret.pilot != secret
    assert secret.pilot.shoe_key(0, 0, 0, 1) != secret.shoe_key(0, 0, 0, 1)
    assert secret.pilot.value not in secret.value


@pytest.mark.parametrize("kind", OTHERS)
def test_where_places_are_won_no_number_of_tables_is_told(
    cli: Cli, write: Write, kind: str
) -> None:
    """In one line that says why."""
    text = CLASS.replace("kind: duplicate, tables: 20, rounds: 40", OTHERS[kind])
    assert (
        f"tables needed for a ranking: the format {kind} awards places, and no number of "
        "tables separates its entrants"
    ) in told(cli, write, text)


def test_a_ladder_is_planned_without_a_number_of_tables(cli: Cli, write: Write) -> None:
    """Its option `tables` is not set."""
    write(
        "class.yaml",
        CLASS.replace("kind: duplicate, tables: 20, rounds: 40", "kind: ladder, waves: 4"),
    )
    ran = cli("plan", "class.yaml", "--replications", 2)
    assert ran.status == 0
    assert "tables needed for a ranking: the format ladder" in ran.out


def test_a_pilot_that_would_take_too_long_is_not_played(cli: Cli, write: Write) -> None:
    """It says how much it would be."""
    assert asked(CLASS.replace("rounds: 40", "rounds: 100000")).why_not == (
        "a pilot of 20 tables would take 8,000,000 rounds of seats; the most is 3,000,000"
    )
    alone = CLASS.partition("  - strategy: sharp")[0]
    assert asked(alone).why_not == "there is only one entrant"


def test_where_somebody_fails_it_is_not_asked(cli: Cli, write: Write) -> None:
    """What a failure costs is no skill."""
    write(
        "bad.py",
        "from tourney.strategies.simple import Simple\n\n\nclass Bad(Simple):\n    bet = None\n",
    )
    write("class.yaml", CLASS + "  - file: bad.py\n")
    ran = cli("run", "class.yaml", "--workers", 1, "--dry-run", "--no-sandbox")
    assert ran.status == 1
    assert ("tables needed for a ranking: unknown, because entrants fail in the trial") in ran.lines


def test_who_do_the_same_are_never_told_apart(cli: Cli, write: Write) -> None:
    """However many tables the pilot had."""
    twice = CLASS.partition("  - strategy: sharp")[0] + "  - {strategy: simple, as: Again}\n"
    (line,) = told(cli, write, twice)[1:]
    assert line.startswith("  1 of 1 pair: ")
    assert line.endswith(" tables or more, the pilot is too short for an upper limit")


def test_straights_takes_tables_that_come_out_even() -> None:
    """Everybody meets everybody equally often in a pilot, too."""
    four = "{strategy: first-legal}", "{strategy: thrifty}", "{strategy: pathfinder}"
    entrants = "".join(f"  - {each}\n" for each in (*four, "{strategy: salvager}"))
    head = "name: Four\nseed: 3\ngame: straights\n"
    deals = asked(
        f"{head}format: {{kind: duplicate, tables: 20, rounds: 20}}\nentrants:\n{entrants}"
    )
    games = asked(f"{head}format: {{kind: match, tables: 20}}\nentrants:\n{entrants}")
    for pilot in (deals, games):
        assert pilot.neighbours == 3
        assert [each.pairs for each in pilot.needed] == [2, 3]


CONFIGS = Path(__file__).parents[3] / "configs"
LADDER = "ladder.yaml"
"""The only format whose number of tables is left open."""


@pytest.mark.prove
@pytest.mark.usefixtures("short_pilot")
@pytest.mark.parametrize(
    "name",
    with_more(
        [LADDER], sorted(each.name for each in CONFIGS.glob("*.yaml") if each.name != LADDER)
    ),
)
def test_every_configuration_can_be_planned(cli: Cli, name: str) -> None:
    """With what a pilot says, or why there is none."""
    ran = cli("plan", CONFIGS / name, "--replications", 2)
    assert ran.status == 0
    assert "tables needed" in ran.out
