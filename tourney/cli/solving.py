"""`solve`: the best chart for a game."""

import click

from tourney.cli.charts import exact_words, found_kind
from tourney.cli.options import note
from tourney.config import load_game
from tourney.entrants import load_plugins
from tourney.event.entering import catalog_of
from tourney.event.research import solver_of
from tourney.game.solver import ATTENTIONS, TOTALS


@click.command("solve")
@click.argument("game")
@click.option("--no-surrender", is_flag=True, help="Find the best chart that never surrenders.")
@click.option(
    "--against",
    metavar="CHART",
    help="Say where this chart differs: a file, or the name of a strategy that has one.",
)
@click.option(
    "--by",
    type=click.Choice(ATTENTIONS),
    default=TOTALS,
    help="What of a hand the best play looks at; what it then plays otherwise is listed.",
    show_default=True,
)
def solve_command(game: str, no_surrender: bool, against: str | None, by: str) -> None:
    """Find the best chart for a game, and its exact value.

    GAME is a preset with overrides: easybj, or six-decks-h17,decks=8. Rounds are from a full shoe.
    The chart goes to standard output, what is said about it to standard error.
    """
    registry = load_plugins()
    rules = load_game(game, catalog_of(registry)).rules
    solver, minimum = solver_of(rules), rules.minimum or 1
    other = solver.written(found_kind(against, registry, rules), against) if against else None
    best = solver.best(minimum, surrender=not no_surrender, by=by)
    click.echo(best.text, nl=False)
    for line in (*exact_words(best.value), *best.notes):
        note(line)
    for line in solver.compare(best, other, minimum) if other else ():
        note(line)
