"""The shapes of sources: what stays of them when comments and names of their own are changed.

Reads competitors' files, and runs none of them.
"""

import ast
import re
import warnings

CPP_REMARKS = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
CPP_PARTS = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[A-Za-z_]\w*|\d[\w.]*|\S')
CPP_KNOWN = frozenset(
    (  # noqa: SIM905 - a list of them is no easier to read
        "auto bool break case catch char class const continue default delete do double else enum "
        "explicit extern false float for friend if include int long namespace new nullptr operator "
        "override private protected public return short signed sizeof static std struct switch "
        "template this throw true try typedef typename unsigned using virtual void volatile while "
        "Card Deck Hand Player bet draw expose shuffled count soft handValue spot suit "
        "get_Competitor get_Counting get_Simple"
    ).split()
)
"""Words that are nobody's own: those of the language, and those of the courses' headers."""


def shape_of_python(files: tuple[tuple[str, str], ...]) -> str:
    """Write the shapes of all modules among files; empty if one of them cannot be read."""
    shapes = [shape_of(text) for name, text in files if name.endswith(".py")]
    return "\n".join(shapes) if all(shapes) else ""


def shape_of_cpp(text: str) -> str:
    r"""Write the words of C++ without comments and blanks, with a number for every name.

    A name after `std::` or a dot is somebody else's, and stays.

    >>> shape_of_cpp("int a = 2; // two\nreturn a;") == shape_of_cpp("int sum=2;return sum;")
    True
    >>> shape_of_cpp("v.front()") == shape_of_cpp("v.back()")
    False
    """
    names: dict[str, str] = {}
    parts: list[str] = []
    for part in CPP_PARTS.findall(CPP_REMARKS.sub(" ", text)):
        is_name = part[0].isalpha() or part[0] == "_"
        if is_name and part not in CPP_KNOWN and parts[-1:] not in ([":"], ["."], [">"]):
            parts.append(names.setdefault(part, f"n{len(names)}"))
        else:
            parts.append(part)
    return " ".join(parts)


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
