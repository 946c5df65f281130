"""The folder of a class: creating it, changing its settings, and erasing a student."""

import json
import re
import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from unicodedata import normalize

from tourney.config.documents import as_yaml
from tourney.config.games import for_ranking
from tourney.config.model import Catalog, GameConfig
from tourney.config.settings import LONGEST_NAME
from tourney.course.extensions import forget_extensions
from tourney.course.files import only_one, write_whole
from tourney.course.folder import RECORD, Submissions, names_in
from tourney.course.games import game_text
from tourney.course.records import write_record
from tourney.course.rejections_log import read_refusals, write_refusals
from tourney.course.roster import Person, Roster
from tourney.course.roster_file import read_roster, written
from tourney.course.submission_rules import (
    TERMS,
    SubmissionRules,
    read_terms,
    read_terms_text,
    text_of_terms,
)
from tourney.errors import SubmissionError
from tourney.plugins.fault_text import printable

ROSTER, TOURNAMENT = "roster.csv", "tournament.yaml"
ERASED = "erased"
"""The reason for excluding an erased student."""


def begin_class(folder: Path, people: Sequence[Person], game: GameConfig, title: str) -> None:
    """Write the roster, the submission rules and the tournament of a new class.

    Existing rules stay; the roster is added to them.

    Args:
        folder: The folder of the class; created if needed.
        people: All students on the roster.
        game: The game; a preset without settings gets the shuffle that a ranking needs.
        title: Title of the tournament.
    Raises: SubmissionError, if another process has created the class meanwhile.
    """
    game = for_ranking(game)
    folder.mkdir(parents=True, exist_ok=True)
    with only_one(folder):
        if (folder / ROSTER).is_file():
            raise SubmissionError(f"{folder / ROSTER}: the class exists now; try again")
        terms = text_of_terms(folder)
        if not terms.strip():
            terms = f"game: {game_text(game)}\ntournament: {TOURNAMENT}\n"
        if "roster:" not in terms:
            terms = f"{terms.rstrip()}\nroster: {ROSTER}\n"
        write_whole(folder / TERMS, terms)
        write_whole(folder / TOURNAMENT, _tournament(title, game))
        # Last, because it marks the class as complete.
        write_whole(folder / ROSTER, written(people))


@dataclass(frozen=True, slots=True)
class Played:
    """The names that a student plays under."""

    own: tuple[str, ...]  # of this student only
    shared: tuple[str, ...] = ()  # of teams


def names_of(folder: Path, person: str, name: str, others: Collection[str] = ()) -> Played:
    """Return the names that a student plays under.

    Args:
        folder: The folder of the class; without a roster `name` is the only one.
        person: Name on the roster, also of a student who was removed from it.
        name: One of the names; may be empty.
        others: Names of other students, on the roster or not.
    """
    people = _people(folder)
    at = _place_of(people, person, name, others)
    names = people[at].names if at is not None else (name,) if name else ()
    taken = {each for number, one in enumerate(people) if number != at for each in one.names}
    own = tuple(each for each in names if each not in taken and each not in others)
    return Played(own, tuple(each for each in names if each not in own))


