"""What a store keeps: `resume`, `runs`, `leaderboard`, `replay` and `verify`."""

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tabulate import tabulate_formats

from tests.integration.cli.conftest import AIM, HIDDEN, UNSEEN
from tests.resilience.damage.crafted import seal_as_it_is

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

HANDS_1_TO_3 = """\
# Shuffling the deck
# Hand 1 bankroll 100
# Player bets 5
Player dealt Four of Clubs
Dealer dealt Seven of Hearts
Player dealt Five of Diamonds
Player dealt Seven of Clubs
Player dealt Six of Hearts
Player's total is 22
# Player busts
# Hand 2 bankroll 95
# Player bets 5
Player dealt Five of Clubs
Dealer dealt Nine of Hearts
Player dealt Queen of Spades
Player dealt Eight of Spades
Player's total is 23
# Player busts
# Hand 3 bankroll 90
# Player bets 5
Player dealt Seven of Diamonds
Dealer dealt Ten of Diamonds
Player dealt Ten of Spades
Player's total is 17
Dealer's hole card is King of Spades
Dealer's total is 20
# Dealer wins
"""

USAGE_OF_REPLAY = """\
Usage: tourney replay [OPTIONS] [RUN]
Try 'tourney replay --help' for help.

Error: """


@pytest.fixture(autouse=True)
def _played(store: Path) -> None:
    """Begin with the small tournament in the store."""


def forget_batches_from(first: int, store: Path) -> None:
    """Leave a run as a kill between two batches leaves it."""
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("DELETE FROM batches WHERE number >= ?", (first,))
        connection.execute("UPDATE runs SET status = 'running', finished = NULL")
    connection.close()
    seal_as_it_is(store)


class TestLeaderboard:
    """`leaderboard`."""

    def test_the_latest_run_is_meant_by_default(self, cli: Cli) -> None:
        """With one run there is no need to name it."""
        ran = cli("leaderboard")
        assert (ran.status, ran.err) == (0, HIDDEN + AIM + UNSEEN)
        assert ran.lines[4].split()[:3] == ["1", "1-3", "simple"]

    @pytest.mark.parametrize("run", ["1", "Small"])
    def test_a_run_goes_by_its_number_or_its_name(self, cli: Cli, run: str) -> None:
        """Both mean the same run."""
        assert cli("leaderboard", run).out == cli("leaderboard").out

    @pytest.mark.parametrize("codec", [*sorted(tabulate_formats), "csv", "json"])
    def test_every_format_shows_every_entrant(self, cli: Cli, codec: str) -> None:
        """Whatever tabulate knows, and CSV and JSON."""
        ran = cli("leaderboard", "--format", codec)
        assert (ran.status, ran.err) == (0, AIM + UNSEEN)
        assert [name for name in ("mimic", "simple", "counting") if name in ran.out] == [
            "mimic",
            "simple",
            "counting",
        ]

    def test_json_can_be_read_again(self, cli: Cli) -> None:
        """The whole output is one JSON value."""
        rows = json.loads(cli("leaderboard", "--format", "json").out)
        assert [row["rank"] for row in rows] == [1, 2, 3]

    def test_an_unknown_run_is_answered_with_those_there_are(self, cli: Cli) -> None:
        """A wrong name is wrong usage."""
        ran = cli("leaderboard", "Smal")
        assert (ran.status, ran.out) == (2, "")
        assert ran.err == (
            "run 'Smal' is not in tourney.db (did you mean 'Small'?); its runs are 1 'Small'\n"
        )

    def test_a_run_that_is_not_finished_shows_its_standings_so_far(
        self, cli: Cli, store: Path
    ) -> None:
        """What is there is shown, and how to get the rest is said."""
        forget_batches_from(3, store)
        ran = cli("leaderboard", "--format", "json")
        assert [row["rounds"] for row in json.loads(ran.out)] == [240, 240, 240]
        assert (ran.status, ran.err) == (
            0,
            f"{AIM}4 tables are too few to separate any of these entrants; it takes at least 8\n"
            "run 1 is not finished: tourney resume 1 --store tourney.db\n",
        )

    def test_a_run_without_results_shows_an_empty_board(self, cli: Cli, store: Path) -> None:
        """Nobody has played, so nobody has a place."""
        forget_batches_from(0, store)
        ran = cli("leaderboard")
        assert ran.status == 0
        *_, dashes = ran.lines
        assert not dashes.strip("- ")
        assert "\nnot on the board yet: simple, counting and mimic\n" in f"\n{ran.err}"
        ran = cli("leaderboard", "--names", "handles")
        assert "not on the board yet: 3 more\n" in ran.err


