"""The hands of a run as Arrow tables and files: dealt again, and checked by digests.

A store keeps only the shoes and the entrants of hands, so a run is played again, batch by batch.
Blocks that differ from the stored results are left out and named. Memory holds the packed rows of
one batch and one group of rows. Needs pyarrow.
"""

import marshal
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tourney.errors import DigestMismatchError, TourneyError
from tourney.game.blocks import Block
from tourney.game.hand_history import story_of
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.rows import VERSION, Field, RowsWriter
from tourney.game.turns import Watcher
from tourney.standings.data import csv_of
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.audit import watched_again
from tourney.tournament.divergence import Differing, explanations
from tourney.tournament.loading import Tournament

HANDS, DECISIONS = "hands", "decisions"
FORMATS = {"parquet": ".parquet", "arrow": ".arrow"}
"""With the suffixes of their files."""
PLACES = (
    Field("stage", "integer", "stage of the tournament, from 1"),
    Field("heat", "integer", "heat of the stage, from 1"),
    Field("table", "integer", "table of the heat, from 1; equal tables deal equal shoes"),
    Field("seating", "integer", "who sits there, by its number from 1"),
    Field("entrant", "string", "name on the leaderboard"),
)
"""Columns before those of the game."""
MISSING = "missing.csv"
"""The file that lists the seats whose rows are left out."""
GROUP_ROWS = 50_000
"""Rows that are written together."""
PYTHON_ROWS = 20_000
"""Rows that are held as Python objects before packing."""

Chosen = Callable[[Block], bool]


@dataclass
class HandsData:
    """The hands of a run.

    Args:
        tournament: The tournament of the run.
        store: Its store.
        run: The run.
        chosen: Selects blocks; all by default.
        progress: Receives the number of hands dealt since its last call.
    """

    tournament: Tournament
    store: Store
    run: RunRecord
    chosen: Chosen = field(default=lambda _: True)
    progress: Callable[[int], None] = field(default=lambda _: None)
    differing: list[Differing] = field(default_factory=list, init=False)
    """Blocks left out so far, with reasons."""

    def explanations(self) -> tuple[str, ...]:
        """Explain each left-out block in one line."""
        if not self.differing:
            return ()
        blocks = sum(len(each.keys) for each in self.differing)
        count = "1 block is" if blocks == 1 else f"{blocks:,} blocks are"
        words = f"the hands of {count} missing: they do not come out as they are stored"
        return (words, *explanations(self.differing, self.tournament, self.run))

    def fields(self, what: str) -> tuple[Field, ...]:
        """Return the columns of HANDS or DECISIONS."""
        writer = story_of(self.tournament.rules).rows(1)
        return (*PLACES, *(writer.of_hands if what == HANDS else writer.of_decisions))

    def schema(self, what: str) -> Any:
        """Return the columns as an Arrow schema with descriptions.

        Raises: TourneyError, without pyarrow.
        """
        pa = _pyarrow()
        types = {
            "integer": pa.int64(),
            "number": pa.float64(),
            "string": pa.string(),
            "boolean": pa.bool_(),
            "strings": pa.list_(pa.string()),
        }
        columns = [
            pa.field(each.name, types[each.kind], metadata={"meaning": each.meaning})
            for each in self.fields(what)
        ]
        about = {"version": str(VERSION), "run": str(self.run.number), "name": self.run.name}
        return pa.schema(columns, {f"tourney.{name}": said for name, said in about.items()})

    def batches(self) -> Iterator[tuple[str, Any]]:
        """Deal the hands again; yield HANDS or DECISIONS with a small Arrow record batch.

        Raises: DigestMismatchError, if all blocks differ from the stored results.
        """
        pa = _pyarrow()
        schemas = {what: self.schema(what) for what in (HANDS, DECISIONS)}
        is_empty = True
        for block, writer, packing in self._dealt():
            is_empty = False
            for what, rows in packing.take(writer):
                columns = zip(*((*self._place(block, row), *row) for row in rows), strict=True)
                arrays = [
                    pa.array(column, each.type)
                    for column, each in zip(columns, schemas[what], strict=True)
                ]
                yield what, pa.RecordBatch.from_arrays(arrays, schema=schemas[what])
        if is_empty and self.differing:
            raise DigestMismatchError("\n".join(self.explanations()))

    def logs(self) -> Iterator[tuple[Block, BlockResult, Watcher]]:
        """Deal the hands again; yield each block with its result and its log of decisions."""

        def watch(block: Block) -> Watcher | None:
            story = story_of(block.rules)
            return story.decision_log(len(block.seats)) if self.chosen(block) else None

        leave_out = self.differing.append
        for block, log in watched_again(self.tournament, self.store, self.run, watch, leave_out):
            result = self.store.block_result(self.run.number, block.key)
            assert result, "stored, as it was played"
            yield block, result, log

    def write(self, folder: Path, form: str) -> Mapping[str, int]:
        """Write a file for each table when both are complete; return their numbers of rows.

        A third file, MISSING, lists the left-out seats, if any.

        Args:
            folder: Created if missing. Files of an earlier export are removed.
            form: One of FORMATS.
        Raises: DigestMismatchError as above; OSError, if a file cannot be written.
        """
        folder.mkdir(parents=True, exist_ok=True)
        files = {what: folder / f"{what}{FORMATS[form]}" for what in (HANDS, DECISIONS)}
        parts = {what: path.with_name(f".{path.name}.part") for what, path in files.items()}
        written = dict.fromkeys(files, 0)
        with ExitStack() as stack:
            for part in parts.values():
                stack.callback(part.unlink, missing_ok=True)
            with ExitStack() as open_files:
                writers = {
                    what: open_files.enter_context(_writer(part, self.schema(what), form))
                    for what, part in parts.items()
                }
                for what, group in _grouped(self.batches()):
                    writers[what].write_table(group)
                    written[what] += group.num_rows
            self._write_missing(folder / MISSING)
            for what, part in parts.items():
                part.replace(files[what])
        return written

    def _write_missing(self, path: Path) -> None:
        if not self.differing:
            path.unlink(missing_ok=True)
            return
        heads = ["stage", "heat", "table", "seating", "first_round", "entrant", "differing"]
        path.write_text(csv_of([heads, *self._missing()]), encoding="utf-8")

    def _missing(self) -> Iterator[tuple[object, ...]]:
        """Yield the place of each left-out seat, with the responsible entrants."""
        names = [label.name for label in self.tournament.labels]
        for differing in self.differing:
            for block in differing.blocks:
                seated = [seat.entrant for seat in block.seats]
                blamed = ", ".join(names[each] for each in differing.blamed if each in seated)
                stage, heat, table, seating, _ = (each + 1 for each in block.key)
                place = stage, heat, table, seating, block.key.first_round
                for entrant in dict.fromkeys(seated):
                    yield *place, names[entrant], blamed

    def _dealt(self) -> Iterator[tuple[Block, RowsWriter, "_Packing"]]:
        packing = _Packing(self.progress)
        writers: dict[BlockKey, RowsWriter] = {}

        def watch(block: Block) -> RowsWriter | None:
            if not self.chosen(block):
                return None
            writers[block.key] = writer = story_of(block.rules).rows(len(block.seats))
            packing.follow(writer)
            return writer

        def leave_out(differing: Differing) -> None:
            self.differing.append(differing)
            for key in differing.keys:
                packing.drop(writers.pop(key))

        played = watched_again(self.tournament, self.store, self.run, watch, leave_out)
        for block, _ in played:
            yield block, writers.pop(block.key), packing

    def _place(self, block: Block, row: Sequence[Any]) -> tuple[Any, ...]:
        """Return a row's values of PLACES; the second one is the table's number, from 1."""
        seat = block.seats[row[1] - 1]
        stage, heat, table, seating, _ = (each + 1 for each in block.key)
        return stage, heat, table, seating, self.tournament.labels[seat.entrant].name


