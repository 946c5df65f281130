"""`commit`, and playing and extending what was committed to, as an organiser does it."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.support.told import told_of
from tourney.fairness import committed_start, timestamps
from tourney.store.store import Store

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

SHORT = """\
name: Cup
game: {preset: ve280, shuffle: uniform}
bankroll: 200
minimum: 5
format: {kind: duplicate, tables: 6, rounds: 20}
entrants:
  - {strategy: simple, as: Ada Q., group: staff}
  - {strategy: counting, as: Blaise W.}
  - {strategy: ramp, as: Emmy Y., options: {spread: 4}}
"""
WAIT = timedelta(days=1)
NO_VALUE = "that this run was not chosen among several: no public value was mixed into its shoes"


def test_what_was_changed_since_the_commitment_is_named(cli: Cli, write: Write) -> None:
    """Configuration, options, sources and who enters; nothing is played."""
    write("own.py", OWN)
    write("cup.yaml", SHORT + "  - file: own.py\n")
    trusts = "--no-sandbox"
    assert cli("commit", "cup.yaml", "--anchor", "anchor.json", trusts).status == 0
    write("own.py", OWN.replace("False", "True"))
    changed = SHORT.replace("rounds: 20", "rounds: 30").replace("spread: 4", "spread: 8")
    write("cup.yaml", changed.replace("Ada Q.", "Ada R.") + "  - file: own.py\n")
    ran = cli("run", "cup.yaml", "--anchor", "anchor.json", trusts)
    assert ran.status == 2
    for words in (
        "run 1: there are changes since the commitment of 20",
        'configuration: format: committed as {"kind": "duplicate", "rounds": 20, "tables": 6}, ',
        "own: source: committed as ",
        'Emmy Y.: options: committed as {"spread": 4}, now {"spread": 8}',
        "Ada Q.: this entrant was removed",
        "Ada R.: this entrant was added",
    ):
        assert words in ran.err
    assert "0/" in cli("runs").out
    write("own.py", OWN)
    write("cup.yaml", SHORT + "  - file: own.py\n")
    ran = cli("run", "cup.yaml", "--anchor", "anchor.json", trusts, "--workers", "1")
    assert ran.status == 0
    assert ", as in anchor.json" in ran.err


OWN = """\
from tourney import Player


class Own(Player):
    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return False
"""


def test_a_secret_run_prints_the_commitment_that_its_site_has(cli: Cli, write: Write) -> None:
    """Also without an anchor; then nothing says when it was known."""
    write("cup.yaml", SHORT)
    ran = cli("run", "cup.yaml", "--workers", "1")
    commitment = ran.err.splitlines()[0].rpartition(" ")[2]
    assert cli("publish", "--output", "site", "--show-tables", "0", "--samples", "0").status == 0
    data = told_of("site")
    (statement,) = data["run"]["committed"]["statements"]
    assert sha256(statement.encode()).hexdigest() == commitment
    assert commitment in cli("runs", "1").out
    ran = cli("verify", "--site", "site")
    assert (ran.status, ran.err) == (0, "")
    assert f"not verified: {NO_VALUE}" in ran.out


@pytest.mark.parametrize(
    ("after", "arguments", "words"),
    [
        ("2999-01-01", "run cup.yaml", "the configuration mixes in the value of"),
        (
            "2999-01-01",
            "run cup.yaml --seed 3",
            "--public-value is missing; the configuration names beacon",
        ),
        (
            "2999-01-01",
            "run cup.yaml --seed 3 --public-value 4711",
            "the value of beacon cannot be known before 2999-01-01T00:00+00:00",
        ),
        (
            "2999-01-01T05:03:13",
            "run cup.yaml --seed 3 --public-value 4711",
            "the value of beacon cannot be known before 2999-01-01T05:03:13+00:00",
        ),
        ("2001-01-01", "commit cup.yaml --anchor new.json", "is not in the future; a commitment"),
        (
            "",
            "run cup.yaml --public-value 4711",
            "--public-value: the configuration has no `public_value`",
        ),
        ("", "run cup.yaml --anchor none.json", "none.json: the anchor cannot be read"),
        ("", "commit cup.yaml --anchor cup.yaml", "cup.yaml already exists; choose another name"),
        ("", "commit cup.yaml --anchor a.json --timestamp ftp://x", "expected a URL with http"),
    ],
)
def test_what_would_prove_nothing_is_refused(
    cli: Cli, write: Write, after: str, arguments: str, words: str
) -> None:
    """With what is missing, and without a run."""
    named = f"public_value: {{source: beacon, after: '{after}'}}\n" if after else ""
    write("cup.yaml", SHORT + named)
    ran = cli(*arguments.split())
    assert ran.status == 2
    assert words in ran.err
    assert "Cup" not in cli("runs").out


def test_a_public_value_cannot_be_given_twice(
    cli: Cli, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that was interrupted goes on with the one that it has."""
    after = datetime.now(UTC) + WAIT
    write("cup.yaml", SHORT + f"public_value: {{source: beacon, after: '{after.isoformat()}'}}\n")
    assert cli("commit", "cup.yaml", "--anchor", "anchor.json").status == 0
    ran = cli("resume", "1")
    assert ran.status == 2
    assert "--public-value is missing; the configuration names beacon, whose value is " in ran.err
    assert "known from 20" in ran.err
    monkeypatch.setattr(committed_start, "_now", lambda: after)
    begin = ("run", "cup.yaml", "--anchor", "anchor.json", "--workers", "1", "--public-value")
    assert cli(*begin, " 47Ab ").status == 0
    assert cli("resume", "1").status == 0
    ran = cli(*begin, "4712")
    assert ran.status == 2
    assert "run 1: the public value is 47ab and cannot be changed to 4712" in ran.err


