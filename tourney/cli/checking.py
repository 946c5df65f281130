"""`check`: what a competitor's author hears before handing it in."""

import json
from pathlib import Path

import click

from tourney.cli.options import note, prints_aside
from tourney.cli.reporting import show_report
from tourney.config import load_game
from tourney.course import read_handed_in
from tourney.course.checks.check import check_source, known_beside
from tourney.entrants import load_plugins
from tourney.errors import ConfinementError
from tourney.event.entering import catalog_of
from tourney.jail.levels import Level, probe

PASSED, FAILED = 0, 1


@click.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--game",
    metavar="GAME",
    default="ve280",
    show_default=True,
    help="The game it is for, as `tourney list games` names it.",
)
@click.option(
    "--unconfined",
    is_flag=True,
    help="Where players cannot be confined: let your own file run with all your rights.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def check_command(file: Path, game: str, unconfined: bool, as_json: bool) -> int:
    """Check a competitor before it is handed in.

    FILE is a file of Python, a chart (.txt), or the folder of a small package. It is loaded, asked
    about rare situations and played in a short match, in confinement. The report says what to
    mend, where and how.
    """
    registry = load_plugins()
    rules = load_game(game, catalog_of(registry)).rules
    source = read_handed_in(file)
    level = level_of_own(trusts=unconfined, option="--unconfined")
    beside = known_beside(rules, registry)
    with prints_aside():  # a package that is loaded unconfined may print
        report = check_source(source, rules, beside, level)
    if as_json:
        told = {"file": str(file), "game": game, "confinement": level.value, **report.to_data()}
        click.echo(json.dumps(told, ensure_ascii=False))
    else:
        show_report(report, f"{file.name} at {game}")
    if level is Level.UNSAFE:
        note("checked unconfined: a tournament that confines players may judge otherwise")
    return PASSED if report.passed else FAILED


def level_of_own(*, trusts: bool, option: str) -> Level:
    """Give how well an author's own file is confined.

    Args:
        trusts: Whether its author says that it need not be.
        option: With which to say so.
    Raises: ConfinementError, if this machine cannot confine and nobody said so.
    """
    if trusts:
        return Level.UNSAFE
    level = probe()
    if level is Level.UNSAFE:
        raise ConfinementError(
            "expected a system that can confine players (Linux 5.13 or later), got another; "
            f"if the file is your own, add {option}, and it runs with all your rights"
        )
    return level
