"""Pictures of what was found, for notebooks: figures of matplotlib that say what they show.

Colours are told apart by those who see fewer of them, and nothing is said by colour alone. Needs
`pip install 'tourney-cards[notebook]'`; to import this page loads none of it.

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
"""What a cell's first letter says, and its colour."""
DOTS = 110  # an inch
GREY = "#999999"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9")
FAN_STEPS, MEDIAN = 60, 0.5
FAN_SHARES = (0.05, 0.25, MEDIAN, 0.75, 0.95)
"""Of bankrolls, that lie below a line of a fan."""
MARKS = "osD^vP*X"
"""Of several games in one picture, one after the other."""


class Interval(NamedTuple):
    """A figure, and half the interval that it lies in with 95 %."""

    label: str
    mean: float
    half_width: float | None


def chart_plot(text: str, title: str) -> Any:
    """Draw a chart as a grid: hands downwards, what the dealer shows across.

    Args:
        text: Of the chart, as it is written to a file.
        title: Above it.
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
        patches.Patch(fc=colour, ec="#cccccc", label=f"{letter}  {told}")
        for letter, (told, colour) in MOVES.items()
        if letter in used
    ]
    figure.legend(
        handles=keys, loc="outside lower center", ncols=len(keys), fontsize=7, frameon=False
    )
    return figure


def intervals_plot(rows: Sequence[Interval], title: str, unit: str) -> Any:
    """Draw figures with their 95 % intervals, the first one on top.

    Args:
        rows: What to draw.
        title: Above it.
        unit: What is measured, and in what.
    """
    figure, axes = _axes(6.4, 0.32 * len(rows) + 1.2)
    for down, row in enumerate(rows):
        axes.errorbar(
            row.mean, down, xerr=row.half_width or 0, fmt="o", color=COLOURS[0], capsize=3, ms=4
        )
    axes.set_yticks(range(len(rows)), [row.label for row in rows])
    axes.set(ylim=(len(rows) - 0.5, -0.5), xlabel=f"{unit} (95 % intervals)", title=title)
    axes.grid(axis="x", color="#dddddd", lw=0.5)
    return figure


def sweep_plot(games: Sequence[tuple[str, Sequence[Interval]]], title: str) -> Any:
    """Draw figures over the strategies of a sweep, a line for each game.

    Args:
        games: Their names, and the figures of the same strategies in the same order.
        title: Above it.
    """
    labels = [row.label for row in games[0][1]]
    figure, axes = _axes(max(6.4, 0.9 * len(labels) + 2), 4.0)
    for number, (game, rows) in enumerate(games):
        axes.errorbar(
            range(len(rows)),
            [row.mean for row in rows],
            yerr=[row.half_width or 0 for row in rows],
            fmt=f"{MARKS[number % len(MARKS)]}-",
            color=COLOURS[number % len(COLOURS)],
            label=game,
            capsize=3,
            ms=4,
            lw=1,
        )
    axes.axhline(0, color=GREY, lw=0.8)
    turn = {"rotation": 30, "ha": "right"} if max(map(len, labels)) > 12 else {}  # noqa: PLR2004 - letters
    axes.set_xticks(range(len(labels)), labels, **turn)
    axes.set(ylabel="minimums a round (95 % intervals)", title=title)
    axes.grid(axis="y", color="#dddddd", lw=0.5)
    if len(games) > 1:
        axes.legend(frameon=False)
    return figure


def counts_plot(rows: Sequence[Interval], shares: Sequence[float], title: str, tags: str) -> Any:
    """Draw what is won for each minimum wagered over true counts, and how often these come.

    Args:
        rows: By count, lowest first.
        shares: Of all rounds.
        title: Above it.
        tags: Which count it is.
    """
    figure, axes = _axes(max(6.4, 0.4 * len(rows) + 2), 4.0)
    often = axes.twinx()
    often.bar(range(len(rows)), [100 * each for each in shares], color="#dddddd", width=0.9)
    often.set(ylabel="% of rounds (bars)")
    axes.set_zorder(often.get_zorder() + 1)
    axes.patch.set_visible(False)
    axes.errorbar(
        range(len(rows)),
        [100 * row.mean for row in rows],
        yerr=[100 * (row.half_width or 0) for row in rows],
        fmt="o",
        color=COLOURS[0],
        capsize=3,
        ms=4,
    )
    axes.axhline(0, color=GREY, lw=0.8)
    axes.set_xticks(range(len(rows)), [row.label for row in rows])
    axes.set(xlabel=f"true count before the round ({tags})", title=title)
    axes.set_ylabel("won, % of the wager (95 % intervals)")
    return figure


def looks_plot(rows: Sequence[Interval], title: str) -> Any:
    """Draw a difference and its interval as it became known.

    Args:
        rows: Look by look; labels say how many tables each of the two had played.
        title: Above it.
    """
    figure, axes = _axes(6.4, 3.6)
    axes.errorbar(
        range(len(rows)),
        [row.mean for row in rows],
        yerr=[row.half_width or 0 for row in rows],
        fmt="o-",
        color=COLOURS[0],
        capsize=3,
        ms=4,
        lw=1,
    )
    axes.axhline(0, color=GREY, lw=0.8)
    axes.set_xticks(range(len(rows)), [row.label for row in rows])
    axes.set(xlabel="tables of each", title=title)
    axes.set_ylabel("minimums a round (95 %, all looks at once)")
    axes.grid(axis="y", color="#dddddd", lw=0.5)
    return figure


def fan_plot(
    bankroll_at: Callable[[float, float], float], rounds: int, bankroll: float, title: str
) -> Any:
    """Draw how far bankrolls spread out: which share of them lies below each line.

    Args:
        bankroll_at: What a share of all lie below in chips, after so many rounds.
        rounds: Until the right edge.
        bankroll: In the beginning, in chips.
        title: Above it.
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
    """Draw how many are left of an event, wave by wave.

    Args:
        waves: When each begins in minutes, and how many play in it.
        minutes: When the event is over.
        title: Above it.
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
    axes.grid(axis="y", color="#dddddd", lw=0.5)
    return figure


@cache
def _picture() -> Any:
    """Give the kind of our figures: a notebook shows them, and no window does."""

    class Picture(extra("matplotlib.figure").Figure):  # type: ignore[misc]  # imported when asked for
        """A figure that a notebook shows."""

        def _repr_png_(self) -> bytes:
            file = BytesIO()
            self.savefig(file, format="png", dpi=DOTS)
            return file.getvalue()

    return Picture


def _axes(width: float, height: float) -> tuple[Any, Any]:
    """Make a figure of so many inches."""
    figure = _picture()(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()
