"""The check of a player of Straights: it loads, its cards are legal, and it plays the same again.

Leaves out hand-made situations, since a few hundred rounds bring all there are, and whom it plays
like, as the document forbids nobody to play like another.
"""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import NamedTuple

from tourney.confine.levels import Level
from tourney.confine.referee import ConfinedDesk
from tourney.engine import Cast, cast_of, play_batch
from tourney.games.straights.records import SEATS
from tourney.games.straights.rules import StraightsRules
from tourney.ledger import BlockKey, BlockResult, Verdict
from tourney.players import PreferencePlayer
from tourney.schedule import Batch, Block, Seat
from tourney.submissions.checks.confining import desk_for
from tourney.submissions.checks.remedies import NO_PLAYER, finding_of
from tourney.submissions.checks.wording import (
    cost_words,
    lead_words,
    level_words,
    margin_of,
    printed_words,
)
from tourney.submissions.report import CheckReport, Finding, Measured
from tourney.submissions.source import Source

TABLES = 80
ROUNDS = 4
CARDS_IN_A_ROUND = 13
KEY_BYTES = 16
TO_WRITE = "write `class Name(StraightsPlayer):` with `play`, after `from tourney import …`"


def check_straights(source: Source, level: Level) -> CheckReport:
    """Check a player of Straights.

    Args:
        source: A file.
        level: How well it is confined.
    """
    measured = [Measured("Confinement", level_words(level))]
    decisions = CARDS_IN_A_ROUND * ROUNDS
    tables = list(range(1, TABLES + 1))
    played = _play(source, level, tables)
    desk, verdicts = played.desk, played.verdicts
    if desk.printed:
        measured.append(Measured("Printed", printed_words(desk.printed)))
    if verdicts:
        text = "" if source.kind == "package" else source.files[0][1]
        finding = finding_of(verdicts[0], text, source.name)
        if NO_PLAYER in finding.message:
            finding = replace(finding, remedy=TO_WRITE)
        return CheckReport(passed=False, findings=(finding,), measured=tuple(measured))
    rounds = f"{TABLES * ROUNDS} rounds, every card legal"
    measured += [Measured("Loading", "it loads, and holds one player"), Measured("Rounds", rounds)]
    cost = desk.cpu_seconds / (TABLES * decisions)
    measured.append(Measured("Cost", cost_words(cost)))
    again = _play(source, level, tables[::-1])
    differs = [
        table
        for table, points, later in zip(tables, played.points, again.points[::-1], strict=True)
        if points != later
    ]
    if differs:
        finding = _not_again(source, differs[0])
        return CheckReport(passed=False, findings=(finding,), measured=tuple(measured))
    measured.append(Measured("Repeatable", f"{TABLES} tables played again, with the same points"))
    known = _points(tables, _played(tables, cast_of(lambda _: Others())))
    ahead = [(other - own) / ROUNDS for own, other in zip(played.points, known, strict=True)]
    told = (
        f"{lead_words(ahead)} points better in a round than who plays the first legal card, "
        f"with the same deals ({TABLES} tables, 95 %)"
    )
    measured.append(Measured("Against others", told))
    score, margin = sum(ahead) / len(ahead), margin_of(ahead)
    return CheckReport(passed=True, score=score, margin=margin, measured=tuple(measured))


class Others(PreferencePlayer):
    """Plays the first card that may be played, like the document's computer."""


class _Played(NamedTuple):
    """What came of playing tables."""

    desk: ConfinedDesk  # closed
    points: list[int]  # of the player, by table
    verdicts: list[Verdict]


def _play(source: Source, level: Level, tables: Sequence[int]) -> _Played:
    """Play tables with a player in a process of its own, each beside three that are known."""
    desk = desk_for(source, StraightsRules.game, level)
    cast = replace(cast_of(lambda _: Others()), confined=lambda entrant: desk if entrant else None)
    results = _played(tables, cast)
    seats = [result.seats[table % SEATS] for table, result in zip(tables, results, strict=True)]
    verdicts = [seat.verdict for seat in seats if seat.verdict]
    return _Played(desk, _points(tables, results), verdicts)


def _played(tables: Sequence[int], cast: Cast) -> Sequence[BlockResult]:
    return play_batch(Batch(0, 0, tuple(map(_block, tables))), cast).results


def _points(tables: Sequence[int], results: Sequence[BlockResult]) -> list[int]:
    return [
        result.seats[table % SEATS].final for table, result in zip(tables, results, strict=True)
    ]


def _block(table: int) -> Block:
    """Draw up a table; its number says how cards are dealt and where the player sits."""
    seats = tuple(
        Seat(int(number == table % SEATS), 0, _key("luck", SEATS * table + number))
        for number in range(SEATS)
    )
    key = BlockKey(0, 0, table, 0, 1)
    return Block(key, StraightsRules(), seats, 0, 0, ROUNDS, _key("shoes", table))


def _key(use: str, number: int) -> bytes:
    """Give a key: the same in every check, so that an author can try again."""
    return blake2b(f"check straights {use} {number}".encode(), digest_size=KEY_BYTES).digest()


def _not_again(source: Source, table: int) -> Finding:
    return Finding(
        f"expected the same points when its tables are played again, got others at table {table}",
        source.name,
        "use self.random for luck, ask for no time, and keep nothing in the class or the module",
    )
