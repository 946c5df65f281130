"""Faults behind the first one, so that an author hears of all in one go and not of one at a time.

A file that imports what it cannot have is loaded without that, and hands are asked about although
no wager was right. Leaves out what only follows from that: such a fault may be none.
"""

import ast
import re
from collections.abc import Iterable, Iterator

from tourney.checks.lint import parsed
from tourney.checks.source import Source
from tourney.game.ledger import ENDING_CAUSES, Verdict

MOST_FINDINGS = 5
"""That a report has of one kind."""
NOT_IMPORTED = re.compile(r"(?:ModuleNotFound|Import)Error: ")
NOT_DEFINED = re.compile(r"NameError: name '(\w+)'")
LACKING = re.compile(r"'(\w+)' object has no attribute")
SURE = re.compile(
    r"(?:NameError|ModuleNotFoundError|PermissionError|AttributeError): "
    r"|TypeError: .*\(\) (?:takes|missing|got an unexpected) "
)
"""What is raised whatever a player has been asked before, unless it is about what it keeps."""


def without_import(source: Source, verdict: Verdict) -> tuple[Source, frozenset[str]] | None:
    """Leave out the import for which a file does not load.

    Args:
        source: Of Python.
        verdict: On its loading.
    Returns: The source, every line where it was, and the names that it lacks then; None if there
        is another reason.
    """
    name, _, number = verdict.place.rpartition(":")
    text = dict(source.files).get(name, "")
    if verdict.call != "import" or not NOT_IMPORTED.search(verdict.message) or not text:
        return None
    for node in ast.walk(parsed(text)):
        if isinstance(node, ast.Import | ast.ImportFrom) and node.lineno == int(number):
            left = tuple(
                (each, _cut(text, node) if each == name else old) for each, old in source.files
            )
            names = (each.asname or each.name.partition(".")[0] for each in node.names)
            return Source(source.kind, left), frozenset(names)
    return None


def _cut(text: str, node: ast.stmt) -> str:
    """Put `pass` in the place of a statement."""
    lines = text.encode().splitlines(keepends=True)  # of text it would split at form feeds, too
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    rest = lines[last][node.end_col_offset :]
    kept = [lines[first][: node.col_offset] + b"pass" + b"\n" * (last - first) + rest]
    return b"".join([*lines[:first], *kept, *lines[last + 1 :]]).decode()


def follows(verdict: Verdict, names: frozenset[str]) -> bool:
    """Say whether a fault only comes of names that were left out."""
    found = NOT_DEFINED.search(verdict.message)
    return found is not None and (found[1] in names or "*" in names)


def is_sure(verdict: Verdict, source: Source) -> bool:
    """Say whether a fault is one, too, of a player that has been asked for its wager before."""
    if verdict.cause != "raised":
        return True
    lacking = LACKING.search(verdict.message)
    own = lacking and any(f"class {lacking[1]}" in text for _, text in source.files)
    return bool(SURE.search(verdict.message)) and "NoneType" not in verdict.message and not own


def unlike(verdicts: Iterable[Verdict]) -> Iterator[Verdict]:
    """Give each fault once that a player can mend by itself: by cause, question and place."""
    found: dict[tuple[str, str, str], Verdict] = {}
    for each in verdicts:
        found.setdefault((each.cause, each.call, each.place), each)
        if each.cause in ENDING_CAUSES:  # which is told of all that were asked at once
            break
    return iter(found.values())
