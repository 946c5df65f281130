"""`ev`: the value of a strategy in the long run, measured or calculated."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli import completion
from tourney.cli.options import (
    ENGINE,
    JSON,
    NO_SANDBOX,
    SEED,
    WORKERS,
    Finite,
    note,
    prints_aside,
    refuse_beside,
    refuse_without,
    shared_option,
)
from tourney.config.model import EntrantConfig, GameConfig
from tourney.errors import PluginError
from tourney.game.players import BasePlayer
from tourney.game.rules import Rules
from tourney.game.solver import Value
from tourney.game.words import counted
from tourney.plugins.loading import load_plugins
from tourney.plugins.registry import Registry
from tourney.research.bankroll_risk import BankrollRisk
from tourney.research.by_count import TITLES, ByCount
from tourney.research.ev import USUAL, Measured, drawn_seed, ev, risk_of
from tourney.research.game_tree import check_size, is_listable
from tourney.research.inputs import LEAST, game_of
from tourney.research.simulated_ev import entered_alone, wait_for_machine_code
from tourney.research.solve import solver_of, value_data
from tourney.tournament.entrant_specs import check_options, entrant_as_typed, read_option

if TYPE_CHECKING:
    from tourney.research.equilibrium import Exploited


def found_kind(text: str, registry: Registry, rules: Rules) -> type[BasePlayer]:
    """Return the class of a player from a file or a registered strategy.

    Args:
        text: The path of a file in a notation of the game, such as a chart, or a name; a registered
            name wins.
        registry: The plugins.
        rules: The game.
    Raises: PluginError, if it is neither or plays another game; ChartError, with the faults of a
        chart.
    """
    path, notations = Path(text), list(rules.game.notations().values())
    if text not in registry.strategies:
        fitting = [each for each in notations if path.suffix == each.suffix]
        if chosen := fitting or (notations if path.is_file() else []):
            return chosen[0].made(chosen[0].text_at(path), str(path))
    found = registry.strategy(text)
    if found.game != rules.game.name:
        raise PluginError(f"{text} plays another game; choose a strategy of {rules.game}")
    return found.make


def exact_words(found: Value, minimum: int) -> tuple[str, ...]:
    """Describe the value of a round, rounded and, if no digit was lost, exactly.

    Args:
        found: In minimums.
        minimum: In chips; the value depends on it where payouts are rounded to chips.
    """
    unit = f"minimums of {minimum}"
    if found.sd is None:
        return (
            f"mean result per round {found.mean:+.12f} {unit}, with a full shoe in every round",
        )
    return (
        f"mean result per round {float(found.mean):+.15f} {unit}, SD {found.sd:.15f}",
        f"exactly {found.mean}",
    )


def show_measured(measured: Sequence[Measured], *, as_json: bool) -> None:
    """Print one value in lines, or several in a table."""
    if as_json:
        _print_json([each.to_data() for each in measured])
        return
    click.echo("\n".join(_lines(measured[0])) if len(measured) == 1 else _table(measured))
    for one in measured:
        if one.by_count:
            click.echo(_counts(one.by_count, has_title=len(measured) > 1))


def _print_json(data: Sequence[Mapping[str, object]]) -> None:
    """Print one result as an object, or several as a list."""
    click.echo(json.dumps(data[0] if len(data) == 1 else data))


def _lines(one: Measured) -> Sequence[str]:
    found = one.found
    plain = f"mean result per round {found.raw_mean:+z.6f} minimums of {one.minimum:,}"
    lines = [f"{plain}, standard error {found.raw_standard_error:.6f}, SD {found.sd:.5f}"]
    if found.half_width is not None:
        what = "mean" if found.adjusted is None else "without the luck of the cards"
        lines.append(f"{what} {found.mean:+z.6f} ± {found.half_width:.6f} (95 %)")
    if one.risk:
        lines += risk_lines(one.risk, one.minimum)
    speed = f"{found.rounds_per_second:,.0f} a second, engine {found.engine}"
    return [*lines, f"{counted(found.rounds, 'round')} in {found.seconds:.1f} s: {speed}"]


def risk_lines(risk: BankrollRisk, minimum: int) -> Sequence[str]:
    """Describe the risk of a bankroll, in chips."""
    per_100, per_hour = minimum * risk.per_100, minimum * risk.per_hour
    wins = f"wins {per_100:+z,.2f} chips in 100 rounds, {per_hour:+z,.2f} an hour"
    if risk.ruin is None or not isfinite(risk.kelly_bankroll):
        return [wins, "loses any bankroll some day"]
    kelly = f"these wagers are full Kelly for {minimum * risk.kelly_bankroll:,.0f} chips"
    exactly = "" if risk.kelly_exact is None else f", exactly {risk.kelly_exact:.5%}"
    return [
        wins,
        f"loses the bankroll some day with {risk.ruin:.1%}; {kelly}",
        f"Kelly fraction: a minimum is {risk.kelly_fraction:.5%} of the bankroll{exactly}",
        f"N0 {risk.n0:,.0f} rounds, SCORE {risk.score:.2f}, DI {risk.di:.2f}",
    ]


def _counts(found: ByCount, *, has_title: bool) -> str:
    """Print the win rate at each count."""
    from tabulate import tabulate  # noqa: PLC0415 - as below

    whose = f"{found.title}, " if has_title else ""
    luck = ", without the luck of the cards" if found.adjusts else ""
    head = f"{whose}by the true count of {found.tags} tags, of {found.rounds:,} rounds{luck}:"
    aligned = ("left", *("right",) * (len(TITLES) - 1))
    return f"{head}\n{tabulate(found.cells(), TITLES, disable_numparse=True, colalign=aligned)}"


def _table(measured: Sequence[Measured]) -> str:
    from tabulate import tabulate  # noqa: PLC0415 - most commands print no table

    rows = []
    for one in measured:
        found, risk = one.found, one.risk
        width = "" if found.half_width is None else f"± {found.half_width:.6f}"
        row = [one.strategy, one.game, f"{found.mean:+z.6f}", width, f"{found.sd:.4f}"]
        if risk:
            ruin = "" if risk.ruin is None else f"{risk.ruin:.1%}"
            row += [f"{one.minimum * risk.per_100:+z,.2f}", ruin, f"{risk.score:.2f}"]
        rows.append(row)
    titles = ["Strategy", "Game", "Mean", "95 %", "SD", "In 100 rounds", "Ruin", "SCORE"]
    used = titles[: max(map(len, rows))]
    aligned = ("left", "left", *("right",) * (len(used) - 2))
    return tabulate(rows, used, disable_numparse=True, colalign=aligned)


MOST_ROUNDS = 10**15


def whole_rounds(value: str) -> int:
    """Read a number of rounds, such as 2000000 or 2e6."""
    text = value.replace("_", "")
    try:
        number = float(text)
        whole = int(text) if text.isdecimal() else int(number)
    except (ValueError, OverflowError):
        whole, number = 0, 0.5
    if not 1 <= whole <= MOST_ROUNDS or whole != number:
        raise click.BadParameter(
            f"expected a whole number from 1 to 1e15, such as 2e6; got {text[:40]!r}"
        )
    return whole


@click.command("ev")
@click.argument("strategy", shell_complete=completion.strategies)
@shared_option(
    "--game",
    "games",
    required=True,
    multiple=True,
    metavar="GAME",
    shell_complete=completion.games,
)
@click.option(
    "--vary",
    multiple=True,
    metavar="OPTION=A,B,...",
    help="Measure the strategy with each of these values, on the same shoes.",
)
@click.option(
    "--rounds",
    type=whole_rounds,
    metavar="N",
    help="Number of rounds to play; with --precision, the maximum.",
    show_default="1e6; with --precision 1e9",
)
@click.option(
    "--precision",
    "until",
    type=Finite(0, min_open=True),
    metavar="MINIMUMS",
    help="Stop when the 95 % confidence interval is ± this many minimum bets.",
)
@shared_option("--minimum", type=click.IntRange(1, 10**6), metavar="CHIPS")
@click.option(
    "--bankroll",
    type=click.IntRange(1),
    metavar="CHIPS",
    help="Show the risk and the growth for this bankroll.",
)
@click.option(
    "--rounds-per-hour",
    "hour",
    type=click.IntRange(1, 10**5),
    default=100,
    show_default=True,
    metavar="N",
    help="Number of rounds in an hour, for --bankroll.",
)
@click.option(
    "--by-count",
    is_flag=True,
    help="Show the result at each true count.",
)
@shared_option(
    "--count-system",
    "tags",
    metavar="COUNT",
    show_default="that of the strategy, or hi-lo",
)
@click.option(
    "--exact",
    is_flag=True,
    help="Compute the exact result instead of playing; a finite shoe is full in every round.",
)
@SEED
@WORKERS
@ENGINE
@NO_SANDBOX
@JSON
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
    or a chart, with options if it has some: counter,spread=4. --game and --vary may be repeated;
    --json then prints a list. In a small game for several, such as that of a plugin, the result is
    the exploitability: how much opponents could win by knowing STRATEGY.
    """
    if bankroll is None:
        refuse_without("--bankroll CHIPS", "hour")
    if exact:
        refuse_beside("--exact", "rounds", "until", "vary", "seed", "by_count", "tags")
    registry = load_plugins()
    played = [game_of(game, registry) for game in games]
    if all(is_listable(game.rules) for _, game in played):
        _show_exploited(strategy, played, trusts_files=trust_submissions, as_json=as_json)
        return
    if exact:
        _work_out_all(strategy, registry, played, minimum, bankroll, hour, as_json=as_json)
        return
    shoes = drawn_seed() if seed is None else seed
    each_choice = list(varied(entrant_as_typed(strategy), vary))
    with prints_aside():
        for entrant in each_choice:  # all faults before any play
            check_options(entrant)
        asked = [
            (entered_alone(game, each, registry, trusts_files=trust_submissions), game.rules)
            for (_, game), each in product(played, each_choice)
        ]
        if not until:
            wait_for_machine_code(asked, rounds or USUAL, engine, note)
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
            note(f"{one.found.rounds:,} rounds were too few for --precision {until:g}")
        measured.append(one)
    show_measured(measured, as_json=as_json)


