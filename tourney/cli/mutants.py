"""`mutants`: the mutants that a file of tests catches."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from textwrap import wrap

import click
from tabulate import tabulate

from tourney.cli import completion
from tourney.cli.options import JSON, NO_SANDBOX, Finite, NamedFile, note, shared_option
from tourney.config.games import load_game
from tourney.game.mutants import Implementation
from tourney.plugins.fault_text import printable
from tourney.plugins.loading import load_plugins
from tourney.sandbox.levels import Level
from tourney.testing.grading import SECONDS, Grade, grade_cases, grade_tests
from tourney.testing.student_tests import NATIVE_SUFFIX, read_cases, read_tests
from tourney.tournament.catalog import catalog_of
from tourney.tournament.sandbox_level import WORDS

ALL_COUNT, SOME_FAIL = 0, 1
WIDTH = 100
"""Width of a table; narrower if the names of tests allow it."""

OTHER_COLUMNS, LEAST_WIDTH = 22, 24  # width of numbers and gaps; least width of bugs
MISSED_WIDTH = 72
KEEP_TOGETHER = "\N{NO-BREAK SPACE}"


@click.command("mutants")
@click.argument("file", type=NamedFile(path_type=Path))
@shared_option(
    "--game",
    metavar="GAME",
    shell_complete=completion.games,
    show_default="the only game that has mutants",
)
@click.option("--show-missed", "reveal", is_flag=True, help="Show the bugs that no test catches.")
@click.option(
    "--seconds",
    type=Finite(0.1, 600),
    metavar="N",
    default=SECONDS,
    show_default=True,
    help="Time limit of one test with one implementation.",
)
@JSON
@NO_SANDBOX
def mutants_command(
    file: Path,
    game: str | None,
    reveal: bool,
    seconds: float,
    as_json: bool,
    trust_submissions: bool,
) -> int:
    """Run your tests on buggy Decks, Hands and Players.

    FILE holds functions named test_…, or is a test case in C++ such as deck.case.1.cpp, or a folder
    with such cases. It is confined. A test that fails a correct implementation counts for nothing.
    """
    named = load_game(game, catalog_of(load_plugins())).rules.game if game else None
    if file.is_dir() or file.suffix == NATIVE_SUFFIX:
        cases = read_cases(file)
        grade = grade_cases(cases, game=named, seconds=seconds, trusts_files=trust_submissions)
    else:
        source, name = read_tests(file), printable(file.name)
        grade = grade_tests(
            source, name, game=named, seconds=seconds, trusts_files=trust_submissions
        )
    if grade.level is not Level.FULL:
        note(f"sandbox {grade.level}: the tests {WORDS[grade.level]}")
    if as_json:
        click.echo(json.dumps(_facts(grade, reveal=reveal), ensure_ascii=False))
    else:
        _show(grade, reveal=reveal)
        for fault in grade.faults:
            note(fault)
    return SOME_FAIL if grade.faults else ALL_COUNT


def _show(grade: Grade, *, reveal: bool) -> None:
    longest = max(len(test.name) for test in grade.tests)
    room = max(WIDTH - longest - OTHER_COLUMNS, LEAST_WIDTH)
    tests = [
        (test.name, test.line, None, "does not count")
        if test.fault
        else (test.name, test.line, len(test.catches), _wrapped(test.catches, room))
        for test in grade.tests
    ]
    click.echo(tabulate(tests, headers=["Test", "Line", "Bugs", "Catches"]))
    rows = []
    for of in grade.mutants.homes:
        missed = _names(grade.missed(of))
        caught = len(grade.caught(of))
        rows.append((of, caught, caught + len(missed), _wrapped(missed, MISSED_WIDTH)))
    click.echo()
    click.echo(tabulate(rows, headers=["Class", "Caught", "Of", "Missed"]))
    if reveal:
        for bug in _missed(grade):
            click.echo(f"\n{bug.name}: {bug.story}\n  Caught by: {bug.caught_by}")


def _facts(grade: Grade, *, reveal: bool) -> dict[str, object]:
    """Return a grade as data, with only the names of missed bugs unless `reveal` is set."""
    facts: dict[str, object] = {
        "tests": [{**asdict(test), "counts": not test.fault} for test in grade.tests],
        "classes": {
            of: {"caught": _names(grade.caught(of)), "missed": _names(grade.missed(of))}
            for of in grade.mutants.homes
        },
    }
    if reveal:
        facts["revealed"] = {
            bug.name: {"bug": bug.story, "caught_by": bug.caught_by} for bug in _missed(grade)
        }
    return facts


def _missed(grade: Grade) -> list[Implementation]:
    return [bug for of in grade.mutants.homes for bug in grade.missed(of)]


def _names(bugs: Sequence[Implementation]) -> list[str]:
    return [bug.name for bug in bugs]


def _wrapped(names: Sequence[str], width: int) -> str:
    """Wrap names of bugs to fit the table, with consecutive ones as a range."""
    lines = wrap(", ".join(_ranges(names)), width, break_on_hyphens=False)
    return "\n".join(lines).replace(KEEP_TOGETHER, " ")


def _ranges(names: Sequence[str]) -> Iterator[str]:
    """Shorten names such as `deck-01`, `deck-02` and `deck-03` to `deck-01 to 03`."""
    numbered = [(of, int(number)) for of, _, number in (name.rpartition("-") for name in names)]
    runs = groupby(enumerate(numbered), key=lambda each: (each[1][0], each[1][1] - each[0]))
    for (of, _), run in runs:
        numbers = [number for _, (_, number) in run]
        to = f" to {numbers[-1]:02}" if len(numbers) > 1 else ""
        yield f"{of}-{numbers[0]:02}{to}".replace(" ", KEEP_TOGETHER)
