"""How somebody plays, as a function that can be asked about every hand.

Cards are values here, 2 to 11 for an ace. A chart sees totals; a player sees which cards make
them up, but neither their order nor their suits, and is refused if it turns out to.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import Protocol

from tourney.errors import CompetitorFailedError, RulesError
from tourney.game.cards.card import Card, Rank, Suit
from tourney.games.blackjack.action import HIT_OR_STAND, Action
from tourney.games.blackjack.declaration import TOTALS
from tourney.games.blackjack.hand import ACE_VALUE, AFTER, Hand, SeenHand
from tourney.games.blackjack.legal_moves import INSURANCE
from tourney.games.blackjack.players import Chart, Player, acts, watches_cards
from tourney.games.blackjack.players.grid import UPCARDS, both_column, upcard_column
from tourney.games.blackjack.position import EMPTY, Position
from tourney.games.blackjack.rules import BlackjackRules

Visible = tuple[int, ...]
"""Values of the dealer's cards that lie face up, one or two."""

CARD_OF = {
    value: Card(Rank.ACE if value == ACE_VALUE else Rank(value), Suit.SPADES)
    for value in range(2, ACE_VALUE + 1)
}
BANKROLLS = (100, 101, 102, 101, 100, 99, 98, 97, 50, 51, 1, 2, 7, 100, 100_000, 100)
"""In minimums, at which the wager is asked for: after wins and losses, rich and poor."""


TO_21 = ((2, 9, 10), (5, 6, 10), (7, 7, 7), (2, 8, 11), (5, 5, 11), (2, 2, 2, 5, 10))
"""Some hands of 21, hard and soft, in which nobody may do anything but hit or stand."""

Cards = tuple[int, ...]
"""Values of a hand's cards, ascending; none where totals are enough."""


def with_card(cards: Cards, value: int) -> Cards:
    """Give cards and one more."""
    return tuple(sorted((*cards, value)))


class Policy(Protocol):
    """Answers what to do, for every hand against everything the dealer may show."""

    @property
    def by_cards(self) -> bool:
        """Whether hands of one total are told apart by their cards."""

    def key(self, visible: Visible) -> Hashable:
        """Give what the policy makes of the dealer's cards; equal keys are played alike."""

    def choose(
        self, key: Hashable, position: Position, cards: Cards, legal: tuple[Action, ...]
    ) -> Action:
        """Choose one of the legal moves for a hand."""


@dataclass(frozen=True)
class ChartPolicy:
    """Plays by a chart, which sees totals."""

    chart: Chart

    @property
    def by_cards(self) -> bool:
        """Charts see totals."""
        return False

    def key(self, visible: Visible) -> int:
        """Give the column.

        Raises: RulesError, if the chart needs both cards and sees one.
        """
        if not self.chart.shows_both:
            return upcard_column(visible[0])
        if len(visible) == 1:
            raise RulesError(
                f"{self.chart.source}: expected a game with dealer_shows: both, for the chart's "
                f"columns are both cards; got upcard: use a chart of {' '.join(UPCARDS)}"
            )
        return both_column(*AFTER[visible[0] == ACE_VALUE][visible[0]][visible[1]])

    def choose(
        self, key: Hashable, position: Position, cards: Cards, legal: tuple[Action, ...]
    ) -> Action:
        """Look the move up; a chart declines insurance."""
        del cards
        if Action.DECLINE in legal:
            return Action.DECLINE
        assert isinstance(key, int)
        soft, total = divmod(position.hand, TOTALS)
        return self.chart.decide(key, total, soft > 0, position.is_pair, legal)