class _Packing:
    """Takes rows from the writers of a batch during play, and packs them until its end.

    A batch may have hundreds of thousands of hands, whose rows would take a gigabyte as Python
    objects;
    packed, a row takes about twenty bytes.
    """

    def __init__(self, progress: Callable[[int], None]) -> None:
        self._progress = progress
        self._packed: dict[RowsWriter, list[tuple[str, bytes]]] = {}
        self._rows = 0  # not packed yet
        self._times = 0  # number of packings

    def follow(self, writer: RowsWriter) -> None:
        """Take rows from a writer from now on."""
        self._packed[writer] = []
        # Counted rows of hands and of decisions, and the packing of the count.
        seats = told = times = 0

        def count() -> None:
            nonlocal seats, told, times
            if times != self._times:
                seats, told, times = 0, 0, self._times
            self._progress(len(writer.hands) - seats)
            self._rows += len(writer.hands) - seats + len(writer.decisions) - told
            seats, told = len(writer.hands), len(writer.decisions)
            if self._rows >= PYTHON_ROWS:
                self._rows = 0
                self._times += 1
                for each in self._packed:
                    self._pack(each)

        writer.after_round = count

    def take(self, writer: RowsWriter) -> Iterator[tuple[str, Sequence[Any]]]:
        """Yield all rows of a writer, of HANDS and DECISIONS, and forget it."""
        self._pack(writer)
        for what, packed in self._packed.pop(writer):
            yield what, marshal.loads(zlib.decompress(packed))  # noqa: S302 - made below

    def drop(self, writer: RowsWriter) -> None:
        """Forget the rows of a writer."""
        del self._packed[writer]

    def _pack(self, writer: RowsWriter) -> None:
        for what, rows in ((HANDS, writer.hands), (DECISIONS, writer.decisions)):
            if rows:
                self._packed[writer].append((what, zlib.compress(marshal.dumps(rows), 1)))
                rows.clear()


def _grouped(batches: Iterator[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Yield tables of at least GROUP_ROWS rows, and the rest at the end."""
    import pyarrow as pa  # noqa: PLC0415 - an extra

    held: dict[str, list[Any]] = {HANDS: [], DECISIONS: []}
    for what, batch in batches:
        held[what].append(batch)
        if sum(each.num_rows for each in held[what]) >= GROUP_ROWS:
            yield what, pa.Table.from_batches(held[what]).combine_chunks()
            held[what] = []
    for what, rest in held.items():
        if rest:
            yield what, pa.Table.from_batches(rest).combine_chunks()


def _writer(path: Path, schema: Any, form: str) -> Any:
    if form == "arrow":
        from pyarrow import ipc  # noqa: PLC0415 - an extra

        return ipc.new_file(str(path), schema)
    from pyarrow import parquet  # noqa: PLC0415 - an extra

    return parquet.ParquetWriter(path, schema, compression="zstd")


def _pyarrow() -> Any:
    try:
        import pyarrow as pa  # noqa: PLC0415 - an extra
    except ImportError:
        raise TourneyError(
            "export needs pyarrow; install it with: pip install 'tourney-cards[parquet]'"
        ) from None
    return pa
