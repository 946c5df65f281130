"""No surface tells more of a run than the policy allows: pages, JSON, CSV and the terminal."""

import csv
import io
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st

from tests.integration.cli.test_faults import file
from tests.resilience.damage.crafted import seal_as_it_is
from tests.support.proving import tried
from tourney.cli import main

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

PAST, FUTURE, LATER = "2001-01-01", "2998-01-01T12:00", "2999-01-01T12:00"

CUP = """\
name: Cup
game: {preset: ve280, shuffle: uniform}
bankroll: 203
minimum: 5
format: {kind: duplicate, tables: 8, rounds: 30}
entrants:
  - {strategy: simple, as: Ada Q., group: staff, author: Lovelace}
  - {strategy: counting, as: Blaise W.}
  - {strategy: never-bust, as: Sofja X., group: seat_rows}
  - {file: Emmys_own.py, as: Emmy N.}
"""
LEVELS = """\
name: Levels
game: {preset: ve280, shuffle: uniform}
bankroll: 60
minimum: 5
format: {kind: multi-table, seats: 3, block_rounds: 10, level_rounds: 10, batch_tables: 1}
floor: {tables: 2}
entrants:
  - {strategy: simple, as: Ada Q., group: staff, author: Lovelace}
  - {strategy: counting, as: Blaise W.}
  - {strategy: never-bust, as: Sofja X., group: seat_rows}
  - {strategy: mimic, as: Emmy N.}
"""
WORDS = {
    "Ada Q.": ("Ada Q.", "staff", "Lovelace"),
    "Blaise W.": ("Blaise W.", "counting"),
    "Sofja X.": ("Sofja X.", "seat rows", "never-bust"),
    "Emmy N.": ("Emmy N.", "Emmys_own", "mimic"),
}
"""What says who somebody is."""

SURFACES = (
    *(f"leaderboard --format {codec}" for codec in ("simple", "github", "csv", "json")),
    "verdicts",
    "verdicts --every-fault --json",
    "watch",
)


@dataclass(frozen=True)
class Kept:
    """A stored run, and what there is to tell of it."""

    store: Path
    config: str
    secret: str
    board: list[dict[str, str]]  # everything, best first

    def use(self, policy: str) -> None:
        """Let the run have been begun with this policy in its configuration."""
        with closing(sqlite3.connect(self.store)) as database, database:
            database.execute(
                "UPDATE runs SET config = ?, digest = NULL",
                (self.config + policy,),
            )
        seal_as_it_is(self.store)


def _said(*arguments: object) -> tuple[int, str]:
    """Run a command and give its status and everything it said."""
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        status = main([str(each) for each in arguments])
    return status, said.getvalue()


