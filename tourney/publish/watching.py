"""Replaying the tables that are published or sampled, each once, for everybody who sits there.

Of a batch only the blocks that are wanted are played again. Where a class keeps something for all
its players that is not what was played then, and the whole batch is.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tourney.audit import stored_batches
from tourney.cards.card import Card
from tourney.cards.shoe import Shoe
from tourney.engine import Watcher, play_batch
from tourney.entries import Tournament
from tourney.errors import DigestMismatch
from tourney.games.blackjack.rules import BlackjackRules
from tourney.ledger import BlockKey, Verdict
from tourney.players import Chart
from tourney.publish.decisions import Sampler
from tourney.publish.hands import HandsWriter
from tourney.publish.results import TableKey
from tourney.schedule import Batch, Block
from tourney.store import RunRecord, Store
from tourney.workers import cast_for


@dataclass(slots=True)
class Look:
    """A block that was looked at again."""

    block: Block
    hands: HandsWriter
    sampler: Sampler | None


@dataclass(slots=True)
class Looks:
    """What was looked at, by table."""

    tables: dict[TableKey, list[Look]] = field(default_factory=dict)

    def of(self, entrant: int, table: TableKey) -> list[tuple[Look, int]]:
        """Give the blocks of an entrant at a table, in order, with its seat in each."""
        return [
            (look, number)
            for look in sorted(self.tables.get(table, ()), key=lambda each: each.block.key)
            for number, seat in enumerate(look.block.seats)
            if seat.entrant == entrant
        ]


class _Both(Watcher):
    """Passes everything on to the writer, and to the sampler if there is one."""

    def __init__(self, look: Look) -> None:
        self._told: Sequence[Watcher] = (
            (look.hands, look.sampler) if look.sampler else (look.hands,)
        )

    def shuffled(self, shoe: Shoe) -> None:
        """Pass on a shuffle."""
        for each in self._told:
            each.shuffled(shoe)

    def seated(self, seats: tuple[int, ...]) -> None:
        """Pass on the order of play."""
        for each in self._told:
            each.seated(seats)

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Pass on the announcement of a round."""
        for each in self._told:
            each.opened(number, bankrolls)

    def dealt(self, hands: Sequence[Sequence[Card]]) -> None:
        """Pass on the hands."""
        for each in self._told:
            each.dealt(hands)

    def wagered(self, seat: int, wager: int) -> None:
        """Pass on a wager."""
        for each in self._told:
            each.wagered(seat, wager)

    def happened(self, record: Any) -> None:
        """Pass on a record."""
        for each in self._told:
            each.happened(record)

    def faulted(self, seat: int, verdict: Verdict) -> None:
        """Pass on a fault."""
        for each in self._told:
            each.faulted(seat, verdict)

    def closed(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Pass on the end of a round."""
        for each in self._told:
            each.closed(number, bankrolls)


def look_again(
    tournament: Tournament,
    store: Store,
    run: RunRecord,
    wanted: Mapping[TableKey, set[int]],
    *,
    best: Chart | None,
    tell: Callable[[int, int], None],
) -> Looks:
    """Replay tables, watched.

    Args:
        tournament: The tournament of the run.
        store: Where it is kept.
        run: The run.
        wanted: Tables, and the entrants whose blocks there are wanted.
        best: The chart that moves are compared with.
        tell: Told how many blocks were played again, and how many batches were looked at.
    Raises: DigestMismatch, if a block does not give what is stored.
    """
    looks, played = Looks(), 0
    if not wanted:
        return looks
    for number, batch in enumerate(stored_batches(tournament, store, run), start=1):
        blocks = [block for block in batch.blocks if _is_wanted(block, wanted)]
        if blocks:
            found = _watch(tournament, store, run, replace(batch, blocks=tuple(blocks)), best)
            if found is None:
                found = _watch(tournament, store, run, batch, best)
            if found is None:
                raise DigestMismatch(
                    f"run {run.number}: batch {batch.number}: expected the stored results, got "
                    "others: a competitor or the platform does not play as it did"
                )
            for look in found:
                if _is_wanted(look.block, wanted):
                    looks.tables.setdefault(_table(look.block.key), []).append(look)
            played += len(blocks)
        tell(played, number)
    return looks


def _watch(
    tournament: Tournament, store: Store, run: RunRecord, batch: Batch, best: Chart | None
) -> list[Look] | None:
    """Play a batch, watched; None if it does not give what is stored."""
    specs = tournament.specs()
    looks = {
        block.key: Look(
            block,
            HandsWriter(len(block.seats)),
            _sampler(block, best),
        )
        for block in batch.blocks
    }
    # The confined are asked in lockstep, and shown playing what they answered there.
    engine = "auto" if any(specs[number].confinement for number in batch.entrants) else "reference"
    watchers = {key: _Both(look) for key, look in looks.items()}
    played = play_batch(batch, cast_for(specs, is_new=False), engine, watchers)
    for result in played.results:
        kept = store.block_result(run.number, result.key)
        if kept is None or kept.digest != result.digest:
            return None
        looks[result.key].hands.finish()
    return list(looks.values())


def _is_wanted(block: Block, wanted: Mapping[TableKey, set[int]]) -> bool:
    entrants = wanted.get(_table(block.key), ())
    return any(seat.entrant in entrants for seat in block.seats)


def _table(key: BlockKey) -> TableKey:
    return key.stage, key.heat, key.table


def _sampler(block: Block, best: Chart | None) -> Sampler | None:
    rules = block.rules
    return Sampler(rules, len(block.seats), best) if isinstance(rules, BlackjackRules) else None
