"""`verify --site` says whether the number of tables was fixed before play or chosen afterwards."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.told import told_of, write_told
from tourney.cli import main

Cli = Callable[..., Any]
Told = dict[str, Any]

CUP = """\
name: Cup
seed: 7
game: {{preset: ve280, shuffle: uniform}}
bankroll: 200
minimum: 5
format: {{kind: duplicate, rounds: 30, {options}}}
entrants:
  - {{strategy: simple, as: Ada}}
  - {{strategy: mimic, as: Emmy}}
"""
LOOKS = (8, 16, 64, 128)
STOPS = f"tables: 128, stop: separated, looks: [{', '.join(map(str, LOOKS))}]"
EXTENDED = {
    "raised twice": (("--tables", "8"), ("--tables", "12")),
    "late entrant": (("--add", "counting", "--as", "Zoe"),),
}
CHOSEN = "not verified: that the number of tables was not chosen by the results"
LATE = "not verified: that 1 entrant of extensions did not know the shoes, and was not chosen"


def play(folder: Path, options: str, *extensions: tuple[str, ...]) -> None:
    """Commit to a run, play it, extend it and publish it."""
    where = ["--store", str(folder / "cup.db"), "--anchor", str(folder / "anchor.json")]
    config = folder / "cup.yaml"
    config.write_text(CUP.format(options=options), encoding="utf-8")
    assert main(["commit", str(config), *where]) == 0
    assert main(["run", str(config), *where, "--workers", "1"]) == 0
    for each in extensions:
        assert main(["extend", "1", *each, *where, "--workers", "1"]) == 0
    quick = ["--show-tables", "1", "--samples", "0"]
    assert main(["publish", *where[:2], "--output", str(folder / "site"), *quick]) == 0


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Give what plays a run, or finds it if it was played already; all have the same secret."""
    known: dict[tuple[Any, ...], Path] = {}

    def find(options: str, *extensions: tuple[str, ...]) -> Path:
        key = options, extensions
        if key not in known:
            known[key] = tmp_path_factory.mktemp("played")
            play(known[key], *key[:1], *extensions)
        return known[key]

    return find


def verify(cli: Cli, folder: Path, told: Told | None = None) -> Any:
    """Verify a site beside its anchor; with other data, all its pages are made anew first."""
    shutil.copytree(folder / "site", "site", dirs_exist_ok=True)
    if told:
        write_told("site", told)
        assert cli("publish", "--data", "site/data.json", "--output", "site").status == 0
    return cli("verify", "--site", "site", "--anchor", folder / "anchor.json")


def test_a_run_that_was_not_extended_has_all_tables_that_were_fixed(
    cli: Cli, played: Callable[..., Path]
) -> None:
    """One line says so, and none says that the number was chosen."""
    ran = verify(cli, played("tables: 12"))
    assert ran.status == 0
    assert "verified: tables: each entrant has all 12 that the run fixes" in ran.lines
    assert "extension" not in ran.out
    assert "extended" not in Path("site/index.html").read_text("utf-8")


@pytest.mark.parametrize("how", EXTENDED)
def test_an_extension_is_no_proof_that_results_did_not_decide_about_it(
    cli: Cli, played: Callable[..., Path], how: str
) -> None:
    """An anchor shows when it was fixed, and results could be seen before."""
    ran = verify(cli, played("tables: 6", *EXTENDED[how]))
    assert ran.status == 0
    is_raised = how == "raised twice"
    count = 12 if is_raised else 6
    assert (
        f"verified: tables: each entrant has all {count} that the last extension fixes" in ran.lines
    )
    assert (CHOSEN in ran.out) == is_raised
    assert ("it was raised from 6 to 8, then 12 by extensions" in ran.out) == is_raised
    assert (LATE in ran.out) != is_raised
    assert "The run was extended after its first results could be seen." in (
        Path("site/index.html").read_text("utf-8")
    )


def test_a_site_that_opens_no_configuration_proves_no_number(
    cli: Cli, played: Callable[..., Path]
) -> None:
    """The tables of the extension stand in its statement; those before are not known."""
    folder = played("tables: 6", *EXTENDED["raised twice"])
    names = ("--names", "handles", "--show-tables", 1, "--samples", 0)
    cli("publish", "--store", folder / "cup.db", "--output", "handles", *names)
    told = told_of("handles")
    told["run"]["committed"]["configuration"] = None
    ran = verify(cli, folder, told)
    assert ran.status == 0
    assert "verified: tables" not in ran.out.replace("not verified", "")
    assert "the number of tables: the configuration, which fixes it, is not published" in ran.out
    assert "it was raised to 8, then 12 by extensions" in ran.out


