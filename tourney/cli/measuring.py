"""`ev`: what a strategy is worth in the long run, measured or worked out."""

import json
from dataclasses import asdict

import click

from tourney.cli.charts import exact_words, work_out
from tourney.cli.options import ENGINE, SEED, WORKERS, note, prints_aside
from tourney.config import load_game
from tourney.entrants import load_plugins
from tourney.event.competitors import specify
from tourney.event.entering import catalog_of
from tourney.event.simulated_ev import check_alone, long_run
from tourney.game.cards.keys import Secret
from tourney.game.solver import Value

DEFAULT_MINIMUM = 10
"""Even, so that a natural's 3:2 is whole."""

MOST_ROUNDS = 10**15


class Rounds(click.ParamType[int]):
    """A number of rounds, such as 2000000 or 2e6."""

    name = "rounds"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Read a whole number, also in the notation of large ones."""
        text = str(value).replace("_", "")
        try:
            number = float(text)
            whole = int(text) if text.isdecimal() else int(number)
        except (ValueError, OverflowError):
            whole, number = 0, 0.5
        if not 1 <= whole <= MOST_ROUNDS or whole != number:
            self.fail(
                f"expected a whole number from 1 to 1e15, such as 2e6; got {text[:40]!r}",
                param,
                ctx,
            )
        return whole


@click.command("ev")
@click.argument("strategy")
@click.option(
    "--game",
    required=True,
    metavar="GAME",
    help="A preset with overrides: ve280,shuffle=uniform,decks=1,payout=exact.",
)
@click.option(
    "--rounds",
    type=Rounds(),
    metavar="N",
    default="1e6",
    show_default=True,
    help="How many to play.",
)
@click.option(
    "--minimum",
    type=click.IntRange(1, 10**6),
    metavar="CHIPS",
    help="The least wager; without it that of the game, or else 10.",
)
@click.option(
    "--exact",
    is_flag=True,
    help="Work it out instead: with an infinite shoe, or hit-or-stand with a fresh one.",
)
@SEED
@WORKERS
@ENGINE
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def ev_command(
    strategy: str,
    game: str,
    rounds: int,
    minimum: int | None,
    exact: bool,
    seed: int | None,
    workers: int,
    engine: str,
    as_json: bool,
) -> None:
    """Measure a strategy in the long run.

    STRATEGY plays alone, with a bankroll that cannot run out. It is the name of a strategy or
    the file of a chart.
    """
    registry = load_plugins()
    rules = load_game(game, catalog_of(registry)).rules
    least = minimum or rules.minimum or DEFAULT_MINIMUM
    if exact:
        with prints_aside():
            value = work_out(strategy, registry, rules, least)
        _show_exact(value, as_json=as_json)
        return
    check_alone(rules)
    entrant = specify(strategy, registry, rules.game)
    with prints_aside():
        found = long_run(
            entrant,
            rules,
            rounds,
            minimum=least,
            secret=Secret.draw() if seed is None else Secret.from_seed(seed),
            workers=workers,
            engine=engine,
            tell=note,
        )
    if as_json:
        click.echo(json.dumps(asdict(found)))
        return
    click.echo(
        f"mean result per round {found.mean:+.6f} minimums, "
        f"standard error {found.standard_error:.6f}, SD {found.sd:.5f}"
    )
    click.echo(
        f"{found.rounds:,} rounds in {found.seconds:.1f} s: "
        f"{found.rounds_per_second:,.0f} a second, engine {found.engine}"
    )


def _show_exact(found: Value, *, as_json: bool) -> None:
    if as_json:
        exactly = {"mean": float(found.mean), "sd": found.sd, "exact": str(found.mean)}
        click.echo(json.dumps(exactly))
        return
    for line in exact_words(found):
        click.echo(line)
