"""Shapes of sources, which do not change with comments and the author's names.

The files are only read, never run.
"""

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

CPP_REMARKS = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
CPP_PARTS = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[A-Za-z_]\w*|\d[\w.]*|->|::|\S')
CPP_WORDS = frozenset(
    (  # noqa: SIM905 - a list of them is no easier to read
        "auto bool break case catch char class const continue default delete do double else enum "
        "explicit extern false float for friend if include int long namespace new nullptr operator "
        "override private protected public return short signed sizeof static std struct switch "
        "template this throw true try typedef typename unsigned using virtual void volatile while "
        "Card Deck Hand Player"
    ).split()
)
"""Words that keep their names: those of the language, and the types of the courses' headers."""
CPP_CALLS = frozenset(
    ("bet", "draw", "expose", "shuffled", "get_Competitor", "get_Counting", "get_Simple")
)
"""Functions of the courses' headers, which keep their names; variables may have the same."""
CPP_CONTAINERS = frozenset(("class", "struct", "namespace", "enum", "union"))
CPP_NO_TYPES = frozenset(
    ("return", "else", "case", "new", "delete", "throw", "continue", "do", "using", "sizeof")
)
"""Words before a name that do not declare it."""


def shape_of_python(files: tuple[tuple[str, str], ...]) -> str:
    """Return the shapes of all modules; empty if one of them cannot be read."""
    shapes = [shape_of(text) for name, text in files if name.endswith(".py")]
    return "\n".join(shapes) if all(shapes) else ""


def shape_of_cpp(text: str) -> str:
    r"""Return C++ without comments and blanks, with a number for every name.

    Each function numbers its variables from 1, so that a variable may have another name in one of
    them. A name after `std::`, a dot or an arrow stays, because it may be
    one of the platform; after `this->` it is numbered, too.

    >>> shape_of_cpp("int a = 2; // two\nreturn b > a;") == shape_of_cpp("int sum=2;return c>sum;")
    True
    >>> shape_of_cpp("this->a = h->sum;") == shape_of_cpp("this->sum = h->sum;")
    True
    >>> shape_of_cpp("f() { int count = h.count; }") == shape_of_cpp("f() { int c = h.count; }")
    True
    >>> shape_of_cpp("v.front()") == shape_of_cpp("v.back()")
    False
    """
    parts: list[str] = CPP_PARTS.findall(CPP_REMARKS.sub(" ", text))
    functions = _functions(parts)
    outside = {part for part, function in zip(parts, functions, strict=True) if not function}
    locals_of = _declared_in(parts, functions)
    names: dict[tuple[int, str], str] = {}
    counts: dict[int, int] = {}
    shape = []
    for at, (part, function) in enumerate(zip(parts, functions, strict=True)):
        if not _is_authors(parts, at):
            shape.append(part)
            continue
        is_field = parts[at - 2 : at] == ["this", "->"]
        is_local = part in locals_of.get(function, ()) or part not in outside
        scope = function if is_local and not is_field else 0
        if (scope, part) not in names:
            counts[scope] = counts.get(scope, 0) + 1
            names[scope, part] = f"{'l' if scope else 'n'}{counts[scope]}"
        shape.append(names[scope, part])
    return " ".join(shape)


def _is_authors(parts: Sequence[str], at: int) -> bool:
    """Report whether a part of a C++ text is a name that the author may have chosen."""
    part = parts[at]
    if not (part[0].isalpha() or part[0] == "_") or part in CPP_WORDS:
        return False
    if part in CPP_CALLS and parts[at + 1 : at + 2] == ["("]:
        return False
    is_member = at > 0 and parts[at - 1] in ("::", ".", "->")
    return not is_member or parts[max(at - 2, 0) : at] == ["this", "->"]


def _functions(parts: Sequence[str]) -> list[int]:
    """Return the number of the function that each part belongs to, from its parameters on, or 0."""
    found = [0] * len(parts)
    start = number = depth = 0  # start of a declaration; depth of braces within a function
    for at, part in enumerate(parts):
        if depth:
            depth += (part == "{") - (part == "}")
            found[at] = number
            start = at + 1
        elif part == "{":
            opened = _parameters_at(parts, start, at)
            if opened:
                number, depth = number + 1, 1
                found[opened : at + 1] = [number] * (at + 1 - opened)
            start = at + 1
        elif part in (";", "}"):
            start = at + 1
    return found


def _parameters_at(parts: Sequence[str], start: int, end: int) -> int:
    """Return the place of the parameters before a brace; 0 if it does not begin a function."""
    if "(" not in parts[start:end]:
        return 0
    opened = parts.index("(", start)
    words = parts[start:opened]
    if words[:1] == ["template"] and ">" in words:
        words = words[words.index(">") :]
    return opened if CPP_CONTAINERS.isdisjoint(words) else 0


