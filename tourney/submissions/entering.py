"""From a folder of submissions to the entrants of a tournament."""

from pathlib import Path
from shlex import quote

from tourney.config import Submitted
from tourney.errors import SubmissionError
from tourney.submissions.folder import RECORD, SOURCE, Submissions
from tourney.submissions.places import fault_of_folder
from tourney.submissions.records import RULES

DIGITS = 12
"""How much is shown of a digest."""


def submitted(folder: Path, rule: str | None) -> tuple[Submitted, ...]:
    """Give the versions that play, by name.

    Args:
        folder: A folder of submissions.
        rule: Which version of a name plays, one of RULES; None for what the folder's terms say.
    Raises: SubmissionError, if it is no such folder, or a source is not what was handed in;
        ConfigError, with the faults of its terms.
    """
    if fault := fault_of_folder(folder):
        raise SubmissionError(fault)
    submissions = Submissions(folder)
    chosen = next((each for each in RULES if each == rule), None)
    entrants = []
    for each in submissions.current(chosen):
        source = submissions.read(each)  # refuses what was changed since
        path = submissions.source_folder(each)
        file = path if source.kind == "package" else path / source.name
        entrants.append(Submitted(each.name, source.kind, file))
    return tuple(entrants)


def how_to_withdraw(file: Path) -> str:
    """Say how the organiser takes a version back whose file this is; empty if it is none.

    Args:
        file: Of an entrant.
    """
    version, home = file.parent.parent, file.parent.parent.parent
    if file.parent.name != SOURCE or not (version / RECORD).is_file():
        return ""
    folder, name = quote(str(_shortest(home.parent))), quote(home.name)
    return (
        f"; or leave it out: tourney submissions {folder} --withdraw {name} "
        f'{version.name[:DIGITS]} --because "plays another game"'
    )


def _shortest(folder: Path) -> Path:
    """Give a path as it would be typed here."""
    here = Path.cwd()
    return folder.relative_to(here) if folder.is_relative_to(here) else folder
