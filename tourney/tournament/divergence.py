"""Finding the player or game that plays differently when a batch is replayed.

The differing blocks are played several times and watched. Cards follow from shoes and answers, so
the first answer that differs is due to its player, at any table, in any process and with any
engine. If a seat sees something different before that, the game itself is random, and no player is
at fault.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from tourney.config.words import joined
from tourney.execution.engine_selection import play_batch
from tourney.execution.workers.task import EntrantSpec, lineup_for
from tourney.game.blocks import Batch, Block
from tourney.game.ledger import UNREPEATABLE, BlockKey, BlockResult, Verdict
from tourney.game.turns import Watcher
from tourney.plugins.loading import language_of
from tourney.store.records import RunRecord
from tourney.tournament.loading import Tournament, versions

PLAYS = 3
"""Times that a batch is played: random answers may agree once by chance."""
MOST_WATCHED = 200
"""Blocks of a batch that are watched at most."""
MOST_SUSPECTS = 12
"""Entrants that a message names at most."""
SOMEWHERE, AT_THE_END = "unknown", "the end"


class _Answer(NamedTuple):
    seat: int  # place at the table
    round: int
    call: str
    seen: str
    answer: str  # empty for a fault

    @property
    def is_fault(self) -> bool:
        """Whether it is a fault, at any point of a question."""
        return not self.answer and self.call != AT_THE_END


class _Answers(Watcher):
    """Records the answers of all players at a table."""

    def __init__(self) -> None:
        self.noted: list[_Answer] = []
        self._round = 0

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Remember the round that begins."""
        del bankrolls
        self._round = number

    def asked(self, seat: int, call: str, seen: str, answer: str) -> None:
        """Record an answer."""
        self.noted.append(_Answer(seat, self._round, call, seen, answer))

    def note_unasked(self, result: BlockResult) -> None:
        """Record the faults of players that were never asked, such as in constructors."""
        recorded = {each.seat for each in self.noted if each.is_fault}
        for seat in result.seats:
            if (verdict := seat.verdict) and seat.seat not in recorded:
                self.asked(seat.seat, verdict.call, verdict.seen, "")


@dataclass(slots=True)
class Differing:
    """The blocks of a batch that differ from the stored ones, and the causes."""

    batch: Batch
    keys: tuple[BlockKey, ...]  # of those blocks
    blamed: dict[int, tuple[BlockKey, Verdict]] = field(default_factory=dict)
    """Entrants whose answers differ, with the first place where they do."""
    suspects: tuple[int, ...] = ()
    """If no entrant could be blamed: entrants of which at least one plays differently."""
    game: str = ""
    """The difference that the game itself caused; empty if there is none."""

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks that differ from the stored ones."""
        return tuple(block for block in self.batch.blocks if block.key in self.keys)

    @property
    def is_game_in_doubt(self) -> bool:
        """Whether the game may be the cause, because it comes from a plugin."""
        kind = type(self.batch.blocks[0].rules.game)
        return not kind.__module__.startswith("tourney.")


def explanations(
    found: Sequence[Differing], tournament: Tournament, run: RunRecord
) -> tuple[str, ...]:
    """Explain why blocks differ, in a line for each entrant, game or version to blame."""
    names = [label.name for label in tournament.labels]
    lines: dict[str, str] = {}
    for differing in found:
        for subject, line in explained(differing, names):
            lines.setdefault(subject, line)
    return (*lines.values(), *other_versions(run))


def explained(differing: Differing, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Explain why blocks of a batch differ: yield each subject and a line about it."""
    for entrant, (key, verdict) in differing.blamed.items():
        place = f"table {key.table + 1}, round {verdict.round}"
        words = f"is never the same twice: {verdict.message} ({place})"
        yield names[entrant], f"{names[entrant]} {words}"
    game = f"game {differing.batch.blocks[0].rules.game}"
    if differing.game:
        words = "is never the same twice, and no player is to blame"
        yield game, f"{game} {words}: {differing.game}"
    if differing.suspects:
        named = [names[entrant] for entrant in differing.suspects[:MOST_SUSPECTS]]
        if differing.is_game_in_doubt:
            named.append(game)
        more = " …" if len(differing.suspects) > MOST_SUSPECTS else ""
        line = f"one of these does not play as it did: {joined(named, 'or')}{more}"
        yield line, line


def other_versions(run: RunRecord) -> Iterator[str]:
    """Yield a line if the run was played with other versions than the installed ones."""
    if run.versions != versions():
        was, now = (
            ", ".join(f"{name} {number}" for name, number in each)
            for each in (run.versions, versions())
        )
        yield f"played with {was}; played again with {now}: another version may play differently"


