"""Counts words and phrases that plain technical English rarely needs.

A file may hold a few of them: PER_THOUSAND per 1,000 words. Files that hold more are listed in
`tests/project/prose.txt` with their number, which may only fall:
`python -m tests.support.prose` writes the list again and refuses to raise a number.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
LISTED = ROOT / "tests" / "project" / "prose.txt"
PER_THOUSAND = 4
"""Markers per 1,000 words that need no entry in the list."""
ALWAYS_FINE = 1
"""Markers of a file that need no entry in the list, however short it is."""

PRONOUNS = (
    r"who(?:ever|mever|m)|whose(?= \w+ (?:is|are|was|were)\b)|(?:every|no|some|any)body|one's"
)
SPEECH = r"tell(?:s|ing)?|told|sa(?:y|ys|id)"
VAGUE = r"what|none|so (?:much|many|often)|likewise|anew|besides?|thereof|likeliest|misspelt"
PHRASES = (
    r"of (?:its|his|her|their|your|our|one's) own|at once|go(?:es)? on|taken? back|comes? of"
    r"|came of|stood|there is no \w+ (?:but|that)"
)
MARKERS = re.compile(
    rf"\b(?:{PRONOUNS}|{SPEECH}|{VAGUE}|{PHRASES})\b"
    r"|(?:^|[.:;,(] )[Ww]ho [a-z]+s?\b"
    r"|\bexpected no(?:thing)?\b|\bgot (?:it|one|none|another|others)\b",
    re.IGNORECASE | re.MULTILINE,
)
WORD = re.compile(r"[A-Za-z']+")


class Text(NamedTuple):
    """The prose of one kind in one file."""

    path: str  # relative to the repository
    kind: str  # "page", "docstrings", "messages" or "template"
    prose: str

    @property
    def markers(self) -> int:
        """Number of markers."""
        return len(MARKERS.findall(self.prose))

    @property
    def words(self) -> int:
        """Number of words."""
        return len(WORD.findall(self.prose))

    @property
    def allowed(self) -> int:
        """Number of markers that need no entry in the list."""
        return max(ALWAYS_FINE, self.words * PER_THOUSAND // 1000)


def without_code(text: str) -> str:
    """Replace code in Markdown and doctests."""
    text = re.sub(r"(?s)```.*?```", "", text)
    text = re.sub(r"`[^`]*`", "CODE", text)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    return re.sub(r"(?m)^\s*(?:>>>|\.\.\.).*$", "", text)


def texts() -> Iterator[Text]:
    """Yield the prose of every page, module and template, by path."""
    pages = [
        ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
    ]
    pages += [each for each in (ROOT / "docs").rglob("*.md") if "decisions" not in each.parts]
    for path in sorted(pages):
        yield Text(_name(path), "page", without_code(path.read_text(encoding="utf-8")))
    for path in sorted([*(ROOT / "tourney").rglob("*.py"), *(ROOT / "strategies").rglob("*.py")]):
        if "strategies" in path.relative_to(ROOT).parts[1:]:  # reached by the link
            continue
        yield from of_module(_name(path), path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / "tourney").rglob("*.html")):
        source = path.read_text(encoding="utf-8")
        prose = re.sub(r"(?s){[{%#].*?[%}#]}|<[^>]*>", " ", source)
        yield Text(_name(path), "template", prose)


def of_module(name: str, source: str) -> Iterator[Text]:
    r"""Yield the docstrings and the messages of exceptions of a module.

    >>> [each.markers for each in of_module("a.py", 'def f():\n    "Say what it is."\n')]
    [2, 0]
    """
    docstrings, messages = [], []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            docstrings.append(without_code(ast.get_docstring(node) or ""))
        elif isinstance(node, ast.Raise) and node.exc is not None:
            messages += [
                each.value
                for each in ast.walk(node.exc)
                if isinstance(each, ast.Constant) and isinstance(each.value, str)
            ]
    yield Text(name, "docstrings", "\n".join(docstrings))
    yield Text(name, "messages", "\n".join(messages))


def listed() -> dict[tuple[str, str], int]:
    """Return the markers that each listed text may hold, by path and kind."""
    lines = LISTED.read_text(encoding="utf-8").splitlines() if LISTED.exists() else []
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    return {(path, kind): int(markers) for markers, kind, path in rows}


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def main() -> int:
    """Write the list; refuse to raise a number that is listed already."""
    before, is_new = listed(), not LISTED.exists()
    over = [text for text in texts() if text.markers > text.allowed]
    raised = [
        text
        for text in over
        if not is_new and text.markers > before.get((text.path, text.kind), text.allowed)
    ]
    for text in raised:
        sys.stderr.write(f"{text.path}: {text.kind}: {text.markers} markers, write them away\n")
    if raised:
        return 1
    rows = [f"{text.markers} {text.kind} {text.path}\n" for text in over]
    head = "# Markers, kind and path: see tests/support/prose.py. Numbers may only fall.\n"
    LISTED.write_text(head + "".join(rows), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