@pytest.fixture(scope="module", params=[CUP, LEVELS], ids=["duplicate", "levels"])
def kept(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """Play a small run, in which somebody is at fault, if a file plays."""
    folder, config = tmp_path_factory.mktemp("telling"), request.param
    (folder / "Emmys_own.py").write_text(file(bet="return minimum if bankroll > 190 else 1 // 0"))
    (folder / "it.yaml").write_text(config)
    store = folder / "tourney.db"
    arguments = (folder / "it.yaml", "--store", store, "--workers", 1, "--no-sandbox")
    _said("run", *arguments, "--seed", 3)
    _, said = _said("runs", 1, "--store", store)
    secret = next(line.split()[1] for line in said.splitlines() if line.startswith("secret"))
    _, board = _said("leaderboard", "--store", store, "--format", "csv")
    lines = [line for line in board.splitlines() if line.count(",") > 2]
    return Kept(store, config, secret, list(csv.DictReader(lines)))


def _withheld(kept: Kept, names: str, top: int | None, *, is_sealed: bool) -> Iterator[str]:
    """Give words that no surface may say, worked out without the policy's own code."""
    places = [row["rank"] for row in kept.board]
    shown = [
        top is None or number <= top or place == places[top - 1]
        for number, place in enumerate(places, start=1)
    ]
    told = {row.get("mean_final_bankroll") for row, is_shown in zip(kept.board, shown) if is_shown}  # noqa: B905 - alike
    for row, is_shown in zip(kept.board, shown, strict=True):
        name = row["entrant"].partition(" [")[0]
        if names == "handles" or not is_shown or (is_sealed and top):
            yield from WORDS[name]
        result = row.get("mean_final_bankroll") or ""
        if is_sealed or (not is_shown and result not in told):
            yield from [result] if "." in result else []
    if is_sealed:
        yield kept.secret


def _surfaces(kept: Kept, options: list[str], site: Path) -> Iterator[tuple[str, str]]:
    """Give everything that is told, by what tells it."""
    for surface in SURFACES:
        yield surface, _said(*surface.split(), "--store", kept.store, *options)[1]
    if not options:
        trusting = ("--store", kept.store, "--workers", 1, "--no-sandbox")
        yield "resume", _said("resume", *trusting)[1].partition("nothing is left to play")[2]
    how = ("--show-tables", 1, "--samples", 0, "--no-sandbox", *options)
    yield "publish", _said("publish", "--store", kept.store, "--output", site, *how)[1]
    for path in site.rglob("*"):
        if path.is_file() and path.parent.name != "static":
            yield str(path.relative_to(site)), path.read_text()


NAMES = st.sampled_from(["names", "handles"])
TOPS = st.none() | st.integers(1, 4)
TIMES = st.sampled_from([(None, None), (PAST, None), (FUTURE, None), (PAST, LATER), (PAST, PAST)])
POLICIES = st.tuples(NAMES, TOPS, TIMES)
Policy = tuple[str, int | None, tuple[str | None, str | None]]


def _settings(policy: Policy) -> dict[str, object]:
    names, top, (freeze, reveal) = policy
    wanted = {"names": names, "top": top, "freeze": freeze, "reveal": reveal}
    return {name: value for name, value in wanted.items() if value is not None}


def _yaml(policy: Policy) -> str:
    inner = ", ".join(f"{name}: {value}" for name, value in _settings(policy).items())
    return f"leaderboard: {{{inner}}}\n"


@tried(5, phases=[Phase.generate])
@given(own=POLICIES, option=st.none() | POLICIES)
def test_no_surface_tells_more_than_the_policy_allows(
    kept: Kept, own: Policy, option: Policy | None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Neither by the run's own policy, nor where options tighten it, is a word too much said."""
    kept.use(_yaml(own))
    given_options = _settings(option) if option else {}
    options = [part for name, value in given_options.items() for part in (f"--{name}", str(value))]
    policies = [own, option] if option else [own]
    tops = [top for _, top, _ in policies if top]
    is_sealed = any(freeze == PAST and reveal != PAST for _, _, (freeze, reveal) in policies)
    names = "handles" if "handles" in [names for names, *_ in policies] else "names"
    forbidden = set(_withheld(kept, names, min(tops, default=None), is_sealed=is_sealed))
    for surface, said in _surfaces(kept, options, tmp_path_factory.mktemp("site")):
        found = {word for word in forbidden if word in said}
        assert not found, (surface, own, option)


def test_who_led_a_run_that_is_over_is_not_told_where_only_the_first_are(kept: Kept) -> None:
    """Somebody led it who is not among the first in the end."""
    kept.use("leaderboard: {top: 1}\n")
    _, said = _said("watch", "--store", kept.store)
    first, *others = [row["entrant"].partition(" [")[0] for row in kept.board]
    assert first in said
    assert not [name for name in others if name in said]


def test_the_policy_of_the_run_holds_without_an_option(kept: Kept) -> None:
    """It is said what is withheld, and how to see it."""
    kept.use("leaderboard: {names: handles, top: 2}\n")
    _, said = _said("leaderboard", "--store", kept.store)
    assert "Player 2" in said
    assert "Player 3" not in said
    assert (
        "hidden by the run's policy: names, whoever comes after the first 2 "
        "(--show-hidden shows them)" in said
    )


def test_an_option_that_hides_all_results_says_so(kept: Kept) -> None:
    """An empty board needs a reason."""
    kept.use("")
    for command in ("leaderboard", "verdicts"):
        _, said = _said(command, "--store", kept.store, "--freeze", PAST)
        assert "hidden by --freeze: all results; the last came in after " in said


def test_tell_all_sets_the_policy_of_the_run_aside(kept: Kept, tmp_path: Path) -> None:
    """For the organiser; options beside it hold."""
    kept.use(f"leaderboard: {{names: handles, freeze: {PAST}}}\n")
    publish = f"publish --show-tables 0 --samples 0 --output {tmp_path / 'site'}"
    for command in ("leaderboard", "watch", publish):
        _, said = _said(*command.split(), "--store", kept.store, "--show-hidden", "--top", 1)
        told = said if "publish" not in command else (tmp_path / "site/index.html").read_text()
        first, *others = [row["entrant"].partition(" [")[0] for row in kept.board]
        assert first in told
        if command != "watch":
            assert not [name for name in others if name in told]


def test_grades_know_everybody_whatever_the_policy(kept: Kept, tmp_path: Path) -> None:
    """They are the organiser's own tool."""
    kept.use(f"leaderboard: {{names: handles, top: 1, freeze: {PAST}}}\n")
    export = tmp_path / "export.csv"
    export.write_text("Student,ID,Cup (1)\n    Points Possible,,10\nSofja X.,1,\nAda Q.,2,\n")
    status, said = _said(
        *(
            "grades",
            "--store",
            kept.store,
            "--gradebook",
            export,
            "--fill-column",
            "Cup",
            "--marks-by",
            "place",
        )
    )
    assert status == 0
    assert "Sofja X." in said


def test_a_policy_changes_no_card_and_no_digest(kept: Kept) -> None:
    """It is about telling alone, so the same run verifies with another one."""
    for policy in ("", "leaderboard: {names: handles}\n"):
        kept.use(policy)
        status, said = _said("verify", "--store", kept.store, "--full", "--no-sandbox")
        assert status == 0
        assert "give the stored digests" in said


def test_a_played_run_tells_by_its_policy_at_once(cli: Cli, write: Write) -> None:
    """The board in the end, and no secret while results are withheld."""
    words = f"leaderboard: {{names: handles, freeze: {PAST}, reveal: {LATER}}}\n"
    write("cup.yaml", CUP.replace("  - {file: Emmys_own.py, as: Emmy N.}\n", "") + words)
    ran = cli("run", "cup.yaml", "--workers", 1)
    assert ran.status == 0
    assert "secret " not in ran.err.replace("secret shoes", "")
    assert "on the floor" not in ran.err
    assert "all results until 2999-01-01 12:00 UTC, names" in ran.err
    assert not [word for words in WORDS.values() for word in words if word in ran.out + ran.err]
    opened = cli("resume", "--workers", 1, "--show-hidden")
    assert "Ada Q." in opened.out
    assert "salt " in opened.err


@pytest.mark.parametrize(
    ("setting", "fault"),
    [
        (
            "names: handels",
            "leaderboard.names: expected names or handles, got 'handels' (did you mean 'handles'?)",
        ),
        ("top: 0", "leaderboard.top: expected a whole number from 1 to 100000, got 0"),
        (
            "freeze: noon",
            "leaderboard.freeze: expected a time such as 2026-05-01T12:00, got text 'noon'",
        ),
        (
            f"reveal: {LATER}",
            "leaderboard.reveal: 'reveal' needs 'freeze', the time from which results are "
            "hidden; add it",
        ),
        (
            f"freeze: {LATER}, reveal: {FUTURE}",
            "leaderboard.reveal: 2998-01-01T12:00+00:00 is before freeze, "
            "2999-01-01T12:00+00:00; choose a later time",
        ),
    ],
)
def test_a_fault_of_the_policy_is_told_with_its_place(
    cli: Cli, write: Write, setting: str, fault: str
) -> None:
    """Before anything is played."""
    write("cup.yaml", CUP + f"leaderboard: {{{setting}}}\n")
    ran = cli("run", "cup.yaml", "--dry-run")
    assert ran.status == 2
    assert fault in ran.err
    assert "cup.yaml:11:" in ran.err
