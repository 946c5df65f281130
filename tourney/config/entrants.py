"""The list of entrants: who competes, under which name, with which options.

Each kind of entry has a key of its own (`strategy`, `submissions`, or the name of a language, with
a path); an entry may make several entrants. Knows no game.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any

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
"""Of memory that an entrant takes in a dry run, measured with a hundred thousand."""
GIVEN_BY_THEM = ("as", "options", "author")
"""Settings that those who hand in decide by themselves."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """One entry of the list."""

    path: KeyPath
    data: Mapping[str, Any]
    values: dict[str, Any]  # of its settings that have no fault

    def at(self, key: str) -> KeyPath:
        """Give the path of a setting."""
        return (*self.path, key)


@dataclass(frozen=True, slots=True)
class _Named:
    """An entrant, and where its name comes from."""

    entrant: EntrantConfig
    path: KeyPath


def entrant_model(catalog: Catalog, game: str | None = None) -> type[Settings]:
    """Make the model of an entrant; the kinds of entries exclude each other.

    Args:
        catalog: What names there are.
        game: What is played; None if that is not known.
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
        "author": (Name, "who wrote it"),
        "count": (several, "how many times it enters, with numbered names"),
        "policy": (Part, "what it wants where the format lets it choose"),
    }
    fields = {key: (kind, Field(None, description=said)) for key, (kind, said) in settings.items()}
    return model_of("Entrant", fields)


