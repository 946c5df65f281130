"""The list of entrants: their sources, names and options.

Each kind of entry has its own key (`strategy`, `submissions`, or the name of a language, with a
path); an entry may make several entrants.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any
from unicodedata import normalize

from pydantic import Field

from tourney.config.documents import REFUSED, Faults, KeyPath, path_text
from tourney.config.model import Catalog, EntrantConfig, FormatConfig, PolicyConfig
from tourney.config.settings import (
    LONGEST_NAME,
    Name,
    OpenSettings,
    Part,
    PathText,
    Settings,
    choice_type,
    is_name,
    model_of,
    options_of,
)
from tourney.config.validation import note_refused, read_fields, read_settings
from tourney.config.words import (
    closest,
    found_words,
    hint,
    joined,
    quoted,
    said,
    system_words,
    value_words,
)
from tourney.errors import Fault, TooLargeError, TourneyError

WILDCARDS = frozenset("*?[")
MOST_ENTRANTS = 1_000_000
BYTES_EACH = 3_800
"""Memory of an entrant in a dry run, measured with 100,000 entrants."""
GIVEN_BY_THEM = ("as", "options", "author")
"""Settings that a submission decides."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """One entry of the list."""

    path: KeyPath
    data: Mapping[str, Any]
    values: dict[str, Any]  # of its valid settings

    def at(self, key: str) -> KeyPath:
        """Return the path of a setting."""
        return (*self.path, key)


@dataclass(frozen=True, slots=True)
class _Named:
    """An entrant, and the place of its name."""

    entrant: EntrantConfig
    path: KeyPath


def entrant_model(catalog: Catalog, game: str | None = None) -> type[Settings]:
    """Make the model of an entrant; the kinds of entries exclude each other.

    Args:
        game: The preset's name; `None` if it is not known.
    """
    strategies = catalog.playing(game).strategies if game else catalog.strategies
    several = Annotated[int, Field(ge=2, le=MOST_ENTRANTS)]
    settings: dict[str, tuple[Any, str]] = {
        "strategy": (choice_type(strategies), "name of a strategy"),
        **{kind: (PathText, each.meaning) for kind, each in catalog.files.items()},
        "submissions": (PathText, "path of a folder of submissions, all of which play"),
        "rule": (choice_type(catalog.rules), "which version of a submission plays"),
        "as": (Name, "name on the leaderboard, if not that of the strategy"),
        "options": (Part, "options of the strategy"),
        "group": (Name, "group of entrants that this one belongs to"),
        "author": (Name, "name of the author"),
        "count": (several, "how many times it enters, with numbered names"),
        "policy": (Part, "its preferences where the format offers a choice"),
    }
    fields = {key: (kind, Field(None, description=said)) for key, (kind, said) in settings.items()}
    return model_of("Entrant", fields)


def read_entrants(
    data: Any, catalog: Catalog, folder: Path | None, faults: Faults, game: str | None = None
) -> tuple[EntrantConfig, ...] | None:
    """Read the list of entrants; `None` if it has faults.

    Args:
        data: The value of `entrants`.
        folder: Base of relative paths; `None` if the files need not exist.
        game: The preset's name; `None` if it is not known.
    """
    path: KeyPath = ("entrants",)
    if data is REFUSED:
        return None
    if not isinstance(data, list):
        found = value_words(data, faults.raw(path, data))
        faults.note(path, said("a list with '- ' before each entrant", found))
        return None
    if not data:
        faults.note(path, "the list is empty; add an entrant such as 'strategy: simple'")
        return None
    before = faults.count
    reader = _EntrantReader(catalog, folder, faults, game)
    named = [each for at, item in enumerate(data) for each in reader.read(item, (*path, at))]
    _note_equal_names(named, faults)
    return tuple(each.entrant for each in named) if faults.count == before else None


def check_taken(
    who: str,
    make: Callable[..., Any],
    options: Mapping[str, Any],
    why_refused: Callable[[Callable[..., Any], Mapping[str, Any]], str],
) -> None:
    """Reject options that come from no file as if a file held them.

    Args:
        who: The strategy's name, for messages.
        make: The strategy, whose code may run in this process.
        options: Plain data by name.
        why_refused: As in a catalog.
    Raises: ConfigError, with every fault.
    """
    faults = Faults(who)
    read_settings(options_of(make), dict(options), (), faults)
    if options and not faults.count and (why := why_refused(make, options)):
        note_refused(options, (), why, who, faults)
    faults.raise_any()


def check_counts(data: Mapping[str, Any], faults: Faults, most: int) -> None:
    """Reject more entrants than memory allows, before any is made.

    Args:
        data: A whole configuration.
        most: Largest number of entrants.
    Raises: TooLargeError, at the greatest count.
    """
    entrants = data.get("entrants")
    items = entrants if isinstance(entrants, list) else []
    counts = [
        (count, at)
        for at, item in enumerate(items)
        if isinstance(item, dict)
        # Reading rejects everything else later.
        if type(count := item.get("count")) is int and 1 < count <= MOST_ENTRANTS
    ]
    total = len(items) + sum(count - 1 for count, _ in counts)
    if total > most and counts:
        _, at = max(counts, key=lambda each: each[0])
        path = ("entrants", at, "count")
        memory = f"{total:,} entrants take about {total * BYTES_EACH / 1e9:.1f} GB of memory"
        message = f"{memory}, and the limit is {most:,} entrants; reduce the count, or add --yes"
        place = faults.spots[path].place
        raise TooLargeError((Fault(faults.source, *place, path_text(path), message),))


class _EntrantReader:
    """Reads the entries of the list."""

    def __init__(
        self, catalog: Catalog, folder: Path | None, faults: Faults, game: str | None
    ) -> None:
        """Begin before the first entry."""
        self._catalog = catalog
        self._folder = folder
        self._faults = faults
        self._game = game
        self._model = entrant_model(catalog, game)
        self._options = cache(lambda strategy: options_of(catalog.strategies[strategy]))
        self._makers: dict[str, Callable[[_Entry], Sequence[_Named]]] = {
            "strategy": self._from_strategy,
            **{kind: partial(self._from_files, kind) for kind in catalog.files},
            "submissions": self._from_submissions,
        }

    def read(self, data: Any, path: KeyPath) -> Sequence[_Named]:
        """Return the entrants of an entry, as far as their names are known."""
        if not isinstance(data, dict):
            self._note_no_mapping(data, path)
            return ()
        usable = {**data, "strategy": REFUSED} if self._is_barred(data, path) else data
        entry = _Entry(path, data, read_settings(self._model, usable, path, self._faults))
        if "rule" in data and "submissions" not in data:
            message = "'rule' has no effect without 'submissions'; remove it"
            self._faults.note(entry.at("rule"), message, at_key=True)
        if "policy" in data:
            policy = read_fields(PolicyConfig, data["policy"], entry.at("policy"), self._faults)
            entry.values["policy"] = policy
        kinds = [key for key in data if key in self._makers]
        sources = [quoted(kind) for kind in self._makers]
        if len(kinds) == 1:
            return self._makers[kinds[0]](entry)
        if kinds:
            message = f"an entrant has only one of {joined(sources, 'and')}; remove one"
            self._faults.note(entry.at(kinds[1]), message, at_key=True)
        elif not any(closest(key, self._makers) for key in data):
            self._faults.note(path, f"the entrant has no source; add {joined(sources)}")
        return ()

    def _note_no_mapping(self, data: Any, path: KeyPath) -> None:
        """Note an entry that is a list, or the bare name of a strategy."""
        if data is REFUSED:
            return
        is_known = isinstance(data, str) and data in self._catalog.strategies
        remedy = f"write 'strategy: {data}'" if is_known else ""
        found = value_words(data, self._faults.raw(path, data))
        self._faults.note(path, said("an entrant such as 'strategy: simple'", found, remedy))

    def _is_barred(self, data: Mapping[str, Any], path: KeyPath) -> bool:
        """Note a known strategy that is in quarantine or plays another game."""
        name, catalog = data.get("strategy"), self._catalog
        if not isinstance(name, str):
            return False
        if name not in catalog.strategies and name in catalog.resting:
            message = f"{quoted(name)} is in quarantine: {catalog.resting[name]}"
        elif (
            self._game
            and name in catalog.strategies
            and (name not in (fitting := catalog.playing(self._game).strategies))
        ):
            choices = joined(sorted(fitting), shown_by="`tourney list strategies`")
            remedy = f"; choose {choices}" if fitting else ""
            message = f"{quoted(name)} plays {catalog.games[name]}, not {self._game}{remedy}"
        else:
            return False
        self._faults.note((*path, "strategy"), message)
        return True

    def _from_strategy(self, entry: _Entry) -> Sequence[_Named]:
        """Make the entrant of `strategy: NAME`."""
        if "strategy" not in entry.values:
            return ()
        strategy, before = entry.values["strategy"], self._faults.count
        given, path = entry.data.get("options", {}), entry.at("options")
        if "options" not in entry.data:  # a missing option is noted at the entry
            self._faults.spots[path] = self._faults.spots[entry.path]
        options = read_settings(self._options(strategy), given, path, self._faults)
        if options and self._faults.count == before:
            # Their types are right, but the constructor may still reject them.
            why = self._catalog.why_refused(self._catalog.strategies[strategy], options)
            if why:
                note_refused(options, path, why, strategy, self._faults)
        return self._named(entry, strategy, tuple(options.items()))

    def _from_files(self, kind: str, entry: _Entry) -> Sequence[_Named]:
        """Make the entrants of a path: one, or one for each file of a pattern."""
        language = self._catalog.files[kind]
        options: dict[str, Any] = {}
        if "options" in entry.data and language.takes_options:  # unknown until it is loaded
            given, path = entry.data["options"], entry.at("options")
            options = read_settings(OpenSettings, given, path, self._faults)
        elif "options" in entry.data:
            self._faults.note(entry.at("options"), f"a {kind} has no options; remove them")
        if kind not in entry.values:
            return ()
        given = entry.values[kind]
        is_pattern = language.takes_patterns and not WILDCARDS.isdisjoint(given)
        at = entry.at(kind)
        files = self._matching(given, at) if is_pattern else self._found(given, kind, at)
        if len(files) > 1 and "as" in entry.values:
            problem = f"one name for the {len(files)} {kind}s of {quoted(given)}"
            self._faults.note(entry.at("as"), f"{problem}; remove it, and each has its file's name")
            return ()
        return [
            each
            for file in files
            # The stem as written: resolving a link may change it.
            for each in self._named(
                entry,
                (file if is_pattern else Path(given)).stem,
                tuple(options.items()),
                kind=kind,
                source=file,
            )
        ]

    def _from_submissions(self, entry: _Entry) -> Sequence[_Named]:
        """Make the entrants of `submissions: DIR`, one for each submission that may play."""
        for name in GIVEN_BY_THEM:
            if name in entry.data:
                message = f"{quoted(name)} is a setting of the submissions themselves; remove it"
                self._faults.note(entry.at(name), message, at_key=True)
        if self._folder is None or "submissions" not in entry.values:
            return ()  # an archived run keeps its sources elsewhere
        given = entry.values["submissions"]
        try:
            folder = (self._folder / given).resolve()
            submitted = self._catalog.submitted(folder, entry.values.get("rule"))
        except (TourneyError, OSError, ValueError) as error:
            message = f"{quoted(given)}: {system_words(error)}"
            self._faults.note(entry.at("submissions"), message)
            return ()
        if not submitted:
            message = f"no submission in {quoted(given)} may play"
            self._faults.note(entry.at("submissions"), message)
        found: list[_Named] = []
        for one in submitted:
            own = {"author": one.author, "pseudonym": one.pseudonym}
            own["group"] = one.group or entry.values.get("group")
            owned = replace(entry, values={**entry.values, **own})
            found += self._named(owned, one.name, (), kind=one.kind, source=one.path)
        return found

    def _matching(self, pattern: str, path: KeyPath) -> list[Path]:
        """Return the absolute paths of the files that match a pattern, or note that there is no
        match.
        """
        if self._folder is None:
            return []  # an archived run keeps its charts elsewhere
        try:
            files = sorted(path.resolve() for path in self._folder.glob(pattern) if path.is_file())
        except (NotImplementedError, OSError, ValueError) as error:  # such as an absolute pattern
            message = f"{quoted(pattern)} is not a usable pattern ({system_words(error)})"
            self._faults.note(path, message)
            return []
        if not files:
            self._faults.note(path, f"no file matches {quoted(pattern)}")
        return files

    def _found(self, given: str, kind: str, path: KeyPath) -> list[Path]:
        """Return the absolute path of an entrant's file or folder, or note that it is missing."""
        if self._folder is None:
            return [Path(given)]
        try:
            file = (self._folder / given).resolve()
            if file.is_file() or (file.is_dir() and self._catalog.files[kind].takes_folders):
                return [file]
            found = found_words(file)
            problem = f"is {found}, not a file" if file.exists() else "does not exist"
            message = f"{quoted(given)} {problem}"
        except (OSError, ValueError) as error:  # such as a name that the system cannot hold
            message = f"{quoted(given)} is not a usable path ({system_words(error)})"
        self._faults.note(path, message)
        return []

    def _named(
        self,
        entry: _Entry,
        given_name: str,
        options: tuple[tuple[str, Any], ...],
        *,
        kind: str = "strategy",
        source: Path | None = None,
    ) -> Sequence[_Named]:
        """Make the entrants of an entry, unless one of their names has a fault.

        Args:
            given_name: Name without `as`.
            options: Options of the strategy.
            kind: The name of its language.
            source: Its file or folder, if it has one.
        """
        values = entry.values
        if "as" in entry.data and "as" not in values:
            return ()
        key = "as" if "as" in values else next(key for key in entry.data if key in self._makers)
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
        each = list(_repeated(entrant, values.get("count")))
        wrong = next((name for name in (entrant.name, each[-1].name) if not is_name(name)), None)
        if wrong is not None:
            got = f"{quoted(wrong)}: choose another with 'as'"
            expected = f"a name of 1 to {LONGEST_NAME} printable characters"
            self._faults.note(entry.at(key), said(expected, got))
            return ()
        return [_Named(one, entry.at(key)) for one in each]


