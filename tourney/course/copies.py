"""Who handed in the same as somebody else: the same source, the same shape, or the same play.

The shape of a source is its syntax tree without comments, docstrings and the names that it gives
itself. How it plays is what its check kept: a digest of all its answers at tables that are the same
for everybody. Equal play proves nothing where a game has few good answers, so it comes last.
Reads competitors' Python, and runs none of it.
"""

import ast
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from tourney.course.folder import Submissions
from tourney.course.records import Submission

SAME, SHAPE, PLAY = "the same source", "the same but for names and comments", "plays exactly alike"


@dataclass(frozen=True, slots=True)
class Copies:
    """Names whose versions have something in common."""

    kind: str  # SAME, SHAPE or PLAY
    names: tuple[str, ...]  # at least two, who handed in first comes first


def copies(submissions: Submissions) -> tuple[Copies, ...]:
    """Give who has the same as somebody else: of every name what plays, else its last version."""
    last = {each.name: each for each in submissions.versions()}
    last |= {each.name: each for each in submissions.current()}
    versions = sorted(last.values(), key=lambda each: (each.times[0], each.name))
    shapes = {each.name: _shape(submissions, each) for each in versions}
    found = list(_alike(SAME, versions, lambda each: each.digest, lambda each: each.name))
    found += _alike(SHAPE, versions, lambda each: shapes[each.name], lambda each: each.digest)
    found += _alike(
        PLAY,
        versions,
        lambda each: each.report.answers,
        lambda each: shapes[each.name] or each.digest,
    )
    return tuple(found)


def _alike(
    kind: str,
    versions: Sequence[Submission],
    key: Callable[[Submission], str],
    finer: Callable[[Submission], str],
) -> Iterable[Copies]:
    """Give versions with one key, unless a finer one says it of all of them already."""
    by_key: dict[str, list[Submission]] = {}
    for each in versions:
        if key(each):
            by_key.setdefault(key(each), []).append(each)
    for those in by_key.values():
        if len({finer(each) for each in those}) > 1:
            yield Copies(kind, tuple(each.name for each in those))


def _shape(submissions: Submissions, submission: Submission) -> str:
    """Name the shape of a version; empty if it is no Python that can be read."""
    source = submissions.read(submission)
    if not source.language.runs_code:
        return ""
    digest = blake2b(digest_size=16)
    for name, text in source.files:
        if name.endswith(".py"):
            shape = shape_of(text)
            if not shape:
                return ""
            digest.update(shape.encode())
    return digest.hexdigest()


def shape_of(text: str) -> str:
    r"""Write the syntax tree of a module without comments, docstrings and names of its own.

    Returns: Empty, if Python cannot read it, or it is nested too deeply.

    >>> shape_of("def f(a):  # twice\n    return a + a") == shape_of("def g(b): return b + b")
    True
    >>> shape_of("x = hand.total") == shape_of("x = hand.is_soft")
    False
    """
    try:
        with warnings.catch_warnings(action="ignore"):  # of odd escapes, which are its author's
            tree = ast.parse(text)
        names, attributes = _given(tree)
        _rename(tree, names, attributes)
        return ast.dump(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""


def _given(tree: ast.AST) -> tuple[dict[str, str], dict[str, str]]:
    """Give new names for what a module names itself: variables, and attributes."""
    names: dict[str, str] = {}
    attributes: dict[str, str] = {}
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name, body=body):
                names.setdefault(name, f"n{len(names)}")
                for each in body:
                    if isinstance(each, ast.FunctionDef):
                        attributes.setdefault(each.name, f"a{len(attributes)}")
            case ast.FunctionDef(name=given) | ast.arg(arg=given) | ast.alias(asname=str(given)):
                names.setdefault(given, f"n{len(names)}")
            case ast.Name(id=given, ctx=ast.Store()) | ast.ExceptHandler(name=str(given)):
                names.setdefault(given, f"n{len(names)}")
            case ast.Attribute(attr=given, ctx=ast.Store()):
                attributes.setdefault(given, f"a{len(attributes)}")
    return names, attributes


def _rename(tree: ast.AST, names: dict[str, str], attributes: dict[str, str]) -> None:
    """Give a tree its new names, and take docstrings out."""
    own = attributes | {name: new for name, new in names.items() if name not in attributes}
    for node in ast.walk(tree):
        for field in ("id", "arg", "asname", "name"):
            name = getattr(node, field, None)
            # What is imported keeps its name, under which everybody knows it.
            if isinstance(name, str) and not (isinstance(node, ast.alias) and field == "name"):
                setattr(node, field, names.get(name, name))
        if isinstance(node, ast.Attribute):
            node.attr = own.get(node.attr, node.attr)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            has_words = ast.get_docstring(node, clean=False) is not None
            node.body = node.body[1:] if has_words else node.body
