"""Shapes of sources, which do not change with comments and the author's names.

The files are only read, never run.
"""

import ast
import re
import warnings

CPP_REMARKS = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
CPP_PARTS = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[A-Za-z_]\w*|\d[\w.]*|->|::|\S')
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
"""Words that keep their names: those of the language and of the courses' headers."""


def shape_of_python(files: tuple[tuple[str, str], ...]) -> str:
    """Return the shapes of all modules; empty if one of them cannot be read."""
    shapes = [shape_of(text) for name, text in files if name.endswith(".py")]
    return "\n".join(shapes) if all(shapes) else ""


def shape_of_cpp(text: str) -> str:
    r"""Return C++ without comments and blanks, with a number for every name.

    A name after `std::`, a dot or an arrow stays, because it may be one of the platform; after
    `this->` it is numbered, too.

    >>> shape_of_cpp("int a = 2; // two\nreturn b > a;") == shape_of_cpp("int sum=2;return c>sum;")
    True
    >>> shape_of_cpp("this->a = h->sum;") == shape_of_cpp("this->sum = h->sum;")
    True
    >>> shape_of_cpp("v.front()") == shape_of_cpp("v.back()")
    False
    """
    names: dict[str, str] = {}
    parts: list[str] = []
    for part in CPP_PARTS.findall(CPP_REMARKS.sub(" ", text)):
        is_name = part[0].isalpha() or part[0] == "_"
        is_member = parts[-1:] in (["::"], ["."], ["->"]) and parts[-2:] != ["this", "->"]
        if is_name and part not in CPP_KNOWN and not is_member:
            parts.append(names.setdefault(part, f"n{len(names)}"))
        else:
            parts.append(part)
    return " ".join(parts)


def shape_of(text: str) -> str:
    r"""Return the syntax tree of a module without comments, docstrings and the author's names.

    Returns: An empty text if the source is not valid Python or is nested too deeply.

    >>> shape_of("def f(a):  # twice\n    return a + a") == shape_of("def g(b): return b + b")
    True
    >>> shape_of("x = hand.total") == shape_of("x = hand.is_soft")
    False
    >>> shape_of("total = hand.total; print(total)") == shape_of("t = hand.total; print(t)")
    True
    """
    try:
        with warnings.catch_warnings(action="ignore"):  # about escapes in the author's code
            tree = ast.parse(text)
        names, attributes = _given(tree)
        _rename(tree, names, attributes)
        return ast.dump(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""


def _given(tree: ast.AST) -> tuple[dict[str, str], dict[str, str]]:
    """Return new names for the variables of a module and the attributes of its classes."""
    names: dict[str, str] = {}
    attributes: dict[str, str] = {}
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name, body=body):
                names.setdefault(name, f"n{len(names)}")
                for given in (each for part in body for each in _attributes_in(part)):
                    attributes.setdefault(given, f"a{len(attributes)}")
            case ast.FunctionDef(name=given) | ast.arg(arg=given) | ast.alias(asname=str(given)):
                names.setdefault(given, f"n{len(names)}")
            case ast.Name(id=given, ctx=ast.Store()) | ast.ExceptHandler(name=str(given)):
                names.setdefault(given, f"n{len(names)}")
            case ast.Attribute(attr=given, ctx=ast.Store()):
                attributes.setdefault(given, f"a{len(attributes)}")
    return names, attributes


def _attributes_in(part: ast.stmt) -> list[str]:
    """Return the attributes that a statement of a class body defines."""
    match part:
        case ast.FunctionDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            nodes = (node for target in targets for node in ast.walk(target))
            return [node.id for node in nodes if isinstance(node, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


def _rename(tree: ast.AST, names: dict[str, str], attributes: dict[str, str]) -> None:
    """Rename variables and attributes in a tree, and remove docstrings."""
    # Before anything is renamed: an attribute of another object may be one of the platform.
    classes = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    own = classes | _selves(tree)
    renamed = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and _is_own(node, own, classes, attributes)
    ]
    for node in ast.walk(tree):
        for field in ("id", "arg", "asname", "name"):
            name = getattr(node, field, None)
            # Imported names stay, because they are not the author's.
            if isinstance(name, str) and not (isinstance(node, ast.alias) and field == "name"):
                setattr(node, field, names.get(name, name))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            has_words = ast.get_docstring(node, clean=False) is not None
            node.body = node.body[1:] if has_words else node.body
    for attribute in renamed:
        attribute.attr = attributes[attribute.attr]


def _selves(tree: ast.AST) -> set[str]:
    """Return the names of the first parameters of all methods, usually `self`."""
    methods = (
        part
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for part in node.body
        if isinstance(part, ast.FunctionDef)
    )
    return {method.args.args[0].arg for method in methods if method.args.args}


def _is_own(node: ast.expr, own: set[str], classes: set[str], known: dict[str, str]) -> bool:
    """Report whether an expression is an object of the module's own classes, or part of one."""
    match node:
        case ast.Name(id=name):
            return name in own
        case ast.Attribute(value=value, attr=name):
            return name in known and _is_own(value, own, classes, known)
        case ast.Call(func=ast.Name(id=name)):
            return name == "super" or name in classes
        case ast.Subscript(value=value):
            return _is_own(value, own, classes, known)
    return False
