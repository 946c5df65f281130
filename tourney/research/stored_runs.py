"""Runs in a store: `tourney.open_store`, their boards and hands, and `tourney.replay`."""

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any, Self

from tourney.config.arguments import check_whole, path_of
from tourney.errors import MissingHandsWarning, RunNotFoundError, TourneyError
from tourney.game.blocks import Block
from tourney.game.ledger import BlockResult, Verdict
from tourney.notebook.tables import Tabular, extra, table_html
from tourney.plugins.loading import installed_plugins
from tourney.report.hand_tables import DECISIONS, HANDS, HandsData
from tourney.report.hand_text import HandsText
from tourney.report.redaction import pseudonyms_of
from tourney.standings.standing import Standing
from tourney.store.records import RunRecord, RunSummary
from tourney.store.store import Store
from tourney.tournament.audit import find_blocks
from tourney.tournament.board import Board
from tourney.tournament.loading import Tournament, enter_again
from tourney.tournament.stored_standings import standings_of
from tourney.tournament.tournament import DEFAULT_STORE

EVERY_ROUND = range(1, 2**62)


@dataclass(frozen=True, slots=True, repr=False)
class Replayed:
    """Hands of an entrant as text."""

    text: str
    verdicts: tuple[Verdict, ...]  # its faults

    def __repr__(self) -> str:
        """Return the text."""
        return self.text

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.text)}</pre>"


class StoredRun(Board):
    """A run of an open store."""

    def __init__(self, store: Store, record: RunRecord, *, trust_submissions: bool = False) -> None:
        """Take a run of a store.

        Args:
            trust_submissions: Run archived files without a sandbox when hands are dealt again.
        """
        self._store, self.record, self._trusts = store, record, trust_submissions

    @property
    def name(self) -> str:
        """Its name."""
        return self.record.name

    @property
    def number(self) -> int:
        """Its number in the store."""
        return self.record.number

    @property
    def config(self) -> str:
        """Its configuration, as played."""
        return self.record.config

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """Its board, best first; the board so far, if it has not finished."""
        return standings_of(self._tournament, self._store, self.record)

    def hands(self, *, tables: int | None = None, entrant: str | None = None) -> Any:
        """Deal its hands again; return an Arrow table with a row for each hand.

        Args:
            tables: Only the first tables, by number of tables.
            entrant: Only tables of this entrant, by name or handle.
        Warns: MissingHandsWarning, if hands differ from the stored results; they are left out,
            and the warning names the responsible entrants.
        Raises: DigestMismatchError, if all hands differ; TourneyError, without pyarrow.
        """
        return self._dealt(HANDS, tables, entrant)

    def decisions(self, *, tables: int | None = None, entrant: str | None = None) -> Any:
        """Deal its hands again; return an Arrow table with a row for each decision; see `hands`."""
        return self._dealt(DECISIONS, tables, entrant)

    def replay(
        self,
        entrant: str,
        table: int,
        *,
        rounds: tuple[int, int] | None = None,
        as_seen: bool = False,
    ) -> Replayed:
        """Describe the hands of an entrant at a table, card by card.

        Args:
            entrant: Its name on the board, or its handle.
            table: From 1.
            rounds: The first and the last round; all by default.
            as_seen: Show only the cards that the entrant saw.
        Warns: MissingHandsWarning, as `hands` does.
        Raises: RunNotFoundError, if it has not played there; DigestMismatchError, if no hand is the
            same as its stored result.
        """
        check_whole(is_needed=True, table=table)
        shown = _shown(rounds)
        played = self._again
        number = self._number(played, entrant)
        places = find_blocks(played, self._store, self.record, number, table - 1)
        lines: list[str] = []
        hands = HandsText(played, self._store, self.record, places, number, shown, lines.append)
        verdicts = tuple(hands.tell_as_seen() if as_seen else hands.tell())
        if shown.start > max(hands.last, 1):
            raise RunNotFoundError(
                f"rounds: round {shown.start} was not played; the last round is {hands.last}"
            )
        if missing := hands.explanations():
            warnings.warn("\n".join(missing), MissingHandsWarning, stacklevel=2)
        return Replayed("\n".join(lines), verdicts)

    @cached_property
    def _tournament(self) -> Tournament:
        """The tournament, not ready to play."""
        return enter_again(self.record, installed_plugins(), plays=False)

    @cached_property
    def _again(self) -> Tournament:
        """The tournament, ready to play again."""
        return enter_again(self.record, installed_plugins(), trusts_files=self._trusts)

    def _dealt(self, what: str, tables: int | None, entrant: str | None) -> Any:
        check_whole(tables=tables)
        number = None if entrant is None else self._number(self._again, entrant)
        chosen = chosen_blocks(tables, number)
        data = HandsData(self._again, self._store, self.record, chosen)
        batches = [batch for told, batch in data.batches() if told == what]
        if missing := data.explanations():
            warnings.warn("\n".join(missing), MissingHandsWarning, stacklevel=3)
        return extra("pyarrow").Table.from_batches(batches, schema=data.schema(what))

    def _number(self, tournament: Tournament, entrant: str) -> int:
        handles = pseudonyms_of(self.record.entrants)
        for number, label in enumerate(tournament.labels):
            if isinstance(entrant, str) and entrant in {label.name, handles.get(label.name)}:
                return number
        known = ", ".join(label.name for label in tournament.labels)
        raise RunNotFoundError(f"run {self.number}: {entrant!r} is not an entrant; choose {known}")


