"""The suite that every player must pass: inherit it and name the competitor.

Tests ask what a table would ask, only more of it. A message says what to mend. Leaves out
how good the player is.
"""

import random
from collections.abc import Mapping
from typing import Any, ClassVar

from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.rules import BlackjackRules
from tourney.players import Player
from tourney.testing.seats import MOODS, Offer, offers, seated
from tourney.testing.stories import (
    answers,
    first_difference,
    questions,
    table_played,
)
from tourney.testing.traits import TRAITS

UNIFORM, RIFFLE = BlackjackRules(shuffle="uniform"), BlackjackRules(shuffle="riffle")


class PlayerConformance:
    """What the contract of `tourney.Player` asks, as tests; subclass it with a competitor."""

    competitor: ClassVar[type[Player]]
    """The class under test."""

    options: ClassVar[Mapping[str, Any]] = {}
    """What its constructor is given, by name."""

    traits: ClassVar[Mapping[str, bool]] = {}
    """What it is said to be, by the names of `tourney.testing.TRAITS`."""

    def make(self) -> Player:
        """Make a new player."""
        return self.competitor(**self.options)

    def test_it_can_be_made(self) -> None:
        """Every block is played by a player of its own."""
        first, second = self.make(), self.make()
        name = type(first).__name__
        assert isinstance(first, Player), f"{name}: expected a subclass of tourney.Player"
        assert first is not second, f"{name}: expected a new player each time, got the same one"

    def test_its_first_wager_is_legal(self) -> None:
        """A new player wagers at least the minimum and no more than it may."""
        for mood in MOODS:
            for offer in offers():
                _, ask = seated(self.make, mood)
                _check_wager(ask(offer), mood, offer)

    def test_its_wagers_stay_legal(self) -> None:
        """Wagers are legal whatever the bankrolls were before."""
        there = tuple(offers())
        for mood in MOODS:
            _, ask = seated(self.make, mood)
            for offer in (*there, *reversed(there)):
                _check_wager(ask(offer), f"{mood} and other bankrolls", offer)

    def test_it_answers_every_hand(self) -> None:
        """It hits or stands on every hand against every upcard, whatever cards have gone."""
        for mood in MOODS:
            player, _ = seated(self.make, mood)
            for upcard, hand in questions():
                answer = player.draw(upcard, hand)
                assert answer is True or answer is False, (
                    f"draw, {mood}, {hand!r} against {upcard}: expected True or False, "
                    f"got {answer!r}: wrap it in bool(…)"
                )

    def test_it_leaves_its_hand_alone(self) -> None:
        """A player looks at its hand; only the dealer adds and clears cards."""
        player, _ = seated(self.make)
        for upcard, hand in questions():
            shown = Hand(hand.cards)
            player.draw(upcard, shown)
            assert shown == hand, (
                f"draw: expected {hand!r} as it was, got {shown!r}: work on a copy, "
                "Hand(hand.cards)"
            )

    def test_equal_players_answer_alike(self) -> None:
        """Two new players who see the same say the same, so a run can be played again."""
        difference = first_difference(answers(self.make), answers(self.make))
        assert not difference, (
            f"expected equal answers of two new players, got {difference}: keep what is "
            "remembered in the player, and take chance from self.random only"
        )

    def test_it_takes_a_shuffle_at_any_time(self) -> None:
        """The shoe may be shuffled twice at once, between rounds, and within one."""
        answers(self.make, shuffles=True)

    def test_it_plays_two_hundred_rounds(self) -> None:
        """A table plays it to the end without a verdict, alone and with others, twice alike."""
        for rules, seats in ((UNIFORM, 1), (UNIFORM, 3), (RIFFLE, 1)):
            result = table_played(self.make, rules, seats)
            for seat in result.seats:
                assert seat.verdict is None, (
                    f"{rules.shuffle} shuffles, seat {seat.seat + 1}, round {seat.verdict.round}: "
                    f"{seat.verdict.message}\n{seat.verdict.traceback}"
                )
            assert table_played(self.make, rules, seats).digest == result.digest, (
                f"{rules.shuffle} shuffles: expected the same 200 rounds again, got others: keep "
                "what is remembered in the player, and take chance from self.random only"
            )

    def test_it_leaves_the_common_generator_alone(self) -> None:
        """The process-wide generator belongs to nobody; a player has its own."""
        before = random.getstate()
        answers(self.make)
        assert random.getstate() == before, (
            "expected the module random untouched, got another state: use self.random, "
            "which every player is given at the table"
        )

    def test_it_has_its_traits(self) -> None:
        """It is what it is said to be."""
        for name, declared in self.traits.items():
            assert name in TRAITS, f"traits: expected any of {', '.join(TRAITS)}; got {name!r}"
            found = TRAITS[name](self.make)
            assert found == declared, (
                f"traits[{name!r}]: expected {declared}, as declared, got {found}: mend the "
                "player or what is declared"
            )


def _check_wager(wager: object, mood: str, offer: Offer) -> None:
    legal = type(wager) is int and offer.minimum <= wager <= offer.most
    assert legal, (
        f"bet, {mood}, with {offer}: expected a whole number from {offer.minimum} to "
        f"{offer.most}, got {wager!r}: keep it within the bankroll and self.table.maximum"
    )
