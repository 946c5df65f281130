"""The check of a player of Straights: it loads, its cards are legal, and it plays the same again.

Leaves out hand-made situations, since a few hundred rounds bring all there are, and whom it plays
like, as the document forbids nobody to play like another.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tourney.asking.newcomer import Newcomer
from tourney.confine.levels import Level, setup_for
from tourney.confine.process import Setup
from tourney.confine.referee import ConfinedDesk
from tourney.ledger import Verdict
from tourney.players.questions import BANKROLLS, NO_CARD, SEATS, WIDTH, Call, Questions
from tourney.submissions.checks.confining import BUDGET, submitted_of
from tourney.submissions.checks.remedies import NO_PLAYER, finding_of
from tourney.submissions.checks.wording import (
    cost_words,
    lead_words,
    level_words,
    printed_words,
)
from tourney.submissions.report import CheckReport, Finding, Measured
from tourney.submissions.source import Source

TABLES = 80
CARDS_IN_A_ROUND = 13
MOST_POINTS = 10_000
TABLE_SECONDS = 0.02
"""Of computing that dealing and watching a table takes, at most."""
TO_WRITE = "write `class Name(StraightsPlayer):` with `play`, after `from tourney import …`"


def check_straights(source: Source, level: Level) -> CheckReport:
    """Check a player of Straights.

    Args:
        source: A file.
        level: How well it is confined.
    """
    # What the jail loads, too; nobody else needs the engine here.
    from tourney.submissions.checks.hosted.straights_desk import (  # noqa: PLC0415 - see above
        ROUNDS,
        Others,
        points_at,
    )

    measured = [Measured("Confinement", level_words(level))]
    decisions = CARDS_IN_A_ROUND * ROUNDS
    tables = list(range(1, TABLES + 1))
    desk, points, verdicts = _play(source, level, tables, decisions)
    if desk.printed:
        measured.append(Measured("Printed", printed_words(desk.printed)))
    if verdicts:
        finding = finding_of(verdicts[0], source.files[0][1], source.name)
        if NO_PLAYER in finding.message:
            finding = replace(finding, remedy=TO_WRITE)
        return CheckReport(passed=False, findings=(finding,), measured=tuple(measured))
    rounds = f"{TABLES * ROUNDS} rounds, every card legal"
    measured += [Measured("Loading", "it loads, and holds one player"), Measured("Rounds", rounds)]
    cost = desk.cpu_seconds / (TABLES * decisions)
    measured.append(Measured("Cost", f"{cost_words(cost)}, the table's own included"))
    _, again, _ = _play(source, level, tables[::-1], decisions)
    differs = np.flatnonzero(points != again[::-1])
    if len(differs):
        finding = _not_again(source, tables[int(differs[0])])
        return CheckReport(passed=False, findings=(finding,), measured=tuple(measured))
    measured.append(Measured("Repeatable", f"{TABLES} tables played again, with the same points"))
    known = [points_at(table, Others)[0] for table in tables]
    ahead = [(other - own) / ROUNDS for own, other in zip(points.tolist(), known, strict=True)]
    told = (
        f"{lead_words(ahead)} points better in a round than who plays the first legal card, "
        f"with the same deals ({TABLES} tables, 95 %)"
    )
    measured.append(Measured("Against others", told))
    return CheckReport(passed=True, score=sum(ahead) / len(ahead), measured=tuple(measured))


def _play(
    source: Source, level: Level, tables: Sequence[int], decisions: int
) -> tuple[ConfinedDesk, NDArray[np.int64], list[Verdict]]:
    """Have a process play tables; give their points, or verdicts."""
    folder = str(Path(__file__).parent / "hosted")
    setup = setup_for(level, Setup("straights_desk:StraightsDesk", roots=(folder,)))
    budget = BUDGET._replace(decision=TABLE_SECONDS + BUDGET.decision * decisions)
    with ConfinedDesk(submitted_of(source), setup, budget) as desk:
        seatings = desk.sit([Newcomer(1, b"") for _ in tables])
        verdicts = [each.verdict for each in seatings if each.verdict]
        if verdicts:
            return desk, np.zeros(0, np.int64), verdicts
        decided = desk.decide(_questions(tables))
    return desk, decided.answers, list(decided.faults.values())


def _questions(tables: Sequence[int]) -> Questions:
    """Ask for tables as if for wagers: a whole number within limits."""
    count = len(tables)
    table = np.zeros((count, WIDTH), np.int64)
    table[:, SEATS] = 1
    table[:, [BANKROLLS, BANKROLLS - 2]] = MOST_POINTS
    return Questions(
        seats=np.arange(count, dtype=np.int32),
        calls=np.full(count, Call.WAGER, np.uint8),
        rounds=np.array(tables, np.int64),
        legal=np.zeros(count, np.uint8),
        dealer=np.full((count, 2), NO_CARD, np.uint8),
        cards=np.zeros(0, np.uint8),
        card_stops=np.zeros(count, np.int64),
        exposed=np.zeros(0, np.uint8),
        exposed_stops=np.zeros(count, np.int64),
        table=table,
    )


def _not_again(source: Source, table: int) -> Finding:
    return Finding(
        f"expected the same points when its tables are played again, got others at table {table}",
        source.name,
        "use self.random for luck, ask for no time, and keep nothing in the class or the module",
    )