class PlayerPolicy:
    """Asks a player, who must answer by the cards it is shown and by nothing else."""

    def __init__(self, player: Player, name: str) -> None:
        """Keep the player.

        Raises: RulesError, if it watches the cards of the shoe.
        """
        if watches_cards(player):
            raise RulesError(
                f"{name}: expected a strategy that plays every round alike, got one that watches "
                "the shoe (it answers expose or shuffled): measure it with `tourney ev`, "
                "without --exact"
            )
        self.name = name
        self._player = player
        self._asks_act = acts(player)
        self._answers: dict[tuple[Visible, Cards, tuple[Action, ...]], Action] = {}

    @property
    def by_cards(self) -> bool:
        """Players see cards."""
        return True

    def check_wagers(self, rules: BlackjackRules, minimum: int) -> None:
        """Refuse a player who wagers more than the minimum.

        Raises: RulesError, if it does at one of some bankrolls.
        """
        if rules.wager == "minimum":
            return
        for bankroll in (minimums * minimum for minimums in BANKROLLS):
            try:
                wager = self._player.bet(bankroll, minimum)
            except Exception as error:
                raise self._failed(f"its wager with {bankroll} chips", error) from error
            if wager != minimum:
                raise RulesError(
                    f"{self.name}: expected a strategy that wagers the minimum, {minimum}; got "
                    f"{wager} of {bankroll} chips: measure it with `tourney ev`, without --exact"
                )

    def check_plain(self, rules: BlackjackRules) -> None:
        """Refuse a player who takes insurance, or does more than to stand on 21.

        Raises: RulesError, with what it does; CompetitorFailedError, if it breaks its contract.
        """
        offers = rules.insurance == "offered" and self._asks_act
        key = self.key((ACE_VALUE,))
        for cards in combinations_with_replacement(CARD_OF, 2):
            if offers and self.choose(key, EMPTY, cards, INSURANCE) is Action.INSURE:
                raise self._unplain(f"declines insurance, got one that takes it with {cards}")
        for upcard, rest in product(CARD_OF, () if rules.stands_on_21 else TO_21):
            answer = self.choose(self.key((upcard,)), EMPTY, rest, HIT_OR_STAND)
            if answer is not Action.STAND:
                raise self._unplain(f"stands on 21, got {answer} with {rest} against {upcard}")

    def _unplain(self, what: str) -> RulesError:
        return RulesError(
            f"{self.name}: expected a strategy that {what}: measure it with `tourney ev`, without "
            "--exact"
        )

    def key(self, visible: Visible) -> Visible:
        """Give the cards; who answers `draw` sees the upcard only."""
        return visible if self._asks_act else visible[:1]

    def choose(
        self, key: Hashable, position: Position, cards: Cards, legal: tuple[Action, ...]
    ) -> Action:
        """Ask the player, once for each question; without `act` it declines insurance.

        Raises: CompetitorFailedError, if it raises or answers no legal move; RulesError, if the
            order of its cards makes a difference to it.
        """
        del position
        assert isinstance(key, tuple)
        if legal == INSURANCE and not self._asks_act:
            return Action.DECLINE
        question = (key, cards, legal)
        if question not in self._answers:
            answer = self._ask(key, cards, legal)
            if self._ask(key, cards[::-1], legal) is not answer:
                raise RulesError(
                    f"{self.name}: expected one answer for a hand in any order of its cards, got "
                    f"two for {cards} against {key}: measure it with `tourney ev`, without "
                    "--exact"
                )
            self._answers[question] = answer
        return self._answers[question]

    def _ask(self, visible: Visible, cards: Cards, legal: tuple[Action, ...]) -> Action:
        hand = SeenHand.opening(*(CARD_OF[value] for value in cards[:2]))
        for value in cards[2:]:
            hand = hand.with_card(CARD_OF[value])
        dealer = tuple(CARD_OF[value] for value in visible)
        answer: object
        try:
            if self._asks_act:
                answer = self._player.act(Hand(dealer), hand, legal)
            else:
                draws = self._player.draw(dealer[0], hand)
                answer = (Action.STAND, Action.HIT)[draws] if isinstance(draws, bool) else draws
        except Exception as error:
            raise self._failed(f"{hand} against {visible}", error) from error
        if not isinstance(answer, Action) or answer not in legal:
            told = ", ".join(map(str, legal))
            raise CompetitorFailedError(
                f"{self.name}: {hand} against {visible}: expected one of {told}; got {answer!r}"
            )
        return answer

    def _failed(self, where: str, error: Exception) -> CompetitorFailedError:
        return CompetitorFailedError(
            f"{self.name}: asked for {where}, it raised {type(error).__name__}: {error}"
        )
