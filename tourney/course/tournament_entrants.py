"""From a folder of submissions to the entrants of a tournament."""

from collections.abc import Callable, Iterable
from pathlib import Path
from shlex import quote

from tourney.config.model import Catalog, GameConfig, Submitted
from tourney.course.folder import RECORD, SOURCE, Submissions, fault_of_folder
from tourney.course.games import game_text, same_contract
from tourney.course.pseudonyms import Pseudonyms, read_key
from tourney.course.records import DIGITS, RULES, read_record
from tourney.course.submission_rules import read_terms
from tourney.errors import ConfigError, SubmissionError

MOST_NAMES = 3  # that a line shows


def submitted(folder: Path, rule: str | None) -> tuple[Submitted, ...]:
    """Return the versions that play, by name.

    Args:
        folder: A folder of submissions.
        rule: Which version of a name plays, one of RULES; by default the rule of the folder.
    Raises: SubmissionError, if it is no such folder, or a source was changed; ConfigError, with
        the faults of its rules.
    """
    if fault := fault_of_folder(folder):
        raise SubmissionError(fault)
    submissions = Submissions(folder)
    chosen = next((each for each in RULES if each == rule), None)
    known = pseudonyms_in(submissions)
    known.check(submissions.names())
    entrants = []
    for each in submissions.current(chosen):
        source = submissions.read(each)  # rejects changed files
        path = submissions.source_folder(each)
        file = path if source.is_folder else path / source.name
        group, pseudonym = submissions.group_of(each.name), known.of(each.name)
        entrants.append(Submitted(each.name, source.kind, file, each.author, group, pseudonym))
    return tuple(entrants)


def pseudonyms_in(submissions: Submissions) -> Pseudonyms:
    """Return the pseudonyms of entrants, for boards without names.

    Raises: SubmissionError, if the key of random handles is damaged.
    """
    people = submissions.terms.roster.people if submissions.terms.roster else ()
    chosen = {each.names[0]: each.handle for each in people if each.handle}
    return Pseudonyms(chosen, read_key(submissions.folder))


def name_meant(submissions: Submissions, word: str) -> str:
    """Return the name that belongs to a handle; the word itself if it is no handle."""
    roster = submissions.terms.roster
    listed = (name for person in (roster.people if roster else ()) for name in person.names)
    names = dict.fromkeys((*submissions.names(), *listed))
    return pseudonyms_in(submissions).name_of(word, tuple(names))


def how_to_withdraw(file: Path) -> str:
    """Return the command that withdraws the version of a file; empty for other files.

    Args:
        file: File of an entrant.
    """
    version = _version_of(file)
    if version is None:
        return ""
    home = version.parent
    folder, name = quote(str(_shortest(home.parent))), quote(home.name)
    return (
        f"; or leave it out: tourney submissions {folder} --withdraw {name} "
        f'{version.name[:DIGITS]} --reason "plays another game"'
    )


def other_games(sources: Iterable[Path], game: GameConfig, catalog: Catalog) -> tuple[str, ...]:
    """Return a line for each folder of submissions that is for another game.

    Args:
        sources: Files and packages of entrants.
        game: The game of the tournament.
        catalog: Known games.
    """
    versions = filter(None, map(_version_of, sources))
    lines = []
    for folder in dict.fromkeys(version.parent.parent for version in versions):
        try:
            meant = read_terms(folder, catalog).game
        except ConfigError:  # a game that is not installed any more is no reason to stop
            continue
        if meant and not same_contract(meant, game):
            lines.append(
                f"{_shortest(folder)}: the competitors were checked for {game_text(meant)}, and "
                f"the game here is {game_text(game)}. They may fail: submit them again for this "
                "game, to another folder."
            )
    return tuple(lines)


def other_demands(sources: Iterable[Path], demands: Callable[[], object]) -> tuple[str, ...]:
    """Return a line for each folder with entrants checked for another tournament.

    Args:
        sources: Files and packages of entrants.
        demands: Returns the demands of the tournament; called only if an entrant was checked for
            one.
    Raises: SubmissionError, if a record cannot be read.
    """
    names: dict[tuple[Path, str], list[str]] = {}
    for version in filter(None, map(_version_of, sources)):
        record = read_record(version / RECORD)
        if other := record.report.demanded:
            names.setdefault((version.parent.parent, other), []).append(record.name)
    demanded = str(demands()) if names else ""
    return tuple(
        f"{_shortest(folder)}: {', '.join(those[:MOST_NAMES])}"
        f"{f' and {more} more' if more > 0 else ''}: checked for {other}, but the tournament has "
        f"{demanded}. They may fail: submit the same files again, which repeats the check."
        for (folder, other), those in names.items()
        if other != demanded
        for more in [len(those) - MOST_NAMES]
    )


def _version_of(source: Path) -> Path | None:
    """Return the folder of the version of a source, if it is a submission."""
    kept = source if source.name == SOURCE else source.parent  # a package is all of it
    is_kept = kept.name == SOURCE and (kept.parent / RECORD).is_file()
    return kept.parent if is_kept else None


def _shortest(folder: Path) -> Path:
    """Return a path as a user would type it in the current folder."""
    here = Path.cwd()
    return folder.relative_to(here) if folder.is_relative_to(here) else folder
