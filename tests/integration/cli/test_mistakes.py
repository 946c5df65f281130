"""What users get wrong: told in a line or two, never with a traceback."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.types import FloatParamType
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.support.proving import tried
from tourney.cli.commands import SYNONYMS, command_names, tourney
from tourney.cli.options import Finite
from tourney.cli.run_warnings import load_wanted
from tourney.config.documents import plain_data as yaml_data
from tourney.errors import ConfigError
from tourney.plugins.loading import installed_plugins
from tourney.tournament.tournament import play_tournament

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

TEN_FAULTS = """\
name: ''
seed: -1
game: {preset: ve208, shuffle: uniform}
bankroll: 3
minimum: 5
maximum: 2
format: {kind: duplicate, tables: 0}
floor: {dealers: many}
entrants:
  - strategy: simpel
  - strategy: ramp
    options: {spread: x, spraed: 3}
  - file: nowhere.py
  - strategy: counting
  - strategy: counting
leaderboard: {columns: [rank, ranks]}
"""

THEIR_PLACES = [
    "ten.yaml:1:7: name: expected a name",
    "ten.yaml:2:7: seed: expected a whole number",
    "ten.yaml:3:16: game.preset: expected csc24400, double-deck, easybj",
    "ten.yaml:5:10: minimum: expected at most the bankroll of 3, got 5",
    "ten.yaml:6:10: maximum: expected at least the minimum of 5, got 2",
    "ten.yaml:7:9: format: 'rounds' is missing",
    "ten.yaml:7:35: format.tables: expected a whole number",
    "ten.yaml:8:18: floor.dealers: expected a whole number",
    "ten.yaml:10:15: entrants[0].strategy: expected basic-",
    "ten.yaml:12:23: entrants[1].options.spread: expected a whole number, got text 'x'",
    "ten.yaml:12:26: entrants[1].options.spraed: unknown setting 'spraed'; choose spread or decks",
    "ten.yaml:13:11: entrants[2].file: 'nowhere.py' does not exist",
    "ten.yaml:15:15: entrants[4].strategy: 'counting' is already an entrant (line ",
    "ten.yaml:16:31: leaderboard.columns[1]: expected ",
]


MINIMAL = """\
name: Two
game: {{preset: ve280}}
bankroll: 100
minimum: 5
format: {{kind: independent, tables: 4, rounds: 10}}
entrants:
  - {kind}: {file}
  - strategy: simple
"""


def options_of(command: click.Command) -> Iterator[click.Parameter]:
    """Find what a command takes, and those below it."""
    yield from command.params
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below
            yield from options_of(below)


def test_all_faults_of_a_configuration_are_told_at_once(cli: Cli, write: Write) -> None:
    """Each with its line, column and path; nothing is played."""
    write("ten.yaml", TEN_FAULTS)
    ran = cli("run", "ten.yaml", "--workers", 1)
    told = ran.err.splitlines()
    assert (ran.status, ran.out) == (2, "")
    assert [line[: len(place)] for line, place in zip(told, THEIR_PLACES, strict=True)] == (
        THEIR_PLACES
    )


def test_a_dry_run_tells_the_same_faults(cli: Cli, write: Write) -> None:
    """So a configuration can be tried without a store."""
    write("ten.yaml", TEN_FAULTS)
    assert cli("run", "ten.yaml", "--dry-run").err == cli("run", "ten.yaml").err


REFUSED = """\
name: Two
seed: 1
game: {preset: ve280}
bankroll: 100
minimum: 5
format: {kind: independent, tables: 4, rounds: 10}
entrants:
  - strategy: simple
  - {strategy: ramp, options: {spread: -5}}
