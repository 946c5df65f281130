"""What `ev` has found, for people and as JSON."""

import json
from collections.abc import Sequence
from math import isfinite

import click

from tourney.research.bankroll_risk import BankrollRisk
from tourney.research.by_count import TITLES, ByCount
from tourney.research.ev import Measured


def show_measured(measured: Sequence[Measured], *, as_json: bool) -> None:
    """Print what was found: of one in lines, of several in a table."""
    if as_json:
        data = [each.to_data() for each in measured]
        click.echo(json.dumps(data[0] if len(data) == 1 else data))
    elif len(measured) == 1:
        for line in _lines(measured[0]):
            click.echo(line)
    else:
        click.echo(_table(measured))
    for one in () if as_json else measured:
        if one.by_count:
            click.echo(_counts(one.by_count, has_title=len(measured) > 1))


def _lines(one: Measured) -> Sequence[str]:
    found = one.found
    plain = f"mean result per round {found.mean:+.6f} minimums"
    lines = [f"{plain}, standard error {found.standard_error:.6f}, SD {found.sd:.5f}"]
    if found.half_width is not None:
        what = "mean" if found.adjusted is None else "without the luck of the cards"
        lines.append(f"{what} {found.best:+.6f} ± {found.half_width:.6f} (95 %)")
    if one.risk:
        lines += risk_lines(one.risk, one.minimum)
    speed = f"{found.rounds_per_second:,.0f} a second, engine {found.engine}"
    return [*lines, f"{found.rounds:,} rounds in {found.seconds:.1f} s: {speed}"]


def risk_lines(risk: BankrollRisk, minimum: int) -> Sequence[str]:
    """Say what a bankroll has to expect, in chips."""
    per_100, per_hour = minimum * risk.per_100, minimum * risk.per_hour
    wins = f"wins {per_100:+,.2f} chips in 100 rounds, {per_hour:+,.2f} an hour"
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
    """Say what was won at each count."""
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
        row = [one.strategy, one.game, f"{found.best:+.6f}", width, f"{found.sd:.4f}"]
        if risk:
            ruin = "" if risk.ruin is None else f"{risk.ruin:.1%}"
            row += [f"{one.minimum * risk.per_100:+,.2f}", ruin, f"{risk.score:.2f}"]
        rows.append(row)
    titles = ["Strategy", "Game", "Mean", "95 %", "SD", "In 100 rounds", "Ruin", "SCORE"]
    used = titles[: max(map(len, rows))]
    aligned = ("left", "left", *("right",) * (len(used) - 2))
    return tabulate(rows, used, disable_numparse=True, colalign=aligned)
