"""Plots of results for notebooks, as matplotlib figures.

Colours are distinguishable by colour-blind readers, and no information is in colour alone. Needs
`pip install 'tourney-cards[notebook]'`, which is imported only when a plot is drawn.

Source: Okabe and Ito, "Color Universal Design", 2008, for the colours.
"""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from io import BytesIO
from typing import Any, NamedTuple

from tourney.notebook.tables import extra

MOVES = {
    "S": ("stand", "#f0e442"),
    "H": ("hit", "#ffffff"),
    "D": ("double", "#56b4e9"),
    "P": ("split", "#009e73"),
    "R": ("surrender", "#d55e00"),
}
"""Move and colour of a cell, by its first letter."""
DOTS = 110  # an inch
GREY, LIGHT = "#999999", "#dddddd"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9")
FAN_STEPS, MEDIAN = 60, 0.5
FAN_SHARES = (0.05, 0.25, MEDIAN, 0.75, 0.95)
"""Fractions of bankrolls below each line of a fan."""
MARKS = "osD^vP*X"
"""Markers for the games of a plot, in order."""


class Interval(NamedTuple):
    """A value with half the width of its 95 % confidence interval."""

    label: str
    mean: float
    half_width: float | None


def chart_plot(text: str, title: str) -> Any:
    """Draw a strategy chart as a grid: hands downwards, the dealer's upcard across.

    Args:
        text: The chart, as in a file.
        title: Title of the plot.
    """
    head, *lines = (line.split() for line in text.splitlines() if line.strip())
    rows = [(line[0], line[1:]) for line in lines]
    figure, axes = _axes(0.42 * len(head) + 1.2, 0.24 * len(rows) + 1.2)
    patches = import_module("matplotlib.patches")
    for down, (_, cells) in enumerate(rows):
        for across, cell in enumerate(cells):
            colour = MOVES[cell[0]][1]
            axes.add_patch(patches.Rectangle((across, down), 1, 1, fc=colour, ec="#cccccc", lw=0.5))
            axes.text(across + 0.5, down + 0.5, cell, ha="center", va="center", fontsize=7)
    axes.set(xlim=(0, len(head)), ylim=(len(rows), 0), title=title, ylabel="hand")
    axes.set_xlabel("the dealer shows")
    axes.xaxis.set_label_position("top")
    axes.xaxis.tick_top()
    axes.set_xticks([place + 0.5 for place in range(len(head))], head, fontsize=7)
    axes.set_yticks(
        [place + 0.5 for place in range(len(rows))], [row[0] for row in rows], fontsize=7
    )
    axes.tick_params(length=0)
    used = {cell[0] for _, cells in rows for cell in cells}
    keys = [
        patches.Patch(fc=colour, ec="#cccccc", label=f"{letter}  {move}")
        for letter, (move, colour) in MOVES.items()
        if letter in used
    ]
    figure.legend(
        handles=keys, loc="outside lower center", ncols=len(keys), fontsize=7, frameon=False
    )
    return figure


def intervals_plot(rows: Sequence[Interval], title: str, unit: str) -> Any:
    """Draw values with their 95 % confidence intervals, the first one on top.

    Args:
        rows: Values to draw.
        title: Title of the plot.
        unit: Quantity and unit.
    """
    figure, axes = _axes(6.4, 0.32 * len(rows) + 1.2)
    for down, row in enumerate(rows):
        axes.errorbar(
            row.mean, down, xerr=row.half_width or 0, fmt="o", color=COLOURS[0], capsize=3, ms=4
        )
    axes.set_yticks(range(len(rows)), [row.label for row in rows])
    axes.set(ylim=(len(rows) - 0.5, -0.5), xlabel=f"{unit} (95 % intervals)", title=title)
    axes.grid(axis="x", color=LIGHT, lw=0.5)
    return figure


def sweep_plot(games: Sequence[tuple[str, Sequence[Interval]]], title: str) -> Any:
    """Draw values over the strategies of a sweep, a line for each game.

    Args:
        games: Names of games, each with the values of the same strategies in the same order.
        title: Title of the plot.
    """
    labels = [row.label for row in games[0][1]]
    figure, axes = _axes(max(6.4, 0.9 * len(labels) + 2), 4.0)
    for number, (game, rows) in enumerate(games):
        colour, mark = COLOURS[number % len(COLOURS)], MARKS[number % len(MARKS)]
        _draw_intervals(axes, rows, label=game, color=colour, fmt=f"{mark}-", lw=1)
    axes.axhline(0, color=GREY, lw=0.8)
    turn = {"rotation": 30, "ha": "right"} if max(map(len, labels)) > 12 else {}  # noqa: PLR2004 - letters
    axes.set_xticks(range(len(labels)), labels, **turn)
    axes.set(ylabel="minimums a round (95 % intervals)", title=title)
    axes.grid(axis="y", color=LIGHT, lw=0.5)
    if len(games) > 1:
        axes.legend(frameon=False)
    return figure


