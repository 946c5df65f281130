"""The exact value with an infinite shoe, by all rules of casinos, against every order of cards.

The naive casino plays each round with every order of cards that can come. Shoes have two or three
ranks, so that rounds are few. Players choose by a hash of what they see: they split a pair once but
not again, or insure with some hands only.
"""

import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest

from tests.support.proving import with_more
from tourney import ev, load_rules
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.exact.evaluation import exact_value
from tourney.games.blackjack.exact.finite.solution import finite_value
from tourney.games.blackjack.exact.fresh import fresh_value
from tourney.games.blackjack.exact.infinite import infinite_value
from tourney.games.blackjack.exact.policy import ChartPolicy, PlayerPolicy
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.players import ActPlayer
from tourney.games.blackjack.players.chart import always
from tourney.games.blackjack.position import VALUES
from tourney.games.blackjack.rules import SIX_DECKS_S17, BlackjackRules
from tourney.plugins.loading import installed_plugins
from tourney.strategies.simple import Simple

sys.path.insert(0, str(Path(__file__).parent))

from naive_blackjack import best_total
from naive_casino import House, play_round

BET, CHIPS = 2, 1_000
DOUBLED = {"never": (), "first-two": tuple(range(22)), "9-11": (9, 10, 11), "10-11": (10, 11)}
NATURALS = ("is-21", "wins-at-once", "beats-all")
BASE = House(asks_at_21=False, split="by-value", hands=3)
EUROPEAN = replace(BASE, has_hole=False, dealer_natural="beats-all")
ALL = replace(BASE, aces="resplit", insures=True, surrender=True)
EVERYTHING = [("9-11", replace(ALL, dealer_natural=natural)) for natural in NATURALS]


def rules_of(house: House, double: str) -> BlackjackRules:
    """Give the same rules in the platform's words."""
    return BlackjackRules(
        decks="infinite",
        payout="exact",
        dealer_shows="both" if house.both_shown else "upcard",
        hole_card="always" if house.has_hole else "none",
        dealer_natural=house.dealer_natural,  # type: ignore[arg-type]  # words of the rules
        insurance="offered" if house.insures else "never",
        soft_17="hit" if house.hits_soft_17 else "stand",
        stands_on_21=not house.asks_at_21,
        double=double,  # type: ignore[arg-type]  # words of the rules
        double_after_split=house.double_after_split,
        split=house.split,  # type: ignore[arg-type]  # words of the rules
        hands=house.hands,
        split_aces=house.aces,  # type: ignore[arg-type]  # words of the rules
        surrender="first" if house.surrender else "never",
    )


def value_of(rank: int) -> int:
    """Give what a card counts, 11 for an ace."""
    return 11 if rank == 14 else min(rank, 10)


def whim(dealer: Sequence[int], hand: Sequence[int], options: Sequence[str], salt: int) -> str:
    """Choose by a hash of the values that are seen; stand on high hands, so that rounds end."""
    seen = [value_of(rank) for rank in dealer], sorted(map(value_of, hand))
    more = [each for each in options if each not in {"stand", "hit", "decline"}]
    is_high = best_total(list(hand)) >= 14 or len(hand) > 3
    rest = [each for each in options if not (is_high and each == "hit")]
    return Random(repr((seen, list(options), salt))).choice([*rest, *more, *more])


def player_of(salt: int) -> ActPlayer:
    """Give a player of the platform with these whims."""

    class Whimsical(ActPlayer):
        def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
            ranks = [[int(card.rank) for card in each.cards] for each in (dealer, player)]
            return Action[whim(*ranks, [str(each) for each in legal], salt).upper()]

    return Whimsical()


def every_round(house: House, ranks: Sequence[int], salt: int) -> dict[Fraction, Fraction]:
    """Play the naive casino with every order of cards; give the chance of each result."""
    found: dict[Fraction, Fraction] = defaultdict(Fraction)
    open_shoes: list[list[int]] = [[]]
    while open_shoes:
        shoe = open_shoes.pop()
        try:
            nets, _ = play_round(house, shoe, [BET], CHIPS, lambda *seen: whim(*seen, salt))
        except IndexError:  # another card is needed
            open_shoes += [[*shoe, rank] for rank in ranks]
        else:
            found[Fraction(nets[0], BET)] += Fraction(1, len(ranks) ** len(shoe))
    return found


SHOES = ([8, 14], [10, 14], [10, 13, 14], [9, 14], [5, 10])


