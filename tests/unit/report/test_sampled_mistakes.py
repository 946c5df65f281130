"""Costly decisions from sampled tables, for a game that is not the platform's own."""

from collections.abc import Iterator
from typing import Any

import pytest

from tourney.game.blocks import Block, Seat
from tourney.game.hand_history import JudgedDecision, Judgement, Story
from tourney.game.ledger import BlockKey
from tourney.game.turns import Watcher
from tourney.games.straights.rules import StraightsRules
from tourney.report.publish.collection import sampled_mistakes
from tourney.report.publish.published_tables import Chosen
from tourney.report.publish.replays import Look, Looks

COSTS = {"raise": 0.0, "fold": 2.0, "call": 0.5}


class Log(Watcher):
    """Keeps the answers of all seats."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, int, str, str]] = []
        self._round, self._view = 0, ""

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Begin a round."""
        del bankrolls
        self._round = number

    def faced(self, seat: int, view: Any, legal: Any) -> None:
        """Keep the view."""
        del seat, legal
        self._view = view

    def asked(self, seat: int, call: str, seen: str, answer: str) -> None:
        """Keep an answer."""
        del call, seen
        self.seen.append((seat, self._round, self._view, answer))


class PokerStory(Story[Any]):
    """Knows that a raise is best."""

    def decision_log(self, seats: int) -> Log:
        """Return a log."""
        del seats
        return Log()

    def judged(self, log: Log, seat: int) -> Iterator[JudgedDecision]:
        """Judge each answer."""
        for who, number, view, answer in log.seen:
            if who == seat:
                yield JudgedDecision(number, answer, Judgement(view, "raise", COSTS[answer]))


def _look(story: Story[Any], table: int, answers: list[str]) -> Look:
    """Play a block of two seats in which only the second is asked, once a round."""
    hands = story.hands(2, samples=True)
    for number, answer in enumerate(answers, start=1):
        hands.seated((0, 1))
        hands.opened(number, (10, 10))
        hands.faced(1, "king", ["raise", "fold", "call"])
        hands.asked(1, "act", "king", answer)
        hands.closed(number, (10, 10))
    hands.finish()
    seats = (Seat(4, 10, b""), Seat(7, 10, b""))
    key = BlockKey(0, 0, table, 0, 1)
    return Look(Block(key, StraightsRules(), seats, 1, 1, len(answers), b""), hands)


def _looks(story: Story[Any]) -> Looks:
    tables = [["raise", "fold"], ["call", "call"], ["fold", "fold"]]
    return Looks({(0, 0, table): [_look(story, table, each)] for table, each in enumerate(tables)})


def test_a_game_provides_its_costs() -> None:
    """By its log, which hears the answers, and its judge; the sample has four rounds."""
    story = PokerStory(StraightsRules())
    chosen = Chosen((), ((0, 0, 0), (0, 0, 1)))
    found = sampled_mistakes(7, chosen, _looks(story), story)
    assert found is not None
    assert (found.tables, found.rounds, found.judged) == (2, 4, 4)
    assert found.cost_per_100 == pytest.approx(100 * (2 + 0.5 + 0.5) / 4)
    told = [(each.answer, each.times, each.cost, each.place) for each in found.listed]
    assert told == [("fold", 1, 2.0, "table 1, round 2"), ("call", 2, 0.5, "table 2, round 1")]


def test_an_example_is_from_a_table_with_published_hands() -> None:
    """Its rounds are not counted: the best and the worst tables are no fair sample."""
    story = PokerStory(StraightsRules())
    chosen = Chosen((("worst", (0, 0, 2)),), ((0, 0, 0), (0, 0, 1)))
    found = sampled_mistakes(7, chosen, _looks(story), story)
    assert found is not None
    assert (found.rounds, found.listed[0].times) == (4, 1)
    assert [each.place for each in found.listed] == ["table 3, round 1", "table 2, round 1"]


def test_a_game_without_values_has_no_costs() -> None:
    """Every game has a story, which keeps no log by default."""
    story = Story[Any](StraightsRules())
    chosen = Chosen((), ((0, 0, 0),))
    assert sampled_mistakes(7, chosen, _looks(story), story) is None
