"""The costliest decisions of an entrant, from its sampled tables.

All tables of a class would take minutes. The samples are replayed anyway, and are spread evenly
over all tables, so the cost of their mistakes has a confidence interval.
"""

from typing import Any

from tourney.game.hand_history import Story
from tourney.report.publish.published_tables import Chosen
from tourney.report.publish.replays import Looks
from tourney.report.site.model import MistakeData, MistakesData
from tourney.standings.mistakes import Mistake, MistakeCounter


def sampled_mistakes(
    entrant: int, chosen: Chosen, looks: Looks, story: Story[Any]
) -> MistakesData | None:
    """Return the costliest decisions of an entrant at its sampled tables.

    An example is from a table with published hands, if the decision was made there.

    Args:
        entrant: Its number.
        chosen: Its replayed tables.
        looks: The replayed blocks.
        story: Judges the decisions.
    Returns: `None` without samples, or if the game does not know the value of actions.
    """
    counter, tables = MistakeCounter(), 0
    for key in chosen.sampled:
        found = looks.of(entrant, key)
        tables += bool(found)
        for look, seat in found:
            if not look.hands.decision_log:
                return None
            decisions = story.judged(look.hands.decision_log, seat)
            counter.take(look.block.key, decisions, _rounds(look.hands.paths, seat))
    if not counter.rounds:
        return None
    for _, key in chosen.published:
        for look, seat in looks.of(entrant, key):
            counter.prefer(look.block.key, story.judged(look.hands.decision_log, seat))
    total = counter.found("")
    return MistakesData(
        tables=tables,
        rounds=total.rounds,
        judged=total.judged,
        cost_per_100=total.cost_per_100,
        half_width=total.half_width,
        listed=[_told(each) for each in total.listed],
    )


def _rounds(paths: list[list[int | None]], seat: int) -> int:
    """Return the number of rounds that a seat has played."""
    return max(sum(chips[seat] is not None for chips in paths) - 1, 0)


def _told(mistake: Mistake) -> MistakeData:
    return MistakeData(
        situation=mistake.situation,
        answer=mistake.answer,
        best=mistake.best,
        times=mistake.times,
        cost=mistake.cost,
        cost_per_100=mistake.cost_per_100,
        **mistake.example._asdict(),
    )
