"""The words of numbers, times and moves on the pages."""

from tourney.floor.timetable import duration_words
from tourney.game.words import plural
from tourney.report.site.bankroll_race import short_name

EVENTS = {
    "seat": "{who} sits down at table {table}",
    "move": "{who} moves to table {table}",
    "level": "a level begins: the minimum is {value}",
    "out": "{who} is out{place}",
    "rebuy": "{who} buys chips again{times}",
    "add-on": "{who} buys chips on top",
    "break table": "table {table} closes",
    "final table": "the final table begins",
    "advance": "{who} goes on",
    "bye": "{who} goes on without playing",
    "break": "all tables rest",
    "verdict": "{who} is at fault for the first time, at table {table}",
}
TOGETHER = {
    "seat": "sit down (at which table)",
    "move": "move (to which table)",
    "rebuy": "buy chips again",
    "add-on": "buy chips on top",
    "advance": "go on",
    "bye": "go on without playing",
}
"""Events that share one line if several happen at the same time."""

RESULT_TITLES = {"bankroll": "Bankroll in the end", "finish": "Chips won"}
"""Titles of a table's result, by measure; by default it is per round."""

MINUS = "\N{MINUS SIGN}"


def result_title(measure: str, bankroll: float) -> str:
    """Return the title of a table's result.

    Args:
        measure: The measure of the run.
        bankroll: Bankroll at the start; 0 in a game of points.

    >>> result_title("place", 0), result_title("place", 1000)
    ('Points a round', 'Chips a round')
    """
    return RESULT_TITLES.get(measure) or f"{'Chips' if bankroll else 'Points'} a round"


def chips(value: float | None) -> str:
    """Write chips.

    >>> chips(1234.0), chips(0.5)
    ('1,234', '0.5')
    """
    if value is None:
        return ""
    return f"{value:,.10g}".replace("-", MINUS)


def signed(value: float | None, decimals: int = 4) -> str:
    """Write a difference, with its sign.

    >>> signed(0.07868), signed(0)
    ('+0.0787', '0.0000')
    """
    if value is None:
        return ""
    text = f"{value:+.{decimals}f}"
    return text[1:] if float(text) == 0 else text.replace("-", MINUS)


def percent(value: float) -> str:
    """Write a share."""
    return f"{value:.0%}"


def event(kind: str, who: str, table: int, value: float) -> str:
    """Describe an event on the floor.

    >>> event("out", "Ada", 3, 17)
    'Ada is out, place 17'
    """
    return EVENTS.get(kind, kind).format(
        who=who,
        table=table,
        value=chips(value),
        place=f", place {chips(value)}" if value else "",
        times=f", {chips(value)} times so far" if value > 1 else "",
    )


FILTERS = {
    "short_name": short_name,
    "plural": plural,
    "chips": chips,
    "signed": signed,
    "percent": percent,
    "duration": duration_words,
}