def forget_versions(folder: Path, person: str, played: Played, handle: str) -> None:
    """Remove the submissions and rejections of a student; a team's versions stay.

    Args:
        folder: The folder of the class; may be missing.
        person: Name on the roster.
        played: The names of the student.
        handle: New author of the student's versions in a team.
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
                known = replace(each, author=handle, override=limits, note="")
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
    """Replace a student on the roster by a random pseudonym, exclude them, and end extensions.

    Args:
        folder: The folder of the class; without a roster nothing happens.
        person: Name on the roster, also of a student who was removed from it.
        name: The name that the student plays under.
        handle: Pseudonym in place of both names.
        others: Names of other students.
    """
    if not (folder / ROSTER).is_file():
        return
    with only_one(folder):
        people = list(_people(folder))
        at = _place_of(people, person, name, others)
        forget_extensions(folder, (person, *(people[at].all_ids if at is not None else ())))
        if at is not None:
            people[at] = Person(handle, (handle,), excluded=ERASED)
            write_whole(folder / ROSTER, written(people))


def _people(folder: Path) -> tuple[Person, ...]:
    path = folder / ROSTER
    return read_roster(path).people if path.is_file() else ()


def _place_of(
    people: Sequence[Person], person: str, name: str, others: Collection[str]
) -> int | None:
    """Find a student by the name to play under; if that was changed, by their own name."""
    called = Roster(tuple(people)).all_called(person)
    same = [at for at, each in enumerate(people) if each in called]
    named = [at for at in same if name in people[at].names]
    free = [at for at in same if not set(people[at].names) & set(others)]
    return next(iter(named or (free if len(same) == 1 else ())), None)


def set_terms(folder: Path, settings: Mapping[str, str], catalog: Catalog) -> SubmissionRules:
    """Change some submission rules of a folder.

    Args:
        folder: The folder of the class.
        settings: Values in YAML by name; an empty value removes the setting.
        catalog: The known games.
    Returns: The new rules.
    Raises: ConfigError, with every fault; the file stays as it was.
    """
    with only_one(folder):
        return _write_terms(folder, settings, catalog)


def change_game(folder: Path, game: GameConfig, title: str, catalog: Catalog) -> None:
    """Change the game of a class without submissions; its tournament is rewritten.

    Starter files and the game of student tests belong to the old game, so these settings go.

    Args:
        folder: The folder of the class.
        game: The new game; a preset without settings gets the shuffle that a ranking needs.
        title: Title of the tournament.
        catalog: The known games.
    Raises: SubmissionError, if a submission is filed; ConfigError, if the rules have a fault.
    """
    game = for_ranking(game)
    with only_one(folder):
        if names_in(folder):
            raise SubmissionError("game: students have submitted already. Make another assignment")
        changed = {"game": game_text(game), "tests": "", "starter": "", "tournament": TOURNAMENT}
        _write_terms(folder, changed, catalog)
        write_whole(folder / TOURNAMENT, _tournament(title, game))


def set_group_deadline(
    folder: Path, group: str, until: datetime | None, catalog: Catalog
) -> SubmissionRules:
    """Set the deadline of one group of the roster, or remove it.

    Args:
        folder: The folder of the class.
        group: A group of the roster.
        until: With its offset; `None` for the deadline of the class.
        catalog: The known games.
    Returns: The new rules.
    Raises: ConfigError, with every fault; SubmissionError, if there is no deadline to remove. The
        file stays as it was.
    """
    with only_one(folder):
        times = dict(read_terms(folder, catalog).group_deadlines)
        if until is None and group not in times:
            raise SubmissionError(f"group {group} has no deadline of its own")
        known = {**times, group: until}
        values = {each: str(time) for each, time in known.items() if time}
        # JSON is valid YAML, and quotes groups that look like numbers.
        settings = {"group_deadlines": json.dumps(values) if values else ""}
        return _write_terms(folder, settings, catalog)


def _write_terms(folder: Path, settings: Mapping[str, str], catalog: Catalog) -> SubmissionRules:
    """Change settings; an empty value removes one, with its nested lines.

    The caller locks the folder. After a fault, the file stays as it was.
    """
    text = text_of_terms(folder)
    for name, value in settings.items():
        text = re.sub(rf"(?m)^{re.escape(name)}:.*\n?(?:[ \t]+\S.*\n?)*", "", text)
        text = text.rstrip() + "\n" + (f"{name}: {value}\n" if value else "")
    terms = read_terms_text(text, folder, catalog)
    write_whole(folder / TERMS, text)
    return terms


def _tournament(title: str, game: GameConfig) -> str:
    """Return the configuration of a tournament of all submissions."""
    chips = "" if game.rules.most_points is not None else "bankroll: 1000\n"
    minimum = "minimum: 5\n" if chips and game.rules.minimum is None else ""
    return (
        f"{as_yaml({'name': printable(printable(title), LONGEST_NAME)})}"
        f"game: {game_text(game)}\n{chips}{minimum}"
        "format: {kind: duplicate, tables: 200, rounds: 100}\n"
        "entrants:\n  - submissions: .\n"
    )