def read_entrants(
    data: Any, catalog: Catalog, folder: Path | None, faults: Faults, game: str | None = None
) -> tuple[EntrantConfig, ...] | None:
    """Read the list of entrants; None if it has faults.

    Args:
        data: The value of `entrants`.
        catalog: What strategies there are.
        folder: What relative paths begin from; None if files need not be there.
        faults: Notes what is wrong.
        game: What is played; None if that is not known.
    """
    path: KeyPath = ("entrants",)
    if data is REFUSED:
        return None
    if not isinstance(data, list):
        found = value_words(data, faults.raw(path, data))
        faults.note(path, said("a list with '- ' before each entrant", found))
        return None
    if not data:
        faults.note(path, said("at least one entrant", "an empty list"))
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
    """Refuse options that are in no file as if they were in one.

    Args:
        who: Whose options they are.
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
    """Refuse more entrants than memory should be taken for, before any of them is made.

    Args:
        data: A whole configuration.
        faults: Whose file it is.
        most: How many there may be.
    Raises: TooLargeError, at the greatest count.
    """
    entrants = data.get("entrants")
    items = entrants if isinstance(entrants, list) else []
    counts = [
        (count, at)
        for at, item in enumerate(items)
        if isinstance(item, dict)
        # All else is refused, or no number, when it is read.
        if type(count := item.get("count")) is int and 1 < count <= MOST_ENTRANTS
    ]
    total = len(items) + sum(count - 1 for count, _ in counts)
    if total > most and counts:
        _, at = max(counts, key=lambda each: each[0])
        path = ("entrants", at, "count")
        got = f"{total:,}, which take about {total * BYTES_EACH / 1e9:.1f} GB of memory"
        message = said(f"at most {most:,} entrants in all", got, "make it fewer, or add --yes")
        place = faults.spots[path].place
        raise TooLargeError((Fault(faults.source, *place, path_text(path), message),))


class _EntrantReader:
    """Reads one entry of the list after the other."""

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
        """Return the entrants that an entry makes, as far as their names are known."""
        if not isinstance(data, dict):
            self._note_no_mapping(data, path)
            return ()
        usable = {**data, "strategy": REFUSED} if self._is_barred(data, path) else data
        entry = _Entry(path, data, read_settings(self._model, usable, path, self._faults))
        if "rule" in data and "submissions" not in data:
            message = said("'rule' beside 'submissions'", "it alone", "remove it")
            self._faults.note(entry.at("rule"), message, at_key=True)
        if "policy" in data:
            policy = read_fields(PolicyConfig, data["policy"], entry.at("policy"), self._faults)
            entry.values["policy"] = policy
        kinds = [key for key in data if key in self._makers]
        expected = joined([quoted(kind) for kind in self._makers])
        if len(kinds) == 1:
            return self._makers[kinds[0]](entry)
        if kinds:
            message = said(expected, "two of them", "remove one")
            self._faults.note(entry.at(kinds[1]), message, at_key=True)
        elif not any(closest(key, self._makers) for key in data):
            self._faults.note(path, said(expected, "none of them"))
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
        """Note a strategy that there is, but that cannot be used here."""
        name, catalog = data.get("strategy"), self._catalog
        if not isinstance(name, str):
            return False
        if name not in catalog.strategies and name in catalog.resting:
            got = f"{quoted(name)}, which is in quarantine: {catalog.resting[name]}"
            message = said("a strategy that can be used", got)
        elif (
            self._game
            and name in catalog.strategies
            and (name not in (fitting := catalog.playing(self._game).strategies))
        ):
            got = f"{quoted(name)}, which plays {catalog.games[name]}"
            remedy = f"choose {joined(sorted(fitting))}" if fitting else ""
            message = said(f"a strategy for {self._game}", got, remedy)
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
        if "options" not in entry.data:  # whatever is missing has the place of the entry
            self._faults.spots[path] = self._faults.spots[entry.path]
        options = read_settings(self._options(strategy), given, path, self._faults)
        if options and self._faults.count == before:
            # They fit their types, and the constructor may refuse them nevertheless.
            why = self._catalog.why_refused(self._catalog.strategies[strategy], options)
            if why:
                note_refused(options, path, why, strategy, self._faults)
        return self._named(entry, strategy, tuple(options.items()))

    def _from_files(self, kind: str, entry: _Entry) -> Sequence[_Named]:
        """Make the entrants of a path: one, or where it is a pattern, one for each file."""
        language = self._catalog.files[kind]
        options: dict[str, Any] = {}
        if "options" in entry.data and language.takes_options:  # which nobody knows yet
            given, path = entry.data["options"], entry.at("options")
            options = read_settings(OpenSettings, given, path, self._faults)
        elif "options" in entry.data:
            got = f"options: remove them; a {kind} has none"
            self._faults.note(entry.at("options"), said(f"a {kind} without options", got))
        if kind not in entry.values:
            return ()
        given = entry.values[kind]
        is_pattern = language.takes_patterns and not WILDCARDS.isdisjoint(given)
        at = entry.at(kind)
        files = self._matching(given, at) if is_pattern else self._found(given, kind, at)
        if len(files) > 1 and "as" in entry.values:
            got = f"one for the {len(files)} {kind}s of {quoted(given)}"
            remedy = "remove it; each is called after its file"
            self._faults.note(entry.at("as"), said("no name of their own", got, remedy))
            return ()
        return [
            each
            for file in files
            # Not the stem of a single file's resolved path, which a link may have changed.
            for each in self._named(
                entry,
                (file if is_pattern else Path(given)).stem,
                tuple(options.items()),
                kind=kind,
                source=file,
            )
        ]

    def _from_submissions(self, entry: _Entry) -> Sequence[_Named]:
        """Make the entrants of `submissions: DIR`, one for each name that something plays under."""
        for name in GIVEN_BY_THEM:
            if name in entry.data:
                message = said("submissions as they were handed in", f"{quoted(name)}: remove it")
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
            expected = f"at least one submission that may play in {quoted(given)}"
            self._faults.note(entry.at("submissions"), said(expected, "none"))
        found: list[_Named] = []
        for one in submitted:
            own = {"author": one.author, "pseudonym": one.pseudonym}
            own["group"] = one.group or entry.values.get("group")
            owned = replace(entry, values={**entry.values, **own})
            found += self._named(owned, one.name, (), kind=one.kind, source=one.path)
        return found

    def _matching(self, pattern: str, path: KeyPath) -> list[Path]:
        """Return the absolute paths of the files a pattern fits, or note that there are none."""
        if self._folder is None:
            return []  # an archived run keeps its charts elsewhere
        try:
            files = sorted(path.resolve() for path in self._folder.glob(pattern) if path.is_file())
        except (NotImplementedError, OSError, ValueError) as error:  # such as an absolute pattern
            got = f"{quoted(pattern)}, which cannot be a pattern here ({system_words(error)})"
            self._faults.note(path, said("a pattern seen from this file", got))
            return []
        if not files:
            expected = f"at least one file that fits {quoted(pattern)}"
            self._faults.note(path, said(expected, "none"))
        return files

    def _found(self, given: str, kind: str, path: KeyPath) -> list[Path]:
        """Return the absolute path of an entrant's file or folder, or note that there is none."""
        if self._folder is None:
            return [Path(given)]
        try:
            file = (self._folder / given).resolve()
            if file.is_file() or (file.is_dir() and self._catalog.files[kind].takes_folders):
                return [file]
            got = found_words(file)
        except (OSError, ValueError) as error:  # such as a name that the system cannot hold
            got = f"{quoted(given)}, which cannot be a file here ({system_words(error)})"
        self._faults.note(path, said(f"a file at {quoted(given)}", got))
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
        """Make the entrants of an entry, unless a name of them has a fault.

        Args:
            entry: The entry.
            given_name: What it is called if the organiser says nothing else.
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
    """Give an entrant, or a number of them with numbers behind their names."""
    if count is None:
        yield entrant
        return
    for number in range(1, count + 1):
        handle = f"{entrant.pseudonym} {number}" if entrant.pseudonym else None
        yield replace(entrant, name=f"{entrant.name} {number}", pseudonym=handle)


def _note_equal_names(named: Sequence[_Named], faults: Faults) -> None:
    """Note each name that an entrant before has, in whatever case and spacing."""
    first: dict[str, _Named] = {}
    for each in named:
        name = " ".join(each.entrant.name.casefold().split())
        if name in first:
            line = faults.line(first[name].path)
            got = f"{quoted(each.entrant.name)} again (first on line {line})"
            faults.note(each.path, said("a name of its own", got, "add 'as' with another name"))
        else:
            first[name] = each


def check_policies(chosen: FormatConfig, entrants: Sequence[Any], faults: Faults) -> None:
    """Note policies of entrants that the format never asks for."""
    asked, usual = chosen.options.asks_policies, PolicyConfig()
    for entrant in entrants:
        unasked = [
            each.name
            for each in fields(usual)
            if getattr(entrant.policy, each.name) != getattr(usual, each.name)
            and each.name not in asked
        ]
        if unasked:
            kind, offered = chosen.kind, ", ".join(asked)
            expected = (
                f"a policy that says no more than {offered}, as {kind} leaves nothing else"
                if asked
                else f"no policy, as {kind} leaves nothing"
            )
            got = f"{', '.join(unasked)} in that of {entrant.name}"
            remedy = "remove it, or have the format offer it"
            faults.note(("entrants",), said(f"{expected} to choose here", got, remedy))
            return


def check_names(
    named: Collection[str], data: Mapping[str, Any], entrants: Sequence[Any], faults: Faults
) -> None:
    """Note names in the format's options that no entrant has."""
    known = {entrant.name for entrant in entrants}
    where = "format" if "format" in data else "stages"
    for name in named:
        if name not in known:
            message = said("names of entrants", quoted(name), meant=closest(name, known))
            faults.note((where,), message)
