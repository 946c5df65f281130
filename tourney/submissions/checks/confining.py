"""The process that a source is checked in: what is sent there, and what may be taken.

A file goes as it is, and a package with all of its files. A chart becomes the two lines that play
it.
"""

from typing import Any

from tourney.confine.budgets import Budget
from tourney.confine.levels import Level, setup_for
from tourney.confine.modules import Part, write_parts
from tourney.confine.referee import ConfinedDesk
from tourney.confine.seating import Submitted
from tourney.game import Game
from tourney.plugins import entry_of, parts_of
from tourney.submissions.source import Source

BUDGET = Budget(stall=2.0)
"""That of a tournament, but for waiting: an author shall not wait ten seconds for a verdict."""

CHARTED = """\
from tourney.players import chart_player

_CHARTED = chart_player({text!r}, {name!r})


def tourney_strategies():
    return {{"chart": _CHARTED}}
"""

WHY_NONE = """


def _why_no_player():
    for each in list(globals().values()):
        missing = isinstance(each, type) and getattr(each, "__abstractmethods__", None)
        if missing and each.__module__ == __name__:
            raise LookupError(
                f"{each.__name__}: expected a class that answers {' and '.join(sorted(missing))}, "
                "got one without"
            )


_why_no_player()
"""
"""Comes after a file in which no player was found, and finds out why."""


def submitted_of(source: Source, *, asks_why: bool = False) -> Submitted:
    """Give what a process is sent.

    Args:
        source: Of any kind.
        asks_why: Have a file say what is missing for a class to be a player.
    """
    if source.kind == "package":
        parts = [Part(*each) for each in parts_of(source.files)]
        _, module = entry_of(source.files)
        return Submitted(source.name, write_parts(parts), entry=module)
    name, text = source.files[0]
    if source.kind == "chart":
        text = CHARTED.format(text=text, name=name)
    elif asks_why:
        text += WHY_NONE
    return Submitted(name, text.encode())


def desk_for(
    source: Source, game: Game[Any, Any, Any], level: Level, *, asks_why: bool = False
) -> ConfinedDesk:
    """Give a desk whose players sit in a process of their own.

    Args:
        source: Of any kind.
        game: What it plays.
        level: How well it is confined.
        asks_why: As above.
    """
    submitted = submitted_of(source, asks_why=asks_why)
    return ConfinedDesk(game, submitted, setup_for(level), BUDGET)
