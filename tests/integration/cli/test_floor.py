"""The floor: `plan`, which deals no card, and `floor`, which looks at a stored run."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

EVENING = """\
name: Evening
seed: 11
game: {preset: ve280, shuffle: uniform}
bankroll: 100
minimum: 5
format: {kind: multi-table, block_rounds: 10, level_rounds: 10}
floor:
  tables: 3
  dealers: 2
  round_seconds: {lognormal: 40, deviation: 10}
  level_minutes: 15
  break_every_levels: 2
  start_time: "2026-12-01 18:00"
entrants:
  - {strategy: simple, count: 10}
  - {strategy: never-bust, count: 8}
"""

PLAIN = """\
name: Plain
seed: 7
game: {preset: ve280, shuffle: uniform}
bankroll: 100
minimum: 5
format: {kind: duplicate, tables: 8, rounds: 60}
entrants:
  - strategy: simple
"""


def played(cli: Cli, write: Write, text: str = EVENING) -> None:
    """Play an evening into the store of the folder."""
    write("evening.yaml", text)
    assert cli("run", "evening.yaml", "--workers", 1).status == 0


def test_a_plan_says_how_long_it_takes_and_what_it_needs(cli: Cli, write: Write) -> None:
    """With the time of day, and with what a dealer more or less changes."""
    write("evening.yaml", EVENING)
    seen = cli("plan", "evening.yaml", "--replications", 4)
    assert seen.status == 0
    assert seen.lines[0] == "Evening: 18 entrants, 19 trials, 4 replications without cards"
    assert seen.lines[1].startswith("takes ")
    assert " ± " in seen.lines[1]
    assert seen.lines[2].startswith("from Tue 2026-12-01 18:00 to Tue 2026-12-01 ")
    assert seen.lines[3].startswith("tables: 3 available, in use ")
    assert seen.lines[4].startswith("dealers: 2 available, at work ")
    assert seen.lines[5].startswith("with 1 dealer: ")
    assert seen.lines[5].endswith(" longer")
    assert seen.lines[6].startswith("with 3 dealers: ")
    assert seen.lines[6].endswith(" shorter")
    assert seen.lines[7] == (
        "tables needed for a ranking: the format multi-table awards places, and no number "
        "of tables separates its entrants"
    )
    assert seen.lines[11].split()[:5] == ["1", "Tue", "2026-12-01", "18:00", "18.0"]
    assert not Path("tourney.db").exists()


def test_a_plan_without_chance_has_no_intervals(cli: Cli, write: Write) -> None:
    """Every replication is the same, and it is said so."""
    write("plain.yaml", PLAIN)
    seen = cli("plan", "plain.yaml")
    assert seen.status == 0
    assert "±" not in seen.out + seen.err
    assert seen.err.endswith("no time of this plan is random\n")


def test_a_run_ends_with_the_time_of_day_if_it_has_one(cli: Cli, write: Write) -> None:
    """Else with how long it took alone."""
    write("evening.yaml", EVENING)
    footer = next(line for line in cli("run", "evening.yaml").err.splitlines() if "floor:" in line)
    begin, end = footer.partition(" simulated from ")[2].partition(", ")[0].split(" to ")
    assert begin == "Tue 2026-12-01 18:00"
    assert end > begin
    assert json.loads(cli("floor", "--json").out)["timetable"][-1]["time"] == end
    write("evening.yaml", EVENING.replace('  start_time: "2026-12-01 18:00"\n', ""))
    assert " simulated, " in cli("run", "evening.yaml").err


def test_a_plan_goes_by_the_rates_it_is_given(cli: Cli, write: Write) -> None:
    """Those of a stored run, or of the file to which a plan was written."""
    played(cli, write)
    told = cli("plan", "evening.yaml", "--replications", 3, "--json", "--rates-from", "1")
    write("rates.json", told.out)
    again = cli("plan", "evening.yaml", "--replications", 3, "--json", "--rates", "rates.json")
    assert json.loads(again.out) == json.loads(told.out)
    by_trial = cli("plan", "evening.yaml", "--replications", 3, "--json")
    assert json.loads(by_trial.out)["rates"] != json.loads(told.out)["rates"]
    both = cli("plan", "evening.yaml", "--rates-from", "1", "--rates", "rates.json")
    assert both.status == 2
    assert "choose either --rates-from or --rates" in both.err


@pytest.mark.prove
@pytest.mark.usefixtures("short_pilot")
def test_every_format_can_be_planned(cli: Cli, write: Write) -> None:
    """One that knows its blocks in advance plans them all."""
    text = EVENING.replace("multi-table, block_rounds: 10, level_rounds: 10", "knockout, seats: 4")
    write("evening.yaml", text)
    assert cli("plan", "evening.yaml", "--replications", 2).status == 0
    text = EVENING.replace(
        "multi-table, block_rounds: 10, level_rounds: 10", "duplicate, tables: 6, rounds: 20"
    )
    write("evening.yaml", text)
    seen = json.loads(cli("plan", "evening.yaml", "--replications", 2, "--json").out)
    assert seen["blocks"] == {"mean": 6 * 18, "half": 0}
    assert seen["most_tables"] == 6 * 18
    assert (seen["tables"], seen["dealers"]) == (3, 2)
    assert [other["dealers"] for other in seen["other_dealers"]] == [1, 3]


def test_the_floor_accounts_for_every_dealer_second(cli: Cli, write: Write) -> None:
    """The parts add up, in the line and in the data."""
    played(cli, write)
    seen = cli("floor")
    assert seen.status == 0
    assert seen.lines[-1].startswith("dealer-seconds: dealing ")
    data = json.loads(cli("floor", "--json").out)
    parts = data["dealer_seconds"]
    total = parts.pop("total")
    assert abs(sum(parts.values()) - total) < 1e-5
    assert abs(total - 2 * data["end_seconds"]) < 1e-5
    assert data["dealers"]["requests"] == data["tables"]["requests"] > 0
    assert data["dealers"]["wait"]["most"] > 0


def test_the_floor_says_when_levels_and_breaks_began(cli: Cli, write: Write) -> None:
    """By the time of day; levels are those of the format, if it has its own."""
    played(cli, write)
    lines = cli("floor").lines
    assert lines[1] == "  Tue 2026-12-01 18:00  minimum 5"
    assert "  Tue 2026-12-01 18:30  break of 10 min" in lines
    assert any("minimum 7" in line for line in lines)
    times = [each["seconds"] for each in json.loads(cli("floor", "--json").out)["timetable"]]
    assert times == sorted(times)


def test_the_floor_is_simulated_again_with_other_times(cli: Cli, write: Write) -> None:
    """The blocks are those of the run; the first replication is the run itself."""
    played(cli, write)
    one = json.loads(cli("floor", "--json").out)
    many = json.loads(cli("floor", "--json", "--replications", 5, "--warm-up", 20).out)
    assert many["replications"] == 5
    assert many["end_seconds"] == one["end_seconds"]
    assert many["begin_seconds"] == 1200
    assert many["end_interval"]["half"] > 0
    assert many["intervals"]["dealers"]["wait"]["half"] > 0
    assert "over 5 replications" in cli("floor", "--replications", 5).out


def test_a_floor_without_drawn_times_needs_no_replications(cli: Cli, write: Write) -> None:
    """They would all be the same, which is said once."""
    played(cli, write, EVENING.replace("{lognormal: 40, deviation: 10}", "40"))
    seen = cli("floor", "--replications", 5)
    assert seen.err == "no time on this floor is drawn: every replication would be the same\n"
    assert "replications" not in seen.out


def test_a_warm_up_longer_than_the_event_is_refused(cli: Cli, write: Write) -> None:
    """Nothing would be left to tell."""
    played(cli, write)
    for minutes, said in ((10_000, "10,000"), (1e308, "1e+308")):
        seen = cli("floor", "--warm-up", minutes)
        assert seen.status == 2
        assert f"--warm-up: {said} minutes are longer than the floor was open, " in seen.err


def test_one_of_a_kind_is_written_in_the_singular(cli: Cli, write: Write) -> None:
    """After a run, in its plan and on the floor."""
    floor = "floor: {tables: 1, dealers: 1, round_seconds: 5}\n"
    small = "format: {kind: duplicate, tables: 1, rounds: 1}\nentrants: [{strategy: simple}]\n"
    head = (
        "name: One\nseed: 3\ngame: {preset: ve280, shuffle: uniform}\nbankroll: 100\nminimum: 5\n"
    )
    config = write("one.yaml", head + floor + small)
    ran = cli("run", config, "--workers", 1)
    assert " 1 block; 1 table in use 100%, 1 dealer 100% of the time\n" in ran.err
    assert cli("plan", config).lines[1].endswith(", 1 block")
    assert {"1 table", "1 dealer"} <= {line[:10].strip() for line in cli("floor").lines}
