"""`check`: what a competitor's author hears before handing it in."""

import json
from pathlib import Path

import click

from tourney.cli import completing
from tourney.cli.options import NamedFile, note, prints_aside
from tourney.cli.reporting import show_report
from tourney.research.check import GAME, check, check_game
from tourney.sandbox.levels import Level

PASSED, FAILED = 0, 1


@click.command("check")
@click.argument("file", type=NamedFile(path_type=Path), required=False)
@click.option(
    "--game",
    metavar="GAME",
    shell_complete=completing.games,
    help=f"The game it is for, as `tourney list games` names it; {GAME} by default.",
)
@click.option(
    "--tournament",
    type=NamedFile(dir_okay=False, path_type=Path),
    metavar="CONFIG",
    help="The tournament it is for: its game, its wagers and what it lets players compute.",
)
@click.option(
    "--trust-submissions",
    "--unconfined",
    "trusts",
    is_flag=True,
    help="Where players cannot be confined: let your own file run with all your rights.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def check_command(
    file: Path | None, game: str | None, tournament: Path | None, trusts: bool, as_json: bool
) -> int:
    """Check a competitor before it is handed in.

    FILE is a file of Python or C++, a chart (.txt), or the folder of a small package or of a
    project in C++. It is loaded, asked about rare situations and played in a short match, in
    confinement. The report says what to mend, where and how. With --game and without FILE a game
    is checked by itself, as whoever writes one wants to know.
    """
    if game and tournament:
        raise click.UsageError("--tournament: expected no --game, as it says its own, got both")
    if file is None and not game:
        raise click.UsageError(
            "expected FILE, a competitor, or --game GAME to check a game by itself; got neither"
        )
    with prints_aside():  # a package that is loaded unconfined may print
        if file is None:
            checked = check_game(game or "", trust_submissions=trusts, may_compile=False)
        else:
            checked = check(
                file, game, tournament=tournament, trust_submissions=trusts, may_compile=False
            )
    if as_json:
        click.echo(json.dumps(checked.to_data(), ensure_ascii=False))
    else:
        show_report(checked.report, checked.title)
    if checked.level is Level.UNSAFE:
        note("checked unconfined: a tournament that confines players may judge otherwise")
    return PASSED if checked.passed else FAILED
