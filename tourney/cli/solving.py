"""`solve`: the best chart for a game."""

import click
from tabulate import tabulate

from tourney.cli.charts import exact_words, found_kind
from tourney.cli.options import note
from tourney.config import load_game
from tourney.entrants import load_plugins
from tourney.event.entering import catalog_of
from tourney.event.research import solver_of
from tourney.game.solver import ATTENTIONS, TOTALS, Solver

USUAL_DEVIATIONS = 18
HEADERS = ("Hand", "Against", "Move", "True count", "Else", "Gain in 100 rounds")


@click.command("solve")
@click.argument("game")
@click.option("--no-surrender", is_flag=True, help="Find the best chart that never surrenders.")
@click.option(
    "--against",
    metavar="CHART",
    help="Say where this chart differs: a file, or the name of a strategy that has one.",
)
@click.option(
    "--deviations",
    type=click.IntRange(min=1),
    metavar="N",
    help="Print the N moves instead that are worth most to change with a count of the cards.",
)
@click.option(
    "--tags",
    metavar="POINTS",
    help="The count, as what each card counts: of blackjack ten, from 2 to ace.  "
    "[default: 1 1 1 1 1 0 0 0 -1 -1]",
)
@click.option(
    "--by",
    type=click.Choice(ATTENTIONS),
    default=TOTALS,
    help="What of a hand the best play looks at; what it then plays otherwise is listed.",
    show_default=True,
)
def solve_command(
    game: str,
    no_surrender: bool,
    against: str | None,
    deviations: int | None,
    tags: str | None,
    by: str,
) -> None:
    """Find the best chart for a game, and its exact value.

    GAME is a preset with overrides: easybj, or six-decks-h17,decks=8. Rounds are from a full shoe;
    with --deviations it is dealt on. The chart goes to standard output, what is said about it to
    standard error.
    """
    registry = load_plugins()
    rules = load_game(game, catalog_of(registry)).rules
    if deviations or tags:
        _print_deviations(solver_of(rules), deviations or USUAL_DEVIATIONS, tags or "")
        return
    solver, minimum = solver_of(rules), rules.minimum or 1
    other = solver.written(found_kind(against, registry, rules), against) if against else None
    best = solver.best(minimum, surrender=not no_surrender, by=by)
    click.echo(best.text, nl=False)
    for line in (*exact_words(best.value), *best.notes):
        note(line)
    for line in solver.compare(best, other, minimum) if other else ():
        note(line)


def _print_deviations(solver: Solver, most: int, tags: str) -> None:
    """Print the moves that change with a count.

    Raises: click.BadParameter, for tags that are no numbers.
    """
    try:
        points = tuple(map(int, tags.replace(",", " ").split()))
    except ValueError:
        raise click.BadParameter(
            f"expected whole numbers such as '1 1 1 1 1 0 0 0 -1 -1', got {tags!r}",
            param_hint="--tags",
        ) from None
    found = solver.deviations(points)
    rows = [(*each.row(), f"{each.worth:.4f}") for each in found[:most]]
    alignments = (*["left"] * 3, "right", "left", "right")
    click.echo(tabulate(rows, HEADERS, disable_numparse=True, colalign=alignments))
    shown, whole = (sum(each.worth for each in part) for part in (found[:most], found))
    note(
        f"together {shown:.4f} minimums in 100 rounds of one minimum each, of {whole:.4f} that "
        f"all {len(found)} are worth; more with wagers that follow the count"
    )
