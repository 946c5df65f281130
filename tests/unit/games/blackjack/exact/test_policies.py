"""Which competitors and games can be worked out, and what is said about the others."""

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from tourney import ActPlayer, Card, Hand
from tourney.errors import CompetitorFailedError, RulesError, TourneyError
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.exact.evaluation import exact_value, policy_of
from tourney.games.blackjack.exact.fresh import dealer_hands, player_hands
from tourney.games.blackjack.exact.infinite import solve
from tourney.games.blackjack.exact.policy import ChartPolicy, PlayerPolicy
from tourney.games.blackjack.players import Player
from tourney.games.blackjack.players.chart import always
from tourney.games.blackjack.rules import CSC24400, EASYBJ, SIX_DECKS_H17, VE280, BlackjackRules
from tourney.strategies.charted import EasyBJChart
from tourney.strategies.simple import Simple

INFINITE = BlackjackRules(decks="infinite")
FRESH = BlackjackRules(reshuffle="every-round")
UNINSURED = replace(SIX_DECKS_H17, insurance="never")
HIT, STAND, DOUBLE, SPLIT, SURRENDER, *_ = Action


class Watching(Simple):
    """Sees cards go by."""

    def expose(self, card: Card) -> None:
        """See one."""


class Bold(Simple):
    """Bets ten minimums if it can."""

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet."""
        return min(bankroll, 10 * minimum)


class Loser(Simple):
    """Wagers more after it has lost."""

    def __init__(self) -> None:
        self.before = 0

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager twice the minimum if it has less than before."""
        lost, self.before = bankroll < self.before, bankroll
        return 2 * minimum if lost else minimum