def test_who_hands_in_after_the_commitment_holds_nothing_up(
    cli: Cli, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run is played as committed by the command that is named, with its public value."""
    after = datetime.now(UTC) + WAIT
    write("own.py", OWN)
    named = f"public_value: {{source: beacon, after: '{after.isoformat()}'}}\n"
    write("cup.yaml", SHORT + "  - file: own.py\n" + named)
    trusts = "--no-sandbox"
    assert cli("commit", "cup.yaml", "--anchor", "anchor.json", trusts).status == 0
    write("own.py", OWN.replace("False", "True"))
    monkeypatch.setattr(committed_start, "_now", lambda: after)
    ran = cli("run", "cup.yaml", "--anchor", "anchor.json", "--public-value", "47Ab", trusts)
    again = "tourney resume 1 --store tourney.db --public-value VALUE --no-sandbox"
    assert f"undo them, play the run as committed ({again})" in ran.err
    ran = cli(*again.replace("VALUE", "47Ab").split()[1:])
    assert ran.status == 0
    assert "47ab" in cli("runs", "1").out
    with Store.open(Path("tourney.db"), create=False) as store:
        assert store.run(1).entrants[-1].sources[0][1] == OWN


def test_a_run_that_is_only_committed_was_not_interrupted(cli: Cli, write: Write) -> None:
    """The list says so, and how it is played."""
    write("cup.yaml", SHORT)
    assert cli("commit", "cup.yaml", "--anchor", "anchor.json").status == 0
    listed = cli("runs")
    assert "committed" in listed.out
    assert "interrupted" not in listed.out + listed.err
    assert "to play a committed run: tourney run CONFIG --anchor FILE" in listed.err
    assert "1, Cup, committed" in cli("runs", "1").out
    assert cli("run", "cup.yaml", "--anchor", "anchor.json", "--workers", "1").status == 0
    assert "committed" not in cli("runs").out


def test_resume_takes_a_public_value_only_where_the_configuration_names_one(
    cli: Cli, write: Write
) -> None:
    """As `run` does; the run stays as it was."""
    write("cup.yaml", SHORT)
    assert cli("commit", "cup.yaml", "--anchor", "anchor.json").status == 0
    ran = cli("resume", "1", "--public-value", "4711")
    assert ran.status == 2
    assert "--public-value: the configuration has no `public_value`" in ran.err
    assert "0/" in cli("runs").out


def test_a_stamp_that_cannot_be_had_leaves_nothing(
    cli: Cli, write: Write, authority: Any, make_authority: Any, tmp_path: Path
) -> None:
    """Neither a run nor an anchor."""
    write("cup.yaml", SHORT)
    commit = ("commit", "cup.yaml", "--anchor", "anchor.json", "--timestamp")
    ran = cli(*commit, "http://127.0.0.1:9")
    assert ran.status == 2
    assert "the timestamp authority cannot be reached" in ran.err
    with make_authority(tmp_path / "spoilt").serving(lambda answer: answer[:40]) as spoilt:
        ran = cli(*commit, spoilt.url)
    assert "this is not a timestamp by RFC 3161" in ran.err
    ran = cli(*commit, authority.url, "--authority", "cup.yaml")
    assert "cup.yaml: the certificates of the authority cannot be read" in ran.err
    assert not Path("anchor.json").exists()
    assert "Cup" not in cli("runs").out


def test_an_extension_asks_for_the_anchor_of_its_run(cli: Cli, write: Write) -> None:
    """Before anything of it is written."""
    write("cup.yaml", SHORT)
    write("other.yaml", SHORT.replace("name: Cup", "name: Other"))
    for name in ("cup", "other"):
        assert cli("commit", f"{name}.yaml", "--anchor", f"{name}.json").status == 0
    run = ("run", "cup.yaml", "--anchor", "cup.json", "--workers", "1")
    assert cli(*run).status == 0
    ran = cli("extend", "1", "--tables", "8", "--anchor", "other.json")
    assert ran.status == 2
    assert "other.json: run 1: commitment 1: the anchor has " in ran.err
    assert "finished" in cli("runs", "1").out
    ran = cli("extend", "1", "--tables", "8")
    assert ran.status == 2
    assert "run 1 began with `tourney commit`; add --anchor FILE" in ran.err
    assert "finished" in cli("runs", "1").out
    assert cli("extend", "1", "--tables", "8", "--anchor", "cup.json").status == 0


def test_a_run_that_nobody_anchored_is_extended_without_an_anchor(cli: Cli, write: Write) -> None:
    """Its secret is committed to all the same."""
    write("cup.yaml", SHORT)
    assert cli("run", "cup.yaml").status == 0
    ran = cli("extend", "1", "--tables", "8")
    assert ran.status == 0
    assert "commitment of the extension: " in ran.err


def test_an_anchor_makes_no_other_run(cli: Cli, write: Write) -> None:
    """The same cards and results have the same digest."""
    write("cup.yaml", SHORT)
    assert cli("commit", "cup.yaml", "--seed", "3", "--anchor", "cup.json").status == 0
    assert cli("run", "cup.yaml", "--seed", "3", "--anchor", "cup.json").status == 0
    assert cli("run", "cup.yaml", "--seed", "3").status == 0
    with Store.open(Path("tourney.db"), create=False) as store:
        assert store.run(1).digest == store.run(2).digest


def test_a_stamp_that_cannot_be_had_leaves_a_run_as_it_was(cli: Cli, write: Write) -> None:
    """An extension is anchored before it is written down."""
    write("cup.yaml", SHORT)
    assert cli("commit", "cup.yaml", "--anchor", "cup.json").status == 0
    assert cli("run", "cup.yaml", "--anchor", "cup.json", "--workers", "1").status == 0
    extend = ("extend", "1", "--tables", "8", "--workers", "1", "--anchor", "cup.json")
    before = Path("cup.json").read_bytes()
    ran = cli(*extend, "--timestamp", "http://127.0.0.1:9")
    assert ran.status == 2
    assert "finished" in cli("runs", "1").out
    assert Path("cup.json").read_bytes() == before
    assert cli(*extend).status == 0
    assert len(json.loads(Path("cup.json").read_text())["commitments"]) == 2


def test_without_the_library_a_stamp_is_not_asked_for(
    cli: Cli, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is an extra, and named with how to install it."""
    monkeypatch.setattr(timestamps, "find_spec", lambda name: None)
    write("cup.yaml", SHORT)
    ran = cli("commit", "cup.yaml", "--anchor", "a.json", "--timestamp", "http://127.0.0.1:9")
    assert ran.status == 2
    assert "pip install 'tourney-cards[timestamps]'" in ran.err
