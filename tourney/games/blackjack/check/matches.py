"""The short match of a check: its decisions, and how often they agree with known strategies.

One player plays alone at many tables. Compiled code deals and a pool answers, as in a tournament.
The answers of known strategies to the same questions are computed afterwards from their
declarations. Importing this module loads numba.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tourney.game.asking.exchange import AnyPool, Decided, SeatReply, SeatRequest
from tourney.game.blocks import HOUSE_LIMIT
from tourney.game.cards.card import RANKS
from tourney.game.hand_history import JudgedDecision, Judgement
from tourney.game.ledger import Verdict
from tourney.games.blackjack.action import HIT_OR_STAND, Action
from tourney.games.blackjack.asking.views import LEGAL
from tourney.games.blackjack.check.scenarios import without_cards_shown
from tourney.games.blackjack.declaration import TOTALS, VALUES, Declaration
from tourney.games.blackjack.history.decision_log import Situation
from tourney.games.blackjack.history.judgement import MoveJudge
from tourney.games.blackjack.kernels.accounts import ASKED, STAND_IN
from tourney.games.blackjack.kernels.declared_blocks import SeatStart, TableStart
from tourney.games.blackjack.kernels.lockstep_tables import LockstepTables
from tourney.games.blackjack.players.questions import (
    FAULT,
    NO_CARD,
    WAGERS,
    Call,
    Questions,
    limits,
    pick,
    starts,
)
from tourney.games.blackjack.rules import BlackjackRules

TABLES, ROUNDS = 200, 50
BANKROLL = 1_000
"""In minimum wagers."""
DRAW = -1
"""Stands for the two answers of `draw`, beside the bits of `Questions.legal`."""
KEY_BYTES = 16
LOOK = int(Call.LOOK)  # an array compares with an int ten times faster than with an enum member
FIRST_LEGAL = np.array([moves[0] if moves else FAULT for moves in LEGAL])
"""The answer where hitting is not legal, by the bits of `Questions.legal`."""


class Wave(NamedTuple):
    """Questions, and their answers; (n,)."""

    questions: Questions
    answers: NDArray[np.int64]


class Asked(NamedTuple):
    """Decisions in the order of table numbers, then of questions; each array has shape (n,)."""

    tables: NDArray[np.int64]
    calls: NDArray[np.uint8]
    rounds: NDArray[np.int64]
    totals: NDArray[np.int64]  # of the hand in play; 0 if there is no hand yet
    upcards: NDArray[np.int64]  # value of the dealer's upcard; 0 if there is no upcard yet
    answers: NDArray[np.int64]

    def at(self, tables: Sequence[int] | NDArray[np.int64]) -> "Asked":
        """Select the decisions at some tables."""
        kept = np.isin(self.tables, tables)
        return Asked._make(each[kept] for each in self)


@dataclass(slots=True)
class Played:
    """The result of a match."""

    tables: NDArray[np.int64]  # table numbers, in the order of seating
    net: NDArray[np.int64]  # net result at each table, in the unit of the rules
    verdicts: list[Verdict]
    waves: list[Wave]  # all questions with their answers
    asked: Asked
    same: list[int]  # number of decisions in which each onlooker agrees

    @property
    def decisions(self) -> int:
        """Number of answered questions."""
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
    """Play a match of one player alone at each table.

    Args:
        pool: The pool of the player, without seats yet.
        rules: The rules of the game.
        minimum: The least wager, in chips.
        tables: Table numbers; each number always has the same shoes and the same luck.
        onlookers: Declarations of the strategies to compare the decisions with.
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
    same = [_agreements(each, by_table) for each in onlookers]
    return Played(numbers, net, verdicts, waves, _asked(by_table, numbers), same)


