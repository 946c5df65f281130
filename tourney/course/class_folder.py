"""The folder of a class: what it begins with, and what of it changes later.

Leaves out who is asked before, and what is shown to them.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from tourney.config import Catalog, GameConfig
from tourney.course.files import only_one, write_whole
from tourney.course.games import game_text
from tourney.course.roster import Person
from tourney.course.roster_file import read_roster, written
from tourney.course.terms import TERMS, Terms, read_terms_text, text_of_terms
from tourney.errors import SubmissionError

ROSTER, TOURNAMENT = "roster.csv", "tournament.yaml"


def begin_class(folder: Path, people: Sequence[Person], game: GameConfig, title: str) -> None:
    """Write what a class begins with; terms that are there already stay, and name the roster.

    Args:
        folder: Of the class; it is made if need be.
        people: Everybody on the roster.
        game: That the class plays.
        title: Of its tournament.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with only_one(folder):
        terms = text_of_terms(folder)
        if not terms.strip():
            terms = f"game: {game_text(game)}\ntournament: {TOURNAMENT}\n"
        if "roster:" not in terms:
            terms = f"{terms.rstrip()}\nroster: {ROSTER}\n"
        write_whole(folder / TERMS, terms)
        write_whole(folder / TOURNAMENT, _tournament(title, game))
        # Last, since it says that all else is there.
        write_whole(folder / ROSTER, written(people))


def keep_roster(folder: Path, before: Sequence[Person], after: Sequence[Person]) -> None:
    """Write a roster anew.

    Args:
        folder: Of the class.
        before: As it was when somebody was shown what changes.
        after: As it is to be.
    Raises: SubmissionError, if somebody changed it meanwhile.
    """
    with only_one(folder):
        if read_roster(folder / ROSTER).people != tuple(before):
            raise SubmissionError(f"{folder / ROSTER}: it was changed meanwhile; try again")
        write_whole(folder / ROSTER, written(after))


def set_terms(folder: Path, settings: Mapping[str, str], catalog: Catalog) -> Terms:
    """Write some settings of a folder's terms, and leave the others as they are.

    Args:
        folder: Of the class.
        settings: Values as YAML has them, by name; empty to take a setting away.
        catalog: What games there are.
    Returns: The terms from now on.
    Raises: ConfigError, with every fault; then nothing is written.
    """
    with only_one(folder):
        text = text_of_terms(folder)
        for name, value in settings.items():
            text = re.sub(rf"(?m)^{re.escape(name)}:.*\n?", "", text)
            text = text.rstrip() + "\n" + (f"{name}: {value}\n" if value else "")
        terms = read_terms_text(text, folder, catalog)
        write_whole(folder / TERMS, text)
    return terms


def _tournament(title: str, game: GameConfig) -> str:
    """Write a tournament of all who hand in."""
    chips = "" if game.rules.most_points is not None else "bankroll: 1000\n"
    minimum = "minimum: 5\n" if chips and game.rules.minimum is None else ""
    return (
        f"name: {title}\n"
        f"game: {game_text(game)}\n{chips}{minimum}"
        "format: {kind: duplicate, tables: 200, rounds: 100}\n"
        "entrants:\n  - submissions: .\n"
    )