def _shown(rounds: tuple[int, int] | None) -> range:
    """Return the rounds to show.

    Raises: TourneyError, if there are no such rounds.
    """
    if rounds is None:
        return EVERY_ROUND
    try:
        first, last = rounds
    except (TypeError, ValueError):
        raise TourneyError(
            f"rounds: expected the first and the last, such as (1, 5), got {rounds!r}"
        ) from None
    check_whole(is_needed=True, first=first)
    check_whole(first, is_needed=True, last=last)
    return range(first, last + 1)


class StoredRuns(Tabular):
    """The runs of a store; a context that closes the store."""

    def __init__(self, store: Store, *, trust_submissions: bool = False) -> None:
        """Take an open store."""
        self._store, self._trusts = store, trust_submissions

    def __getitem__(self, run: int | str) -> StoredRun:
        """Return a run by its number, or the latest of a name.

        Raises: RunNotFoundError, naming the existing runs; StoreDamagedError, if it was changed.
        """
        return StoredRun(self._store, self._store.run(run), trust_submissions=self._trusts)

    def __contains__(self, run: Any) -> bool:
        """Check whether the store has a run of this number or name, or this run."""
        if isinstance(run, StoredRun):
            return run._store is self._store and run.number in self  # noqa: SLF001 - of this module
        try:
            return run is not None and bool(self._store.run(run, checks_digest=False))
        except RunNotFoundError:
            return False

    @property
    def latest(self) -> StoredRun:
        """The latest run.

        Raises: RunNotFoundError, if the store is empty.
        """
        return StoredRun(self._store, self._store.run(None), trust_submissions=self._trusts)

    def __len__(self) -> int:
        """Return the number of runs."""
        return len(self._store.runs())

    def __iter__(self) -> Iterator[StoredRun]:
        """Yield the runs, oldest first."""
        return (self[each.number] for each in self._store.runs())

    def rows(self) -> Sequence[Mapping[str, object]]:
        """Return a row for each run."""
        return [asdict(each) for each in self._store.runs()]

    def columns(self) -> Sequence[str]:
        """Return the names of the columns of `rows`."""
        return tuple(each.name for each in fields(RunSummary))

    def close(self) -> None:
        """Close the store."""
        self._store.close()

    def __enter__(self) -> Self:
        """Return the runs."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the store."""
        self.close()

    def __repr__(self) -> str:
        """Write `tourney.db: 1 Quickstart, 2 Cup`."""
        told = ", ".join(f"{each.number} {each.name}" for each in self._store.runs())
        return f"{self._store.path.name}: {told or 'no run yet'}"

    def _repr_html_(self) -> str:
        rows = list(self.rows())
        heads = list(rows[0]) if rows else []
        cells = ([str(row[head]) for head in heads] for row in rows)
        return table_html(self._store.path.name, heads, cells)


def open_store(path: str | Path = DEFAULT_STORE, *, trust_submissions: bool = False) -> StoredRuns:
    """Open a store to read its runs; the organiser's view, with all names and cards.

    Args:
        path: The store's file.
        trust_submissions: Run archived files without a sandbox when hands are dealt again.
    Raises: StoreError, if the store does not exist or cannot be read.
    """
    return StoredRuns(
        Store.open(path_of(store=path), create=False), trust_submissions=trust_submissions
    )


def replay(
    entrant: str,
    table: int,
    run: int | str | None = None,
    *,
    store: str | Path = DEFAULT_STORE,
    rounds: tuple[int, int] | None = None,
    as_seen: bool = False,
    trust_submissions: bool = False,
) -> Replayed:
    """Describe the hands of an entrant at a table of a stored run, card by card.

    Args:
        entrant: As for `StoredRun.replay`.
        table: As for `StoredRun.replay`.
        run: A number or a name; the latest run by default.
        store: The store's file.
        rounds: As for `StoredRun.replay`.
        as_seen: As for `StoredRun.replay`.
        trust_submissions: As for `open_store`.
    Raises: TourneyError, if there are no such hands, or they differ from the stored results.
    """
    with open_store(store, trust_submissions=trust_submissions) as runs:
        found = runs.latest if run is None else runs[run]
        return found.replay(entrant, table, rounds=rounds, as_seen=as_seen)


def chosen_blocks(tables: int | None, entrant: int | None) -> Callable[[Block | BlockResult], bool]:
    """Return a function that selects blocks.

    Args:
        tables: Only the first tables, by number of tables.
        entrant: Only tables of this entrant, by number.
    """

    def is_chosen(block: Block | BlockResult) -> bool:
        sits = entrant is None or any(seat.entrant == entrant for seat in block.seats)
        return sits and (tables is None or block.key.table < tables)

    return is_chosen