class TestRuns:
    """`runs`."""

    def test_every_run_has_a_line(self, cli: Cli) -> None:
        """Its number, name, kind, status, batches, entrants, confinement and time."""
        ran = cli("runs")
        header, rule, line = ran.lines
        titles = ["Run", "Name", "Kind", "Status", "Batches", "Entrants", "Sandbox", "Created"]
        assert header.split() == titles
        assert set(rule) == {"-", " "}
        assert re.fullmatch(
            r"1 +Small +rehearsal +finished +6/6 +3 +- +\d{4}-\d\d-\d\dT[\d:]+\+00:00", line
        )

    @pytest.mark.parametrize("run", ["1", "Small"])
    def test_a_run_can_be_looked_at(self, cli: Cli, run: str) -> None:
        """Where it came from, what it rests on and, as it is over, its secret."""
        ran = cli("runs", run)
        assert (ran.status, ran.err) == (0, "")
        facts = {line[:15].strip(): line[15:] for line in ran.lines}
        assert facts["run"] == "1, Small, finished"
        assert facts["kind"] == "rehearsal (its seed is known)"
        assert re.fullmatch(r"[0-9a-f]{64}", facts["secret"])
        assert re.fullmatch(
            r"mimic: mimic \(tourney \d[\w.+]*\), source [0-9a-f]{12}", facts["entrant 3"]
        )

    def test_the_secret_of_a_run_that_goes_on_is_kept(self, cli: Cli, store: Path) -> None:
        """Whoever knew it could compute the shoes that are still to be dealt."""
        forget_batches_from(3, store)
        lines = cli("runs", 1).lines
        assert sum("published when the run has finished" in line for line in lines) == 2

    def test_delete_forgets_a_run(self, cli: Cli) -> None:
        """Deleting is told on standard error; afterwards the run is gone."""
        ran = cli("runs", "--delete", 1)
        assert (ran.status, ran.out, ran.err) == (0, "", "run 1 deleted from tourney.db\n")
        assert len(cli("runs").lines) == 2
        assert cli("leaderboard").err == (
            "tourney.db has no runs; `tourney run CONFIG` plays one\n"
        )

    def test_deleting_an_unknown_run_is_wrong_usage(self, cli: Cli) -> None:
        """Nothing is deleted, and what there is is named."""
        ran = cli("runs", "--delete", 9)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err == ("run 9 is not in tourney.db; its runs are 1 'Small'\n")
        assert len(cli("runs").lines) == 3

    @pytest.mark.parametrize("number", ["0", "-1", "x", "1.5", str(2**63), "9" * 5000])
    def test_only_numbers_of_runs_can_be_deleted(self, cli: Cli, number: str) -> None:
        """Anything else is refused before the store is looked at."""
        ran = cli("runs", "--delete", number)
        assert (ran.status, ran.out) == (2, "")
        assert "Invalid value for '--delete'" in ran.err


