"""Loading plugins; a plugin with any fault is quarantined as a whole."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, field, replace
from functools import cache, partial
from importlib.metadata import EntryPoint
from traceback import walk_tb
from types import FrameType, MappingProxyType
from typing import Any

from tourney.config.words import quoted
from tourney.errors import PluginError
from tourney.plugins.discovery import (
    PLATFORM,
    find_entry_points,
    load,
    own_modules,
    plugin_of,
    rank,
)
from tourney.plugins.fault_text import error_words, module_of, place_of_class, place_of_error
from tourney.plugins.hooks import PREFIX, Answer, answers_of
from tourney.plugins.language import Language
from tourney.plugins.registry import Format, Game, Plugin, Registry, Strategy
from tourney.plugins.validation import (
    PluginFaultError,
    check_entrant_source,
    check_format,
    check_game,
    check_language,
    check_strategy,
    check_values,
    fault_words,
    named_columns,
    named_items,
)

WORDS: Mapping[str, str] = MappingProxyType(
    {
        "strategies": "strategy",
        "games": "game",
        "formats": "format",
        "columns": "column",
        "languages": "language",
        "entrant_sources": "entrant source",
    }
)
"""The singular noun of each kind of things; the hook of a kind is `tourney_` and its name."""

MEND = "mend the line, or uninstall the plugin"


@dataclass(frozen=True, slots=True)
class _Offer:
    """A thing that a plugin provides, with the place of its hook."""

    kind: str
    name: str
    thing: object
    place: str


def load_plugins(
    *, strict: bool = False, entry_points: Iterable[EntryPoint] | None = None
) -> Registry:
    """Load all plugins.

    Args:
        strict: Raise if a plugin is in quarantine.
        entry_points: Load these instead of the installed ones.
    Returns: The registered things; those of a faulty plugin are not registered.
    Raises: PluginError, if strict and a plugin is in quarantine; the message names all of them.
    """
    registry = installed_plugins() if entry_points is None else _loaded(entry_points)
    if strict and registry.quarantined:
        raise PluginError(_all_faults(registry.quarantined))
    return registry


@cache
def installed_plugins() -> Registry:
    """Load the installed plugins, once in a process."""
    return _loaded(*find_entry_points())


def installed_languages() -> Mapping[str, Language]:
    """Return the installed languages by name."""
    return installed_plugins().languages


def language_of(name: str) -> Language:
    """Return the language of an entrant.

    Raises: PluginError, if no such language is installed.
    """
    return installed_plugins().language(name)


def plugin_words(error: BaseException) -> str:
    """Describe the fault of a plugin that raised an error; empty if no plugin did.

    Args:
        error: The exception, with its traceback.
    """
    if error.__cause__:  # a generator wraps the exception that ended it
        words = plugin_words(error.__cause__)
        if words:
            return words
    for plugin in installed_plugins().plugins:
        if plugin.distribution == PLATFORM or not plugin.value:
            continue
        module = _top(plugin.value.partition(":")[0].strip())
        is_own = partial(_runs, module)
        kind = type(getattr(error, "obj", None))  # the object that lacks an attribute
        if any(is_own(frame) for frame, _ in walk_tb(error.__traceback__)):
            place = place_of_error(error, is_own)
        elif _top(kind.__module__) == module:
            place = place_of_class(kind)
        else:
            continue
        fault = fault_words(f"failed with {error_words(error)}", place, MEND)
        return f"plugin {plugin.origin}: {fault}"
    return ""


def _runs(module: str, frame: FrameType) -> bool:
    return _top(module_of(frame)) == module


def _top(module: str) -> str:
    return module.partition(".")[0]


def _loaded(entry_points: Iterable[EntryPoint], unreadable: Iterable[Plugin] = ()) -> Registry:
    shelf = _Shelf()
    for entry_point in sorted(entry_points, key=rank):
        shelf.take_in(entry_point)
    shelf.plugins += unreadable
    return shelf.registry()


@dataclass(slots=True)
class _Shelf:
    """The things registered so far, while plugins are being loaded."""

    plugins: list[Plugin] = field(default_factory=list)
    things: dict[str, dict[str, Any]] = field(default_factory=lambda: {kind: {} for kind in WORDS})
    owners: dict[tuple[str, str], tuple[str, Plugin]] = field(default_factory=dict)

    def take_in(self, entry_point: EntryPoint) -> None:
        """Load a plugin and register its things, or put it in quarantine."""
        plugin = plugin_of(entry_point)
        offers: list[_Offer] = []
        try:
            self._check_entry_point(plugin)
            with redirect_stdout(sys.stderr):  # standard output is for the answer of a command
                _collect(entry_point, offers)
            plugin = _with_names(plugin, offers)
            self._check_names(offers, plugin)
            self._check_games(offers)
        except PluginFaultError as fault:
            self.plugins.append(_quarantined(_with_names(plugin, offers), fault))
        else:
            self.plugins.append(plugin)
            for offer in offers:
                self.owners[offer.kind, offer.name.casefold()] = (offer.name, plugin)
                self.things[offer.kind][offer.name] = _registered(offer, plugin)

    def registry(self) -> Registry:
        """Return the registry."""
        things: dict[str, Any] = {
            kind: MappingProxyType(dict(named)) for kind, named in self.things.items()
        }
        return Registry(plugins=tuple(self.plugins), **things)

    def _check_entry_point(self, plugin: Plugin) -> None:
        """Reject an entry point whose name is already used."""
        for other in self.plugins:
            if other.status == "loaded" and other.entry_point == plugin.entry_point:
                raise PluginFaultError(
                    f"the name of the entry point, {quoted(plugin.entry_point)}, is already used "
                    f"by {other.origin}",
                    remedy="rename one of them, or uninstall one of the distributions",
                )

    def _check_names(self, offers: Iterable[_Offer], plugin: Plugin) -> None:
        """Reject names that are already used, by another plugin or by this one."""
        own: dict[tuple[str, str], tuple[str, Plugin]] = {}
        for offer in offers:
            key = (offer.kind, offer.name.casefold())
            if taken := self.owners.get(key) or own.get(key):
                name, owner = taken
                whose = "this plugin" if owner is plugin else owner.origin
                raise PluginFaultError(
                    f"{WORDS[offer.kind]} {quoted(offer.name)}: {whose} already provides "
                    f"{quoted(name)}",
                    offer.place,
                    "rename one of them; names must differ in more than case",
                )
            own[key] = (offer.name, plugin)

    def _check_games(self, offers: Iterable[_Offer]) -> None:
        """Reject a game with the name of another game; presets may share a game."""
        registered = [each.rules for each in self.things["games"].values()]
        offered: list[Any] = [(each, each.thing) for each in offers if each.kind == "games"]
        games = {rules.game.name: rules.game for rules in registered}
        for offer, rules in offered:
            if games.setdefault(rules.game.name, rules.game) is not rules.game:
                raise PluginFaultError(
                    f"game {quoted(offer.name)}: another game already has the name "
                    f"{quoted(rules.game.name)}",
                    offer.place,
                    "rename the game",
                )


def _collect(entry_point: EntryPoint, offers: list[_Offer]) -> None:
    """Import a plugin, call its hooks and check the results.

    Args:
        entry_point: The plugin.
        offers: Receives its things one by one, so that their names are known even if a later step
            fails.
    Raises: PluginFaultError, for any fault.
    """

    def is_own(frame: FrameType) -> bool:
        return module_of(frame).partition(".")[0] in own_modules(entry_point)

    try:
        plugin = load(entry_point)
    except (Exception, SystemExit) as error:
        raise _import_fault(error, entry_point, is_own) from error
    for answer in _guarded(partial(answers_of, plugin), "its hooks cannot be read", is_own):
        _collect_answer(answer, is_own, offers)
    for offer in offers:
        if offer.kind == "games" and not entry_point.module.startswith("tourney."):
            what = f"{WORDS[offer.kind]} {quoted(offer.name)}"
            check = partial(check_values, what, offer.thing)
            _guarded(check, f"{what}: its fields cannot be read", is_own, offer.place)
    if not offers:
        raise PluginFaultError(
            "its hooks provide nothing",
            remedy='return at least one, such as {"NAME": …}',
        )


def _collect_answer(
    answer: Answer, is_own: Callable[[FrameType], bool], offers: list[_Offer]
) -> None:
    """Call a hook and check its result, thing by thing."""
    hook, ask, place = answer
    kind, problem = hook.removeprefix(PREFIX), f"{hook} failed"
    items = _guarded(lambda: _checked(kind, ask()), problem, is_own, place)
    while item := _guarded(partial(next, items, None), problem, is_own, place):
        offers.append(_Offer(kind, item[0], item[1], place))


def _checked(kind: str, answered: object) -> Iterator[tuple[str, object]]:
    """Yield the things that a hook returned; raise PluginFaultError for unusable ones."""
    word = WORDS[kind]
    items = named_columns(answered) if kind == "columns" else named_items(kind, word, answered)
    for name, thing in items:
        what = f"{word} {quoted(name)}"
        if kind == "strategies":
            check_strategy(what, thing)
        elif kind == "games":
            check_game(what, thing)
        elif kind == "formats":
            check_format(what, thing)
        elif kind == "languages":
            check_language(what, name, thing)
        elif kind == "entrant_sources":
            check_entrant_source(what, name, thing)
        yield name, thing


def _guarded(
    ask: Callable[[], Any], problem: str, is_own: Callable[[FrameType], bool], place: str = ""
) -> Any:
    """Call the author's code; turn any exception into a fault with a place."""
    try:
        return ask()
    except PluginFaultError as fault:
        fault.place = fault.place or place
        raise
    except (Exception, SystemExit) as error:
        raise PluginFaultError(
            f"{problem}: {error_words(error)}",
            place_of_error(error, is_own) or place,
            MEND,
        ) from error