def test_tables_that_were_left_out_are_missed(cli: Cli, played: Callable[..., Path]) -> None:
    """A board of the first 8 of 12 tables was taken for the whole, with the anchor and all."""
    folder, fewer = played("tables: 12"), told_of(played("tables: 8") / "site")
    fewer["run"]["committed"] = told_of(folder / "site")["run"]["committed"]
    ran = verify(cli, folder, fewer)
    assert ran.status == 1
    assert "data.json: tables: expected 12 for each entrant, as committed, got 8" in ran.err


def test_tables_that_were_picked_are_missed(cli: Cli, played: Callable[..., Path]) -> None:
    """As many as were fixed, but not the first ones."""
    folder, more = played("tables: 6"), told_of(played("tables: 12") / "site")
    more["run"]["committed"] = told_of(folder / "site")["run"]["committed"]
    for entrant in more["entrants"]:
        results = entrant["results"]
        keep = [at for at, table in enumerate(results["table"]) if table > 6]
        for name, column in results.items():
            results[name] = column and [column[at] for at in keep]
    ran = verify(cli, folder, more)
    assert ran.status == 1
    assert "data.json: tables: their numbers are not 1 to 6" in ran.err


def test_an_extension_that_is_not_told_is_missed(cli: Cli, played: Callable[..., Path]) -> None:
    """Also by a reader who has no anchor, or the one from before the extension."""
    folder = played("tables: 6", *EXTENDED["raised twice"])
    told = told_of(folder / "site")
    told["run"]["committed"]["statements"] = told["run"]["committed"]["statements"][:1]
    told["run"]["looks"] = []
    shutil.copytree(folder / "site", "site")
    write_told("site", told)
    assert cli("publish", "--data", "site/data.json", "--output", "site").status == 0
    ran = cli("verify", "--site", "site")
    assert ran.status == 1
    assert "data.json: tables: expected 6 for each entrant, as committed, got 12" in ran.err


@pytest.mark.parametrize(
    ("setting", "value"),
    [("looks", []), ("margin", 5.0), ("shares_shoes", False), ("why_luck_stays", "luck: raw")],
)
def test_what_makes_ranks_surer_is_that_of_the_committed_configuration(
    cli: Cli, played: Callable[..., Path], setting: str, value: object
) -> None:
    """Fewer looks make narrower intervals, and a margin makes ties."""
    folder = played(STOPS)
    told = told_of(folder / "site")
    told["run"][setting] = value
    ran = verify(cli, folder, told)
    assert ran.status == 1
    assert f"run.{setting}: expected " in ran.err


def test_a_run_that_stops_by_a_rule_has_stopped_where_the_rule_says(
    cli: Cli, played: Callable[..., Path]
) -> None:
    """The tournament's own stop is the oracle; results of every other look are refused."""
    folder = played(STOPS)
    told = told_of(folder / "site")
    stopped = len(told["entrants"][0]["results"]["table"])
    assert stopped in LOOKS[1:-1]
    ran = verify(cli, folder)
    assert ran.status == 0
    words = f"each entrant has {stopped} of at most 128, where the rule of the run stops"
    assert f"verified: tables: {words}" in ran.lines
    for look in (*LOOKS, stopped + 1):
        if look == stopped:
            continue
        other = told_of(played(f"tables: {look}") / "site")
        other["run"] |= {name: told["run"][name] for name in ("committed", "looks")}
        ran = verify(cli, folder, other)
        assert ran.status == 1
        if look < stopped:
            expected = f"by its rule the run continues after {look}"
        elif look in LOOKS:
            expected = f"by its rule the run stops after {stopped}, not after {look}"
        else:
            expected = f"{look} is not the number of one of its looks"
        assert f"data.json: tables: {expected}" in ran.err


def test_formats_whose_number_follows_from_results_are_named(
    cli: Cli, played: Callable[..., Path]
) -> None:
    """Nothing is called verified that was not worked out."""
    folder = played("tables: 12")
    text = CUP.format(options="seats: 2").replace("kind: duplicate", "kind: knockout")
    Path("cup.yaml").write_text(text, encoding="utf-8")
    where = ("--store", "cup.db", "--anchor", "anchor.json")
    assert cli("commit", "cup.yaml", *where).status == 0
    assert cli("run", "cup.yaml", *where, "--workers", "1").status == 0
    cli("publish", "--store", "cup.db", "--output", "site", "--show-tables", 1, "--samples", 0)
    ran = cli("verify", "--site", "site", "--anchor", "anchor.json")
    assert folder
    assert ran.status == 0
    assert "verified: tables" not in ran.out
    assert "not verified: the number of tables: for the format knockout" in ran.out
