"""`check`: what a competitor's author hears before handing it in."""

import json
from pathlib import Path

import click

from tourney.cli import completing
from tourney.cli.options import NamedFile, note, prints_aside
from tourney.cli.reporting import show_report
from tourney.jail.levels import Level
from tourney.research import check
from tourney.research.checked import GAME

PASSED, FAILED = 0, 1


@click.command("check")
@click.argument("file", type=NamedFile(path_type=Path))
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
    file: Path, game: str | None, tournament: Path | None, trusts: bool, as_json: bool
) -> int:
    """Check a competitor before it is handed in.

    FILE is a file of Python or C++, a chart (.txt), or the folder of a small package or of a
    project in C++. It is loaded, asked about rare situations and played in a short match, in
    confinement. The report says what to mend, where and how.
    """
    if game and tournament:
        raise click.UsageError("--tournament: expected no --game, as it says its own, got both")
    with prints_aside():  # a package that is loaded unconfined may print
        checked = check(
            file, game, tournament=tournament, trust_submissions=trusts, may_compile=False
        )
    if as_json:
        click.echo(json.dumps(checked.to_data(), ensure_ascii=False))
    else:
        show_report(checked.report, f"{file.name} at {checked.game}")
    if checked.level is Level.UNSAFE:
        note("checked unconfined: a tournament that confines players may judge otherwise")
    return PASSED if checked.passed else FAILED
