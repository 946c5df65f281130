"""`solve`: the best chart for a game."""

from fractions import Fraction

import click

from tourney.cli.charts import blackjack, exact_words, find_chart
from tourney.cli.options import note
from tourney.config import load_game
from tourney.entrants import load_plugins
from tourney.event.entering import catalog_of
from tourney.games.blackjack.exact import Solution, exact_value, solve
from tourney.games.blackjack.players import Chart, write_chart
from tourney.games.blackjack.players.grid import cell_text


@click.command("solve")
@click.argument("game")
@click.option("--no-surrender", is_flag=True, help="Find the best chart that never surrenders.")
@click.option(
    "--against",
    metavar="CHART",
    help="Say where this chart differs: a file, or the name of a strategy that has one.",
)
def solve_command(game: str, no_surrender: bool, against: str | None) -> None:
    """Find the best chart for a game, and its exact value.

    GAME is a preset with overrides, and has an infinite shoe: easybj, or csc24400,decks=infinite.
    The chart goes to standard output, what is said about it to standard error.
    """
    registry = load_plugins()
    rules = blackjack(load_game(game, catalog_of(registry)).rules)
    other = find_chart(against, registry) if against else None
    minimum = rules.minimum or 1
    solution = solve(rules, surrender=not no_surrender, minimum=minimum)
    click.echo(write_chart(solution.chart), nl=False)
    for line in exact_words(solution.value):
        note(line)
    if other:
        _compare(solution, other, exact_value(rules, other, other.source, minimum=minimum).mean)


def _compare(solution: Solution, other: Chart, mean: Fraction) -> None:
    """Say where a chart differs from the best one and how much less it is worth."""
    differences = list(solution.chart.differences(other))
    lost = float(solution.value.mean - mean)
    cells = "1 other cell" if len(differences) == 1 else f"{len(differences)} other cells"
    less = f"{cells}, {lost:.15f} less" if differences else "the same in every cell"
    note(f"{other.source}: {less}")
    for row, column, best, cell in differences:
        note(f"{row} against {column}: {cell_text(cell)}, best is {cell_text(best)}")