def is_repeated(pool: AnyPool, played: Played, tables: Sequence[int]) -> bool:
    """Ask the questions of a match again; return whether every answer is the same.

    While the answers are the same, a second match would ask the same questions. So its cards need
    not be dealt again.

    Args:
        pool: A new pool of the same player, without seats yet.
        played: A match without faults.
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
    """Extract the decisions from all questions."""
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
    """Ask the player only the questions that a tournament would ask it."""
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
    """Seat a player; its questions always contain the cards, because onlookers may count them."""
    least, most = (wager * rules.unit for wager in wagers)
    source = STAND_IN if seating.verdict else ASKED
    seat = SeatStart(source, BANKROLL * least, seating.acts, watches=True)
    return TableStart(1, ROUNDS, least, most, _key("shoes", table), (seat,))


def _key(use: str, table: int) -> bytes:
    """Return the key of a table, the same in every check, so that authors can repeat a check."""
    return blake2b(f"check {use} {table}".encode(), digest_size=KEY_BYTES).digest()


def first_difference(one: Played, other: Played) -> str:
    """Describe the first answer in which two matches differ; empty if all are the same.

    Its tables count from 1, as in all messages. An example: `at table 3 in round 7, asked for a
    wager, it answered 5 and then 10`.

    Args:
        one: A match.
        other: A second match at some or all of its tables, in any order.
    """
    mine, others = one.asked.at(other.tables), other.asked.at(other.tables)
    count = min(len(mine.answers), len(others.answers))
    differs = np.zeros(count, np.bool_)
    for fact in Asked._fields:
        differs |= getattr(mine, fact)[:count] != getattr(others, fact)[:count]
    places = np.flatnonzero(differs)
    if not len(places):
        return ""
    place = int(places[0])
    table, round_ = int(mine.tables[place]) + 1, int(mine.rounds[place])
    return f"at table {table} in round {round_}, {_both_answers(mine, others, place)}"


def answers_digest(played: Played, tables: Sequence[int]) -> str:
    """Hash all questions and answers at some tables, as 32 hex digits."""
    mine = played.asked.at(tables)
    digest = blake2b(digest_size=KEY_BYTES)
    for fact in mine:
        digest.update(np.ascontiguousarray(fact).tobytes())
    return digest.hexdigest()


def _both_answers(one: Asked, other: Asked, place: int) -> str:
    answers = [int(each.answers[place]) for each in (one, other)]
    if one.calls[place] == Call.WAGER:
        return f"asked for a wager, it answered {answers[0]} and then {answers[1]}"
    first, second = map(Action, answers)
    total, upcard = int(one.totals[place]), int(one.upcards[place])
    return f"with {total} against {upcard}, it answered {first} and then {second}"


def in_order(waves: Sequence[Wave], tables: NDArray[np.int64]) -> Wave:
    """Join questions and sort them by table; the order within a table stays.

    Args:
        waves: At least one, with cards shown.
        tables: Table numbers by seat.
    """
    columns = zip(*(wave.questions for wave in waves), strict=True)
    joined = Questions(*map(np.concatenate, columns))
    joined = joined._replace(
        card_stops=_stops([wave.questions.card_stops for wave in waves]),
        exposed_stops=_stops([wave.questions.exposed_stops for wave in waves]),
    )
    order = np.argsort(tables[joined.seats], kind="stable")
    answers = np.concatenate([wave.answers for wave in waves])
    return Wave(pick(joined, order), answers[order])


def _agreements(onlooker: Declaration, by_table: Wave) -> int:
    """Count the decisions in which an onlooker agrees with the player.

    Args:
        onlooker: The declaration of the onlooker.
        by_table: All questions and answers, `in_order`.
    """
    questions, answers = by_table
    is_decided = (questions.calls != Call.LOOK) & (answers != FAULT)
    return int(((_onlooker_answers(onlooker, questions) == answers) & is_decided).sum())


def _stops(pieces: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Join the end positions of consecutive pieces."""
    ends = np.cumsum([piece[-1] for piece in pieces])
    return np.concatenate(
        [piece + first for piece, first in zip(pieces, starts(ends), strict=True)]
    )


