"""A short match of one player alone at many tables, with every answer written down.

Machine code deals, and a pool answers, as in a tournament; players that only look on answer the
same questions beside it. To import this page loads numba.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from tourney.game.asking.exchange import AnyPool, SeatReply
from tourney.game.asking.seat_request import SeatRequest
from tourney.game.ledger import Verdict
from tourney.games.blackjack.check.scenarios import without_cards_shown
from tourney.games.blackjack.kernels.declared_blocks import SeatStart, TableStart
from tourney.games.blackjack.kernels.rounds import ASKED, STAND_IN
from tourney.games.blackjack.kernels.suspended_tables import WaitingTables
from tourney.games.blackjack.players.questions import FAULT, Call, Questions, pick
from tourney.games.blackjack.rules import BlackjackRules

TABLES, ROUNDS = 200, 50
BANKROLL, DEAREST = 1_000, 100
"""The bankroll and the greatest wager, in minimum wagers."""
KEY_BYTES = 16


@dataclass(slots=True)
class Played:
    """What came of a match."""

    tables: NDArray[np.int64]  # numbers of the tables, in the order they were seated
    net: NDArray[np.int64]  # won or lost at each of them, in the unit of the rules
    rounds: int
    verdicts: list[Verdict] = field(default_factory=list)
    asked: "list[Asked]" = field(default_factory=list)
    same: list[int] = field(default_factory=list)  # decisions in which each onlooker agrees

    @property
    def decisions(self) -> int:
        """Questions that were answered."""
        return sum(len(each.answers) for each in self.asked)


@dataclass(frozen=True, slots=True)
class Asked:
    """Questions that tables asked at once, and their answers; (n,) each."""

    tables: NDArray[np.int64]
    calls: NDArray[np.uint8]
    rounds: NDArray[np.int64]
    totals: NDArray[np.int64]  # of the hand in play; 0 if there is none
    upcards: NDArray[np.int64]  # value of the dealer's upcard; 0 likewise
    answers: NDArray[np.int64]


def play_match(
    pool: AnyPool,
    rules: BlackjackRules,
    minimum: int,
    tables: Sequence[int],
    onlookers: Sequence[AnyPool] = (),
) -> Played:
    """Play a match.

    Args:
        pool: Of who plays, with nobody seated yet.
        rules: Of the game.
        minimum: The least wager, in chips.
        tables: Numbers of the tables; each always has the same shoes and the same luck.
        onlookers: Pools of players that watch and choose, with nobody seated yet.
    """
    seat_requests = [SeatRequest(1, _key("luck", table)[:8]) for table in tables]
    seatings = pool.sit(seat_requests)
    for onlooker in onlookers:
        onlooker.sit(seat_requests)
    starts = [
        _start(table, seating, rules, minimum)
        for table, seating in zip(tables, seatings, strict=True)
    ]
    waiting = WaitingTables(rules, starts, ())
    verdicts = [seating.verdict for seating in seatings if seating.verdict]
    played = Played(np.array(tables), np.zeros(0, np.int64), 0, verdicts, same=[0] * len(onlookers))
    watches = any(seating.watches for seating in seatings)
    while pending := waiting.advance():
        questions = Questions(pending.rows.astype(np.int32), *pending[1:])
        waiting.answer(_answer(pool, questions, onlookers, played, watches=watches))
    ends = waiting.ends()
    bankroll = BANKROLL * minimum * rules.unit
    played.net = np.array([end.seats[0].final - bankroll for end in ends])
    played.rounds = sum(end.seats[0].rounds for end in ends)
    return played


def _answer(
    pool: AnyPool,
    questions: Questions,
    onlookers: Sequence[AnyPool],
    played: Played,
    *,
    watches: bool,
) -> NDArray[np.int64]:
    """Have questions answered, and write the answers down."""
    answers = _decide(pool, questions, played, watches=watches)
    decided = np.flatnonzero((questions.calls != Call.LOOK) & (answers != FAULT))
    for number, onlooker in enumerate(onlookers):
        others = onlooker.decide(questions).answers
        played.same[number] += int((others[decided] == answers[decided]).sum())
    totals, _ = questions.hand_values()
    played.asked.append(
        Asked(
            played.tables[questions.seats[decided]],
            questions.calls[decided],
            questions.rounds[decided],
            totals[decided],
            questions.upcard_values()[decided],
            answers[decided],
        )
    )
    return answers


def _decide(
    pool: AnyPool, questions: Questions, played: Played, *, watches: bool
) -> NDArray[np.int64]:
    """Ask who plays no more than a tournament would."""
    if watches:
        decided = pool.decide(questions)
        played.verdicts += decided.faults.values()
        return decided.answers
    answers = np.zeros(len(questions.calls), np.int64)
    places = np.flatnonzero(questions.calls != Call.LOOK)
    if len(places):
        decided = pool.decide(without_cards_shown(pick(questions, places)))
        played.verdicts += decided.faults.values()
        answers[places] = decided.answers
    return answers


def _start(table: int, seating: SeatReply, rules: BlackjackRules, minimum: int) -> TableStart:
    """Seat a player; it is always shown the cards, since who looks on may want to see them."""
    chip = minimum * rules.unit
    who = STAND_IN if seating.verdict else ASKED
    seat = SeatStart(who, BANKROLL * chip, seating.acts, watches=True)
    return TableStart(1, ROUNDS, chip, DEAREST * chip, _key("shoes", table), (seat,))


def _key(use: str, table: int) -> bytes:
    """Give the key of a table: the same in every check, so that its author can try again."""
    return blake2b(f"check {use} {table}".encode(), digest_size=KEY_BYTES).digest()


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two matches at the same tables first differ."""

    table: int
    round: int
    words: str  # what was asked, and both answers

    def __str__(self) -> str:
        """Read `at table 3 in round 7, asked for a wager, it said 5 and then 10`."""
        return f"at table {self.table} in round {self.round}, {self.words}"


