"""The platform's own languages: installed strategies, files of Python, notations and packages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import deepcopy
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from tourney import lazy
from tourney.competitors.files import load_competitor
from tourney.competitors.fingerprints import shape_of_python
from tourney.competitors.packages import (
    PROJECT,
    UNUSED_SUFFIXES,
    check_package,
    entry_of,
    load_package,
    parts_of,
)
from tourney.competitors.sources import reload, sources_of
from tourney.errors import PluginError
from tourney.game import Game
from tourney.game.hand_notation import Notation
from tourney.game.players import AnyPlayer, BasePlayer
from tourney.plugins.language import Language, OneFile, Texts
from tourney.plugins.loading import installed_plugins
from tourney.plugins.validation import PluginFaultError, check_strategy

if TYPE_CHECKING:
    from tourney.sandbox import memory_modules, wire
    from tourney.sandbox.wire import Submitted
else:
    memory_modules = lazy.Module("tourney.sandbox.memory_modules")
    wire = lazy.Module("tourney.sandbox.wire")


class Strategy(Language):
    """An installed class, by the name that its plugin gives it."""

    title = "a strategy"
    is_installed = True

    def sources(self, name: str, files: Texts) -> Texts:
        """Return the sources of the installed class, not the stored ones."""
        return sources_of(installed_plugins().strategy(name).make)

    def distribution(self, name: str, files: Texts) -> str:
        """Return the distribution of its plugin."""
        found = installed_plugins().strategy(name)
        return f"{found.distribution} {found.version}"

    def place(self, name: str) -> str:
        """Return module and name of the class, because a sandboxed process has no registry."""
        made = self.known(name, ())
        return f"{made.__module__}:{made.__qualname__}" if made else ""

    def promises(self, name: str) -> bool:
        """Return whether the class declares its play."""
        made = self.known(name, ())
        game = installed_plugins().game_of(made) if made else None
        return bool(made and game and game.promises(made))

    def misfit(self, name: str, files: Texts, rules: Any) -> str:
        """Return the game's reason why the class does not fit."""
        return _misfit(installed_plugins().strategy(name).make, rules)

    def load(self, name: str, files: Texts) -> type[AnyPlayer]:
        """Import its author's modules again."""
        return reload(installed_plugins().strategy(name).make)

    def known(self, name: str, files: Texts) -> type[AnyPlayer] | None:
        """Return the class that was registered with the plugins."""
        found = installed_plugins().strategies.get(name)
        return found.make if found else None

    def sandboxed(self, name: str, files: Texts, options: str = "", place: str = "") -> Submitted:
        """Return its modules and the name of the class.

        Raises: PluginError, if the class is not in these modules.
        """
        if not place:  # of what only a store calls a strategy
            installed_plugins().strategy(name)
        module, _, inner = (place or self.place(name)).partition(":")
        parts = [memory_modules.ModuleText(*each) for each in parts_of(files)]
        if module not in {part.module for part in parts}:
            raise PluginError(
                f"{name}: its class is in {module}, which is not one of its files, so it cannot "
                "run in a sandbox"
            )
        return wire.Submitted(name, memory_modules.write_parts(parts), inner, options, module)


def _misfit(made: type[AnyPlayer], rules: Any) -> str:
    game = installed_plugins().game_of(made)
    if game and game.name != rules.game.name:
        return f"expected a strategy for {rules.game}, got one for {game}"
    return game.misfit(made, rules) if game else ""


GIVEN = "class"
"""The name of the language of this program's classes."""


class GivenClass(Language):
    """A class of the calling program, such as a notebook; it plays in that program."""

    title = "a class of this program"
    is_installed = True
    _given: ClassVar[dict[str, type[AnyPlayer]]] = {}

    @classmethod
    def offer(cls, given: type[AnyPlayer] | AnyPlayer) -> str:
        """Register a class, or a class that plays as this player does, and return its key.

        Classes of the same name, such as one that was defined again, have numbered keys.

        Raises: PluginError, if it is not a player.
        """
        if isinstance(given, BasePlayer):
            given = _class_like(given)
        try:
            check_strategy(given.__name__, given)
        except PluginFaultError as fault:
            raise PluginError(str(fault)) from None
        first = f"class {given.__name__}"
        keys = chain([first], (f"{first} ({number})" for number in count(2)))
        key = next(key for key in keys if cls._given.get(key, given) is given)
        cls._given[key] = given
        return key

    @classmethod
    def made(cls, key: str) -> type[AnyPlayer]:
        """Return the class that was registered under a key."""
        return cls._given[key]

    def sources(self, name: str, files: Texts) -> Texts:
        """Return the byte code of its methods, because the source may not be available."""
        parts = (
            f"{kind.__qualname__}.{method}: {code.co_code.hex()} {code.co_consts} {code.co_names}"
            for kind in self._found(name).__mro__
            for method, value in sorted(vars(kind).items())
            if (code := getattr(value, "__code__", None))
        )
        return ((name, "\n".join(parts)),)

    def promises(self, name: str) -> bool:
        """Return whether the class declares its play."""
        made = self._found(name)
        game = installed_plugins().game_of(made)
        return bool(game and game.promises(made))

    def misfit(self, name: str, files: Texts, rules: Any) -> str:
        """Return the game's reason why the class does not fit."""
        return _misfit(self._found(name), rules)

    def load(self, name: str, files: Texts) -> type[AnyPlayer]:
        """Return the class itself: its attributes persist from one block to the next."""
        return self._found(name)

    def known(self, name: str, files: Texts) -> type[AnyPlayer] | None:
        """Return the class if this process has it."""
        return self._given.get(name)

    def sandboxed(self, name: str, files: Texts, options: str = "", place: str = "") -> Submitted:
        """Reject the class: only this process has it.

        Raises: PluginError, always.
        """
        raise PluginError(f"{name}: {self.title} cannot run in a sandbox; save the class in a file")

    def _found(self, name: str) -> type[AnyPlayer]:
        if name not in self._given:
            raise PluginError(f"{name}: this class exists only in the program that entered it")
        return self._given[name]


