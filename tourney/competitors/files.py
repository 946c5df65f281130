"""A single file as a competitor: it is executed and searched for its class.

The file runs with all permissions of this process; untrusted files belong in the sandbox.
"""

import ast
import io
import linecache
import re
import sys
from collections.abc import Collection, Sequence
from hashlib import blake2b
from importlib.abc import InspectLoader
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path
from types import CodeType, FrameType, ModuleType

from tourney.config.words import joined
from tourney.errors import PluginError
from tourney.game.players import (
    AnyPlayer,
    contract_name,
    contract_of,
    contracts,
)
from tourney.plugins.fault_text import error_words, place_of_class, place_of_error, value_words
from tourney.plugins.validation import PluginFaultError, a_contract, check_strategy, missing_methods

CHOICE = "competitor"  # the variable with which a file says which class competes


def load_competitor(text: str, filename: str) -> type[AnyPlayer]:
    """Execute a file in a new module and find the class that competes.

    Args:
        text: The source.
        filename: Its name in messages.
    Returns: The value of `competitor` in the file, or else its only usable player class.
    Raises: PluginError, if the file cannot be executed or the class is not clear.
    """
    module = _new_module(text, filename)
    sys.modules[module.__name__] = module
    try:
        _execute(module)
        return competitor_in(module)
    except BaseException as error:
        sys.modules.pop(module.__name__, None)
        if isinstance(error, PluginFaultError):
            raise PluginError(str(error)) from error.__cause__
        raise


class TextLoader(InspectLoader):
    """Provides the source of a module that is no file on the path."""

    def __init__(self, text: str, filename: str) -> None:
        """Keep the source and the name that tracebacks show."""
        self.text = text
        self.filename = filename

    def get_source(self, fullname: str) -> str:
        """Return the source, also for tracebacks and inspect."""
        del fullname
        return self.text

    def get_code(self, fullname: str) -> CodeType:
        """Compile the source."""
        del fullname
        return self.source_to_code(self.text, self.filename)


def _new_module(text: str, filename: str) -> ModuleType:
    """Create an empty module that knows its source.

    Its name depends on the source, so that its classes can be pickled for a worker that has loaded
    the same file. A file that is loaded again replaces its first module.
    """
    shown = shown_name(text, filename)
    loader = TextLoader(text, shown)
    stem = re.sub(r"\W", "_", Path(filename).stem)
    spec = ModuleSpec(f"_{CHOICE}_{stem}_{_hex(text)}", loader, origin=shown)
    spec.has_location = True
    return module_from_spec(spec)


def shown_name(text: str, filename: str) -> str:
    """Return a file name under which tracebacks find the lines of this file only."""
    lines = io.StringIO(text, newline=None).readlines()
    shown, number = filename, 1
    while _holds_another(shown, lines):
        number += 1
        shown = f"{filename} ({number})"
    linecache.cache[shown] = (len(text), None, lines, shown)
    return shown


def _holds_another(name: str, lines: list[str]) -> bool:
    """Return whether tracebacks know another file by this name."""
    held = linecache.cache.get(name, ())
    return len(held) > 1 and held[2] != lines


def _hex(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _execute(module: ModuleType) -> None:
    """Run a module's source; an exception becomes a fault with the author's line."""
    loader = module.__loader__
    assert isinstance(loader, TextLoader)

    def is_own(frame: FrameType) -> bool:
        return frame.f_code.co_filename == loader.filename

    try:
        code = loader.get_code(module.__name__)
        exec(code, module.__dict__)  # noqa: S102 - running the competitor's file is the purpose
    except (Exception, SystemExit) as error:
        is_grammar = isinstance(error, SyntaxError)
        raise PluginFaultError(
            f"expected Python that {'can be read' if is_grammar else 'runs'}, "
            f"got {error_words(error)}",
            place_of_error(error, is_own) or loader.filename,
            "" if is_grammar else "mend the line; a file is run once before it competes",
        ) from error


def competitor_in(module: ModuleType, family: Collection[str] = ()) -> type[AnyPlayer]:
    """Find the class that competes.

    Args:
        module: The module, with its own classes.
        family: The modules of its package; their players may compete if the module has no player.
    """
    if CHOICE in vars(module):
        return _checked_choice(module)
    classes = _classes_of(module, {module.__name__})
    players = [kind for kind in classes if contract_of(kind)]
    players = players or [kind for kind in _classes_of(module, family) if contract_of(kind)]
    # What another class of the file builds on is its helper, not a competitor of its own.
    ends = [kind for kind in players if not any(kind in other.__mro__[1:] for other in players)]
    usable = [kind for kind in ends if not missing_methods(kind)]
    if len(usable) == 1:
        return check_strategy(usable[0].__name__, usable[0])
    if usable:
        raise _several(module, usable)
    if ends:
        return check_strategy(ends[0].__name__, ends[0])  # says what is missing
    raise _none(module, classes)


def _classes_of(module: ModuleType, homes: Collection[str]) -> list[type]:
    """List the classes of a module that these modules define, in its order, each once."""
    own = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__ in homes
    ]
    return list(dict.fromkeys(own))


def _checked_choice(module: ModuleType) -> type[AnyPlayer]:
    """Return the class named by `competitor`, if it can play."""
    try:
        return check_strategy(CHOICE, getattr(module, CHOICE))
    except PluginFaultError as fault:
        fault.place = fault.place or _place_of_choice(module)
        raise


def _place_of_choice(module: ModuleType) -> str:
    loader = module.__loader__
    assert isinstance(loader, TextLoader)
    named = (
        node.lineno
        for node in ast.walk(ast.parse(loader.text))
        if isinstance(node, ast.Name) and node.id == CHOICE and isinstance(node.ctx, ast.Store)
    )
    return f"{loader.filename}:{next(named, 1)}"


def _several(module: ModuleType, players: Sequence[type]) -> PluginFaultError:
    names = [kind.__name__ for kind in players]
    return PluginFaultError(
        f"expected one subclass of {a_contract()}, got {len(names)}: {joined(names, 'and')}",
        place_of_class(players[1]) or str(module.__file__),
        f"say which one competes: write {CHOICE} = {names[0]} at the end of the file",
    )


def _none(module: ModuleType, classes: Sequence[type]) -> PluginFaultError:
    expected = f"expected a subclass of {a_contract()}"
    for kind in classes:
        for contract in contracts():
            if all(hasattr(kind, method) for method in missing_methods(contract)):
                home, _, name = contract_name(contract).rpartition(".")
                return PluginFaultError(
                    f"{expected}, got {value_words(kind)}, which is none",
                    place_of_class(kind),
                    f"write: class {kind.__name__}({name}), after: from {home} import {name}",
                )
    got = f"only {joined([kind.__name__ for kind in classes], 'and')}" if classes else "no class"
    return PluginFaultError(
        f"{expected}, got {got}",
        f"{module.__file__}:1",
        "write: class NAME(Player), with bet and draw, or class NAME(StraightsPlayer), with play",
    )
