"""The folder of a class: what it begins with, and what of it changes later.

Leaves out who is asked before, and what is shown to them.
"""

import re
import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from unicodedata import normalize

from tourney.config.documents import as_yaml
from tourney.config.model import Catalog, GameConfig
from tourney.config.settings import LONGEST_NAME
from tourney.course.files import only_one, write_whole
from tourney.course.folder import RECORD, Submissions
from tourney.course.folder_detection import names_in
from tourney.course.games import for_ranking, game_text
from tourney.course.records import write_record
from tourney.course.rejections_log import read_refusals, write_refusals
from tourney.course.roster import Person, Roster
from tourney.course.roster_file import read_roster, written
from tourney.course.submission_rules import TERMS, SubmissionRules, read_terms_text, text_of_terms
from tourney.errors import SubmissionError
from tourney.plugins.fault_text import printable

ROSTER, TOURNAMENT = "roster.csv", "tournament.yaml"
ERASED = "erased"
"""Why who was erased takes no part."""


def begin_class(folder: Path, people: Sequence[Person], game: GameConfig, title: str) -> None:
    """Write what a class begins with; terms that are there already stay, and name the roster.

    Args:
        folder: Of the class; it is made if need be.
        people: Everybody on the roster.
        game: That the class plays; a preset alone is shuffled as a ranking needs it.
        title: Of its tournament.
    Raises: SubmissionError, if another process has begun the class meanwhile.
    """
    game = for_ranking(game)
    folder.mkdir(parents=True, exist_ok=True)
    with only_one(folder):
        if (folder / ROSTER).is_file():
            raise SubmissionError(f"{folder / ROSTER}: the class exists by now; try again")
        terms = text_of_terms(folder)
        if not terms.strip():
            terms = f"game: {game_text(game)}\ntournament: {TOURNAMENT}\n"
        if "roster:" not in terms:
            terms = f"{terms.rstrip()}\nroster: {ROSTER}\n"
        write_whole(folder / TERMS, terms)
        write_whole(folder / TOURNAMENT, _tournament(title, game))
        # Last, since it says that all else is there.
        write_whole(folder / ROSTER, written(people))


@dataclass(frozen=True, slots=True)
class Played:
    """The names that somebody plays under."""

    own: tuple[str, ...]  # nobody else does
    shared: tuple[str, ...] = ()  # of teams


def names_of(folder: Path, person: str, name: str, others: Collection[str] = ()) -> Played:
    """Give the names that somebody plays under.

    Args:
        folder: Of the class; without a roster the one name is all.
        person: On the roster; also who is not any more.
        name: One of them; empty if there is none.
        others: Names that are others' as well, whatever the roster says.
    """
    people = _people(folder)
    at = _place_of(people, person, name, others)
    names = people[at].names if at is not None else (name,) if name else ()
    taken = {each for number, one in enumerate(people) if number != at for each in one.names}
    own = tuple(each for each in names if each not in taken and each not in others)
    return Played(own, tuple(each for each in names if each not in own))


def forget_versions(folder: Path, person: str, played: Played, handle: str) -> None:
    """Remove what somebody has handed in and what was turned away; a team's versions stay.

    Args:
        folder: Of the class, which need not be there.
        person: On the roster.
        played: The names.
        handle: That a team's versions name as their author instead.
    """
    if not folder.is_dir():
        return
    with only_one(folder):
        for home in names_in(folder):
            if normalize("NFC", home) in played.own:
                shutil.rmtree(folder / home)
        submissions = Submissions(folder, SubmissionRules())
        for each in (each for name in played.shared for each in submissions.versions(name)):
            if each.author == person:
                limits = each.override.partition(":")[0]  # the reason is about the person
                known = replace(each, author=handle, override=limits)
                write_whole(folder / each.name / each.digest / RECORD, write_record(known))
        names = {*played.own, *played.shared}
        write_refusals(
            folder,
            (
                each
                for each in read_refusals(folder)
                if each.name not in played.own
                and not (each.person == person and each.name in names | {""})
            ),
        )


def forget_person(
    folder: Path, person: str, name: str, handle: str, others: Collection[str] = ()
) -> None:
    """Put a random handle in place of somebody on the roster, who is excluded from then on.

    Args:
        folder: Of the class; without a roster nothing is done.
        person: On the roster; also who is not any more.
        name: That the person plays under.
        handle: In place of both.
        others: Names that others play under.
    """
    if not (folder / ROSTER).is_file():
        return
    with only_one(folder):
        people = list(_people(folder))
        if (at := _place_of(people, person, name, others)) is not None:
            people[at] = Person(handle, (handle,), excluded=ERASED)
            write_whole(folder / ROSTER, written(people))


def _people(folder: Path) -> tuple[Person, ...]:
    path = folder / ROSTER
    return read_roster(path).people if path.is_file() else ()


def _place_of(
    people: Sequence[Person], person: str, name: str, others: Collection[str]
) -> int | None:
    """Find a student by the name to play under; where that was changed, by their own name."""
    called = Roster(tuple(people)).all_called(person)
    same = [at for at, each in enumerate(people) if each in called]
    named = [at for at in same if name in people[at].names]
    free = [at for at in same if not set(people[at].names) & set(others)]
    return next(iter(named or (free if len(same) == 1 else ())), None)


def set_terms(folder: Path, settings: Mapping[str, str], catalog: Catalog) -> SubmissionRules:
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
        f"{as_yaml({'name': printable(printable(title), LONGEST_NAME)})}"
        f"game: {game_text(game)}\n{chips}{minimum}"
        "format: {kind: duplicate, tables: 200, rounds: 100}\n"
        "entrants:\n  - submissions: .\n"
    )
