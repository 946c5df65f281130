"""A short match of one player alone at many tables, with every answer written down.

Machine code deals, and a pool answers, as in a tournament; what players who only look on would have
answered is looked up afterwards. To import this page loads numba.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from tourney.game.asking.exchange import AnyPool, Decided, SeatReply
from tourney.game.asking.seat_request import SeatRequest
from tourney.game.blocks import HOUSE_LIMIT
from tourney.game.ledger import Verdict
from tourney.games.blackjack.check.agreement import Wave, agreements, in_order
from tourney.games.blackjack.check.scenarios import without_cards_shown
from tourney.games.blackjack.declaration import Declaration
from tourney.games.blackjack.kernels.accounts import ASKED, STAND_IN
from tourney.games.blackjack.kernels.declared_blocks import SeatStart, TableStart
from tourney.games.blackjack.kernels.lockstep_tables import LockstepTables
from tourney.games.blackjack.players.questions import FAULT, Call, Questions, pick
from tourney.games.blackjack.rules import BlackjackRules

TABLES, ROUNDS = 200, 50
BANKROLL = 1_000
"""In minimum wagers."""
KEY_BYTES = 16
LOOK = int(Call.LOOK)  # which an array compares in a tenth of the time


@dataclass(frozen=True, slots=True)
class Asked:
    """Decisions, in the order of their tables' numbers and then as they were asked; (n,) each."""

    tables: NDArray[np.int64]
    calls: NDArray[np.uint8]
    rounds: NDArray[np.int64]
    totals: NDArray[np.int64]  # of the hand in play; 0 if there is none
    upcards: NDArray[np.int64]  # value of the dealer's upcard; 0 likewise
    answers: NDArray[np.int64]

    def at(self, tables: Sequence[int] | NDArray[np.int64]) -> "Asked":
        """Give those of some tables."""
        kept = np.isin(self.tables, tables)
        return Asked(*(getattr(self, each.name)[kept] for each in fields(self)))


@dataclass(slots=True)
class Played:
    """What came of a match."""

    tables: NDArray[np.int64]  # numbers of the tables, in the order they were seated
    net: NDArray[np.int64]  # won or lost at each of them, in the unit of the rules
    verdicts: list[Verdict]
    waves: list[Wave]  # all that was asked, and the answers
    asked: Asked
    same: list[int]  # decisions in which each onlooker agrees

    @property
    def decisions(self) -> int:
        """Questions that were answered."""
        return len(self.asked.answers)


def play_match(
    pool: AnyPool,
    rules: BlackjackRules,
    minimum: int,
    tables: Sequence[int],
    onlookers: Sequence[Declaration] = (),
    *,
    maximum: int = HOUSE_LIMIT,
) -> Played:
    """Play a match.

    Args:
        pool: Of who plays, with nobody seated yet.
        rules: Of the game.
        minimum: The least wager, in chips.
        tables: Numbers of the tables; each always has the same shoes and the same luck.
        onlookers: What players declare that watch and choose.
        maximum: The greatest wager, in chips.
    """
    seatings = pool.sit(_seat_requests(tables))
    starts = [
        _start(table, seating, rules, (minimum, maximum))
        for table, seating in zip(tables, seatings, strict=True)
    ]
    waiting = LockstepTables(rules, starts, ())
    verdicts = [seating.verdict for seating in seatings if seating.verdict]
    watches = any(seating.watches for seating in seatings)
    waves: list[Wave] = []
    while questions := waiting.advance():
        decided = _decide(pool, questions, watches=watches)
        verdicts += decided.faults.values()
        waves.append(Wave(questions, decided.answers))
        waiting.answer(decided.answers)
    bankroll = BANKROLL * minimum * rules.unit
    net = np.array([end.seats[0].final - bankroll for end in waiting.ends()])
    numbers = np.array(tables, np.int64)
    by_table = in_order(waves, numbers)
    same = [agreements(each, by_table) for each in onlookers]
    return Played(numbers, net, verdicts, waves, _asked(by_table, numbers), same)


