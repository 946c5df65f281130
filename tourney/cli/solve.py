"""`solve`: the best chart for a game."""

import json
from collections.abc import Callable, Iterable

import click
from tabulate import tabulate

from tourney.cli import completion
from tourney.cli.ev import exact_words, found_kind
from tourney.cli.options import JSON, note, shared_option
from tourney.game.solver import ATTENTIONS, TOTALS
from tourney.plugins.loading import load_plugins
from tourney.research.game_tree import is_listable
from tourney.research.inputs import game_of
from tourney.research.solve import DEVIATION_TITLES, Solved, solve, solver_of
from tourney.research.solve import deviations as find_deviations

USUAL_DEVIATIONS = 18
HI_LO = "hi-lo"


@click.command("solve")
@click.argument("game", shell_complete=completion.games)
@click.option("--no-surrender", is_flag=True, help="Find the best chart that never surrenders.")
@shared_option("--against", metavar="OTHER")
@click.option(
    "--deviations",
    type=click.IntRange(min=1),
    metavar="N",
    help="Print the N moves that are most worth changing with a card count, instead of the chart.",
)
@shared_option(
    "--count-system",
    "tags",
    metavar="COUNT",
    show_default="hi-lo",
)
@click.option(
    "--information",
    "by",
    type=click.Choice(ATTENTIONS),
    default=TOTALS,
    help="Information about a hand that optimal play uses; exceptions to the chart are listed.",
    show_default=True,
)
@shared_option("--minimum", type=click.IntRange(1, 10**6), metavar="CHIPS")
@JSON
def solve_command(
    game: str,
    no_surrender: bool,
    against: str | None,
    deviations: int | None,
    tags: str | None,
    by: str,
    minimum: int | None,
    as_json: bool,
) -> None:
    """Find the best chart for a game, and its exact value.

    GAME is a preset with overrides: easybj, or six-decks-h17,decks=8. Rounds are from a full shoe;
    with --deviations the shoe is dealt further. The chart is printed to standard output, and notes
    to standard error. OTHER is a file with a chart, or a strategy that has one. A small game for
    two, such as that of a plugin, gets its equilibrium: the chance of each action in each
    situation.
    """
    rules = game_of(game, load_plugins())[1].rules
    has_tree = rules.game.solver(rules) is None and is_listable(rules)
    counting = "--deviations" if deviations else "--count-system" if tags else ""
    of_charts = {
        "--against": against,
        "--deviations": has_tree and deviations,
        "--count-system": has_tree and tags,
        "--minimum": minimum,
        "--no-surrender": no_surrender,
        "--information": by != TOTALS,
    }
    if instead := str(rules.game) if has_tree else counting:
        for name in (name for name, is_given in of_charts.items() if is_given):
            raise click.UsageError(f"{name} applies only to charts, not to {instead}")
    if has_tree:
        _show_equilibrium(game, as_json=as_json)
        return
    if counting:
        _show_deviations(game, deviations or USUAL_DEVIATIONS, tags or "", as_json=as_json)
        return
    compare = _comparison(game, against) if against else None
    found = solve(game, surrender=not no_surrender, by=by, minimum=minimum)
    compared = tuple(compare(found)) if compare else ()
    if as_json:
        data = dict(found.to_data())
        click.echo(json.dumps({**data, "against": compared} if against else data))
        return
    click.echo(found.text, nl=False)
    for line in (*exact_words(found.value, found.minimum), *found.notes, *compared):
        note(line)


def _show_equilibrium(game: str, *, as_json: bool) -> None:
    """Print optimal play of a small game for two, and its value."""
    from tourney.research.equilibrium import equilibrium  # noqa: PLC0415 - loads SciPy

    found = equilibrium(game)
    if as_json:
        click.echo(json.dumps(found.to_data()))
        return
    click.echo(found.text, nl=False)
    rules = found.tree.rules
    unit = "minimums" if rules.most_points is None else "points, as a loss"
    for seat, value in enumerate(found.values, 1):
        note(f"seat {seat}: {value:+.9f} {unit} a round if both play optimally")
    note(f"{found.tree.ways:,} ways to play a round, {len(found.tree.situations):,} situations")


def _comparison(game: str, against: str) -> Callable[[Solved], Iterable[str]]:
    """Return a function that describes where a chart differs from the best one, and the cost."""
    registry = load_plugins()
    rules = game_of(game, registry)[1].rules
    solver = solver_of(rules)
    other = solver.written(found_kind(against, registry, rules), against)
    return lambda found: solver.compare(found.best, other, found.minimum)


def _show_deviations(game: str, most: int, tags: str, *, as_json: bool) -> None:
    """Print the moves that change with a count.

    Raises: click.BadParameter, for tags that are not numbers.
    """
    is_usual = tags == HI_LO
    try:
        points = () if is_usual else tuple(map(int, tags.replace(",", " ").split()))
    except ValueError:
        raise click.BadParameter(
            f"expected hi-lo or whole numbers such as '1 1 1 1 1 0 0 0 -1 -1', got {tags!r}",
            param_hint="--count-system",
        ) from None
    found = find_deviations(game, points)
    shown = found.first(most)
    if as_json:
        click.echo(json.dumps({**shown.to_data(), "worth": found.worth}))
        return
    alignments = (*["left"] * 3, "right", "left", "right")
    table = tabulate(shown.cells(), DEVIATION_TITLES, disable_numparse=True, colalign=alignments)
    click.echo(table)
    note(
        f"together {shown.worth:.4f} minimums in 100 rounds of one minimum each, of "
        f"{found.worth:.4f} that all {len(found.each)} are worth; more with wagers that follow the "
        "count"
    )