def differing_blocks(
    played: Iterable[BlockResult], stored: Iterable[BlockResult]
) -> tuple[BlockKey, ...]:
    """Return the blocks whose result differs from the stored one."""
    digests = {result.key: result.digest for result in stored}
    return tuple(result.key for result in played if digests.get(result.key) != result.digest)


def who_differs(
    tournament: Tournament, run: RunRecord, batch: Batch, keys: tuple[BlockKey, ...]
) -> Differing:
    """Find the players or the game whose answers differ.

    Args:
        tournament: The tournament of the run.
        run: The run.
        batch: A stored batch, with its recorded faults.
        keys: Its blocks that differ from the stored ones.
    """
    found = Differing(batch, keys)
    watched = keys[:MOST_WATCHED]
    plays = [_answers(tournament.specs(), batch, watched) for _ in range(PLAYS)]
    for one, other in pairwise(plays):
        for key in watched:
            _compare(found, key, one[key], other[key])
    # Another version of a program may play differently, which is no entrant's fault.
    if not (found.blamed or found.game) and run.versions == versions():
        _suspect(found, tournament)
    return found


def _answers(
    specs: Mapping[int, EntrantSpec], batch: Batch, keys: tuple[BlockKey, ...]
) -> dict[BlockKey, list[_Answer]]:
    watchers = {key: _Answers() for key in keys}
    lineup, engine = lineup_for(specs, is_new=False), engine_to_watch(specs, batch)
    for result in play_batch(batch, lineup, engine, watchers).results:
        if watcher := watchers.get(result.key):
            watcher.note_unasked(result)
            # The result follows from the answers, so it is compared, too.
            watcher.noted.append(_Answer(0, 0, AT_THE_END, f"digest {result.digest.hex()}", ""))
    return {key: watcher.noted for key, watcher in watchers.items()}


def engine_to_watch(specs: Mapping[int, EntrantSpec], batch: Batch) -> str:
    """Return the engine that shows a batch: sandboxed players are only shown in lockstep."""
    return "auto" if any(specs[number].confinement for number in batch.entrants) else "reference"


def _compare(found: Differing, key: BlockKey, one: list[_Answer], other: list[_Answer]) -> None:
    """Blame the player whose answer differs first at a table."""
    pairs = enumerate(zip(one, other, strict=False))
    place = next((number for number, (old, new) in pairs if old != new), None)
    if place is None:
        return
    answer, again = one[place], other[place]
    failed = [each for each in (answer, again) if each.is_fault]
    # A random fault may happen where no question is asked, as in `expose`.
    is_asked = not failed or (len(failed) == 1 and answer.call == again.call)
    if is_asked and answer._replace(answer="") != again._replace(answer=""):
        was, then = (f"{each.call}, {each.seen}" for each in (answer, again))
        found.game = found.game or (
            f"the same cards and the same answers led to {was}, and to {then} when played again "
            f"(table {key.table + 1}, round {answer.round or again.round})"
        )
        return
    blamed = failed[0] if failed else answer
    decision = sum(before.seat == blamed.seat for before in one[:place])
    message = (
        f"{blamed.call}: expected the same answer whenever the same is asked, got "
        f"{_told(answer)}, and {_told(again)} when played again"
    )
    verdict = Verdict(UNREPEATABLE, blamed.call, blamed.round, decision, message)
    seats = next(block.seats for block in found.batch.blocks if block.key == key)
    found.blamed.setdefault(seats[blamed.seat].entrant, (key, verdict))


def _told(noted: _Answer) -> str:
    return noted.answer or ("a fault" if noted.is_fault else "no answer")


def _suspect(found: Differing, tournament: Tournament) -> None:
    """Narrow down the suspects if all replays agree with each other but not with the store."""
    suspects: set[int] = set()
    for block in found.batch.blocks:
        if block.key in found.keys:
            programs = {
                seat.entrant
                for seat in block.seats
                if language_of(tournament.records[seat.entrant].kind).runs_code
            }
            suspects |= programs
            if len(programs) == 1 and not found.is_game_in_doubt:
                verdict = Verdict(
                    cause=UNREPEATABLE,
                    call=SOMEWHERE,
                    round=block.key.first_round,
                    decision=0,
                    message="the replay differs from the stored result",
                )
                found.blamed.setdefault(programs.pop(), (block.key, verdict))
    found.suspects = () if found.blamed else tuple(sorted(suspects))
