"""`ev`: what a strategy is worth in the long run, measured or worked out."""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import click

from tourney.cli import completing
from tourney.cli.charts import exact_words, work_out
from tourney.cli.measured import risk_lines, show_measured
from tourney.cli.options import (
    ENGINE,
    SEED,
    TRUST_SUBMISSIONS,
    WORKERS,
    Finite,
    note,
    prints_aside,
    refuse_beside,
    refuse_without,
)
from tourney.config.model import EntrantConfig, GameConfig
from tourney.game.solver import Value
from tourney.plugins.loading import load_plugins
from tourney.plugins.registry import Registry
from tourney.research.bankroll_risk import BankrollRisk
from tourney.research.ev import drawn_seed, ev, risk_of
from tourney.research.inputs import LEAST, game_of
from tourney.research.solve import value_data
from tourney.tournament.entrant_specs import check_options, entrant_as_typed, read_option

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
@click.argument("strategy", shell_complete=completing.strategies)
@click.option(
    "--game",
    "games",
    required=True,
    multiple=True,
    metavar="GAME",
    shell_complete=completing.games,
    help="A preset with overrides: ve280,shuffle=uniform,decks=1,payout=exact. May be given again.",
)
@click.option(
    "--vary",
    multiple=True,
    metavar="OPTION=A,B,...",
    help="Measure the strategy with each of these values, by the same shoes. May be given again.",
)
@click.option(
    "--rounds",
    type=Rounds(),
    metavar="N",
    help="How many to play; with --until, at most.  [default: 1e6; with --until 1e9]",
)
@click.option(
    "--until",
    type=Finite(0, min_open=True),
    metavar="MINIMUMS",
    help="Play until half the 95 % interval is no wider.",
)
@click.option(
    "--minimum",
    type=click.IntRange(1, 10**6),
    metavar="CHIPS",
    help="The least wager; without it that of the game, or else 10.",
)
@click.option(
    "--bankroll",
    type=click.IntRange(1),
    metavar="CHIPS",
    help="Say how risky it is for so many, and what they would win.",
)
@click.option(
    "--hour",
    type=click.IntRange(1, 10**5),
    default=100,
    show_default=True,
    metavar="N",
    help="Rounds in an hour, for --bankroll.",
)
@click.option(
    "--by-count",
    is_flag=True,
    help="Say what is won at each true count, too.",
)
@click.option(
    "--tags",
    metavar="COUNT",
    help="Which count, for --by-count: hi-lo or what ten cards count, from 2 to ace.  "
    "[default: that of the strategy, or else hi-lo]",
)
@click.option(
    "--exact",
    is_flag=True,
    help="Work it out instead; where shoes end, with a full one in every round.",
)
@SEED
@WORKERS
@ENGINE
@TRUST_SUBMISSIONS
@click.option("--json", "as_json", is_flag=True, help="Print JSON; of several, a list.")
def ev_command(
    strategy: str,
    games: tuple[str, ...],
    vary: tuple[str, ...],
    rounds: int | None,
    until: float | None,
    minimum: int | None,
    bankroll: int | None,
    hour: int,
    by_count: bool,
    tags: str | None,
    exact: bool,
    seed: int | None,
    workers: int,
    engine: str,
    trust_submissions: bool,
    as_json: bool,
) -> None:
    """Measure a strategy in the long run.

    STRATEGY plays alone, with a bankroll that cannot run out. It is the name of a strategy, a file
    or a chart, with options if it has some: counter,spread=4.
    """
    if bankroll is None:
        refuse_without("--bankroll CHIPS", "hour")
    if exact:
        refuse_beside("--exact", "rounds", "until", "vary", "seed", "by_count", "tags")
    registry = load_plugins()
    played = [game_of(game, registry) for game in games]
    if exact:
        _work_out_all(strategy, registry, played, minimum, bankroll, hour, as_json=as_json)
        return
    shoes = drawn_seed() if seed is None else seed
    each_choice = list(varied(entrant_as_typed(strategy), vary))
    with prints_aside():
        for entrant in each_choice:  # before the first is played
            check_options(entrant)
    measured = []
    for (text, _), entrant in product(played, each_choice):
        with prints_aside():
            one = ev(
                strategy,
                text,
                options=dict(entrant.options),
                rounds=rounds,
                until=until,
                minimum=minimum,
                bankroll=bankroll,
                hour=hour,
                by_count=by_count or bool(tags),
                tags=tags or "",
                seed=shoes,
                workers=workers,
                engine=engine,
                trust_submissions=trust_submissions,
                tell=note,
            )
        if until and (one.half_width is None or one.half_width > until):
            note(f"{one.found.rounds:,} rounds were too few for --until {until:g}")
        measured.append(one)
    show_measured(measured, as_json=as_json)


def varied(entrant: EntrantConfig, vary: tuple[str, ...]) -> Iterator[EntrantConfig]:
    """Give an entrant with every choice of the values that its options are to have."""
    choices = []
    for each in vary:
        name, equals, values = each.partition("=")
        if not equals or not values:
            raise click.BadParameter(
                f"expected OPTION=A,B,..., such as spread=2,4,8; got {each[:40]!r}",
                param_hint="--vary",
            )
        choices.append([read_option(f"{name}={value}") for value in values.split(",")])
    for chosen in product(*choices):
        options = {**dict(entrant.options), **dict(chosen)}
        yield replace(entrant, options=tuple(options.items()))


def _work_out_all(
    strategy: str,
    registry: Registry,
    played: list[tuple[str, GameConfig]],
    minimum: int | None,
    bankroll: int | None,
    hour: int,
    *,
    as_json: bool,
) -> None:
    """Work out what a strategy is worth by each game."""
    found = []
    for _, game in played:
        least = minimum or game.rules.minimum or LEAST
        with prints_aside():
            value = work_out(strategy, registry, game.rules, least)
        found.append((value, risk_of(value, bankroll, least, hour), least))
    if as_json:
        exactly = [_exact_data(*each) for each in found]
        click.echo(json.dumps(exactly if len(exactly) > 1 else exactly[0]))
        return
    for (text, _), (value, risk, least) in zip(played, found, strict=True):
        if len(found) > 1:
            click.echo(f"{text}:")
        for line in (*exact_words(value, least), *(risk_lines(risk, least) if risk else ())):
            click.echo(line)
        if bankroll and not risk:
            note("--bankroll: expected a game whose SD is worked out, too; measure without --exact")


def _exact_data(value: Value, risk: BankrollRisk | None, minimum: int) -> dict[str, object]:
    data = dict(value_data(value, minimum))
    return data | ({"risk": risk.to_data()} if risk else {})