def _repeated(entrant: EntrantConfig, count: int | None) -> Iterator[EntrantConfig]:
    """Yield an entrant, or a number of copies with numbered names."""
    if count is None:
        yield entrant
        return
    for number in range(1, count + 1):
        handle = f"{entrant.pseudonym} {number}" if entrant.pseudonym else None
        yield replace(entrant, name=f"{entrant.name} {number}", pseudonym=handle)


def _note_equal_names(named: Sequence[_Named], faults: Faults) -> None:
    """Note names that look like an earlier one, or differ from it only in case and spacing."""
    first: dict[str, _Named] = {}
    for each in named:
        name = " ".join(normalize("NFC", each.entrant.name).casefold().split())
        if name in first:
            line = faults.line(first[name].path)
            problem = f"{quoted(each.entrant.name)} is already an entrant (line {line})"
            faults.note(each.path, f"{problem}; add 'as' with another name")
        else:
            first[name] = each


def check_policies(chosen: FormatConfig, entrants: Sequence[Any], faults: Faults) -> None:
    """Note policies of entrants that the format never uses."""
    asked, usual = chosen.options.asks_policies, PolicyConfig()
    for entrant in entrants:
        unasked = [
            each.name
            for each in fields(usual)
            if getattr(entrant.policy, each.name) != getattr(usual, each.name)
            and each.name not in asked
        ]
        if unasked:
            kind, offered = chosen.kind, joined(asked, "and")
            choices = f"only {offered} in a policy" if asked else "no policy"
            problem = f"{kind} uses {choices}, but {entrant.name} sets {joined(unasked, 'and')}"
            faults.note(
                ("entrants",), f"{problem}; remove the setting, or have the format offer it"
            )
            return


def check_names(
    named: Collection[str], data: Mapping[str, Any], entrants: Sequence[Any], faults: Faults
) -> None:
    """Note names in the format's options that belong to no entrant."""
    known = {entrant.name for entrant in entrants}
    where = "format" if "format" in data else "stages"
    for name in named:
        if name not in known:
            problem = f"{quoted(name)} is not the name of an entrant"
            faults.note((where,), f"{problem}{hint(closest(name, known))}")
