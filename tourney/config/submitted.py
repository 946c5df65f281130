"""Entrants of a folder of submissions: one entry of the list, as many entrants as play.

Who plays is for the catalog to say; how a folder of submissions is made is not known here.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tourney.config.catalog import Catalog, Submitted
from tourney.config.located import Entries, Faults
from tourney.config.words import quoted, said
from tourney.errors import TourneyError

GIVEN_BY_THEM = ("as", "options", "author")
"""Settings that those who hand in decide by themselves."""


def read_submitted(
    item: Entries, values: Mapping[str, Any], catalog: Catalog, folder: Path | None, faults: Faults
) -> Sequence[Submitted]:
    """Find out who plays of a folder of submissions.

    Args:
        item: The entry.
        values: Its settings that have no fault.
        catalog: Who plays.
        folder: What relative paths begin from; None if the folder need not be there.
        faults: Notes what is wrong.
    """
    for name in GIVEN_BY_THEM:
        if key := item.key(name):
            got = f"{quoted(name)}: remove it"
            faults.note(key, said("submissions as they were handed in", got))
    at = item.get("submissions")
    if folder is None or at is None or "submissions" not in values:
        return ()  # an archived run keeps its sources elsewhere
    try:
        found = catalog.submitted((folder / values["submissions"]).resolve(), values.get("rule"))
    except (TourneyError, OSError, ValueError) as error:
        faults.note(at, f"{quoted(values['submissions'])}: {error}")
        return ()
    if not found:
        expected = f"at least one submission that may play in {quoted(values['submissions'])}"
        faults.note(at, said(expected, "none"))
    return found


def note_stray_rule(item: Entries, faults: Faults) -> None:
    """Note a rule about versions where there are none."""
    key = item.key("rule")
    if key and item.key("submissions") is None:
        faults.note(key, said("'rule' beside 'submissions'", "it alone", "remove it"))
