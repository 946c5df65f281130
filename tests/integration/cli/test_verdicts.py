"""`verdicts`, and `replay --as-seen`: who failed, where, and what lay before the seat."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.integration.cli.test_faults import CONFIG, file
from tourney.game.ledger import BlockKey, Remark, Verdict
from tourney.sandbox.levels import Level, probe
from tourney.store.store import Store

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

TRACE = """\
    File "faulty.py", line 6, in bet
      return minimum if bankroll > 90 else 1 // 0
"""


@pytest.fixture
def played(cli: Cli, write: Write) -> Cli:
    """Play a run in which somebody raises at a low bankroll; give what runs commands."""
    write("faulty.py", file(bet="return minimum if bankroll > 90 else 1 // 0"))
    write("faults.yaml", CONFIG + "  - file: faulty.py\n")
    assert cli("run", "faults.yaml", "--workers", 1, "--no-sandbox").status == 1
    return cli


def test_the_first_fault_of_every_cause_is_shown(played: Cli) -> None:
    """With its place, what it saw, the author's lines, how many tables and the cost."""
    ran = played("verdicts")
    assert ran.status == 0
    assert ran.lines[0] == "faulty: raised"
    assert ran.lines[1].startswith("  at stage 1, heat 1, table ")
    assert ran.lines[1].endswith(" (bet)")
    assert "  bet: expected an answer, got ZeroDivisionError: " in ran.out
    assert "  it saw: bankroll 90, wager from 5 to 50\n" in ran.out
    assert TRACE in ran.out
    assert ran.lines[-1].endswith(" tables; it costs: all that the table is worth is lost")
    assert ran.err.startswith("sandbox unsafe")


def test_every_fault_is_shown_if_asked_for(played: Cli) -> None:
    """One for each table."""
    (first,) = json.loads(played("verdicts", "--json").out)["verdicts"]
    every = json.loads(played("verdicts", "--json", "--every-fault").out)["verdicts"]
    assert first["tables"] == len(every) > 1
    assert all(each["tables"] == 1 for each in every)
    assert {**every[0], "tables": first["tables"]} == first


def test_programs_read_json(played: Cli) -> None:
    """Counted from 1, as in the text."""
    told = json.loads(played("verdicts", "--json").out)
    assert (told["run"], told["on_fault"]) == (1, "zero")
    (found,) = told["verdicts"]
    assert found["entrant"] == "faulty"
    assert (found["cause"], found["call"], found["confirmed"]) == ("raised", "bet", None)
    assert (found["place"], found["seen"]) == ("faulty.py:6", "bankroll 90, wager from 5 to 50")
    assert (told["unconfirmed"], told["warnings"]) == ([], [])


def test_one_entrant_may_be_asked_for(played: Cli) -> None:
    """Whoever is at no fault has none shown; whoever is not there is refused."""
    assert played("verdicts", "--entrant", "simple").out == "no faults\n"
    assert played("verdicts", "--entrant", "Faulty").lines[0] == "faulty: raised"
    ran = played("verdicts", "--entrant", "fault")
    assert ran.status == 2
    assert (
        "'fault' is not an entrant; choose simple, counting or faulty (did you mean 'faulty'?)"
        in ran.err
    )


