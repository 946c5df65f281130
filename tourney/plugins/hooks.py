"""Finding the hooks that a plugin answers, and checking their spelling.

Every plugin gets a separate plugin manager, so that plugins cannot affect each other.
"""

import inspect
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, NamedTuple

import pluggy

from tourney.config.words import closest, hint, joined, quoted
from tourney.plugins.fault_text import place_of_class, place_of_function, printable, value_words
from tourney.plugins.hook_spec import GROUP, HOOKS, Hooks
from tourney.plugins.validation import PluginFaultError

PREFIX = f"{GROUP}_"


class Answer(NamedTuple):
    """A function of a plugin that answers a hook."""

    hook: str
    ask: Callable[[], object]
    place: str  # in the author's file


def answers_of(plugin: object) -> tuple[Answer, ...]:
    """List the hooks that a plugin answers, in the order of the specification.

    Args:
        plugin: The object of the entry point: a module, or an object with hooks as methods.
    Raises: PluginFaultError, if a hook is misspelled or cannot be called, or there are no hooks.
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
            f"its hooks do not match the specification: {printable(str(error))}"
        ) from error
    found = tuple(
        Answer(hook, each.function, place_of_function(each.function))
        for hook in HOOKS
        for each in getattr(manager.hook, hook).get_hookimpls()
    )
    if not found:
        raise _answers_nothing(plugin)
    return found


def _functions(plugin: object) -> Iterator[tuple[str, Any]]:
    """Yield the functions and methods of a plugin, without running its properties."""
    own = vars(plugin) if type(plugin) is ModuleType else {}  # otherwise a property may run
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
    """Reject a function that seems to be meant as a hook but would not be called.

    Args:
        name: The name of the function in the plugin.
        function: The function.
        options: The options of its marker; `None` without a marker.
    """
    if options is None and not name.startswith(PREFIX):
        return
    place = place_of_function(function)
    hook = (options or {}).get("specname") or name
    if hook not in HOOKS:
        if options and options.get("optionalhook"):
            return
        raise PluginFaultError(
            f"{quoted(hook)} is not a hook; the hooks are {joined(HOOKS, 'and')}",
            place,
            f"rename the function{hint(closest(hook, HOOKS))}",
        )
    if options is None:
        raise PluginFaultError(
            f"{name}: the marker @hookimpl is missing",
            place,
            "add @hookimpl, from tourney import hookimpl",
        )
    if options.get("wrapper") or options.get("hookwrapper"):
        raise PluginFaultError(
            f"{name}: hooks cannot be wrappers around the answers of other plugins",
            place,
            "remove wrapper=True",
        )
    _check_arguments(name, function, place)


def _check_arguments(name: str, function: Any, place: str) -> None:
    """Reject arguments, because hooks are called without any."""
    required = [
        quoted(parameter.name)
        for parameter in inspect.signature(function).parameters.values()
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    ]
    if required:
        noun = "argument" if len(required) == 1 else "arguments"
        raise PluginFaultError(
            f"{name}: hooks take no arguments, but this one has the {noun} "
            f"{joined(required, 'and')}",
            place,
            f"write: def {name}()",
        )


def _named_a_class(kind: type) -> PluginFaultError:
    """Explain that an entry point must name the module, not the strategy."""
    return PluginFaultError(
        f"the entry point names {value_words(kind)}, not a module with hooks",
        place_of_class(kind),
        f"name the module {kind.__module__!r}, and let tourney_strategies() in it return "
        f'{{"NAME": {kind.__name__}}}',
    )


def _answers_nothing(plugin: object) -> PluginFaultError:
    """Report that a plugin has no hooks, and a function that may be meant as one."""
    problem = f"the plugin answers no hook ({joined(HOOKS)})"
    for name, function in _functions(plugin):
        if meant := closest(name, HOOKS):
            return PluginFaultError(
                f"{problem}, but has the function {quoted(name)}",
                place_of_function(function),
                f"rename it{hint(meant)} and add @hookimpl, from tourney import hookimpl",
            )
    return PluginFaultError(problem, remedy="write a function tourney_strategies() under @hookimpl")
