"""The list of entrants: who competes, under which name, with which options.

Each kind of entry has a key of its own (`strategy`, `submissions`, or the name of a language,
with a path) and a reader in `_EntrantReader`; an entry may make several entrants. Knows no game.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from tourney.config.catalog import Catalog
from tourney.config.located import Entries, Faults, Items, Leaf, Refused, Tree, grown
from tourney.config.model import EntrantConfig, PolicyConfig
from tourney.config.repeated import note_stray_rule, read_submitted, repeated, repeated_settings
from tourney.config.settings import (
    ANY_OPTIONS,
    Parameters,
    Setting,
    note_refused,
    parameters_of,
    read_mapping,
    read_settings,
    setting,
)
from tourney.config.typed import INVALID, choice_of, text_of
from tourney.config.words import (
    closest,
    found_words,
    joined,
    quoted,
    said,
    system_words,
    value_words,
)

LONGEST_PATH = 4000  # characters
WILDCARDS = frozenset("*?[")
NAME = text_of("a name")
PATH = text_of("a path", longest=LONGEST_PATH)


@dataclass(frozen=True, slots=True)
class _Named:
    """An entrant, and the value that its name comes from."""

    entrant: EntrantConfig
    tree: Tree


_Maker: TypeAlias = Callable[[Entries, dict[str, Any]], Sequence[_Named]]


def entrant_settings(catalog: Catalog, game: str | None = None) -> tuple[Setting, ...]:
    """Return the settings of one entrant; the kinds of entries exclude each other.

    Args:
        catalog: What names there are.
        game: What is played; None if that is not known.
    """
    choice = choice_of(catalog.playing(game).strategies if game else catalog.strategies)

    def read_strategy(tree: Tree, faults: Faults) -> Any:
        name = tree.value if isinstance(tree, Leaf) else None
        if isinstance(name, str) and name not in catalog.strategies and name in catalog.resting:
            got = f"{quoted(name)}, which is in quarantine: {catalog.resting[name]}"
            faults.note(tree, said("a strategy that can be used", got))
            return INVALID
        if isinstance(name, str) and name in catalog.strategies and not choice.accepts(name):
            got = f"{quoted(name)}, which plays {catalog.games[name]}"
            names = sorted(choice.schema["enum"])
            remedy = f"choose {joined(names)}" if names else ""
            faults.note(tree, said(f"a strategy for {game}", got, remedy))
            return INVALID
        return choice.read(tree, faults)

    return (
        Setting("strategy", "name of a strategy", read_strategy, schema=choice.schema),
        *(setting(kind, each.meaning, PATH) for kind, each in catalog.files.items()),
        setting("submissions", "path of a folder of submissions, all of which play", PATH),
        setting("rule", "which version of a submission plays", choice_of(catalog.rules)),
        setting("as", "name on the leaderboard, if not that of the strategy", NAME),
        Setting("options", "options of the strategy", read_mapping),
        setting("group", "group of entrants that this one belongs to", NAME),
        *repeated_settings(),
    )


def read_entrants(
    tree: Tree, catalog: Catalog, folder: Path | None, faults: Faults, game: str | None = None
) -> Any:
    """Read the list of entrants.

    Args:
        tree: The value of `entrants`.
        catalog: What strategies there are.
        folder: What relative paths begin from; None if files need not be there.
        faults: Notes what is wrong.
        game: What is played; None if that is not known.
    Returns: A tuple of entrants, or INVALID.
    """
    if isinstance(tree, Refused):
        return INVALID
    if not isinstance(tree, Items):
        faults.note(tree, said("a list with '- ' before each entrant", value_words(tree)))
        return INVALID
    if not tree.items:
        faults.note(tree, said("at least one entrant", "an empty list"))
        return INVALID
    before = faults.count
    reader = _EntrantReader(catalog, folder, faults, game)
    named = [each for item in tree.items for each in reader.read(item)]
    _note_equal_names(named, faults)
    return tuple(each.entrant for each in named) if faults.count == before else INVALID


def check_taken(
    who: str,
    make: Callable[..., Any],
    options: Mapping[str, Any],
    why_refused: Callable[[Callable[..., Any], Mapping[str, Any]], str],
) -> None:
    """Refuse options that stand in no file as if they stood in one.

    Args:
        who: Whose options they are.
        make: The strategy, whose code may run in this process.
        options: Plain data by name.
        why_refused: As in a catalog.
    Raises: ConfigError, with every fault.
    """
    faults, given = Faults(who), grown(options)
    assert isinstance(given, Entries)
    parameters_of(make).read(given, faults)
    if options and not faults.count and (why := why_refused(make, options)):
        note_refused(given, options, why, who, faults)
    faults.raise_any()


class _EntrantReader:
    """Reads one entry of the list after the other."""

    def __init__(
        self, catalog: Catalog, folder: Path | None, faults: Faults, game: str | None
    ) -> None:
        """Begin before the first entry."""
        self._catalog = catalog
        self._folder = folder
        self._faults = faults
        self._settings = entrant_settings(catalog, game)
        self._parameters: dict[str, Parameters] = {}
        self._makers: dict[str, _Maker] = {
            "strategy": self._from_strategy,
            **{kind: partial(self._from_files, kind) for kind in catalog.files},
            "submissions": self._from_submissions,
        }

    def read(self, item: Tree) -> Sequence[_Named]:
        """Return the entrants that an entry makes, as far as their names are known."""
        if isinstance(item, Refused):
            return ()
        if not isinstance(item, Entries):
            self._note_no_mapping(item)
            return ()
        values = read_settings(item, self._settings, self._faults)
        note_stray_rule(item, self._faults)
        kinds = [key for key, _ in item.entries if key.name in self._makers]
        expected = joined([quoted(kind) for kind in self._makers])
        if len(kinds) == 1:
            return self._makers[kinds[0].name](item, values)
        if kinds:
            self._faults.note(kinds[1], said(expected, "two of them", "remove one"))
        elif not any(closest(key.name, self._makers) for key, _ in item.entries):
            self._faults.note(item, said(expected, "none of them"))
        return ()

    def _note_no_mapping(self, item: Leaf | Items) -> None:
        """Note an entry that is a list, or the bare name of a strategy."""
        text = item.value if isinstance(item, Leaf) and isinstance(item.value, str) else None
        remedy = f"write 'strategy: {text}'" if text in self._catalog.strategies else ""
        expected = "an entrant such as 'strategy: simple'"
        self._faults.note(item, said(expected, value_words(item), remedy))

    def _from_strategy(self, item: Entries, values: dict[str, Any]) -> Sequence[_Named]:
        """Make the entrant of `strategy: NAME`."""
        if "strategy" not in values:
            return ()
        strategy = values["strategy"]
        if strategy not in self._parameters:
            self._parameters[strategy] = parameters_of(self._catalog.strategies[strategy])
        options: tuple[tuple[str, Any], ...] = ()
        if "options" in values or item.get("options") is None:
            none_given = Entries(item.place, f"{item.path}.options", ())
            given, before = values.get("options", none_given), self._faults.count
            options = self._parameters[strategy].read(given, self._faults)
            if options and self._faults.count == before:
                self._try(strategy, dict(options), given)
        return self._named(item, values, strategy, options)

    def _try(self, strategy: str, options: dict[str, Any], given: Entries) -> None:
        """Note options that fit their types, and that the constructor refuses nevertheless."""
        if why := self._catalog.why_refused(self._catalog.strategies[strategy], options):
            note_refused(given, options, why, strategy, self._faults)

    def _from_files(self, kind: str, item: Entries, values: dict[str, Any]) -> Sequence[_Named]:
        """Make the entrants of a path: one, or where it is a pattern, one for each file."""
        entry = self._catalog.files[kind]
        options: tuple[tuple[str, Any], ...] = ()
        if not entry.takes_options and item.get("options") is not None:
            got = f"options: remove them; a {kind} has none"
            self._faults.note(_value(item, "options"), said(f"a {kind} without options", got))
        elif "options" in values:  # which nobody knows yet
            options = ANY_OPTIONS.read(values["options"], self._faults)
        if kind not in values:
            return ()
        given = values[kind]
        is_pattern = entry.takes_patterns and not WILDCARDS.isdisjoint(given)
        look = self._matching if is_pattern else self._found
        files = look(item, given, kind)
        if len(files) > 1 and "as" in values:
            got = f"one for the {len(files)} {kind}s of {quoted(given)}"
            remedy = "remove it; each is called after its file"
            self._faults.note(_value(item, "as"), said("no name of their own", got, remedy))
            return ()
        return [
            each
            for file in files
            # Not the stem of a single file's resolved path, which a link may have changed.
            for each in self._named(
                item,
                values,
                (file if is_pattern else Path(given)).stem,
                options,
                kind=kind,
                source=file,
            )
        ]

    def _from_submissions(self, item: Entries, values: dict[str, Any]) -> Sequence[_Named]:
        """Make the entrants of `submissions: DIR`, one for each name that something plays under."""
        submitted = read_submitted(item, values, self._catalog, self._folder, self._faults)
        found: list[_Named] = []
        for one in submitted:
            own = {"author": one.author, "pseudonym": one.pseudonym}
            own["group"] = one.group or values.get("group")
            found += self._named(
                item, {**values, **own}, one.name, (), kind=one.kind, source=one.path
            )
        return found

    def _matching(self, item: Entries, pattern: str, kind: str) -> list[Path]:
        """Return the absolute paths of the files a pattern fits, or note that there are none."""
        if self._folder is None:
            return []  # an archived run keeps its charts elsewhere
        try:
            files = sorted(path.resolve() for path in self._folder.glob(pattern) if path.is_file())
        except (NotImplementedError, OSError, ValueError) as error:  # such as an absolute pattern
            got = f"{quoted(pattern)}, which cannot be a pattern here ({system_words(error)})"
            self._faults.note(_value(item, kind), said("a pattern seen from this file", got))
            return []
        if not files:
            expected = f"at least one file that fits {quoted(pattern)}"
            self._faults.note(_value(item, kind), said(expected, "none"))
        return files

    def _found(self, item: Entries, path: str, kind: str) -> list[Path]:
        """Return the absolute path of an entrant's file or folder, or note that there is none."""
        if self._folder is None:
            return [Path(path)]
        try:
            file = (self._folder / path).resolve()
            if file.is_file() or (file.is_dir() and self._catalog.files[kind].takes_folders):
                return [file]
            got = found_words(file)
        except (OSError, ValueError) as error:  # such as a name that the system cannot hold
            got = f"{quoted(path)}, which cannot be a file here ({system_words(error)})"
        self._faults.note(_value(item, kind), said(f"a file at {quoted(path)}", got))
        return []

    def _named(
        self,
        item: Entries,
        values: dict[str, Any],
        given_name: str,
        options: tuple[tuple[str, Any], ...],
        *,
        kind: str = "strategy",
        source: Path | None = None,
    ) -> Sequence[_Named]:
        """Make an entrant, unless its name has a fault.

        Args:
            item: The entry.
            values: Its settings that have no fault.
            given_name: What it is called if the organiser says nothing else.
            options: Options of the strategy.
            kind: The name of its language.
            source: Its file or folder, if it has one.
        """
        if item.get("as") is None:
            tree = next(tree for key, tree in item.entries if key.name in self._makers)
            if not NAME.accepts(given_name):
                got = f"{quoted(given_name)}: choose another with 'as'"
                self._faults.note(tree, said(NAME.expected, got))
                return ()
        elif "as" in values:
            tree = _value(item, "as")
        else:
            return ()
        entrant = EntrantConfig(
            name=values.get("as", given_name),
            strategy=values.get("strategy"),
            kind=kind,
            source=source,
            options=options,
            group=values.get("group"),
            author=values.get("author"),
            pseudonym=values.get("pseudonym"),
            policy=values.get("policy", PolicyConfig()),
        )
        each = list(repeated(entrant, values.get("count")))
        if not NAME.accepts(each[-1].name):
            got = f"{quoted(each[-1].name)}: choose another with 'as'"
            self._faults.note(tree, said(NAME.expected, got))
            return ()
        return [_Named(one, tree) for one in each]


def _value(item: Entries, name: str) -> Tree:
    """Return the value of an entry that is known to be there."""
    tree = item.get(name)
    assert tree is not None
    return tree


def _note_equal_names(named: Sequence[_Named], faults: Faults) -> None:
    """Note each name that an entrant before has, in whatever case and spacing."""
    first: dict[str, _Named] = {}
    for each in named:
        name = " ".join(each.entrant.name.casefold().split())
        if name in first:
            line = first[name].tree.place.line
            got = f"{quoted(each.entrant.name)} again (first on line {line})"
            faults.note(each.tree, said("a name of its own", got, "add 'as' with another name"))
        else:
            first[name] = each
