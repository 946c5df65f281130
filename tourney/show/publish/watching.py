"""Replaying the tables that are published or sampled, each once, for everybody who sits there.

Of a batch only the blocks that are wanted are played again. Where a class keeps something for all
its players that is not what was played then, and the whole batch is.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tourney.errors import DigestMismatch
from tourney.event.audit import stored_batches
from tourney.event.differing import Differing, engine_to_watch, who_differs
from tourney.event.entering import Tournament
from tourney.event.store import RunRecord, Store
from tourney.game.blocks import Batch, Block
from tourney.game.hands import HandsWriter
from tourney.game.ledger import BlockKey, Verdict
from tourney.game.story import Story
from tourney.play import play_batch
from tourney.play.workers import lineup_for
from tourney.show.publish.results import TableKey


@dataclass(slots=True)
class Look:
    """A block that was looked at again."""

    block: Block
    hands: HandsWriter


@dataclass(slots=True)
class Looks:
    """What was looked at, by table."""

    tables: dict[TableKey, list[Look]] = field(default_factory=dict)
    lost: dict[TableKey, list[Block]] = field(default_factory=dict)
    """Blocks that do not come out as they are stored."""
    blamed: dict[int, tuple[BlockKey, Verdict]] = field(default_factory=dict)
    """Whose answers differ there, by entrant, and where for the first time."""

    def is_lost(self, entrant: int, table: TableKey) -> bool:
        """Say whether a table of an entrant cannot be shown again."""
        blocks = self.lost.get(table, ())
        return any(seat.entrant == entrant for block in blocks for seat in block.seats)

    def count_lost(self, entrant: int) -> int:
        """Count the tables of an entrant that were looked at and cannot be shown again."""
        return sum(self.is_lost(entrant, table) for table in self.lost)

    def of(self, entrant: int, table: TableKey) -> list[tuple[Look, int]]:
        """Give the blocks of an entrant at a table, in order, with its seat in each.

        None of them, if one cannot be shown again.
        """
        if self.is_lost(entrant, table):
            return []
        return [
            (look, number)
            for look in sorted(self.tables.get(table, ()), key=lambda each: each.block.key)
            for number, seat in enumerate(look.block.seats)
            if seat.entrant == entrant
        ]


def look_again(
    tournament: Tournament,
    store: Store,
    run: RunRecord,
    wanted: Mapping[TableKey, set[int]],
    *,
    story: Story[Any],
    tell: Callable[[int, int], None],
) -> Looks:
    """Replay tables, watched.

    Args:
        tournament: The tournament of the run.
        store: Where it is kept.
        run: The run.
        wanted: Tables, and the entrants whose blocks there are wanted.
        story: Writes hands down, and counts decisions.
        tell: Told how many blocks were played again, and how many batches were looked at.
    Returns: What was seen. Blocks that do not come out as they are stored are left out, and whose
        answers differ is told.
    Raises: DigestMismatch, if there are such and they are not a competitor's doing.
    """
    looks, played = Looks(), 0
    if not wanted:
        return looks
    for number, batch in enumerate(stored_batches(tournament, store, run), start=1):
        blocks = [block for block in batch.blocks if _is_wanted(block, wanted)]
        if blocks:
            found = _watch(tournament, store, run, replace(batch, blocks=tuple(blocks)), story)
            if len(found) < len(blocks):
                found = _watch(tournament, store, run, batch, story) | found
            for block in blocks:
                if look := found.get(block.key):
                    looks.tables.setdefault(_table(block.key), []).append(look)
                else:
                    looks.lost.setdefault(_table(block.key), []).append(block)
            if lost := tuple(block.key for block in blocks if block.key not in found):
                looks.blamed = (
                    _blamed(who_differs(tournament, run, batch, lost), run) | looks.blamed
                )
            played += len(blocks)
        tell(played, number)
    return looks


def _blamed(differing: Differing, run: RunRecord) -> dict[int, tuple[BlockKey, Verdict]]:
    """Give whose answers differ, if that could be found out.

    Raises: DigestMismatch, if it need not be any competitor's.
    """
    if not (differing.blamed or differing.suspects):
        raise DigestMismatch(
            f"run {run.number}: batch {differing.batch.number}: expected the stored results, got "
            "others: a competitor or the platform does not play as it did"
        )
    return differing.blamed


def _watch(
    tournament: Tournament, store: Store, run: RunRecord, batch: Batch, story: Story[Any]
) -> dict[BlockKey, Look]:
    """Play a batch, watched; give the blocks that come out as they are stored."""
    specs = tournament.specs()
    looks = {
        block.key: Look(block, story.hands(len(block.seats), samples=True))
        for block in batch.blocks
    }
    engine = engine_to_watch(specs, batch)
    watchers = {key: look.hands for key, look in looks.items()}
    played = play_batch(batch, lineup_for(specs, is_new=False), engine, watchers)
    for result in played.results:
        kept = store.block_result(run.number, result.key)
        if kept is None or kept.digest != result.digest:
            del looks[result.key]
        else:
            looks[result.key].hands.finish()
    return looks


def _is_wanted(block: Block, wanted: Mapping[TableKey, set[int]]) -> bool:
    entrants = wanted.get(_table(block.key), ())
    return any(seat.entrant in entrants for seat in block.seats)


def _table(key: BlockKey) -> TableKey:
    return key.stage, key.heat, key.table