def _declared_in(parts: Sequence[str], functions: Sequence[int]) -> dict[int, set[str]]:
    """Return the names that each function declares: parameters and variables."""
    declared: dict[int, set[str]] = {}
    for at in range(1, len(parts) - 1):
        before, part, after = parts[at - 1 : at + 2]
        is_type = before in ("&", "*", ">") or (before[0].isalpha() and before not in CPP_NO_TYPES)
        if functions[at] and is_type and after in ("=", ";", ",", ")", "[", "{", ":", "("):
            declared.setdefault(functions[at], set()).add(part)
    return declared


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
        _Renaming(tree).visit(tree)
        return ast.dump(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""


Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Scope = Function | ast.ClassDef | ast.Module
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _within(scope: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a scope without those of the functions and classes in it."""
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, Scope):
            waiting += ast.iter_child_nodes(node)


def _names_in(scope: Scope) -> set[str]:
    """Return the names that a scope defines; imported names without `as` are not the author's."""
    found: set[str] = set()
    elsewhere: set[str] = set()
    for node in _within(scope):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.ClassDef(name=name) | ast.ExceptHandler(name=str(name)):
                found.add(name)
            case ast.alias(asname=str(name)) | ast.MatchAs(name=str(name)):
                found.add(name)
            case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                found.add(name)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                elsewhere.update(names)
    if isinstance(scope, ast.Module):  # a function may define the names of the module
        return found.union(
            *(node.names for node in ast.walk(scope) if isinstance(node, ast.Global))
        )
    return found - elsewhere


@dataclass(slots=True)
class _Names:
    """The new names of a scope."""

    known: set[str]
    is_class: bool = False
    new: dict[str, str] = field(default_factory=dict)


class _Renaming(ast.NodeVisitor):
    """Gives every name of the author a number, scope by scope, and removes docstrings."""

    def __init__(self, tree: ast.Module) -> None:
        classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        self._attributes = _attributes_of(tree, classes)
        names = {each.name for each in classes}
        own = names | _selves(classes)
        # Before anything is renamed: an attribute of another object may be one of the platform.
        self._own_attributes = {
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and _is_own(node, own, names, self._attributes)
        }
        self._functions = {
            node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
        }
        self._scopes: list[_Names] = []
        self._count = 0

    def _renamed(self, name: str) -> str:
        """Return the new name of a variable, as the innermost scope that defines it has it."""
        for depth, scope in enumerate(reversed(self._scopes)):
            if name in scope.known and (depth == 0 or not scope.is_class):
                if name not in scope.new:
                    self._count += 1
                    scope.new[name] = f"n{self._count}"
                return scope.new[name]
        return name

    def generic_visit(self, node: ast.AST) -> None:
        """Rename a node, and then those in it."""
        self._rename(node)
        if isinstance(node, Scope):
            self._scopes.append(_Names(_names_in(node), isinstance(node, ast.ClassDef)))
            super().generic_visit(node)
            self._scopes.pop()
        else:
            super().generic_visit(node)

    def _rename(self, node: ast.AST) -> None:
        if isinstance(node, ast.Module | Definition) and ast.get_docstring(node, clean=False):
            node.body = node.body[1:]
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self._rename_definition(node)
            case ast.Global() | ast.Nonlocal():
                node.names = [self._renamed(name) for name in node.names]
            case ast.Attribute() if node in self._own_attributes:
                node.attr = self._attributes[node.attr]
            case ast.Call() if self._is_own_call(node.func):
                for each in node.keywords:
                    each.arg = each.arg and "k"
            case _:
                self._rename_variable(node)

    def _rename_variable(self, node: ast.AST) -> None:
        """Rename a variable; keywords and imported names stay: they are not the author's."""
        kept = "name" if isinstance(node, ast.alias) else ""
        for field_name in ("id", "arg", "asname", "name", "rest"):
            text = getattr(node, field_name, None)
            is_of_author = field_name != kept and not isinstance(node, ast.keyword)
            if isinstance(text, str) and is_of_author:
                setattr(node, field_name, self._renamed(text))

    def _is_own_call(self, called: ast.expr) -> bool:
        """Report whether a function of the module itself is called."""
        if isinstance(called, ast.Attribute):
            return called in self._own_attributes
        return isinstance(called, ast.Name) and called.id in self._functions

    def _rename_definition(self, node: Definition) -> None:
        """Rename a function, a class or a method."""
        is_method = bool(self._scopes) and self._scopes[-1].is_class
        is_attribute = is_method and node.name in self._attributes
        node.name = self._attributes[node.name] if is_attribute else self._renamed(node.name)


def _attributes_of(tree: ast.Module, classes: Sequence[ast.ClassDef]) -> dict[str, str]:
    """Return new names for the attributes of the classes of a module."""
    attributes: dict[str, str] = {}
    for each in classes:
        for given in (name for part in each.body for name in _attributes_in(part)):
            attributes.setdefault(given, f"a{len(attributes)}")
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            attributes.setdefault(node.attr, f"a{len(attributes)}")
    return attributes


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


def _selves(classes: Sequence[ast.ClassDef]) -> set[str]:
    """Return the names of the first parameters of all methods, usually `self`."""
    methods = (part for node in classes for part in node.body if isinstance(part, ast.FunctionDef))
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
