"""Blackjack's rules as data; a variant is a value of this class, not a subclass.

The clauses are numbered in docs/rules/blackjack.md.
"""

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal

from annotated_types import Ge, Le

from tourney.errors import RulesError

MOST_SEATS = 7
MOST_DECKS = 20
CARDS_IN_A_DECK = 52
ODDS = {"3:2": (3, 2), "6:5": (6, 5), "1:1": (1, 1)}


@dataclass(frozen=True, slots=True, kw_only=True)
class BlackjackRules:
    """One way to play hit-or-stand blackjack."""

    decks: Annotated[int, Ge(1), Le(MOST_DECKS)] | Literal["infinite"] = 1
    """Decks in the shoe, or "infinite"."""

    shuffle: Literal["uniform", "riffle"] = "uniform"
    """Every order equally likely, or the documents' seven cuts from a new deck."""

    reshuffle: Annotated[int, Ge(1), Le(MOST_DECKS * CARDS_IN_A_DECK)] | Literal["every-round"] = 20
    """Shuffle before a round when fewer cards than this are left, or before every round."""

    natural: Literal["3:2", "6:5", "1:1"] = "3:2"
    """What a natural is paid."""

    payout: Literal["floor", "exact"] = "floor"
    """Round a natural's payout down to whole chips, or count chips in parts and pay it whole."""

    soft_17: Literal["stand", "hit"] = "stand"
    """What the dealer does with a soft 17."""

    stop: Literal["at-least", "above"] = "at-least"
    """A seat plays on while its bankroll is at least the minimum, or only while it is above."""

    minimum: Annotated[int, Ge(1), Le(1_000_000)] | None = None
    """Least wager in chips, if these rules fix it."""

    game: ClassVar[str] = "blackjack"
    seats: ClassVar[range] = range(1, MOST_SEATS + 1)

    def __post_init__(self) -> None:
        """Refuse rules that contradict each other."""
        if self.shuffle == "riffle" and self.decks != 1:
            raise RulesError(
                f"shuffle: expected 'uniform' for decks: {self.decks}, got 'riffle', "
                "which is for one deck"
            )
        if isinstance(self.decks, int) and self.reshuffle != "every-round":
            most = self.decks * CARDS_IN_A_DECK
            if self.reshuffle > most:
                raise RulesError(
                    f"reshuffle: expected at most {most} cards for decks: {self.decks}, "
                    f"got {self.reshuffle}"
                )

    @property
    def unit(self) -> int:
        """Parts that a chip is counted in, so that every payout is whole."""
        return ODDS[self.natural][1] if self.payout == "exact" else 1

    @property
    def deals_fresh(self) -> bool:
        """Whether every round begins a new shoe, as from a shuffling machine."""
        return self.reshuffle == "every-round" or self.decks == "infinite"

    def must_shuffle(self, cards_left: int) -> bool:
        """Say whether the dealer shuffles before this round.

        >>> BlackjackRules(reshuffle=20).must_shuffle(20)
        False
        """
        return self.deals_fresh or cards_left < self.reshuffle  # type: ignore[operator]  # a number

    def may_play(self, bankroll: int, minimum: int) -> bool:
        """Say whether a seat with this bankroll plays another round.

        >>> BlackjackRules().may_play(5, 5), BlackjackRules(stop="above").may_play(5, 5)
        (True, False)
        """
        return bankroll >= self.least_bankroll(minimum)

    def least_bankroll(self, minimum: int) -> int:
        """Give the smallest bankroll with which a seat plays another round."""
        return minimum if self.stop == "at-least" else minimum + 1

    def natural_net(self, wager: int) -> int:
        """Give what a natural wins, in the same unit as the wager.

        >>> BlackjackRules().natural_net(5)
        7
        """
        numerator, denominator = ODDS[self.natural]
        return wager * numerator // denominator


VE280 = BlackjackRules(shuffle="riffle")
EECS280 = replace(VE280, minimum=5)

PRESETS = {"ve280": VE280, "eecs280": EECS280}
"""The course systems by name. Organisers override any setting in YAML."""
