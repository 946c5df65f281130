"""Finding the hooks that one plugin answers, with its spelling checked.

Every plugin gets a plugin manager of its own, so that none can disturb another and
nothing is left when it has been asked.
"""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pluggy

from tourney.config.words import closest, hint, joined, quoted
from tourney.plugins.fault_text import place_of_class, place_of_function, printable, value_words
from tourney.plugins.hook_spec import GROUP, HOOKS, Hooks
from tourney.plugins.validation import PluginFaultError

PREFIX = f"{GROUP}_"


@dataclass(frozen=True, slots=True)
class Answer:
    """A function of a plugin that answers a hook."""

    hook: str
    ask: Callable[[], object]

    @property
    def place(self) -> str:
        """Where it stands in the author's file."""
        return place_of_function(self.ask)


def answers_of(plugin: object) -> tuple[Answer, ...]:
    """List the hooks that a plugin answers, in the order of the specification.

    Args:
        plugin: What the entry point names: a module, or an object with hooks as methods.
    Raises: PluginFaultError, if a hook is misspelt or cannot be asked, or there is none.
    """
    if isinstance(plugin, type):
        raise _named_a_class(plugin)
    manager = pluggy.PluginManager(GROUP)
    manager.add_hookspecs(Hooks)
    for name, function in _functions(plugin):
        _check_hook(name, function, manager.parse_hookimpl_opts(plugin, name))
    try:
        manager.register(plugin, GROUP)
        manager.check_pending()
    except pluggy.PluginValidationError as error:
        raise PluginFaultError(
            f"expected hooks as specified, got: {printable(str(error))}"
        ) from error
    found = tuple(
        Answer(hook, implementation.function)
        for hook in HOOKS
        for implementation in getattr(manager.hook, hook).get_hookimpls()
    )
    if not found:
        raise _answers_nothing(plugin)
    return found


def _functions(plugin: object) -> Iterator[tuple[str, Any]]:
    """Go through the functions and methods of a plugin, without running its properties."""
    own = vars(plugin) if type(plugin) is ModuleType else {}  # else a property may answer
    for name in dir(plugin):
        static = own[name] if name in own else inspect.getattr_static(plugin, name, None)
        if inspect.isroutine(static):
            yield name, getattr(plugin, name)
        elif name in HOOKS:
            raise PluginFaultError(
                f"{name}: expected a function, got {value_words(static)}",
                remedy=f"write @hookimpl, def {name}(): and return it there",
            )


def _check_hook(name: str, function: Any, options: Any) -> None:
    """Refuse a function that is meant as a hook but would not be asked as one.

    Args:
        name: The name it stands under.
        function: What stands there.
        options: What it was marked with; None if it has no marker.
    """
    if options is None and not name.startswith(PREFIX):
        return
    place = place_of_function(function)
    hook = (options or {}).get("specname") or name
    if hook not in HOOKS:
        if options and options.get("optionalhook"):
            return
        raise PluginFaultError(
            f"expected the name of a hook ({joined(HOOKS)}), got {quoted(hook)}",
            place,
            f"rename the function{hint(closest(hook, HOOKS))}",
        )
    if options is None:
        raise PluginFaultError(
            f"{name}: expected the marker @hookimpl above it, got none",
            place,
            "add @hookimpl, from tourney import hookimpl",
        )
    if options.get("wrapper") or options.get("hookwrapper"):
        raise PluginFaultError(
            f"{name}: expected a hook that answers, got a wrapper around other plugins' answers",
            place,
            "remove wrapper=True",
        )
    _check_arguments(name, function, place)


def _check_arguments(name: str, function: Any, place: str) -> None:
    """Refuse arguments, which no hook is given."""
    required = [
        quoted(parameter.name)
        for parameter in inspect.signature(function).parameters.values()
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    ]
    if required:
        noun = "argument" if len(required) == 1 else "arguments"
        raise PluginFaultError(
            f"{name}: expected a function without arguments, "
            f"got the {noun} {joined(required, 'and')}",
            place,
            f"write: def {name}()",
        )


def _named_a_class(kind: type) -> PluginFaultError:
    """Explain that an entry point names the module, not the strategy."""
    return PluginFaultError(
        f"expected an entry point that names a module with hooks, got {value_words(kind)}",
        place_of_class(kind),
        f"name the module {kind.__module__!r}, and let tourney_strategies() in it return "
        f'{{"NAME": {kind.__name__}}}',
    )


def _answers_nothing(plugin: object) -> PluginFaultError:
    """Say that there is no hook, and which function may have been meant as one."""
    expected = f"expected at least one hook ({joined(HOOKS)}), got none"
    for name, function in _functions(plugin):
        if meant := closest(name, HOOKS):
            return PluginFaultError(
                f"{expected} but the function {quoted(name)}",
                place_of_function(function),
                f"rename it{hint(meant)} and add @hookimpl, from tourney import hookimpl",
            )
    return PluginFaultError(
        expected, remedy="write a function tourney_strategies() under @hookimpl"
    )