@pytest.mark.parametrize(
    ("ranks", "double", "house"),
    with_more(
        [
            ([5, 10], "9-11", BASE),
            ([5, 10], "10-11", BASE),
            ([9, 14], "first-two", replace(BASE, aces="resplit")),
            ([10, 14], "first-two", EUROPEAN),
            ([10, 14], "first-two", replace(BASE, insures=True, dealer_natural="wins-at-once")),
            *(([10, 14], *each) for each in EVERYTHING),
        ],
        [
            ([9, 14], "first-two", replace(BASE, aces="resplit", hands=4)),
            ([10, 13, 14], "first-two", replace(EUROPEAN, split="by-rank", surrender=True)),
            *((ranks, *each) for ranks, each in product(SHOES, EVERYTHING)),
            ([8, 14], "first-two", replace(ALL, both_shown=True, hits_soft_17=True)),
            ([10, 14], "first-two", replace(EUROPEAN, insures=True, surrender=True)),
            ([6, 14], "10-11", replace(ALL, asks_at_21=True, hits_soft_17=True, hands=2)),
        ],
    ),
)
def test_every_result_is_as_probable_as_among_all_rounds(
    ranks: list[int], double: str, house: House
) -> None:
    """To the last digit, with players that mix everything the rules allow."""
    house = replace(house, doubled=DOUBLED[double])
    copies = [sum(value_of(rank) == value for rank in ranks) for value in VALUES]
    for salt in range(2):
        policy = PlayerPolicy(player_of(salt), "whimsical")
        found = infinite_value(rules_of(house, double), policy, BET, copies)
        assert dict(found.law) == every_round(house, ranks, salt)


def test_a_player_without_act_declines_insurance() -> None:
    """As at the table; so the offer changes nothing."""
    rules = rules_of(replace(EUROPEAN, insures=True, split="never"), "never")
    without = replace(rules, insurance="never", surrender="first")  # chips are halved all the same
    policy = PlayerPolicy(Simple(), "simple")
    assert infinite_value(rules, policy, BET) == infinite_value(without, policy, BET)


@pytest.mark.parametrize("natural", NATURALS)
def test_insurance_costs_a_26th_of_a_minimum_against_an_ace(natural: str) -> None:
    """By hand: it is half a minimum, and 9 of 13 hole cards lose it where 4 win twice as much."""

    class Stands(ActPlayer):
        def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
            del dealer, player
            return legal[-1] if Action.INSURE in legal else Action.STAND

    rules = rules_of(replace(BASE, dealer_natural=natural, insures=True), "first-two")
    insured = infinite_value(rules, PlayerPolicy(Stands(), "stands"), BET)
    plain = infinite_value(
        replace(rules, insurance="never"), ChartPolicy(always(Action.STAND, shows_both=False)), BET
    )
    assert insured.mean - plain.mean == Fraction(1, 13) * Fraction(1, 2) * Fraction(2 * 4 - 9, 13)


@pytest.mark.prove
def test_a_fresh_deck_whose_natural_beats_all_is_worked_out_in_two_ways() -> None:
    """By sums of fractions, and by the recursion that knows splits."""
    fresh = BlackjackRules(reshuffle="every-round", dealer_natural="beats-all")
    policy = PlayerPolicy(Simple(), "simple")
    exact, other = fresh_value(fresh, policy, BET), finite_value(fresh, policy, minimum=BET)
    assert float(exact.mean) == pytest.approx(other.mean, abs=1e-14)


class Insures(ActPlayer):
    """Insures hands from 12 on, and plays simply."""

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Insure, double 11, hit up to 16, and split nothing."""
        del dealer
        if Action.INSURE in legal:
            return Action.INSURE if player.total >= 12 else Action.DECLINE
        if player.total == 11 and Action.DOUBLE in legal:
            return Action.DOUBLE
        return Action.HIT if player.total < 17 and Action.HIT in legal else Action.STAND


MEASURED = [
    ("european", "basic-european"),
    ("six-decks-h17,split_aces=resplit,double=9-11", "basic-six-decks-h17"),
    ("six-decks-s17,dealer_natural=beats-all,double=10-11", "basic-six-decks-s17"),
    ("double-deck,dealer_natural=is-21,split=by-rank,hands=8", "basic-six-decks-h17"),
]


@pytest.mark.prove
@pytest.mark.parametrize(("game", "strategy"), MEASURED)
def test_the_simulator_comes_to_the_same(game: str, strategy: str) -> None:
    """Three million rounds of the engines, within twice the half-width of 95 %."""
    game += ",decks=infinite"
    kind = installed_plugins().strategies[strategy].make
    exact = exact_value(load_rules(game), kind(), strategy, minimum=10)
    measured = ev(strategy, game, rounds=3_000_000, seed=1)
    assert measured.half_width
    assert float(exact.mean) == pytest.approx(measured.mean, abs=2 * measured.half_width)
    assert exact.sd == pytest.approx(measured.found.sd, rel=0.003)


@pytest.mark.prove
def test_the_simulator_insures_at_the_same_price() -> None:
    """A player that insures every hand but low ones, in two hundred thousand rounds."""
    rules = replace(SIX_DECKS_S17, decks="infinite")
    exact = exact_value(rules, Insures(), "insures", minimum=10)
    measured = ev(Insures, rules, rounds=200_000, seed=1)
    assert measured.half_width
    assert float(exact.mean) == pytest.approx(measured.mean, abs=2 * measured.half_width)
    assert exact.sd == pytest.approx(measured.found.sd, rel=0.01)
