"""The costly decisions of an entrant of a stored run, and costly decisions as text."""

from collections.abc import Iterator, Sequence

from tourney.errors import TourneyError
from tourney.game.hand_history import story_of
from tourney.report.hand_tables import HandsData
from tourney.standings.mistakes import PER, TOP, Mistake, MistakeCounter, Mistakes

NO_VALUES = "mistakes: this game does not know the value of actions. Use a blackjack game"


def mistakes_of(data: HandsData, entrant: int, top: int | None = TOP) -> Mistakes:
    """Deal the hands of a stored run again and list an entrant's costliest decisions.

    Args:
        data: Hands of the run; `chosen` selects blocks in which the entrant sits.
        entrant: Its number.
        top: Situations to list; `None` for all.
    Raises: TourneyError, if the game does not know the value of actions.
    """
    story, counter = story_of(data.tournament.rules), MistakeCounter()
    if not story.decision_log(1):
        raise TourneyError(NO_VALUES)
    for block, result, log in data.logs():
        for number, seat in enumerate(block.seats):
            if seat.entrant == entrant:
                counter.take(block.key, story.judged(log, number), result.seats[number].rounds)
    return counter.found(data.tournament.labels[entrant].name, top)


def summary(title: str, found: Mistakes) -> str:
    """Return the total cost in one line."""
    spread = "" if found.half_width is None else f" ± {found.half_width:.3f} (95 %)"
    return (
        f"{title}: decisions cost {found.cost_per_100:.3f}{spread} chips per {PER} rounds against "
        f"best play ({found.rounds:,} rounds)"
    )


def mistake_table(listed: Sequence[Mistake]) -> tuple[list[str], list[list[str]]]:
    """Return headings and cells of a table of mistakes."""
    heads = ["Situation", "Answer", "Best", "Times", "Cost each", "Cost per 100 rounds", "Example"]
    rows = [
        [
            each.situation,
            each.answer,
            each.best,
            f"{each.times:,}",
            f"{each.cost:.3f}",
            f"{each.cost_per_100:.3f}",
            f"table {each.example.table}, round {each.example.round}",
        ]
        for each in listed
    ]
    return heads, rows


def mistake_lines(title: str, found: Mistakes) -> Iterator[str]:
    """Yield the lines of a text table."""
    from tabulate import tabulate  # noqa: PLC0415 - only where text is printed

    yield summary(title, found)
    if found.listed:
        heads, rows = mistake_table(found.listed)
        sides = ["left"] * 3 + ["right"] * 3 + ["left"]
        yield tabulate(rows, heads, disable_numparse=True, colalign=sides)
