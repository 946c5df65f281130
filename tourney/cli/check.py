"""`check`: the report on a competitor before its author submits it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from tourney.checks.pools import ANY, BUDGET, pool_for
from tourney.checks.remedies import finding_of
from tourney.checks.source import Source, read_handed_in
from tourney.cli import completion
from tourney.cli.check_report import show_report
from tourney.cli.options import JSON, NO_SANDBOX, NamedFile, note, prints_aside, shared_option
from tourney.cli.progress import Looking
from tourney.errors import SubmissionError
from tourney.game.ledger import Verdict
from tourney.game.protocol import Found
from tourney.game.rules import Rules
from tourney.research.check import GAME, check, check_game, level_of_own
from tourney.sandbox.levels import Level

ONE_BY_ONE = BUDGET._replace(decision=10 * BUDGET.decision)
"""Limit for a process that is asked one question at a time, because each one costs a read and a
write.
"""


@contextmanager
def found_in_file(path: Path, rules: Rules, *, trusts: bool) -> Iterator[Found]:
    """Load the player of an author's file for a program.

    Args:
        path: A file of Python, a chart, or the folder of a package.
        rules: The rules to play by.
        trusts: Run it without a sandbox.
    Raises: TourneyError, if it cannot be read, has no sandbox or is at fault.
    """
    source = read_handed_in(path)
    if misfit := source.language.misfit(source.name, source.files, rules):
        raise SubmissionError(f"{source.name}: {misfit}")
    if not source.language.runs_code:  # such as a chart, which needs no process
        yield Found(source.language.load(source.name, source.files))
        return
    level = level_of_own(trusts=trusts)
    pool = pool_for(source, rules.game, level, ANY._replace(budget=ONE_BY_ONE))
    try:
        with pool:
            yield Found(pool=pool, words=partial(_words, source, rules))
    finally:
        if pool.printed:
            note(f"{source.name} printed:\n{pool.printed.rstrip()}")


def _words(source: Source, rules: Rules, verdict: Verdict) -> str:
    """Describe a fault, its place and its fix."""
    # The driver adds the hand.
    return str(finding_of(replace(verdict, decision=0), source, rules.game.contract()))


PASSED, FAILED = 0, 1


@click.command("check")
@click.argument("file", type=NamedFile(path_type=Path), required=False)
@shared_option("--game", metavar="GAME", shell_complete=completion.games, show_default=GAME)
@click.option(
    "--tournament",
    type=NamedFile(dir_okay=False, path_type=Path),
    metavar="CONFIG",
    help="The tournament that it is for: its game, wagers and limits.",
)
@NO_SANDBOX
@JSON
def check_command(
    file: Path | None,
    game: str | None,
    tournament: Path | None,
    trust_submissions: bool,
    as_json: bool,
) -> int:
    """Check a competitor before it is submitted.

    FILE is a Python or C++ file, a chart (.txt), or the folder of a small package or of a C++
    project. The check loads it, asks it about rare situations and plays a short match, in the
    sandbox. The report shows each fault with its place and a fix. With --game and without FILE the
    check is for the author of a game: the game itself is checked.
    """
    if game and tournament:
        raise click.UsageError("--tournament has its own game; leave out --game")
    if file is None and not game:
        raise click.UsageError(
            "nothing to check; pass FILE, a competitor, or --game GAME to check a game"
        )
    with prints_aside():  # a package outside the sandbox may print
        if file is None:
            with Looking("tables", "checking", "played") as shown:
                checked = check_game(
                    game or "",
                    trust_submissions=trust_submissions,
                    may_compile=False,
                    update=shown.update,
                )
        else:
            checked = check(
                file,
                game,
                tournament=tournament,
                trust_submissions=trust_submissions,
                may_compile=False,
            )
    if as_json:
        click.echo(json.dumps(checked.to_data(), ensure_ascii=False))
    else:
        show_report(checked.report, checked.title)
    if checked.level is Level.UNSAFE:
        note("checked without a sandbox: a tournament with a sandbox may find other faults")
    return PASSED if checked.passed else FAILED