def _import_fault(
    error: BaseException, entry_point: EntryPoint, is_own: Callable[[FrameType], bool]
) -> PluginFaultError:
    """Explain why an entry point cannot be imported, and the fix."""
    if isinstance(error, PluginFaultError):
        return error
    module = entry_point.value.partition(":")[0].strip()
    remedy = MEND
    if isinstance(error, ModuleNotFoundError) and error.name:
        own = f"{module}.".startswith(f"{error.name}.")
        remedy = f"install {error.name}, and name it in the dependencies of the plugin"
        if own:
            remedy = "install the plugin again, or correct the module in its entry point"
    return PluginFaultError(
        f"{quoted(entry_point.value)} cannot be imported: {error_words(error)}",
        place_of_error(error, is_own),
        remedy,
    )


def _with_names(plugin: Plugin, offers: Iterable[_Offer]) -> Plugin:
    """Record the names that a plugin provides."""
    offered = list(offers)
    names: dict[str, Any] = {
        kind: tuple(each.name for each in offered if each.kind == kind) for kind in WORDS
    }
    return replace(plugin, **names)


def _quarantined(plugin: Plugin, fault: PluginFaultError) -> Plugin:
    return replace(
        plugin,
        status="quarantined",
        reason=fault.message,
        place=fault.place,
        remedy=fault.remedy,
    )


def _registered(offer: _Offer, plugin: Plugin) -> object:
    """Make the entry of an offer in the registry."""
    thing: Any = offer.thing
    if offer.kind == "strategies":
        return Strategy(offer.name, thing, _summary(thing), plugin)
    if offer.kind == "games":
        return Game(offer.name, thing, plugin)
    if offer.kind == "formats":
        return Format(offer.name, thing, thing.summary or _summary(thing), plugin)
    return thing


def _summary(kind: type) -> str:
    """Return the first line of a class's own docstring."""
    text = vars(kind).get("__doc__")
    lines = text.strip().splitlines() if isinstance(text, str) else []
    return lines[0].strip() if lines else ""


def _all_faults(plugins: tuple[Plugin, ...]) -> str:
    """List all plugins in quarantine, one line each."""
    verb = "plugin is" if len(plugins) == 1 else "plugins are"
    lines = [f"{plugin.origin}: {plugin.fault}" for plugin in plugins]
    return "\n".join([f"{len(plugins)} {verb} in quarantine:", *lines])
