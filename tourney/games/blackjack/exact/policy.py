"""Policies: strategies as functions from hands to moves.

Cards are values from 2 to 11, an ace. A chart depends on totals. A player may depend on the cards
of the total, but not on their order or suits, and is rejected if it does.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import Protocol

from tourney.errors import CompetitorFailedError, RulesError
from tourney.game.cards.card import Card, Rank, Suit
from tourney.games.blackjack.action import HIT_OR_STAND, Action
from tourney.games.blackjack.declaration import TOTALS, UPCARDS, both_column, upcard_column
from tourney.games.blackjack.hand import ACE_VALUE, AFTER, Hand, SeenHand
from tourney.games.blackjack.players import Chart, Player, acts, watches_cards
from tourney.games.blackjack.position import EMPTY, Position
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.blackjack.seat_hand import INSURANCE

Visible = tuple[int, ...]
"""Values of the dealer's face-up cards, one or two."""

CARD_OF = {
    value: Card(Rank.ACE if value == ACE_VALUE else Rank(value), Suit.SPADES)
    for value in range(2, ACE_VALUE + 1)
}
BANKROLLS = (100, 101, 102, 101, 100, 99, 98, 97, 50, 51, 1, 2, 7, 100, 100_000, 100)
"""Bankrolls for the questions about wagers, in minimums: after wins and losses, high and low."""

TO_21 = ((2, 9, 10), (5, 6, 10), (7, 7, 7), (2, 8, 11), (5, 5, 11), (2, 2, 2, 5, 10))
"""Some hands of 21, hard and soft, whose only legal moves are to hit and to stand."""

Cards = tuple[int, ...]
"""Values of a hand's cards, ascending; empty if totals are enough."""

MEASURE = "measure it with `tourney ev`, without --exact"
"""Advice for strategies without an exact value."""


def with_card(cards: Cards, value: int) -> Cards:
    """Add a card to a hand."""
    return tuple(sorted((*cards, value)))


class Policy(Protocol):
    """Chooses a move for every hand against all visible cards of the dealer."""

    @property
    def by_cards(self) -> bool:
        """Whether hands with equal totals may be played differently."""

    def key(self, visible: Visible) -> Hashable:
        """Return a key for the dealer's cards; the policy plays equal keys alike."""

    def choose(
        self, key: Hashable, position: Position, cards: Cards, legal: tuple[Action, ...]
    ) -> Action:
        """Choose one of the legal moves for a hand."""


@dataclass(frozen=True)
class ChartPolicy:
    """Plays by a chart."""

    chart: Chart

    @property
    def by_cards(self) -> bool:
        """Charts depend on totals only."""
        return False

    def key(self, visible: Visible) -> int:
        """Return the column.

        Raises: RulesError, if the chart needs both cards and only one is visible.
        """
        if not self.chart.shows_both:
            return upcard_column(visible[0])
        if len(visible) == 1:
            raise RulesError(
                f"{self.chart.source}: the columns need both dealer cards, but this game shows "
                f"only the upcard; use a chart with the columns {' '.join(UPCARDS)}"
            )
        return both_column(*AFTER[visible[0] == ACE_VALUE][visible[0]][visible[1]])

    def choose(
        self, key: Hashable, position: Position, cards: Cards, legal: tuple[Action, ...]
    ) -> Action:
        """Look up the move; a chart declines insurance."""
        del cards
        if Action.DECLINE in legal:
            return Action.DECLINE
        assert isinstance(key, int)
        soft, total = divmod(position.hand, TOTALS)
        return self.chart.decide(key, total, soft > 0, position.is_pair, legal)


class PlayerPolicy:
    """Asks a player, whose answers may depend only on the visible cards."""

    def __init__(self, player: Player, name: str) -> None:
        """Wrap a player.

        Raises: RulesError, if it watches the cards of the shoe.
        """
        if watches_cards(player):
            raise RulesError(
                f"{name}: it watches the shoe (it has expose or shuffled), so its rounds differ; "
                + MEASURE
            )
        self.name = name
        self._player = player
        self._asks_act = acts(player)
        self._answers: dict[tuple[Visible, Cards, tuple[Action, ...]], Action] = {}

    @property
    def by_cards(self) -> bool:
        """Players may depend on cards."""
        return True

    def check_wagers(self, rules: BlackjackRules, minimum: int) -> None:
        """Check that the player wagers the minimum at each of `BANKROLLS`.

        Raises: RulesError, if it wagers more.
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
                    f"{self.name}: it wagers {wager} of {bankroll} chips instead of the minimum, "
                    f"{minimum}; {MEASURE}"
                )

    def check_plain(self, rules: BlackjackRules) -> None:
        """Check that the player declines insurance and stands on 21.

        Raises: RulesError, if it does not; CompetitorFailedError, if it breaks its contract.
        """
        offers = rules.insurance == "offered" and self._asks_act
        key = self.key((ACE_VALUE,))
        for cards in combinations_with_replacement(CARD_OF, 2):
            if offers and self.choose(key, EMPTY, cards, INSURANCE) is Action.INSURE:
                raise RulesError(f"{self.name}: it takes insurance with {cards}; {MEASURE}")
        for upcard, rest in product(CARD_OF, () if rules.stands_on_21 else TO_21):
            answer = self.choose(self.key((upcard,)), EMPTY, rest, HIT_OR_STAND)
            if answer is not Action.STAND:
                raise RulesError(
                    f"{self.name}: it answers {answer} on 21, with {rest} against {upcard}; "
                    + MEASURE
                )

    def key(self, visible: Visible) -> Visible:
        """Return the cards that the player sees: with `draw`, only the upcard."""
        return visible if self._asks_act else visible[:1]

    def choose(
        self, key: Hashable, position: Position, cards: Cards, legal: tuple[Action, ...]
    ) -> Action:
        """Ask the player once for each question; without `act`, it declines insurance.

        Raises: CompetitorFailedError, if it raises or its answer is not a legal move; RulesError,
            if the answer depends on the order of the cards.
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
                    f"{self.name}: its answer to {cards} against {key} depends on the order of "
                    f"the cards; {MEASURE}"
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
            moves = ", ".join(map(str, legal))
            raise CompetitorFailedError(
                f"{self.name}: {hand} against {visible}: expected one of {moves}; got {answer!r}"
            )
        return answer

    def _failed(self, where: str, error: Exception) -> CompetitorFailedError:
        return CompetitorFailedError(
            f"{self.name}: asked for {where}, it raised {type(error).__name__}: {error}"
        )
