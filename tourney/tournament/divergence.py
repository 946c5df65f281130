"""Whose answers differ, where a batch played again does not give what is stored of it.

The blocks in question are played again, more than once and watched. Cards follow from shoes and
answers, so the first answer that comes out otherwise is its player's doing, at whatever table, in
whatever process and by whatever engine. If a seat sees something else before that, the game has
luck of its own, and no player is at fault.
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
from tourney.game.watcher import Watcher
from tourney.plugins.loading import language_of
from tourney.store.records import RunRecord
from tourney.tournament.loading import Tournament, versions

PLAYS = 3
"""Times that a batch is played to find who differs; dice may fall alike once."""
MOST_WATCHED = 200
"""Blocks of a batch."""
MOST_SUSPECTS = 12
"""Entrants that a message names."""
SOMEWHERE, AT_THE_END = "unknown", "the end"


class _Answer(NamedTuple):
    seat: int  # place at the table
    round: int
    call: str
    seen: str
    answer: str  # empty for a fault

    @property
    def is_fault(self) -> bool:
        """Whether it is a fault, at whatever point of the asking."""
        return not self.answer and self.call != AT_THE_END


class _Answers(Watcher):
    """Notes what everybody at a table answers."""

    def __init__(self) -> None:
        self.noted: list[_Answer] = []
        self._round = 0

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Note which round begins."""
        del bankrolls
        self._round = number

    def asked(self, seat: int, call: str, seen: str, answer: str) -> None:
        """Note an answer."""
        self.noted.append(_Answer(seat, self._round, call, seen, answer))

    def note_unasked(self, result: BlockResult) -> None:
        """Note the faults of those who were never asked, as in their constructors."""
        told = {each.seat for each in self.noted if each.is_fault}
        for seat in result.seats:
            if (verdict := seat.verdict) and seat.seat not in told:
                self.asked(seat.seat, verdict.call, verdict.seen, "")


@dataclass(slots=True)
class Differing:
    """Why blocks of a batch do not come out as they are stored."""

    batch: Batch
    keys: tuple[BlockKey, ...]  # of those blocks
    blamed: dict[int, tuple[BlockKey, Verdict]] = field(default_factory=dict)
    """Whose answers differ, by entrant, and where for the first time."""
    suspects: tuple[int, ...] = ()
    """Entrants of which at least one plays otherwise, where nobody could be found."""
    game: str = ""
    """What the game has done otherwise, if that could be seen."""

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks that do not come out as they are stored."""
        return tuple(block for block in self.batch.blocks if block.key in self.keys)

    @property
    def is_game_in_doubt(self) -> bool:
        """Whether the game may be what plays otherwise: one of a plugin, which nobody has tried."""
        kind = type(self.batch.blocks[0].rules.game)
        return not kind.__module__.startswith("tourney.")


def explanations(
    found: Sequence[Differing], tournament: Tournament, run: RunRecord
) -> tuple[str, ...]:
    """Explain why blocks differ: a line for each entrant to blame, and for what else may do it."""
    names = [label.name for label in tournament.labels]
    lines: dict[str, str] = {}
    for differing in found:
        for subject, line in explained(differing, names):
            lines.setdefault(subject, line)
    return (*lines.values(), *other_versions(run))


def explained(differing: Differing, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Explain why blocks of a batch differ: give each subject and a line about it."""
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
    """Give a line if the installed versions are not those that played the run."""
    if run.versions != versions():
        was, now = (
            ", ".join(f"{name} {number}" for name, number in each)
            for each in (run.versions, versions())
        )
        yield f"played with {was}; played again with {now}: another version may play otherwise"


def differing_blocks(
    played: Iterable[BlockResult], stored: Iterable[BlockResult]
) -> tuple[BlockKey, ...]:
    """Give the blocks that came out otherwise than they are stored."""
    digests = {result.key: result.digest for result in stored}
    return tuple(result.key for result in played if digests.get(result.key) != result.digest)


def who_differs(
    tournament: Tournament, run: RunRecord, batch: Batch, keys: tuple[BlockKey, ...]
) -> Differing:
    """Find out whose answers differ.

    Args:
        tournament: The tournament of the run.
        run: The run.
        batch: A stored batch, with what is recorded of it.
        keys: Blocks of it that do not come out as they are stored.
    """
    found = Differing(batch, keys)
    watched = keys[:MOST_WATCHED]
    plays = [_answers(tournament.specs(), batch, watched) for _ in range(PLAYS)]
    for one, other in pairwise(plays):
        for key in watched:
            _compare(found, key, one[key], other[key])
    # Another version of a program may play otherwise, which would be nobody's fault.
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
            # What comes of it follows from the answers, too.
            watcher.noted.append(_Answer(0, 0, AT_THE_END, f"digest {result.digest.hex()}", ""))
    return {key: watcher.noted for key, watcher in watchers.items()}


def engine_to_watch(specs: Mapping[int, EntrantSpec], batch: Batch) -> str:
    """Name the engine that shows a batch: the confined are shown as they answer in lockstep."""
    return "auto" if any(specs[number].confinement for number in batch.entrants) else "reference"


def _compare(found: Differing, key: BlockKey, one: list[_Answer], other: list[_Answer]) -> None:
    """Blame whoever answers otherwise first at a table."""
    pairs = enumerate(zip(one, other, strict=False))
    place = next((number for number, (old, new) in pairs if old != new), None)
    if place is None:
        return
    answer, again = one[place], other[place]
    failed = [each for each in (answer, again) if each.is_fault]
    # Whoever fails by chance may do so where nobody is asked, as in `expose`.
    is_asked = not failed or (len(failed) == 1 and answer.call == again.call)
    if is_asked and answer._replace(answer="") != again._replace(answer=""):
        was, then = (f"{each.call}, {each.seen}" for each in (answer, again))
        found.game = found.game or (
            f"expected the same cards and the same answers to come to the same, got {was}, and "
            f"{then} when played again (table {key.table + 1}, round {answer.round or again.round})"
        )
        return
    blamed = failed[0] if failed else answer
    decision = sum(before.seat == blamed.seat for before in one[:place])
    message = (
        f"{blamed.call}: expected the same answer whenever the same is asked, got "
        f"{_told(answer)}, and {_told(again)} when played again"
    )
    verdict = Verdict(UNREPEATABLE, blamed.call, blamed.round, decision, message, "", "")
    seats = next(block.seats for block in found.batch.blocks if block.key == key)
    found.blamed.setdefault(seats[blamed.seat].entrant, (key, verdict))


def _told(noted: _Answer) -> str:
    return noted.answer or ("a fault" if noted.is_fault else "none")


def _suspect(found: Differing, tournament: Tournament) -> None:
    """Narrow down who plays otherwise than then, where new plays are all alike."""
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
                    message="expected the stored result when played again, got another",
                    place="",
                    traceback="",
                )
                found.blamed.setdefault(programs.pop(), (block.key, verdict))
    found.suspects = () if found.blamed else tuple(sorted(suspects))