def counts_plot(rows: Sequence[Interval], shares: Sequence[float], title: str, tags: str) -> Any:
    """Draw the profit per minimum wagered over true counts, and the frequency of the counts.

    Args:
        rows: By count, lowest first.
        shares: Fractions of all rounds, by count.
        title: Title of the plot.
        tags: Name of the count.
    """
    figure, axes = _axes(max(6.4, 0.4 * len(rows) + 2), 4.0)
    often = axes.twinx()
    often.bar(range(len(rows)), [100 * each for each in shares], color=LIGHT, width=0.9)
    often.set(ylabel="% of rounds (bars)")
    axes.set_zorder(often.get_zorder() + 1)
    axes.patch.set_visible(False)
    percents = [Interval(row.label, 100 * row.mean, 100 * (row.half_width or 0)) for row in rows]
    _draw_intervals(axes, percents, fmt="o")
    axes.axhline(0, color=GREY, lw=0.8)
    axes.set_xticks(range(len(rows)), [row.label for row in rows])
    axes.set(xlabel=f"true count before the round ({tags})", title=title)
    axes.set_ylabel("won, % of the wager (95 % intervals)")
    return figure


def looks_plot(rows: Sequence[Interval], title: str) -> Any:
    """Draw a difference and its interval over the looks of a comparison.

    Args:
        rows: One for each look; labels are the numbers of tables of each entrant.
        title: Title of the plot.
    """
    figure, axes = _axes(6.4, 3.6)
    _draw_intervals(axes, rows, fmt="o-", lw=1)
    axes.axhline(0, color=GREY, lw=0.8)
    axes.set_xticks(range(len(rows)), [row.label for row in rows])
    axes.set(xlabel="tables of each", title=title)
    axes.set_ylabel("minimums a round (95 %, all looks together)")
    axes.grid(axis="y", color=LIGHT, lw=0.5)
    return figure


def _draw_intervals(
    axes: Any, rows: Sequence[Interval], *, color: str = COLOURS[0], **style: Any
) -> None:
    """Draw values with their intervals side by side."""
    places, means = range(len(rows)), [row.mean for row in rows]
    widths = [row.half_width or 0 for row in rows]
    axes.errorbar(places, means, yerr=widths, color=color, capsize=3, ms=4, **style)


def fan_plot(
    bankroll_at: Callable[[float, float], float], rounds: int, bankroll: float, title: str
) -> Any:
    """Draw the distribution of bankrolls over rounds; each line is a quantile.

    Args:
        bankroll_at: Returns the bankroll in chips at a quantile, after a number of rounds.
        rounds: Number of rounds at the right edge.
        bankroll: Initial bankroll, in chips.
        title: Title of the plot.
    """
    figure, axes = _axes(6.4, 4.0)
    times = [rounds * step / FAN_STEPS for step in range(FAN_STEPS + 1)]
    lines = {share: [bankroll_at(share, time) for time in times] for share in FAN_SHARES}
    for low, high, shade in ((0.05, 0.95, 0.18), (0.25, 0.75, 0.32)):
        axes.fill_between(times, lines[low], lines[high], color=COLOURS[0], alpha=shade, lw=0)
    for share, chips in lines.items():
        axes.plot(times, chips, color=COLOURS[0], lw=1.5 if share == MEDIAN else 0.6)
        axes.annotate(
            f" {share:.0%}", (times[-1], chips[-1]), fontsize=7, va="center", annotation_clip=False
        )
    axes.axhline(bankroll, color=GREY, lw=0.8)
    axes.set(xlabel="rounds", ylabel="bankroll in chips", title=title, xlim=(0, rounds))
    axes.set_ylim(bottom=min(0, axes.get_ylim()[0]))
    return figure


def waves_plot(waves: Sequence[tuple[float, float]], minutes: float, title: str) -> Any:
    """Draw the number of players left in an event, wave by wave.

    Args:
        waves: Start in minutes and number of players of each wave.
        minutes: End of the event.
        title: Title of the plot.
    """
    figure, axes = _axes(6.4, 3.6)
    players = [each[1] for each in waves]
    axes.step(
        [*(each[0] for each in waves), minutes],
        [*players, players[-1]],
        where="post",
        lw=1.5,
        color=COLOURS[0],
    )
    axes.set(xlabel="minutes", ylabel="players", title=title, xlim=(0, minutes))
    axes.set_ylim(bottom=0)
    axes.grid(axis="y", color=LIGHT, lw=0.5)
    return figure


@cache
def _picture() -> Any:
    """Return the class of figures: a notebook shows them, and no window opens."""

    class Picture(extra("matplotlib.figure").Figure):  # type: ignore[misc]  # imported when asked for
        """A figure that a notebook shows."""

        def _repr_png_(self) -> bytes:
            file = BytesIO()
            self.savefig(file, format="png", dpi=DOTS)
            return file.getvalue()

    return Picture


def _axes(width: float, height: float) -> tuple[Any, Any]:
    """Make a figure with a size in inches."""
    figure = _picture()(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()