def is_repeated(pool: AnyPool, played: Played, tables: Sequence[int]) -> bool:
    """Ask again what was asked in a match, and say whether every answer is the same.

    As long as that is so, a match would ask the same again: nobody need deal its cards twice.

    Args:
        pool: Of who played, with nobody seated yet.
        played: The match; it had no faults.
        tables: Some or all of its tables, in any order.
    """
    seatings = pool.sit(_seat_requests(tables))
    if any(seating.verdict for seating in seatings):
        return False
    watches = any(seating.watches for seating in seatings)
    numbers = {table: seat for seat, table in enumerate(tables)}
    seats = np.array([numbers.get(table, -1) for table in played.tables.tolist()])
    for questions, answers in played.waves:
        own = seats[questions.seats]
        places = np.argsort(own, kind="stable")[np.count_nonzero(own < 0) :]
        if not watches:
            places = places[questions.calls[places] != LOOK]
        again = pick(questions if watches else without_cards_shown(questions), places)
        again = again._replace(seats=own[places].astype(np.int32))
        decided = _decide(pool, again, watches=watches).answers
        if ((decided != answers[places]) & (again.calls != LOOK)).any():
            return False
    return True


def _seat_requests(tables: Sequence[int]) -> list[SeatRequest]:
    return [SeatRequest(1, _key("luck", table)[:8]) for table in tables]


def _asked(by_table: Wave, tables: NDArray[np.int64]) -> Asked:
    """Write down what was decided."""
    questions, answers = by_table
    decided = np.flatnonzero((questions.calls != LOOK) & (answers != FAULT))
    totals, _ = questions.hand_values()
    return Asked(
        tables[questions.seats[decided]],
        questions.calls[decided],
        questions.rounds[decided],
        totals[decided],
        questions.upcard_values()[decided],
        answers[decided],
    )


def _decide(pool: AnyPool, questions: Questions, *, watches: bool) -> Decided:
    """Ask who plays no more than a tournament would."""
    if watches:
        return pool.decide(questions)
    answers = np.zeros(len(questions.calls), np.int64)
    places = np.flatnonzero(questions.calls != LOOK)
    if not len(places):
        return Decided(answers, {})
    own = questions if len(places) == len(answers) else pick(questions, places)
    decided = pool.decide(without_cards_shown(own))
    answers[places] = decided.answers
    return Decided(answers, decided.faults)


def _start(
    table: int, seating: SeatReply, rules: BlackjackRules, wagers: tuple[int, int]
) -> TableStart:
    """Seat a player; it is always shown the cards, since who looks on may want to see them."""
    least, most = (wager * rules.unit for wager in wagers)
    who = STAND_IN if seating.verdict else ASKED
    seat = SeatStart(who, BANKROLL * least, seating.acts, watches=True)
    return TableStart(1, ROUNDS, least, most, _key("shoes", table), (seat,))


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
    mine, others = one.asked.at(other.tables), other.asked.at(other.tables)
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
    mine = played.asked.at(tables)
    digest = blake2b(digest_size=KEY_BYTES)
    for fact in (mine.tables, mine.calls, mine.rounds, mine.totals, mine.upcards, mine.answers):
        digest.update(np.ascontiguousarray(fact).tobytes())
    return digest.hexdigest()


def _both_answers(one: Asked, other: Asked, place: int) -> str:
    """Say what was asked, and what was answered both times."""
    from tourney.games.blackjack.action import Action  # noqa: PLC0415 - for words only

    answers = [int(each.answers[place]) for each in (one, other)]
    if one.calls[place] == Call.WAGER:
        return f"asked for a wager, it said {answers[0]} and then {answers[1]}"
    said = [str(Action(answer)) for answer in answers]
    total, upcard = int(one.totals[place]), int(one.upcards[place])
    return f"with {total} against {upcard}, it said {said[0]} and then {said[1]}"