def _onlooker_answers(onlooker: Declaration, questions: Questions) -> NDArray[np.int64]:
    """Compute the onlooker's answers; those to LOOK are arbitrary."""
    assert not onlooker.moves, "it must answer draw"
    assert not onlooker.own_bet, onlooker.own_bet
    points = _points(onlooker, questions)
    units = np.array(onlooker.units)
    wagers = units[np.clip(points - onlooker.first, 0, len(units) - 1)]
    _, least, most = limits(questions.table)
    wagers = least * wagers
    wagers = np.where(wagers <= most, wagers, most if onlooker.bets_rest else least)
    totals, is_soft = questions.hand_values()
    places = (is_soft * TOTALS + totals) * VALUES + questions.upcard_values()
    is_hit = points < np.array(onlooker.stand_from)[places]
    may_hit = (questions.calls == Call.DRAW) | (questions.legal >> Action.HIT & 1 > 0)
    moves = np.where(is_hit, Action.HIT, Action.STAND)
    moves = np.where(may_hit, moves, FIRST_LEGAL[questions.legal])
    return np.where(questions.calls == Call.WAGER, wagers, moves)


def _points(onlooker: Declaration, questions: Questions) -> NDArray[np.int64]:
    """Compute the count at every question from the cards of its table since the last shuffle."""
    assert not onlooker.decks, "it must use the running count"
    places, begins, codes = questions.shown()
    added = np.zeros(len(begins), np.int64)
    np.add.at(added, places, np.array(onlooker.tags)[codes])
    # Counts begin again after a shuffle, and with the first question of a table.
    begins |= np.diff(questions.seats, prepend=-1) != 0
    first = np.maximum.accumulate(np.where(begins, np.arange(len(begins)), 0))
    so_far = np.cumsum(added)
    return so_far - (so_far - added)[first]


def match_decisions(played: Played, judge: MoveJudge) -> Iterator[tuple[int, JudgedDecision]]:
    """Yield the decisions of a match with known values, each with the number of its table.

    Args:
        played: A match of one player alone at each table.
        judge: Judges decisions by the rules of the match.
    """
    questions, answers = in_order(played.waves, played.tables)
    is_move = (questions.calls == Call.DRAW) | (questions.calls == Call.ACT)
    cards = (questions.cards % RANKS).tobytes()
    begins, ends = starts(questions.card_stops).tolist(), questions.card_stops.tolist()
    tables = played.tables[questions.seats].tolist()
    rounds, exposed = questions.rounds.tolist(), _exposed(questions.dealer)
    legal = np.where(questions.calls == Call.DRAW, DRAW, questions.legal.astype(np.intp)).tolist()
    wagers = questions.table[:, WAGERS].tolist()  # in chips
    before = split = (-1, -1)  # table and round of the last move, and of the last split
    wager = 0
    judged: dict[tuple[object, ...], Judgement | None] = {}  # most situations come up often
    for place in np.flatnonzero(is_move & (answers != FAULT)).tolist():
        here = tables[place], rounds[place]
        if here != before:  # later, the seat's chips include insurance and further hands
            before, wager = here, wagers[place]
        action = Action(int(answers[place]))
        held = cards[begins[place] : ends[place]]
        key = exposed[place], held, legal[place], here == split, action, wager
        if key not in judged:
            choice = HIT_OR_STAND if legal[place] == DRAW else LEGAL[legal[place]]
            situation = Situation(exposed[place], held, choice, is_split=here == split)
            judged[key] = judge.judge(situation, action, wager * judge.unit)
        if judgement := judged[key]:
            yield here[0], JudgedDecision(here[1], str(action), judgement)
        if action is Action.SPLIT:
            split = here


def _exposed(dealer: NDArray[np.integer]) -> list[bytes]:
    """Return the ranks of the dealer's face-up cards for each question."""
    ranks = np.where(dealer == NO_CARD, NO_CARD, dealer % RANKS)
    return [bytes(code for code in row if code != NO_CARD) for row in ranks.tolist()]