class TestReplay:
    """`replay`."""

    def test_it_prints_the_hands_as_the_original_driver_would(self, cli: Cli) -> None:
        """Rounds 1 to 3, with the shuffle that precedes them."""
        ran = cli("replay", "--entrant", "simple", "--table", 1, "--range", "1-3")
        assert (ran.status, ran.out, ran.err) == (0, HANDS_1_TO_3, "")

    def test_one_round_can_be_shown(self, cli: Cli) -> None:
        """`--range 2` is round 2 alone."""
        ran = cli("replay", "--entrant", "simple", "--table", 1, "--range", "2")
        assert ran.out == "".join(HANDS_1_TO_3.splitlines(keepends=True)[10:18])

    def test_without_rounds_the_whole_table_is_shown_to_its_end(self, cli: Cli) -> None:
        """The last line is the driver's, and agrees with what is stored."""
        ran = cli("replay", "--entrant", "simple", "--table", 1)
        assert ran.out.startswith(HANDS_1_TO_3)
        assert ran.lines[-1] == "# Player has 59 after 60 hands"
        assert sum(line.startswith("# Hand ") for line in ran.lines) == 60

    def test_the_end_is_shown_where_it_was_asked_for(self, cli: Cli) -> None:
        """A range that reaches over the end includes it."""
        ran = cli("replay", "--entrant", "SIMPLE", "--table", 1, "--range", "60-99")
        assert ran.lines[-1] == "# Player has 59 after 60 hands"
        assert sum(line.startswith("# Hand ") for line in ran.lines) == 1

    def test_duplicate_tables_deal_everybody_the_same_shoe(self, cli: Cli) -> None:
        """The first cards of table 1 are the same for all."""
        firsts = {
            tuple(cli("replay", "--entrant", name, "--table", 1, "--range", 1).lines[3:6])
            for name in ("simple", "counting", "mimic")
        }
        assert len(firsts) == 1

    def test_a_chained_table_is_shown_from_block_to_block(
        self, cli: Cli, write: Write, store: Path
    ) -> None:
        """Every block begins with a shuffle, and hands are numbered through."""
        config = write(
            "chained.yaml",
            """\
            name: Chained
            seed: 7
            game: {preset: eecs280, shuffle: uniform}
            bankroll: 500
            format: {kind: independent, tables: 2, rounds: 9, block_rounds: 4}
            entrants: [{strategy: simple}]
            """,
        )
        cli("run", config, "--workers", 1)
        ran = cli("replay", "Chained", "--entrant", "simple", "--table", 2)
        hands = [line for line in ran.lines if line.startswith(("Hand", "Shuffling", "Player has"))]
        assert [line.split()[1] for line in hands if line.startswith("Hand")] == [
            str(number) for number in range(1, 10)
        ]
        assert [number for number, line in enumerate(hands) if "Shuffling" in line] == [0, 5, 10]
        assert hands[-1].endswith("after 9 hands")
        assert "#" not in ran.out

    def test_an_unknown_entrant_is_answered_with_those_there_are(self, cli: Cli) -> None:
        """Names are compared without their case, but not guessed."""
        ran = cli("replay", "--entrant", "nobody", "--table", 1)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err == (
            f"{USAGE_OF_REPLAY}Invalid value for --entrant: "
            "'nobody' is not an entrant; choose simple, counting or mimic\n"
        )

    @pytest.mark.parametrize("table", [9, 10**30])
    def test_an_unknown_table_is_answered_with_how_many_there_are(
        self, cli: Cli, table: int
    ) -> None:
        """Eight tables were played."""
        ran = cli("replay", "--entrant", "simple", "--table", table)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err == (
            f"{USAGE_OF_REPLAY}Invalid value for --table: "
            f"simple has not played at table {table}; choose 1 to 8\n"
        )

    def test_a_table_that_is_still_to_be_played_has_no_hands(self, cli: Cli, store: Path) -> None:
        """Where nothing is stored, nothing can be replayed."""
        forget_batches_from(0, store)
        ran = cli("replay", "--entrant", "simple", "--table", 1)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.endswith("--table: simple has not played at table 1\n")

    @pytest.mark.parametrize(
        ("rounds", "said"),
        [
            ("x", "expected A-B, such as 10-20; got 'x'"),
            ("", "expected A-B, such as 10-20; got ''"),
            ("5-", "expected A-B, such as 10-20; got '5-'"),
            ("1-2-3", "expected A-B, such as 10-20; got '1-2-3'"),
            ("1.5", "expected A-B, such as 10-20; got '1.5'"),
            (
                "0-3",
                "the first round is at least 1, and the last one is not before it; '0-3' is wrong",
            ),
            (
                "9-3",
                "the first round is at least 1, and the last one is not before it; '9-3' is wrong",
            ),
            ("1" * 5000, "the numbers have more than 18 digits"),
            ("61-70", "round 61 was not played; the last round is 60"),
        ],
        ids=["word", "empty", "open", "three", "fraction", "zero", "backwards", "long", "late"],
    )
    def test_bad_rounds_are_wrong_usage(self, cli: Cli, rounds: str, said: str) -> None:
        """The message says what they should look like."""
        ran = cli("replay", "--entrant", "simple", "--table", 1, "--range", rounds)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err == f"{USAGE_OF_REPLAY}Invalid value for --range: {said}\n"

    def test_hands_that_differ_from_the_stored_ones_are_not_passed_for_them(
        self, cli: Cli, store: Path
    ) -> None:
        """A store somebody changed gives a loud error and status 1."""
        with closing(sqlite3.connect(store)) as connection, connection:
            connection.execute("UPDATE seats SET final = final + 1")
        connection.close()
        ran = cli("replay", "--entrant", "simple", "--table", 1, "--range", "1")
        assert ran.status == 1
        assert ran.err == (
            "tourney.db: run 1: 6 of 6 batches damaged or changed: 0, 1, 2, 3, 4, 5; to play these "
            "again and keep the others: `tourney verify 1 --repair`\n"
        )


