"""The rules of blackjack as data; a variant is a value of this class, not a subclass.

docs/rules/blackjack.md numbers the clauses.
"""

from dataclasses import dataclass, replace
from math import lcm
from typing import Annotated, Any, ClassVar, Literal, Self

from annotated_types import Ge, Le

from tourney.errors import RulesError
from tourney.game import Game
from tourney.games.blackjack.game import BLACKJACK

MOST_SEATS = 7
MOST_DECKS = 20
CARDS_IN_A_DECK = 52
MOVES_PER_100_CARDS, MOVES_LESS_PER_100_ROUNDS = 55, 158
"""Estimate of moves: 55 per 100 cards of a table, less 158 per 100 rounds, whose dealer draws cards
without a move; measured with the bundled strategies, alone at a table and at full ones."""
ODDS = {"3:2": (3, 2), "6:5": (6, 5), "1:1": (1, 1)}


@dataclass(frozen=True, slots=True, kw_only=True)
class BlackjackRules:
    """One variant of blackjack; by default that of the VE280 document."""

    decks: Annotated[int, Ge(1), Le(MOST_DECKS)] | Literal["infinite"] = 1
    """Decks in the shoe, or "infinite"."""

    shuffle: Literal["uniform", "riffle"] = "uniform"
    """Every order is equally likely, or the documents' seven cuts from a new deck."""

    reshuffle: Annotated[int, Ge(1), Le(MOST_DECKS * CARDS_IN_A_DECK)] | Literal["every-round"] = 20
    """Shuffle before a round when fewer cards than this are left, or before every round; if only
    `decks` of a preset changes, at the same share of the shoe."""

    reshuffle_percent: Annotated[int, Ge(0), Le(100)] = 0
    """Also shuffle before a round when less than this part of the shoe is left."""

    wager: Literal["chosen", "minimum"] = "chosen"
    """Seats choose their wagers, or all wagers are the minimum."""

    dealing: Literal["seats-first", "dealer-first", "dealer-both"] = "seats-first"
    """Cards are dealt in two rounds, with the dealer last or first; or the dealer gets both cards
    first."""

    dealer_shows: Literal["upcard", "both"] = "upcard"
    """The dealer's visible cards while seats act."""

    hole_card: Literal["if-compared", "always", "none"] = "if-compared"
    """The hole card is turned if a hand waits for a comparison, or at the end of each round; or the
    dealer takes the second card only after all seats have played."""

    dealer_natural: Literal["is-21", "wins-at-once", "beats-all"] = "is-21"
    """A dealer's natural counts as any 21; or it ends the round before the seats act, and beats all
    but a natural, which pushes; or it does so after all seats have played, doubled and split wagers
    included."""

    insurance: Literal["never", "offered"] = "never"
    """Against an ace each seat may stake half its wager, before the dealer looks at the hole card,
    that the dealer has a natural; paid 2:1."""

    natural: Literal["3:2", "6:5", "1:1"] = "3:2"
    """The payout of a natural."""

    payout: Literal["floor", "exact"] = "floor"
    """Round a natural's payout down to whole chips, or count chips in parts and pay the exact
    amount."""

    soft_17: Literal["stand", "hit"] = "stand"
    """The dealer's move with a soft 17."""

    stands_on_21: bool = False
    """A hand of 21 stands automatically; or its seat is asked as for any other hand."""

    double: Literal["never", "first-two", "9-11", "10-11"] = "never"
    """A wager may be doubled on a hand of two cards, which then gets exactly one more; on any two
    cards, or only on hard totals from 9 or 10 to 11."""

    double_after_split: bool = True
    """Hands from a split may also be doubled."""

    split: Literal["never", "by-value", "by-rank"] = "never"
    """Two cards of equal value, or of equal rank, may be split into two hands."""

    hands: Annotated[int, Ge(1), Le(8)] = 4
    """Hands that a seat may hold after splits."""

    split_aces: Literal["one-card", "resplit", "played"] = "one-card"
    """Split aces get one card each and cannot be split again; or can only be split again; or are
    played like any hand."""

    surrender: Literal["never", "first"] = "never"
    """Half the wager may be surrendered, as the first action of a seat."""

    stop: Literal["at-least", "above"] = "at-least"
    """A seat continues while its bankroll is at least the minimum, or only while it is above."""

    minimum: Annotated[int, Ge(1), Le(1_000_000)] | None = None
    """Minimum bet in chips, if these rules define it."""

    game: ClassVar[Game[Any, Any, Any]] = BLACKJACK
    most_points: ClassVar[None] = None
    limit: ClassVar[None] = None
    seats: ClassVar[range] = range(1, MOST_SEATS + 1)

    def __post_init__(self) -> None:
        """Raise RulesError for rules that contradict each other."""
        self._check_shoe()
        self._check_hole_card()

    def _check_shoe(self) -> None:
        if self.shuffle == "riffle" and self.decks != 1:
            raise RulesError(
                f"shuffle: riffle is for one deck, and decks is {self.decks}; use uniform"
            )
        if isinstance(self.decks, int) and self.reshuffle != "every-round":
            most = self.decks * CARDS_IN_A_DECK
            if self.reshuffle > most:
                raise RulesError(
                    f"reshuffle: {self.reshuffle} is more than the {most} cards of decks: "
                    f"{self.decks}; use at most {most}"
                )

    def _check_hole_card(self) -> None:
        if self.hole_card != "none":
            return
        if self.dealer_natural == "wins-at-once":
            raise RulesError(
                f"dealer_natural: {self.dealer_natural!r} needs a hole card, and hole_card is "
                f"{self.hole_card!r}; use 'is-21' or 'beats-all'"
            )
        if self.dealer_shows == "both":
            raise RulesError(
                f"dealer_shows: 'both' needs a hole card, and hole_card is {self.hole_card!r}; use "
                "'upcard'"
            )

    @property
    def unit(self) -> int:
        """Parts in which a chip is counted, so that all payouts are whole."""
        halves = self.surrender != "never" or self.insurance != "never"
        of_natural = ODDS[self.natural][1] if self.payout == "exact" else 1
        return lcm(of_natural, 2 if halves else 1)

    @property
    def is_hit_or_stand(self) -> bool:
        """Whether all decisions are hit or stand."""
        return (self.double, self.split, self.surrender, self.insurance) == ("never",) * 4

    @property
    def deals_fresh(self) -> bool:
        """Whether each round begins a new shoe, as from a shuffling machine."""
        return self.reshuffle == "every-round" or self.decks == "infinite"

    def changed(self, **settings: Any) -> Self:
        """Change settings of a preset.

        If `decks` changes and `reshuffle` is not given, the shoe is shuffled at the same share of
        its cards as before.

        >>> SIX_DECKS_H17.reshuffle, SIX_DECKS_H17.changed(decks=1).reshuffle
        (78, 13)
        """
        decks, point = settings.get("decks"), self.reshuffle
        if isinstance(decks, int) and isinstance(self.decks, int) and isinstance(point, int):
            settings = {"reshuffle": max(1, round(point * decks / self.decks)), **settings}
        return replace(self, **settings)

    def must_shuffle(self, cards_left: int, shoe_size: int) -> bool:
        """Return whether the dealer shuffles before this round.

        >>> BlackjackRules(reshuffle=20).must_shuffle(20, 52)
        False
        """
        return (
            self.deals_fresh
            or cards_left < self.reshuffle  # type: ignore[operator]  # a number
            or 100 * cards_left < self.reshuffle_percent * shoe_size
        )

    def may_play(self, bankroll: int, minimum: int) -> bool:
        """Return whether a seat with this bankroll plays another round.

        >>> BlackjackRules().may_play(5, 5), BlackjackRules(stop="above").may_play(5, 5)
        (True, False)
        """
        return bankroll >= self.least_bankroll(minimum)

    def least_bankroll(self, minimum: int) -> int:
        """Return the smallest bankroll with which a seat plays another round."""
        return minimum if self.stop == "at-least" else minimum + 1

    def decisions(self, rounds: int, seat_rounds: int, cards: int) -> int:
        """Return the approximate number of wagers and moves.

        Wagers are counted. Moves are estimated from cards, because results do not contain them.
        docs/explanation/floor.md describes the accuracy.

        >>> BlackjackRules().decisions(rounds=1000, seat_rounds=1000, cards=5463)
        2424
        >>> EASYBJ.decisions(rounds=1000, seat_rounds=7000, cards=21861)
        10443
        """
        wagers = seat_rounds if self.wager == "chosen" else 0
        moves = MOVES_PER_100_CARDS * cards - MOVES_LESS_PER_100_ROUNDS * rounds
        return wagers + max(0, moves // 100)

    def natural_net(self, wager: int) -> int:
        """Return the win of a natural, in the same unit as the wager.

        >>> BlackjackRules().natural_net(5)
        7
        """
        numerator, denominator = ODDS[self.natural]
        return wager * numerator // denominator


VE280 = BlackjackRules(shuffle="riffle")
EECS280 = replace(VE280, minimum=5)

EASYBJ = BlackjackRules(
    decks="infinite",
    reshuffle="every-round",
    wager="minimum",
    minimum=1,
    dealing="dealer-both",
    dealer_shows="both",
    dealer_natural="wins-at-once",
    payout="exact",
    soft_17="hit",
    stands_on_21=True,
    double="first-two",
    split="by-value",
    surrender="first",
)

CSC24400 = BlackjackRules(
    decks=6,
    reshuffle=52,
    reshuffle_percent=30,
    wager="minimum",
    minimum=1,
    dealing="dealer-first",
    hole_card="always",
    dealer_natural="wins-at-once",
    natural="1:1",
)

SIX_DECKS_H17 = BlackjackRules(
    decks=6,
    reshuffle=78,
    dealer_natural="wins-at-once",
    insurance="offered",
    payout="exact",
    soft_17="hit",
    stands_on_21=True,
    double="first-two",
    split="by-value",
    surrender="first",
)
SIX_DECKS_S17 = replace(SIX_DECKS_H17, soft_17="stand")
DOUBLE_DECK = replace(SIX_DECKS_H17, decks=2, reshuffle=34, surrender="never")
SINGLE_DECK = replace(DOUBLE_DECK, decks=1, reshuffle=26, double_after_split=False)
EUROPEAN = replace(SIX_DECKS_S17, hole_card="none", dealer_natural="beats-all", surrender="never")

PRESETS = {
    "ve280": VE280,
    "eecs280": EECS280,
    "easybj": EASYBJ,
    "csc24400": CSC24400,
    "single-deck": SINGLE_DECK,
    "double-deck": DOUBLE_DECK,
    "six-decks-h17": SIX_DECKS_H17,
    "six-decks-s17": SIX_DECKS_S17,
    "european": EUROPEAN,
}
"""Course systems and common casinos by name. Organisers can override any setting in YAML."""
