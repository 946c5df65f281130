"""What `ev` has found, for people and as JSON."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isfinite

import click

from tourney.config import EntrantConfig
from tourney.event.bankroll_risk import BankrollRisk
from tourney.event.simulated_ev import LongRun


@dataclass(frozen=True, slots=True)
class Measured:
    """One strategy by one game."""

    strategy: str  # with its options
    game: str
    minimum: int  # in chips
    found: LongRun
    risk: BankrollRisk | None  # with a bankroll

    def to_data(self) -> Mapping[str, object]:
        """Give it as JSON can hold it; what is infinite is null."""
        data: dict[str, object] = {
            "strategy": self.strategy,
            "game": self.game,
            "minimum": self.minimum,
            **asdict(self.found),
        }
        if self.risk:
            told = asdict(self.risk)
            data["risk"] = {
                name: value if value is not None and isfinite(value) else None
                for name, value in told.items()
            }
        return data


def strategy_text(entrant: EntrantConfig) -> str:
    """Write a strategy as it would be typed, without the folders of a file."""
    who = entrant.source.name if entrant.source else entrant.strategy
    return ",".join([str(who), *(f"{name}={value}" for name, value in entrant.options)])


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


def _lines(one: Measured) -> Sequence[str]:
    found = one.found
    plain = f"mean result per round {found.mean:+.6f} minimums"
    lines = [f"{plain}, standard error {found.standard_error:.6f}, SD {found.sd:.5f}"]
    if found.half_width is not None:
        what = "mean" if found.adjusted is None else "without the luck of the cards"
        lines.append(f"{what} {found.best:+.6f} ± {found.half_width:.6f} (95 %)")
    if one.risk:
        lines += _risk_lines(one.risk, one.minimum)
    speed = f"{found.rounds_per_second:,.0f} a second, engine {found.engine}"
    return [*lines, f"{found.rounds:,} rounds in {found.seconds:.1f} s: {speed}"]


def _risk_lines(risk: BankrollRisk, minimum: int) -> Sequence[str]:
    """Say what a bankroll has to expect, in chips."""
    per_100, per_hour = minimum * risk.per_100, minimum * risk.per_hour
    wins = f"wins {per_100:+,.2f} chips in 100 rounds, {per_hour:+,.2f} an hour"
    if risk.ruin is None or not isfinite(risk.kelly_bankroll):
        return [wins, "loses any bankroll some day"]
    kelly = f"these wagers are full Kelly for {minimum * risk.kelly_bankroll:,.0f} chips"
    return [
        wins,
        f"loses the bankroll some day with {risk.ruin:.1%}; {kelly}",
        f"N0 {risk.n0:,.0f} rounds, SCORE {risk.score:.2f}, DI {risk.score**0.5:.2f}",
    ]


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