class TestVerify:
    """`verify`."""

    def test_a_run_without_results_proves_nothing(self, cli: Cli, store: Path) -> None:
        """That none of no batches differs would sound as if all was well."""
        forget_batches_from(0, store)
        ran = cli("verify")
        assert (ran.status, ran.out) == (2, "")
        resume = "`tourney resume 1 --store tourney.db`"
        assert ran.err == f"run 1 has no stored batches yet; {resume} plays it\n"

    @pytest.mark.parametrize(
        ("options", "replayed"), [((), 6), (("--full",), 6), (("--sample", 2), 2)], ids=str
    )
    def test_batches_play_as_they_did(
        self, cli: Cli, options: tuple[object, ...], replayed: int
    ) -> None:
        """A sample, or all of them."""
        ran = cli("verify", "--workers", 1, *options)
        assert (ran.status, ran.err) == (0, "")
        first, second = ran.lines
        assert first == (
            f"run 1: {replayed} of {replayed} replayed batches give the stored digests (6 stored)"
        )
        assert second.removeprefix("run 1: digest ") in cli("runs", 1).out

    def test_a_stored_digest_that_is_not_that_of_the_play_is_told(
        self, cli: Cli, store: Path
    ) -> None:
        """Which batch it is, and status 1."""
        with closing(sqlite3.connect(store)) as connection, connection:
            connection.execute("UPDATE batches SET digest = zeroblob(16) WHERE number = 4")
        connection.close()
        ran = cli("verify", "--workers", 1, "--full")
        assert ran.status == 1
        assert ran.out == ""
        assert ran.err == (
            "batch 4 is damaged or changed\n"
            "to keep intact batches and play the rest again: tourney verify 1 --repair\n"
        )

    def test_an_unknown_run_is_wrong_usage(self, cli: Cli) -> None:
        """There is no run 7."""
        assert cli("verify", 7).status == 2


class TestResume:
    """`resume`."""

    def test_a_run_that_was_cut_off_ends_with_the_same_board(self, cli: Cli, store: Path) -> None:
        """What is stored is not played again; what is missing is."""
        board = cli("leaderboard").out
        forget_batches_from(2, store)
        ran = cli("resume", "--workers", 1)
        first, hidden, aim, unseen, second = ran.err.splitlines()
        assert (ran.status, ran.out, f"{hidden}\n{aim}\n{unseen}\n") == (
            0,
            board,
            HIDDEN + AIM + UNSEEN,
        )
        assert first == "run 1 in tourney.db: Small, going on after 2 batches"
        assert second.startswith("on the floor: 13 h simulated, 24 blocks")
        assert cli("verify", "--full", "--workers", 1).status == 0
        assert "finished" in cli("runs").out

    def test_a_finished_run_shows_its_board_again(self, cli: Cli) -> None:
        """Nothing is left to be played, and the run keeps its time."""
        before = cli("runs", 1).out
        ran = cli("resume", 1, "--workers", 1, "--format", "csv")
        assert (ran.status, ran.out) == (0, cli("leaderboard", "--format", "csv").out)
        assert "Small, finished already: nothing is left to play" in ran.err
        assert cli("runs", 1).out == before

    def test_an_unknown_run_is_wrong_usage(self, cli: Cli) -> None:
        """There is no run of that name."""
        ran = cli("resume", "Large")
        assert (ran.status, ran.out) == (2, "")
        assert "run 'Large' is not in tourney.db; its runs are 1 'Small'" in ran.err


@pytest.mark.parametrize(
    "command",
    [
        ("runs",),
        ("leaderboard",),
        ("resume",),
        ("verify",),
        ("replay", "--entrant", "simple", "--table", "1"),
        ("extend", "1", "--tables", "9"),
        ("publish", "--output", "site"),
        ("floor",),
        ("verdicts",),
        ("watch",),
    ],
    ids=lambda command: command[0],
)
def test_a_store_that_is_not_there_is_not_made(
    cli: Cli, tmp_path: Path, command: tuple[str, ...]
) -> None:
    """Looking at results makes no file; the status is that of a run that is not there."""
    ran = cli(*command, "--store", "nope.db")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        "nope.db does not exist; make a store with `tourney run CONFIG`, or name another file "
        "with --store\n"
    )
    assert not (tmp_path / "nope.db").exists()