"""


def test_options_that_a_constructor_refuses_are_told_before_anything_is_played(
    cli: Cli, write: Write
) -> None:
    """With their place, whether it is a dry run or not, in Python, too."""
    path, told = write("two.yaml", REFUSED), "expected a whole number of at least 1, got -5"
    for flags in ((), ("--dry-run",)):
        ran = cli("run", "two.yaml", *flags)
        said = f"two.yaml:9:40: entrants[1].options.spread: {told}\n"
        assert (ran.status, ran.out, ran.err) == (2, "", said)
    with pytest.raises(ConfigError, match=told):
        play_tournament(yaml_data(REFUSED), store=path.with_name("none.tourney"))


def test_what_is_to_be_confined_is_not_made_here_to_hear_what_it_refuses(write: Write) -> None:
    """Its constructor runs in a process of its own, and may fail there."""
    path = write("two.yaml", REFUSED)
    found = load_wanted(path, installed_plugins(), is_sure=True, confines_all=True)
    assert dict(found.entrants[1].options) == {"spread": -5}


@pytest.mark.parametrize(
    ("kind", "file", "said"),
    [
        ("file", "me.cpp", "this is a file of C++ (.cpp), not a file of Python (.py)"),
        ("chart", "me.py", "this is a file of Python (.py), not a chart (.txt)"),
        ("cpp", "me.txt", "this is a chart (.txt), not a file of C++ (.cpp)"),
    ],
)
def test_a_file_that_is_entered_as_one_of_another_language_is_told(
    cli: Cli, write: Write, kind: str, file: str, said: str
) -> None:
    """Before anything of it is read, with the word by which to enter it."""
    write(file, "anything")
    write("two.yaml", MINIMAL.format(kind=kind, file=file))
    meant = {".cpp": "cpp", ".py": "file", ".txt": "chart"}[Path(file).suffix]
    for last in ("--dry-run", "--workers=1"):
        ran = cli("run", "two.yaml", last)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err == f"two.yaml: entrant me: {said}; enter it with `{meant}: …`\n"


def test_an_entrant_that_is_no_plain_file_is_told_what_it_is(cli: Cli, write: Write) -> None:
    """It is there, so it is not missing."""
    write("two.yaml", MINIMAL.format(kind="file", file=os.devnull))
    ran = cli("run", "two.yaml", "--dry-run")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.endswith(f"'{os.devnull}' is a device, not a file\n")


@pytest.mark.parametrize("kind", ["file", "chart", "cpp", "submissions"])
def test_a_path_too_long_for_the_system_is_told_shortened(
    cli: Cli, write: Write, kind: str
) -> None:
    """The reason comes without the whole path, too."""
    write("two.yaml", MINIMAL.format(kind=kind, file="x" * 2000))
    ran = cli("run", "two.yaml", "--dry-run")
    assert (ran.status, ran.out) == (2, "")
    assert f"'{'x' * 59}…'" in ran.err
    assert "File name too long" in ran.err
    assert len(ran.err) < 300


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("nope.yaml", "nope.yaml: no such file"),
        ("emty.yml", "emty.yml: no such file (did you mean 'empty.yaml'?); `tourney new"),
        ("bold.py", "bold.py: this is a competitor; a configuration is a YAML file. `tourney che"),
        (".", ".: the file cannot be read (Is a directory)\n"),
        ("class", "(Is a directory) (did you mean 'class/tournament.yaml'?)\n"),
        ("empty.yaml", "empty.yaml: the file is empty; add settings such as 'name: Quickstart'"),
        ("open.yaml", "open.yaml:2:1: invalid YAML: a bracket that is not closed; add ']'"),
    ],
)
def test_a_configuration_that_cannot_be_read_is_told(
    cli: Cli, write: Write, config: str, said: str
) -> None:
    """Missing, a folder, empty, or no YAML."""
    Path("class").mkdir()
    write("class/tournament.yaml", "")
    write("empty.yaml", "")
    write("open.yaml", "a: [1\n")
    write("bold.py", "class Bold: pass\n")
    ran = cli("run", config)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("store", "said"),
    [
        ("missing/x.db", "missing/x.db: the file cannot be opened"),
        ("small.yaml/x.db", "small.yaml/x.db: the file cannot be opened"),
        ("small.yaml", "small.yaml: this file is not a store (file is not a database)"),
        (os.devnull, f"{os.devnull} is a device, not a file"),
    ],
)
def test_a_store_that_cannot_be_written_is_told(
    cli: Cli, small: Path, store: str, said: str
) -> None:
    """The run did not happen: status 1."""
    ran = cli("run", small, "--workers", 1, "--store", store)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(said)
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("rum",), "No such command 'rum' (did you mean 'run'?)."),
        (("leaderbord",), "No such command 'leaderbord' (did you mean 'leaderboard'?)."),
        (("upload", "mine.py"), "No such command 'upload' (did you mean 'submit'?)."),
        (("Scores",), "No such command 'Scores' (did you mean 'leaderboard'?)."),
        (("zzz",), "No such command 'zzz'.\n"),
        (("play", "vee280"), "No such command 'vee280' (did you mean 've280'?)."),
        (("run", "--worker", "5"), "No such option '--worker' (did you mean '--workers'?)."),
        (("run", "--tables", "5"), "No such option '--tables'.\n"),
        (("leaderboard", "--run", "9"), "No such option '--run' (write RUN without it)."),
        (("--nope",), "No such option"),
        (("run",), "Missing argument 'CONFIG'"),
        (("run", "a.yaml", "b.yaml"), "Got unexpected extra argument (b.yaml)"),
        (("run", "a.yaml", "--workers", "0"), "Invalid value for '--workers'"),
        (("run", "a.yaml", "--workers", "257"), "Invalid value for '--workers'"),
        (("run", "a.yaml", "--seed", "-1"), "Invalid value for '--seed'"),
        (("run", "a.yaml", "--seed", str(2**63)), "Invalid value for '--seed'"),
        (("run", "a.yaml", "--engine", "warp"), "'warp' is not one of 'auto', 'compiled', 'lo"),
        (("run", "a.yaml", "--format", "docx"), "'docx' is not one of 'asciidoc'"),
        (("run", "a.yaml", "--store", "."), "File '.' is a directory"),
        (("list", "stratgies"), "'plugins' (did you mean 'strategies'?)."),
        (("leaderboard", "--format", "cvs"), "(did you mean 'csv'?)."),
        (("list", "players"), "'players' is not one of 'strategies', 'games', 'formats'"),
        (("replay", "--table", "1"), "Missing option '--entrant'"),
        (("replay", "--entrant", "simple"), "Missing option '--table'"),
        (("replay", "--entrant", "simple", "--table", "0"), "Invalid value for '--table'"),
        (("verify", "--sample", "0"), "Invalid value for '--sample'"),
        (("ev",), "Missing argument 'STRATEGY'"),
        (("ev", "simple"), "Missing option '--game'"),
        (("ev", "simple", "--game", "ve280", "--minimum", "0"), "Invalid value for '--minimum'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_wrong_usage_is_told_with_the_usage(
    cli: Cli, arguments: tuple[str, ...], said: str
) -> None:
    """The usage line, where help is, and what was wrong."""
    ran = cli(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("Usage: tourney")
    assert said in ran.err


@pytest.mark.parametrize("number", ["nan", "inf", "-inf"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("floor", "--warm-up"),
        ("watch", "--speed"),
        ("compare", "simple", "mimic", "--game", "ve280", "--margin"),
        ("ev", "simple", "--game", "ve280", "--precision"),
        ("mutants", "small.yaml", "--seconds"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_an_option_takes_no_number_without_an_end(
    cli: Cli, store: Path, arguments: tuple[str, ...], number: str
) -> None:
    """What is no number is within no limits, and nothing lasts for ever."""
    ran = cli(*arguments, number)
    assert (ran.status, ran.out) == (2, "")
    assert f"Invalid value for '{arguments[-1]}'" in ran.err


@pytest.mark.parametrize(
    "arguments", [("check",), ("run",), ("runs", "--store"), ("submit", "a.py", "--to")]
)
def test_an_empty_path_is_refused(cli: Cli, arguments: tuple[str, ...]) -> None:
    """It is not taken for the folder that one is in."""
    ran = cli(*arguments, "")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.endswith(": the path is empty\n")


def test_no_command_takes_an_empty_path() -> None:
    """One type reads them all, but for the cuts of a course program."""
    plain = [each.name for each in options_of(tourney) if type(each.type) is click.Path]
    assert set(plain) == {"cuts"}


def test_no_option_takes_any_number_that_is_not_finite() -> None:
    """Whichever command has it: one type reads all of them."""
    types = [option.type for option in options_of(tourney)]
    assert {type(each) for each in types if isinstance(each, FloatParamType)} == {Finite}


@pytest.mark.parametrize(
    "arguments",
    [
        ("leaderboard", "J\udcf6rg"),
        ("submit", "good.py", "--as", "J\udcf6rg", "--to", "subs"),
        ("J\udcf6rg",),
    ],
    ids=lambda arguments: arguments[0],
)
def test_an_argument_that_is_no_text_is_refused_before_anything_is_done(
    cli: Cli, write: Write, store: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    """Nobody else is blamed for it, and nothing is left behind."""
    write("good.py", "anything")
    ran = cli(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.splitlines() == [
        r"'J\udcf6rg' is not UTF-8 (the byte 0xf6); "
        "type it again, or rename the file or folder"
    ]
    assert not (tmp_path / "subs").exists()


# What may stand anywhere; numbers are small, so that nothing takes long.
WORDS = (
    *("small.yaml", "simple", "counting", "mimic", "ve280", "eecs280", "Small", "strategies"),
    *("--seed", "--engine", "--format", "--dry-run", "--no-sandbox", "--strict-plugins"),
    *(
        "--entrant",
        "--table",
        "--range",
        "--rounds",
        "--full",
        "--every-fault",
        "--sample",
        "--delete",
        "--json",
        "--minimum",
    ),
    *("--game", "-h", "--version", "--", "-", "0", "1", "7", "-3", "1-3", "1.5", "json", "csv"),
    *("ve280,decks=3", "ve280,shuffle=uniform", "competitor", "auto"),
)
KEPT = ("--store", "tourney.db")
BEGINNINGS: tuple[tuple[str, ...], ...] = (
    (),
    # A portal is served until somebody ends it.
    *(
        (name,)
        for name in command_names()
        if name not in {"run", "resume", "verify", "ev", "serve"}
    ),
    *(("serve", name) for name in ("backup", "reset", "restore")),
    *(("play", driver) for driver in ("ve280", "eecs280")),
    *((name, "--workers", "1", *KEPT) for name in ("run", "resume", "verify")),
    ("ev", "--workers", "1", "--rounds", "20"),
)
# Whatever a shell can pass: no NUL, but bytes that are no text arrive as lone surrogates.
ANY_TEXT = st.text(st.characters(exclude_characters="\0"), max_size=8)


@tried(
    300,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    beginning=st.sampled_from(BEGINNINGS),
    words=st.lists(st.sampled_from(WORDS) | ANY_TEXT, max_size=6),
)
def test_no_arguments_give_a_traceback(
    cli: Cli, small: Path, store: Path, beginning: tuple[str, ...], words: list[str]
) -> None:
    """Whatever is typed, the status is one of four and the messages are messages."""
    ran = cli(*beginning, *words)
    assert ran.status in {0, 1, 2}
    assert "Traceback" not in ran.err
    assert ran.err or ran.out


def test_commands_say_what_they_were_given_without_control_characters(
    cli: Cli, store: Path
) -> None:
    """A name with an escape sequence is shown with its code."""
    ran = cli("leaderboard", "\x1b[2J")
    assert ran.status == 2
    assert r"run '\x1b[2J' is not in" in ran.err
    ran = cli("replay", "--entrant", "\x1b[2J", "--table", 1)
    assert r"'\x1b[2J' is not an entrant" in ran.err
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", ran.err)


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        (
            "publish --output a --data data.json --show-tables 5",
            "--show-tables has no effect with --data",
        ),
        ("publish --output a --data data.json --store b.db", "--store has no effect with --data"),
        (
            "publish 1 --output a --data data.json",
            "RUN has no effect with --data",
        ),
        ("publish --output a --authority FILE", "--authority has no effect without --anchor FILE"),
        (
            "commit FILE --anchor b --authority FILE",
            "--authority has no effect without --timestamp URL",
        ),
        (
            "extend 1 --tables 9 --authority FILE",
            "--authority has no effect without --timestamp URL",
        ),
        ("run FILE --insecure-cluster", "--insecure-cluster has no effect without --cluster PLACE"),
        ("plan FILE --store b.db", "--store has no effect without --rates-from RUN; add it"),
        ("runs 1 --delete 2", "RUN has no effect with --delete; leave out one of them"),
        ("verify --site . --repair", "--repair has no effect with --site"),
        ("verify --full --sample 3", "--sample has no effect with --full; leave out"),
        ("leaderboard --replace", "--replace has no effect without --output FILE; add it"),
        ("leaderboard --per-table --column rank", "--column has no effect with --per-table"),
        ("season FILE --show-tables 5", "--show-tables has no effect without --output DIR; add it"),
        (
            "ev simple --game ve280 --rounds-per-hour 50",
            "--rounds-per-hour has no effect without --bankroll CHIPS",
        ),
        ("ev simple --game ve280 --exact --vary a=1", "--vary has no effect with --exact"),
        (
            "submissions . --show-report A 1 --withdraw A 1",
            "--withdraw has no effect with --show-report",
        ),
        ("submissions . --missing --pin A 1", "--pin has no effect with --missing"),
        ("submissions . --reason ill", "--reason has no effect without --withdraw NAME VERSION"),
        ("submit FILE --as A --reason ill", "--reason has no effect without --override; add it"),
        (
            "submit FILE --as A --token-file a",
            "--token-file has no effect without a portal's address as --to",
        ),
        (
            "serve file/x --socket a --port 80",
            "--port has no effect with --socket",
        ),
    ],
)
def test_what_would_do_nothing_is_refused(cli: Cli, write: Write, typed: str, fault: str) -> None:
    """In a line with the remedy, before anything is read, played or written."""
    file = str(write("file", ""))
    ran = cli(*(file if word == "FILE" else word for word in typed.split()))
    assert (ran.status, ran.out) == (2, "")
    assert fault in ran.err.splitlines()[-1]
    assert [each.name for each in Path().iterdir()] == ["file"]


def test_a_word_that_people_try_leads_to_a_command() -> None:
    """Each to one that is there, and none of the words is a command itself."""
    assert set(SYNONYMS.values()) <= set(command_names())
    assert not set(SYNONYMS) & set(command_names())
