"""Plays of a batch are compared by what every process was asked and answered."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tourney import Card, Hand, Player
from tourney.execution.engine_selection import play_batch
from tourney.game.asking.exchange import Decided
from tourney.game.blocks import Batch
from tourney.game.exchange_logs import ExchangeLog, ExchangeLogs
from tourney.game.ledger import Verdict
from tourney.game.lineup import Lineup
from tourney.game.players import Undeclared
from tourney.games.blackjack.asking.pool import Pool
from tourney.games.blackjack.asking.questions_codec import QuestionsCodec
from tourney.games.blackjack.players.questions import FAULT, Questions

from .test_repeated import Steady, batch

Exchange = tuple[int, int, str]
"""A question, an answer, and the cause of a fault that is a part of the answer."""
CAUSES = ("", "raised", "memory", "died", "syscall")


def log_of(exchanges: Sequence[Exchange]) -> ExchangeLog:
    """Give a log of exchanges."""
    log = ExchangeLog()
    for round_, (question, answer, cause) in enumerate(exchanges, start=1):
        verdicts = [Verdict(cause, "bet", 1, 0, "", "", "")] if cause else []
        log.add(bytes([question]), f"{answer} {cause}".encode(), round_, verdicts)
    return log


def slow_difference(one: Sequence[Exchange], other: Sequence[Exchange]) -> int | None:
    """Compare exchange by exchange, as the page on confinement says."""
    for place, (first, second) in enumerate(zip(one, other, strict=False)):
        if first[0] != second[0]:
            return None
        causes = {first[2], second[2]}
        if first != second:
            return None if causes & {"cpu", "memory", "died", "stalled"} else place
        if causes & {"cpu", "died", "stalled", "syscall", "protocol"}:
            return None
    return None


exchanges = st.lists(
    st.tuples(st.sampled_from([0, 0, 0, 1]), st.sampled_from([5, 5, 6]), st.sampled_from(CAUSES)),
    max_size=6,
)


@given(exchanges, exchanges)
def test_the_first_other_answer_to_the_same_question_is_found(
    one: list[Exchange], other: list[Exchange]
) -> None:
    """Until the questions differ, or a fault of the machine ends the comparison."""
    expected = slow_difference(one, other)
    assert log_of(one).difference(log_of(other)) == expected
    assert log_of(other).difference(log_of(one)) == expected


class Turned(Steady):
    """Draws otherwise from its fifth round on in every second play."""

    plays = count()
    is_second = False

    def __init__(self) -> None:
        self.rounds = 0

    def bet(self, bankroll: int, minimum: int) -> int:
        """Count rounds."""
        self.rounds += 1
        return super().bet(bankroll, minimum)

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Hit a low hand, or a lower one."""
        return player.total < (12 if type(self).is_second and self.rounds > 4 else 15)


class Mortal(Pool):
    """A pool whose process ends after some batches of questions."""

    def __init__(self, make_player: Callable[[], Any], cause: str) -> None:
        super().__init__(make_player)
        self.cause, self.left = cause, 9

    def decide(self, questions: Questions) -> Decided:
        """Answer some."""
        self.left -= 1
        if self.left > 0:
            return super().decide(questions)
        verdict = Verdict(self.cause, "draw", 1, 1, "", "", "")
        answers = [FAULT] * len(questions.calls)
        return Decided(answers, dict.fromkeys(range(len(answers)), verdict))  # type: ignore[arg-type]  # as good


def differing(
    players: tuple[type[Player], ...], causes: tuple[str, ...] = ("", "")
) -> dict[int, str]:
    """Play a batch twice; say who answered otherwise the second time.

    Args:
        players: By entrant.
        causes: For each play: how the first entrant's process ends, if it does.
    """
    logs, codec = ExchangeLogs(), QuestionsCodec()
    for number, cause in enumerate(causes):
        Turned.is_second = number == 1

        def open_pool(entrant: int, cause: str = cause) -> Any:
            kind = players[entrant]
            pool = Mortal(kind, cause) if cause and not entrant else Pool(kind)
            return logs.logged(entrant, pool, codec)

        lineup = Lineup(
            lambda entrant: players[entrant](),
            lambda _entrant, _rules: Undeclared("it is confined"),
            confined=open_pool,
        )
        play_batch(small(), lineup, asks_again=True)
    return logs.differing(range(len(players)))


def small() -> Batch:
    """Give a few tables."""
    whole = batch()
    return replace(whole, blocks=whole.blocks[:6])


def test_only_who_answers_otherwise_is_named() -> None:
    """The cards of the others at its tables differ, but they are asked something else then."""
    assert differing((Steady, Steady, Steady)) == {}
    found = differing((Steady, Turned, Steady))
    assert found.keys() == {1}
    assert found[1].startswith("answers to the same questions changed ")


def test_where_a_process_dies_the_comparison_ends() -> None:
    """Its death is nobody's answer, but what it answered before has to come again."""
    assert differing((Steady, Steady, Steady), ("died", "")) == {}
    assert differing((Steady, Steady, Steady), ("", "stalled")) == {}
    assert differing((Steady, Steady, Steady), ("died", "cpu")) == {}


def test_a_forbidden_call_is_an_answer() -> None:
    """It does not depend on the machine, so it has to come again."""
    assert differing((Steady, Steady, Steady), ("syscall", "syscall")) == {}
    assert differing((Steady, Steady, Steady), ("syscall", "")).keys() == {0}
