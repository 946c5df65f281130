"""Count modules and lines of code, by room: `python benchmarks/code_size.py`.

A line of code is a line that holds a token other than a comment; blank lines and docstrings do not
count.
"""

import ast
import io
import sys
import tokenize
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
NO_CODE = frozenset(
    {
        *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
        tokenize.ENDMARKER,
    }
)
Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def code_lines(source: str) -> int:
    r"""Count the lines of code of a module.

    >>> code_lines("x = (1,  # one\n     2)\n\n")
    2
    """
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, Documented) and ast.get_docstring(node, clean=False) is not None:
            first = node.body[0]
            lines -= set(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return len(lines)


def main() -> None:
    """Print a row for each room, and the sums."""
    modules, lines = Counter[str](), Counter[str]()
    package = ROOT / "tourney"
    for path in sorted(package.rglob("*.py")):
        if "strategies" in path.relative_to(package).parts:  # a link to another folder
            continue
        inner = path.relative_to(package).parts
        room = inner[0] if len(inner) > 1 else "tourney"
        modules[room] += 1
        lines[room] += code_lines(path.read_text(encoding="utf-8"))
    for room in sorted(modules):
        print(f"{room:14} {modules[room]:4} modules {lines[room]:7,} lines")
    print(f"{'all':14} {modules.total():4} modules {lines.total():7,} lines")


if __name__ == "__main__":
    sys.exit(main())