class FirstCard(Simple):
    """Thinks of the card that came first."""

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Hit after a low one."""
        return player.total < 17 and player.cards[0].value < 9


class Raises(Simple):
    """Divides by nothing."""

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Raise."""
        return bool(1 // 0)


class Says(Simple):
    """Answers with a word."""

    def draw(self, dealer: Card, player: Hand) -> Any:
        """Say it."""
        return "hit"


@pytest.mark.parametrize(
    ("player", "error", "message"),
    [
        (Watching(), RulesError, "watches the shoe"),
        (
            Bold(),
            RulesError,
            "100 of 1000 chips instead of the minimum, 10; measure it with",
        ),
        (
            Loser(),
            RulesError,
            "20 of 1010 chips instead of the minimum, 10; measure it with",
        ),
        (FirstCard(), RulesError, "its answer to .* depends on the order of the cards; measure it"),
        (Raises(), CompetitorFailedError, "it raised ZeroDivisionError"),
        (Says(), CompetitorFailedError, "expected one of stand, hit; got 'hit'"),
    ],
)
def test_who_does_not_play_by_the_cards_alone_is_refused(
    player: Player, error: type[TourneyError], message: str
) -> None:
    """Its value would be that of somebody else."""
    with pytest.raises(error, match=message) as caught:
        exact_value(INFINITE, player, "mine", minimum=10)
    assert str(caught.value).startswith("mine: ")


@pytest.mark.parametrize(
    ("rules", "settings"),
    [
        (VE280, ["shuffle: an exact value needs uniform shuffles, not riffle"]),
        (
            replace(VE280, dealer_shows="both"),
            [
                "shuffle: an exact value needs uniform shuffles, not riffle",
                "dealer_shows: an exact value with decks: 1 needs upcard, not both",
            ],
        ),
        (replace(EASYBJ, decks=6), ["dealer_shows: an exact value with decks: 6 needs upcard"]),
        (replace(FRESH, dealer_shows="both"), ["dealer_shows: an exact value with decks: 1 "]),
    ],
)
def test_what_cannot_be_worked_out_is_named_with_a_remedy(
    rules: BlackjackRules, settings: list[str]
) -> None:
    """Every setting that is in the way has its line."""
    with pytest.raises(RulesError) as caught:
        exact_value(rules, Simple(), "simple")
    lines = str(caught.value).splitlines()
    assert len(lines) == len(settings)
    for line, setting in zip(lines, settings, strict=True):
        assert line.startswith(setting)
        assert "; add " in line


class Insured(ActPlayer):
    """Takes insurance with a natural."""

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Take even money."""
        if Action.INSURE in legal:
            return Action.INSURE if player.total == 21 else Action.DECLINE
        return STAND


class Greedy(Simple):
    """Draws to the best total it can think of."""

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Hit a soft 21."""
        return player.total < 12 or (player.total == 21 and player.soft)


class SplitsOnce(ActPlayer):
    """Splits eights that were dealt, and not those that come of it."""

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Tell them by whether they could be given up."""
        return SPLIT if SPLIT in legal and SURRENDER in legal else STAND


class Frightened(ActPlayer):
    """Hits a pair that it could split."""

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Split none."""
        return HIT if SPLIT in legal and player.total < 12 else STAND


@pytest.mark.parametrize(
    ("player", "rules", "message"),
    [
        (Insured(), SIX_DECKS_H17, "it takes insurance with"),
        (Greedy(), replace(VE280, shuffle="uniform"), "it answers hit on 21, with"),
        (SplitsOnce(), UNINSURED, "an exact value with decks: 6, it must split a pair again"),
        (Frightened(), UNINSURED, "must split a pair or play it alike whether or not it may be"),
    ],
)
def test_who_plays_otherwise_than_a_real_shoe_is_worked_out_for_is_refused(
    player: Player, rules: BlackjackRules, message: str
) -> None:
    """In a line that says what it does, and what to do instead."""
    with pytest.raises(RulesError, match=message) as caught:
        exact_value(rules, player, "mine")
    assert "measure it with `tourney ev`, without --exact" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.prove
def test_a_real_shoe_is_worked_out_like_a_fresh_one_where_both_can_be() -> None:
    """By sums of fractions, and by those of the recursion that knows splits."""
    played_on = replace(FRESH, reshuffle=20)
    fresh, real = (exact_value(rules, Simple(), "simple") for rules in (FRESH, played_on))
    assert real.sd is None
    assert float(real.mean) == pytest.approx(float(fresh.mean), abs=1e-14)
    chart = always(HIT, shows_both=False).with_cell("18", "7", (STAND,))
    fresh, real = (exact_value(rules, chart, "chart") for rules in (FRESH, played_on))
    assert float(real.mean) == pytest.approx(float(fresh.mean), abs=1e-14)


def test_a_chart_of_both_cards_needs_both() -> None:
    """It is no chart for a dealer with a hole card."""
    with pytest.raises(RulesError, match=r"easybj\.txt: the columns need both dealer cards"):
        exact_value(INFINITE, EasyBJChart.chart, "easybj")
    with pytest.raises(RulesError, match="decks: this best chart needs an infinite shoe, not 6"):
        solve(CSC24400)


def test_a_class_with_a_chart_is_looked_up_unless_it_decides_by_itself() -> None:
    """Who overrides a method is asked."""

    class Own(EasyBJChart):
        def bet(self, bankroll: int, minimum: int) -> int:
            return minimum

    assert policy_of(EasyBJChart(), "chart") == ChartPolicy(EasyBJChart.chart)
    assert isinstance(policy_of(Own(), "own"), PlayerPolicy)


@pytest.mark.prove
def test_a_chart_is_worth_the_same_with_a_player_around_it() -> None:
    """With the upcard's columns: totals are looked up, or the player is asked card by card."""
    chart = always(HIT, shows_both=False)
    for row in ("12", "13", "14", "15", "16", "17", "18", "19", "20"):
        for column in chart.columns:
            chart = chart.with_cell(row, column, (STAND,))

    class Asked(ActPlayer):
        def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
            return chart.choose(dealer, player, legal)

    for rules in (INFINITE, FRESH):
        looked_up, asked = exact_value(rules, chart, "chart"), exact_value(rules, Asked(), "asked")
        assert looked_up == asked


def test_standing_on_everything_can_be_worked_out_by_hand() -> None:
    """Whoever never draws wins when the dealer busts or ends lower, from 4 to 20 alike."""
    found = exact_value(EASYBJ, always(STAND), "stands")
    assert {float(net) for net, _ in found.law} == {-1, 0, 1, 1.5}
    assert found.probability(1.5) == Fraction(8, 169) * (1 - Fraction(8, 169))
    surrendered = exact_value(EASYBJ, always(SURRENDER, STAND), "gives up")
    natural = Fraction(8, 169)
    assert surrendered.mean == -natural * (1 - natural) + (1 - natural) * (
        natural * Fraction(3, 2) - (1 - natural) / 2
    )


def test_permutations_of_a_deck_are_all_counted() -> None:
    """The player's hands and the dealer's draws of a fresh deck add up to all there are."""
    left = (4,) * 8 + (16, 3)
    policy = policy_of(Simple(), "simple")
    hands = player_hands(left, policy.key((11,)), FRESH, policy)
    total = Fraction(0)
    for (_, cards_held), weight in hands.items():
        cards = Fraction(1)
        for number in range(len(cards_held)):
            cards *= 51 - number
        total += weight / cards
    assert total == 1
    assert len({drawn.counts for drawn in dealer_hands(10, FRESH)}) == sum(
        1 for _ in dealer_hands(10, FRESH)
    )


def test_splitting_by_rank_tells_tens_apart() -> None:
    """A king and a queen stay together; three ranks in four are no pair of tens then."""
    chart = always(STAND).with_cell("TT", "6", (SPLIT,))
    by_value, by_rank = (
        exact_value(replace(EASYBJ, split=how), chart, "tens").mean
        for how in ("by-value", "by-rank")
    )
    stands = exact_value(EASYBJ, always(STAND), "stands").mean
    # One pair of tens in four is split, and comes to fewer hands than four.
    assert 0 < abs(by_rank - stands) < abs(by_value - stands)


def test_asking_card_by_card_is_reading_by_totals_where_hands_are_split() -> None:
    """The document's chart, asked as a player, in a smaller house."""
    rules = replace(EASYBJ, hands=2, dealer_shows="upcard")
    dice = Random(5)
    chart = always(STAND, shows_both=False)
    for row in ("8", "11", "16", "88", "TT", "A7"):
        for column in chart.columns:
            cell = dice.choice(((HIT,), (DOUBLE, HIT), (SPLIT,), (STAND,)))
            chart = chart.with_cell(row, column, cell)

    class Asked(ActPlayer):
        def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
            return chart.choose(dealer, player, legal)

    assert exact_value(rules, chart, "chart") == exact_value(rules, Asked(), "asked")