def first_difference(one: Played, other: Played) -> Difference | None:
    """Find the first answer in which two matches at the same tables differ.

    Args:
        one: A match.
        other: Another at some or all of its tables, in any order.
    """
    mine, others = _by_table(one.asked, other.tables), _by_table(other.asked, other.tables)
    count = min(len(mine.answers), len(others.answers))
    facts = ("tables", "calls", "rounds", "totals", "upcards", "answers")
    differs = np.zeros(count, np.bool_)
    for fact in facts:
        differs |= getattr(mine, fact)[:count] != getattr(others, fact)[:count]
    places = np.flatnonzero(differs)
    if not len(places):
        return None
    place = int(places[0])
    table, round_ = int(mine.tables[place]), int(mine.rounds[place])
    return Difference(table, round_, _both_answers(mine, others, place))


def answers_digest(played: Played, tables: Sequence[int]) -> str:
    """Name all that was asked and answered at some tables, by 32 hex digits."""
    mine = _by_table(played.asked, np.array(tables))
    digest = blake2b(digest_size=KEY_BYTES)
    for fact in (mine.tables, mine.calls, mine.rounds, mine.totals, mine.upcards, mine.answers):
        digest.update(np.ascontiguousarray(fact).tobytes())
    return digest.hexdigest()


def _by_table(asked: Sequence[Asked], tables: NDArray[np.int64]) -> Asked:
    """Put the answers of some tables in order, table by table."""
    facts = [
        np.concatenate([getattr(each, name) for each in asked])
        for name in ("tables", "calls", "rounds", "totals", "upcards", "answers")
    ]
    kept = np.flatnonzero(np.isin(facts[0], tables))
    order = kept[np.argsort(facts[0][kept], kind="stable")]
    return Asked(*(fact[order] for fact in facts))


def _both_answers(one: Asked, other: Asked, place: int) -> str:
    """Say what was asked, and what was answered both times."""
    from tourney.games.blackjack.action import Action  # noqa: PLC0415 - for words only

    answers = [int(each.answers[place]) for each in (one, other)]
    if one.calls[place] == Call.WAGER:
        return f"asked for a wager, it said {answers[0]} and then {answers[1]}"
    said = [str(Action(answer)) for answer in answers]
    total, upcard = int(one.totals[place]), int(one.upcards[place])
    return f"with {total} against {upcard}, it said {said[0]} and then {said[1]}"
