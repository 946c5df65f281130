"""The chart of a student's check scores over their submissions, in units of the drawing."""

from collections.abc import Sequence
from dataclasses import dataclass

from tourney.portal.versions import Version

WIDTH, HEIGHT = 480, 160
LEFT, RIGHT, TOP, BOTTOM = 56, 12, 12, 28
"""Margins, with room for the labels of the axes."""
FEWEST = 2
"""Scores that a chart needs."""


@dataclass(frozen=True, slots=True)
class ScorePoint:
    """A submission on the chart; `y` grows downwards."""

    number: int  # of the submission
    score: float
    margin: float  # half the 95 % confidence interval; 0 if unknown
    x: float
    y: float
    low: float  # end of the interval with the lower score
    high: float
    is_competing: bool


@dataclass(frozen=True, slots=True)
class ScoreChart:
    """A chart."""

    points: Sequence[ScorePoint]
    least: float  # score at the bottom
    greatest: float  # score at the top
    zero: float | None  # height of score 0, if it is on the chart

    @property
    def line(self) -> str:
        """The points, for a polyline."""
        return " ".join(f"{each.x:.1f},{each.y:.1f}" for each in self.points)

    @property
    def words(self) -> str:
        """All scores in words."""
        return "; ".join(
            f"submission {each.number}: {each.score:+.1f} ± {each.margin:.1f}"
            for each in self.points
        )


def score_chart(numbered: Sequence[tuple[int, Version]]) -> ScoreChart | None:
    """Draw the scores of numbered versions; `None` if fewer than two have a score.

    Args:
        numbered: Versions with their numbers, oldest first.
    """
    scored = [
        (number, version, float(score), float(version.report.get("margin") or 0))
        for number, version in numbered
        if (score := version.report.get("score")) is not None
    ]
    if len(scored) < FEWEST:
        return None
    least = min(score - margin for _, _, score, margin in scored)
    greatest = max(score + margin for _, _, score, margin in scored)
    span = (greatest - least) or 1.0

    def height(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (greatest - value) / span

    step = (WIDTH - LEFT - RIGHT) / len(scored)
    points = [
        ScorePoint(
            number=number,
            score=score,
            margin=margin,
            x=LEFT + step * (at + 0.5),
            y=height(score),
            low=height(score - margin),
            high=height(score + margin),
            is_competing=version.plays,
        )
        for at, (number, version, score, margin) in enumerate(scored)
    ]
    zero = height(0.0) if least <= 0 <= greatest else None
    return ScoreChart(points, least, greatest, zero)