def _show_exploited(
    strategy: str, played: Sequence[tuple[str, GameConfig]], *, trusts_files: bool, as_json: bool
) -> None:
    """Print how far a strategy is from optimal play, if it plays in every seat."""
    from tourney.research.equilibrium import exploitability  # noqa: PLC0415 - loads SciPy

    for _, game in played:
        check_size(game.rules)
    instead = "the exploitability, which is the result in this game"
    options = ("rounds", "until", "minimum", "bankroll", "seed", "by_count", "tags", "exact")
    refuse_beside(instead, *options, "hour", "vary", "engine", "workers")
    with prints_aside():
        found = [
            exploitability(strategy, game, trust_submissions=trusts_files) for game, _ in played
        ]
    if as_json:
        _print_json([each.to_data() for each in found])
        return
    for each in found:
        click.echo(f"{each.game}: " * (len(found) > 1) + _exploited_words(each))
        for row in each.rows():
            click.echo(
                f"seat {row['seat']}: {row['value']:+z.6f} against itself; "
                f"a best response to it wins {row['best_response']:+z.6f}"
            )
        if each.samples:
            note(
                f"chances are those of {each.samples:,} answers in each situation; "
                "a method `chances` of the player makes them exact"
            )


def _exploited_words(found: "Exploited") -> str:
    nash = f"NashConv {found.nash_conv:.6f}"
    return f"exploitability {found.exploitability:.6f} a round ({nash}), 0 in an equilibrium"


def varied(entrant: EntrantConfig, vary: tuple[str, ...]) -> Iterator[EntrantConfig]:
    """Yield an entrant with every combination of the given option values."""
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
    """Calculate the value of a strategy in each game."""
    found = []
    for _, game in played:
        least = minimum or game.rules.minimum or LEAST
        with prints_aside():
            solver = solver_of(game.rules)
            kind = found_kind(strategy, registry, game.rules)
            value = solver.value(kind, strategy, least)
        found.append((value, risk_of(value, bankroll, least, hour), least))
    if as_json:
        _print_json([_exact_data(*each) for each in found])
        return
    for (text, _), (value, risk, least) in zip(played, found, strict=True):
        if len(found) > 1:
            click.echo(f"{text}:")
        for line in (*exact_words(value, least), *(risk_lines(risk, least) if risk else ())):
            click.echo(line)
        if bankroll and not risk:
            note("--bankroll: the SD of this game cannot be calculated; measure without --exact")


def _exact_data(value: Value, risk: BankrollRisk | None, minimum: int) -> dict[str, object]:
    data = dict(value_data(value, minimum))
    return data | ({"risk": risk.to_data()} if risk else {})