def _class_like(player: BasePlayer) -> type[AnyPlayer]:
    """Return a class whose players start as copies of a player, one for every seat."""
    kind = type(player)

    def begin(self: BasePlayer) -> None:
        vars(self).update(deepcopy(vars(player)))

    names = {"__module__": kind.__module__, "__qualname__": kind.__qualname__, "__init__": begin}
    return type(kind.__name__, (kind,), names)


class PythonFile(OneFile):
    """A file of Python with one class that plays."""

    title = "a file"
    handed_in = "a file of Python (.py)"
    entered_as = "path of a file with a strategy, seen from this file"
    suffix = ".py"

    def load(self, name: str, files: Texts) -> type[AnyPlayer]:
        """Run the file in a new module."""
        return load_competitor(_only(files), name)

    def sandboxed(self, name: str, files: Texts, options: str = "", place: str = "") -> Submitted:
        """Return the file."""
        return wire.Submitted(name, _only(files).encode(), options=options)

    def place_of_call(self, call: str, files: Texts) -> str:
        """Find a method by its name."""
        ((name, text),) = files
        method = "__init__" if call == "constructor" else re.escape(call)
        found = re.search(rf"^[ \t]+def {method}\b", text, re.MULTILINE)
        return f"{name}:{text.count(chr(10), 0, found.start()) + 1}" if found else ""

    def shape(self, files: Texts) -> str:
        """Return its syntax tree without names and comments."""
        return shape_of_python(files)


class NotationFile(OneFile):
    """A player in a notation of its game, such as a chart, instead of a program.

    Args:
        game: Its game.
        notation: One of the game's notations.
    """

    takes_options = False
    takes_patterns = True
    runs_code = False

    def __init__(self, game: Game[Any, Any, Any], notation: Notation) -> None:
        self.title, self.handed_in = notation.title, notation.handed_in
        self.entered_as, self.suffix = notation.entered_as, notation.suffix
        self.game = game.name
        self._game, self._notation = game, notation

    def read(self, files: Texts) -> Texts:
        """Reject a text with faults."""
        ((name, text),) = files
        self._notation.made(text, name)
        return files

    def read_path(self, path: Path) -> Texts:
        """Read a text with any suffix."""
        return ((path.name, self._notation.text_at(path)),)

    def promises(self, name: str) -> bool:
        """Return `True`: a notation declares its play, so machine code can play it."""
        return True

    def misfit(self, name: str, files: Texts, rules: Any) -> str:
        """Return the game's reason why the player does not fit."""
        ((name, _),) = files
        return self._game.misfit(self.load(name, files), rules)

    def load(self, name: str, files: Texts) -> type[AnyPlayer]:
        """Return the class that plays by the text."""
        return self._notation.made(_only(files), name)

    def sandboxed(self, name: str, files: Texts, options: str = "", place: str = "") -> Submitted:
        """Return a short program that plays by the text."""
        module, _, maker = self._notation.maker.partition(":")
        text = WRITTEN.format(module=module, maker=maker, text=_only(files), name=name)
        return wire.Submitted(name, text.encode(), options=options)


class Package(Language):
    """A small package of pure Python, whose project file names the competing class."""

    title = "a package"
    handed_in = "a package's folder"
    main = PROJECT

    def wants(self, name: str) -> bool:
        """Skip notes and the files of tools, such as `uv.lock`."""
        return not name.lower().endswith(UNUSED_SUFFIXES)

    def read(self, files: Texts) -> Texts:
        """Reject packages that need installation or would hide other modules."""
        return check_package(files)

    def shape(self, files: Texts) -> str:
        """Return the syntax trees of its modules without names and comments."""
        return shape_of_python(files)

    def load(self, name: str, files: Texts) -> type[AnyPlayer]:
        """Run its modules under their names."""
        return load_package(files, name)

    def sandboxed(self, name: str, files: Texts, options: str = "", place: str = "") -> Submitted:
        """Return all files, and the module and the class of the entry point."""
        parts = [memory_modules.ModuleText(*each) for each in parts_of(files)]
        entry, kind = entry_of(files)
        return wire.Submitted(name, memory_modules.write_parts(parts), kind, options, entry)


WRITTEN = """\
from {module} import {maker}

_WRITTEN = {maker}({text!r}, {name!r})


def tourney_strategies():
    return {{"written": _WRITTEN}}
"""


def _only(files: Sequence[tuple[str, str]]) -> str:
    """Return the text of the only file."""
    ((_, text),) = files
    return text
