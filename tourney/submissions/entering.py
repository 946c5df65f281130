"""From a folder of submissions to the entrants of a tournament."""

from pathlib import Path

from tourney.config import Submitted
from tourney.errors import SubmissionError
from tourney.submissions.folder import Submissions
from tourney.submissions.records import RULES
from tourney.submissions.terms import TERMS


def submitted(folder: Path, rule: str | None) -> tuple[Submitted, ...]:
    """Give the versions that play, by name.

    Args:
        folder: A folder of submissions.
        rule: Which version of a name plays, one of RULES; None for what the folder's terms say.
    Raises: SubmissionError, if it is no such folder, or a source is not what was handed in;
        ConfigError, with the faults of its terms.
    """
    if not folder.is_dir():
        raise SubmissionError("expected a folder of submissions, got none")
    submissions = Submissions(folder)
    if not submissions.versions() and not (folder / TERMS).is_file():
        raise SubmissionError("expected a folder of submissions, got one without any")
    chosen = next((each for each in RULES if each == rule), None)
    entrants = []
    for each in submissions.current(chosen):
        source = submissions.read(each)  # refuses what was changed since
        path = submissions.source_folder(each)
        file = path if source.kind == "package" else path / source.name
        entrants.append(Submitted(each.name, source.kind, file))
    return tuple(entrants)
