"""Charts: tables of Easy Blackjack, in which both cards of the dealer are face up.

Why it might win: a player that sees the hole card knows when to wait for a bust, and when 18 is
not enough. The table of the course document, `easybj-chart`, wins ten wagers in a hundred rounds.
The other two show the cost of habits from ordinary blackjack: to play like the dealer, which hits
a soft 17 here, and never to hit a hand that may bust.
Limits: it does not use wagers, the cards that are gone, or the cards of a total. To make another
chart, copy one of the files in strategies/charts and change its cells.
Source: [EASYBJ] for the first; [Baldwin1956] and [Epstein1977] for the others, in docs/sources.md.
"""

from importlib.resources import files

from tourney import ChartPlayer, Player, hookimpl, read_chart

CHARTS = files("tourney.strategies") / "charts"


class EasyBJChart(ChartPlayer):
    """Plays the table that the Easy Blackjack document prints."""

    chart = read_chart((CHARTS / "easybj.txt").read_text(encoding="utf-8"), "easybj.txt")


class MimicChart(ChartPlayer):
    """Hits up to 16 and a soft 17, like the dealer of Easy Blackjack."""

    chart = read_chart((CHARTS / "mimic.txt").read_text(encoding="utf-8"), "mimic.txt")


class NeverBustChart(ChartPlayer):
    """Hits only hands that cannot bust: up to hard 11 and soft 17."""

    chart = read_chart((CHARTS / "never_bust.txt").read_text(encoding="utf-8"), "never_bust.txt")


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer the charts."""
    return {
        "easybj-chart": EasyBJChart,
        "mimic-chart": MimicChart,
        "never-bust-chart": NeverBustChart,
    }
