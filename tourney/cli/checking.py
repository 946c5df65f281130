"""`check`: what a competitor's author hears before handing it in."""

import json
from pathlib import Path

import click

from tourney.cli.options import note, prints_aside
from tourney.cli.reporting import show_report
from tourney.config import Catalog, GameConfig, load_game
from tourney.course import read_handed_in
from tourney.course.checks.beside import known_beside
from tourney.course.checks.check import check_source
from tourney.course.checks.confining import ANY, Demands
from tourney.entrants import load_plugins
from tourney.errors import ConfinementError
from tourney.event.entering import catalog_of
from tourney.event.intake import demands_of, tournament_in
from tourney.jail.levels import Level, probe

PASSED, FAILED = 0, 1
GAME = "ve280"


@click.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--game",
    metavar="GAME",
    help=f"The game it is for, as `tourney list games` names it; {GAME} by default.",
)
@click.option(
    "--tournament",
    type=click.Path(dir_okay=False, path_type=Path),
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
    registry = load_plugins()
    asked, demands = _asked_for(game or GAME, tournament, catalog_of(registry))
    rules, game = asked.rules, demands.name or game or GAME
    source = read_handed_in(file)
    level = level_of_own(trusts=trusts)
    beside = known_beside(rules, registry)
    with prints_aside():  # a package that is loaded unconfined may print
        report = check_source(source, rules, beside, level, demands)
    if as_json:
        told = {"file": str(file), "game": game, "confinement": level.value, **report.to_data()}
        click.echo(json.dumps(told, ensure_ascii=False))
    else:
        show_report(report, f"{file.name} at {game}")
    if level is Level.UNSAFE:
        note("checked unconfined: a tournament that confines players may judge otherwise")
    return PASSED if report.passed else FAILED


def _asked_for(game: str, tournament: Path | None, catalog: Catalog) -> tuple[GameConfig, Demands]:
    """Give what is played, and what a tournament demands, if one is named."""
    if tournament is None:
        return load_game(game, catalog), ANY
    config = tournament_in(tournament, catalog)
    return config.game, demands_of(config)


def level_of_own(*, trusts: bool) -> Level:
    """Give how well an author's own file is confined.

    Args:
        trusts: Whether its author says that it need not be.
    Raises: ConfinementError, if this machine cannot confine and nobody said so.
    """
    if trusts:
        return Level.UNSAFE
    level = probe()
    if level is Level.UNSAFE:
        raise ConfinementError(
            "expected a system that can confine players (Linux 5.13 or later, and no service "
            "manager that forbids the system calls seccomp and landlock_*), got another; "
            "if the file is your own, add --trust-submissions, and it runs with all your rights"
        )
    return level
