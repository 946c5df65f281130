"""Faults behind the first one, so that an author sees all of them in one report.

A file with a missing import is loaded again without it, and the check asks about hands even if all
wagers were wrong. Faults that may only be consequences of this are dropped.
"""

import ast
import re
from collections.abc import Iterable, Iterator

from tourney.checks.remedies import NO_PLAYER
from tourney.checks.source import Source, parsed
from tourney.game.ledger import ENDING_CAUSES, Verdict

MOST_FINDINGS = 5
"""Most findings of one kind in a report."""
NOT_IMPORTED = re.compile(r"(?:ModuleNotFound|Import)Error: ")
NOT_DEFINED = re.compile(r"NameError: name '(\w+)'")
LACKING = re.compile(r"'(\w+)' object has no attribute")
SURE = re.compile(
    r"(?:NameError|ModuleNotFoundError|PermissionError|AttributeError): "
    r"|TypeError: .*\(\) (?:takes|missing|got an unexpected) "
)
"""Exceptions that do not depend on earlier questions, unless they concern a player's attributes."""


def without_import(source: Source, verdict: Verdict) -> tuple[Source, frozenset[str]] | None:
    """Remove the import that prevents a file from loading.

    Args:
        source: A source in Python.
        verdict: Verdict on its loading.
    Returns: The source with the same line numbers, and the names that it now lacks; `None` if there
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
    """Replace a statement by `pass`."""
    lines = text.encode().splitlines(keepends=True)  # a str would be split at form feeds, too
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    rest = lines[last][node.end_col_offset :]
    kept = [lines[first][: node.col_offset] + b"pass" + b"\n" * (last - first) + rest]
    return b"".join([*lines[:first], *kept, *lines[last + 1 :]]).decode()


def follows(verdict: Verdict, names: frozenset[str]) -> bool:
    """Return whether a fault is only a consequence of the removed names or classes."""
    if NO_PLAYER in verdict.message:
        return True
    found = NOT_DEFINED.search(verdict.message)
    return found is not None and (found[1] in names or "*" in names)


def is_sure(verdict: Verdict, source: Source) -> bool:
    """Return whether a fault would also occur if the player had been asked for its wager before."""
    if verdict.cause != "raised":
        return True
    lacking = LACKING.search(verdict.message)
    own = lacking and any(f"class {lacking[1]}" in text for _, text in source.files)
    return bool(SURE.search(verdict.message)) and "NoneType" not in verdict.message and not own


def unlike(verdicts: Iterable[Verdict]) -> Iterator[Verdict]:
    """Return each fault once that can be fixed separately: by cause, question and place."""
    found: dict[tuple[str, str, str], Verdict] = {}
    for each in verdicts:
        found.setdefault((each.cause, each.call, each.place), each)
        if each.cause in ENDING_CAUSES:  # all questions of the batch get the same verdict
            break
    return iter(found.values())
