"""What a match knows of itself afterwards: whom its player agrees with, and whether it repeats."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from tourney.game.asking.exchange import SeatRequest
from tourney.game.examiner import Examiner
from tourney.games.blackjack.asking.pool import Pool
from tourney.games.blackjack.check import matches
from tourney.games.blackjack.check.examiner import BlackjackExaminer
from tourney.games.blackjack.players import Player
from tourney.games.blackjack.players.questions import FAULT, Call
from tourney.games.blackjack.rules import PRESETS
from tourney.strategies.counting import Counting
from tourney.strategies.simple import Simple

MINIMUM, TABLES = 5, range(12)


class Doubling(Counting):
    """Counts, but wagers twice as much and stands early."""

    def bet(self, bankroll: int, minimum: int) -> int:
        """Double what Counting would bet."""
        return min(2 * super().bet(bankroll, minimum), bankroll)

    def draw(self, dealer: object, player: object) -> bool:
        """Stand on 14."""
        return bool(player.total < 14)  # type: ignore[attr-defined]  # a hand


@pytest.mark.parametrize("preset", ["ve280", "easybj", "six-decks-h17", "csc24400"])
@pytest.mark.parametrize("kind", [Simple, Counting, Doubling])
def test_onlookers_answer_as_if_they_were_asked(kind: type[Player], preset: str) -> None:
    """Simple and Counting, asked question by question at the same tables, agree as often."""
    rules = PRESETS[preset]
    examiner: Examiner = BlackjackExaminer(rules)
    onlookers = (Simple, Counting)
    played = examiner.play(Pool(kind), MINIMUM, TABLES, onlookers)
    assert isinstance(played, matches.Played)
    asked = []
    for onlooker in onlookers:
        pool, agreed = Pool(onlooker), Counter[bool]()
        pool.sit([SeatRequest(1, bytes(8))] * len(TABLES))
        for questions, answers in played.waves:
            own = pool.decide(questions).answers
            decided = (questions.calls != Call.LOOK) & (answers != FAULT)
            agreed.update((own[decided] == answers[decided]).tolist())
        assert agreed.total() == played.decisions
        asked.append(agreed[True])
    assert played.same == asked
    # Wagers are fixed in some of these games, and there the two play alike.
    assert played.same[0] < played.decisions or preset in {"easybj", "csc24400"} or kind is Simple


def shared() -> type[Player]:
    """Make a player whose every third draw, of all tables, is bold."""
    draws = iter(range(10**6))

    class Shared(Simple):
        def draw(self, dealer: object, player: object) -> bool:
            return bool(player.total < (17 if next(draws) % 3 else 13))  # type: ignore[attr-defined]  # a hand

    return Shared


@pytest.mark.parametrize(("make", "repeats"), [(lambda: Doubling, True), (shared, False)])
@pytest.mark.parametrize("tables", [TABLES[::-1], TABLES[:4][::-1]])
def test_a_match_is_asked_again_without_being_dealt(
    make: Callable[[], type[Player]], repeats: bool, tables: range
) -> None:
    """It says the same as a match that is dealt and played again, table by table."""
    kind, rules = make(), PRESETS["ve280"]
    played = matches.play_match(Pool(kind), rules, MINIMUM, TABLES)
    assert matches.is_repeated(Pool(kind), played, tables) is repeats
    again = matches.play_match(Pool(make()), rules, MINIMUM, tables)
    assert (matches.first_difference(played, again) == "") is repeats


def test_a_difference_counts_tables_from_one() -> None:
    """Like all other messages."""
    rules = PRESETS["ve280"]
    played, again = (
        matches.play_match(Pool(kind), rules, MINIMUM, TABLES) for kind in (Simple, shared())
    )
    assert matches.first_difference(played, again).startswith("at table 1 in round ")


def test_what_was_decided_stands_table_by_table() -> None:
    """Whatever the order in which tables were seated."""
    rules = PRESETS["ve280"]
    one = matches.play_match(Pool(Counting), rules, MINIMUM, TABLES)
    other = matches.play_match(Pool(Counting), rules, MINIMUM, TABLES[::-1])
    assert np.array_equal(one.asked.answers, other.asked.answers)
    assert (np.diff(one.asked.tables) >= 0).all()
    assert matches.answers_digest(one, TABLES[:5]) == matches.answers_digest(other, TABLES[:5])
    assert matches.answers_digest(one, TABLES[:5]) != matches.answers_digest(one, TABLES[:6])