def test_what_was_not_confirmed_is_told_and_warnings_too(played: Cli, tmp_path: Path) -> None:
    """So is a batch that was played again because its first play was lost."""
    verdict = Verdict("cpu", "bet", 2, 7, "bet: expected less", "", "")
    with Store.open(tmp_path / "tourney.db") as store:
        store.reopen_run(1)  # one that is over has no more batches
        suspected = Remark(0, "not again", BlockKey(0, 0, 2, 0, 1), verdict)
        replayed = Remark(1, "a worker died", BlockKey(0, 0, 2, 0, 1))
        store.add_batch(1, 0, 99, (), 0.0, "here", (suspected, Remark(1, "half of it is gone")))
        warned = Remark(1, "half of it is gone")
        store.add_batch(1, 0, 98, (), 0.0, "here", (replayed, warned))
        store.add_batch(1, 0, 97, (), 0.0, "here", (replayed,))
    ran = played("verdicts")
    assert (
        "simple: not confirmed: cpu at stage 1, heat 1, table 3, seating 1, round 2, decision 8 "
        "(bet)\n  bet: expected less\n  not again\n"
    ) in ran.out
    assert "counting: warning in 2 batches: half of it is gone\n" in ran.out
    assert "counting: played again in 2 batches: a worker died\n" in ran.out
    told = json.loads(played("verdicts", "--json").out)
    assert [each["cause"] for each in told["unconfirmed"]] == ["cpu"]
    assert [each["entrant"] for each in told["warnings"]] == ["counting", "counting"]
    assert told["replays"] == [{"entrant": "counting", "message": "a worker died"}] * 2
    for option in ((), ("--json",)):
        hidden = played("verdicts", "--names", "handles", *option).out
        words = (
            "simple",
            "counting",
            "faulty",
            "expected less",
            "not again",
            "half of it",
            "worker",
        )
        assert not [word for word in words if word in hidden]
        assert "with a hidden message" in hidden
        assert "Player 3" in hidden
        # Of who sits alone it would be the place in the configuration.
        assert "seating" not in hidden.replace('"seating": null', "")


def test_a_handle_is_asked_for_as_the_board_has_it(played: Cli) -> None:
    """No name leads to one, and while results are withheld nobody can be asked for."""
    told = json.loads(played("verdicts", "--json", "--names", "handles").out)["verdicts"]
    row = told[0]["entrant"]
    assert played("verdicts", "--names", "handles", "--entrant", row).lines[0] == f"{row}: raised"
    ran = played("verdicts", "--names", "handles", "--entrant", "faulty")
    assert ran.status == 2
    assert "'faulty' is not an entrant; choose Player 1, Player 2 or Player 3" in ran.err
    ran = played("verdicts", "--freeze", "2001-01-01", "--entrant", "faulty")
    assert ran.status == 2
    assert "results are hidden, so no entrant can be named" in ran.err
    assert played("verdicts", "--freeze", "2001-01-01").out == ""


def test_an_author_sees_what_the_seat_saw_and_no_more(played: Cli) -> None:
    """Every decision with its answer, up to the fault; the hole card only once it is turned."""
    (found,) = json.loads(played("verdicts", "--json").out)["verdicts"]
    arguments = ("--entrant", "faulty", "--table", found["table"], "--no-sandbox")
    ran = played("replay", *arguments, "--as-seen")
    assert ran.status == 0
    assert ran.lines[0].startswith("stage 1, heat 1, table ")
    assert ran.lines[1:3] == ["  shuffle", "Round 1"]
    assert ran.lines[3] == "  bet: bankroll 100, wager from 5 to 50 -> 5"
    assert ran.lines[-1] == "  bet: bankroll 90, wager from 5 to 50 -> at fault"
    assert "ZeroDivisionError" in ran.err
    dealt, turned = (line.removeprefix("  face up: ").split() for line in ran.lines[4:7:2])
    assert len(dealt) == 3  # two of its own, one of the dealer
    assert turned


def test_rounds_as_seen_may_be_chosen(played: Cli) -> None:
    """As for any replay."""
    arguments = ("--entrant", "simple", "--table", 1, "--no-sandbox")
    ran = played("replay", *arguments, "--as-seen", "--range", "2-3")
    assert [line for line in ran.lines if line.startswith("Round")] == ["Round 2", "Round 3"]


@pytest.mark.skipif(probe() is not Level.FULL, reason="this machine cannot confine players fully")
def test_a_dry_run_says_whose_code_is_confined(cli: Cli, write: Write) -> None:
    """Before anything is played."""
    write("bold.py", file())
    write("bold.yaml", CONFIG + "  - file: bold.py\n")
    shut_in = cli("run", "bold.yaml", "--dry-run").out
    assert "  bold: bold.py (a file, sandboxed)\n" in shut_in
    assert "sandbox full: the code of bold runs in separate processes\n" in shut_in
    trusted = cli("run", "bold.yaml", "--dry-run", "--no-sandbox").out
    assert "sandbox unsafe: the code of bold runs with your permissions\n" in trusted
