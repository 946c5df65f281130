"""What players of games with every choice declare, and why some cannot."""

from dataclasses import replace
from random import Random

import pytest

from tourney import (
    Action,
    ActPlayer,
    BetRamp,
    Card,
    ChartPlayer,
    CountingPlayer,
    CountSystem,
    DeviatingPlayer,
    Hand,
    InsuringPlayer,
    Player,
    Rank,
    Suit,
    pure,
)
from tourney.game.players import Undeclared
from tourney.games.blackjack.declaration import (
    DEVIATIONS_FROM,
    NEVER,
    PAIRS_FROM,
    SPLIT_ACES_ROW,
    Declaration,
    move_cell,
)
from tourney.games.blackjack.players import Chart, declaration_of
from tourney.games.blackjack.players.chart import always
from tourney.games.blackjack.players.declared_strategies import Deviations
from tourney.games.blackjack.rules import EASYBJ, PRESETS, VE280
from tourney.strategies.simple import Simple

CASINO = PRESETS["six-decks-h17"]
TEN_UP, ACE_UP = 10, 33
MAY_DOUBLE, MAY_SPLIT, MAY_SURRENDER = 1, 2, 4

BASE = always(Action.HIT, shows_both=False)
CHART = BASE.with_cell("11", "10", (Action.DOUBLE, Action.HIT)).with_cell(
    "88", "10", (Action.SPLIT, Action.SURRENDER, Action.STAND)
)


class Charted(ChartPlayer):
    """Plays a chart of two decisions."""

    chart = CHART


def declared(player: Player) -> Declaration:
    """Give what a player declares for a casino's game."""
    found = declaration_of(player, CASINO)
    assert isinstance(found, Declaration)
    return found


def test_a_chart_is_tabulated_by_what_is_legal() -> None:
    """A cell's first move that is legal; so the answer depends on what is."""
    moves = declared(Charted()).moves
    eights = PAIRS_FROM + 8
    assert moves[move_cell(11, TEN_UP, 0)] == Action.HIT
    assert moves[move_cell(11, TEN_UP, MAY_DOUBLE)] == Action.DOUBLE
    assert moves[move_cell(11, ACE_UP, MAY_DOUBLE)] == Action.HIT
    assert moves[move_cell(eights, TEN_UP, MAY_SPLIT | MAY_SURRENDER)] == Action.SPLIT
    assert moves[move_cell(eights, TEN_UP, MAY_SURRENDER)] == Action.SURRENDER
    assert moves[move_cell(eights, TEN_UP, 0)] == Action.STAND
    assert moves[move_cell(16, TEN_UP, 0)] == Action.HIT


def test_hit_or_stand_by_upcard_needs_no_moves() -> None:
    """A player that is as simple as that is played faster."""
    hits = declaration_of(type("Hits", (ChartPlayer,), {"chart": BASE})(), VE280)
    assert isinstance(hits, Declaration)
    assert hits.moves == b""
    assert not hits.deviates


def test_a_pair_that_is_played_in_its_own_way_needs_moves() -> None:
    """Two eights stand here, which other hands of 16 do not."""
    found = declaration_of(Charted(), VE280)
    assert isinstance(found, Declaration)
    assert found.moves[move_cell(PAIRS_FROM + 8, TEN_UP, 0)] == Action.STAND
    assert found.moves[move_cell(16, TEN_UP, 0)] == Action.HIT


def test_players_that_only_draw_are_declared_for_every_game() -> None:
    """They hit and stand by the same numbers everywhere, and decline insurance."""
    found = declared(Simple())
    assert found.moves == b""
    assert found.insure_from == NEVER


def test_split_aces_have_a_row_of_their_own() -> None:
    """They may stand or be split again, but get no card."""
    rules = PRESETS["single-deck"]

    class Splits(ActPlayer):
        @pure
        def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
            return legal[-1]

    found = declaration_of(Splits(), replace(rules, split_aces="resplit", insurance="never"))
    assert isinstance(found, Declaration)
    assert found.moves[move_cell(SPLIT_ACES_ROW, TEN_UP, MAY_SPLIT)] == Action.SPLIT


class Counter(InsuringPlayer, Charted):
    """Counts, ramps, insures, and plays a chart."""

    system = CountSystem({Rank.FIVE: 1, Rank.ACE: -1}, per_deck=True, decks=6)
    ramp = BetRamp({2: 5})
    insures_from = 3


def test_a_counter_with_a_chart_is_declared_whole() -> None:
    """Count, ramp, insurance and chart, each from its own class."""
    found = declared(Counter())
    assert found.counts
    assert found.units[-1] == 5
    assert found.insure_from == 3
    assert found.moves == declared(Charted()).moves
    assert not found.own_bet


BY_INDEX: Deviations = {
    ("16", "10"): (2, Action.SURRENDER),
    ("TT", "6"): (-1, Action.SPLIT),
    ("A7", "A"): (0, Action.DOUBLE),
}


class Indices(DeviatingPlayer, Counter):
    """Deviates from the chart, too."""

    deviations = BY_INDEX


def test_who_deviates_is_declared_with_its_deviations() -> None:
    """Where a move is legal and another one than that of the class beside it."""
    found, base = declared(Indices()), declared(Counter())
    assert found.insure_from == base.insure_from == 3
    assert {(points, new) for points, _, new in found.deviations} == {
        (2, Action.SURRENDER),
        (-1, Action.SPLIT),
        (0, Action.DOUBLE),
    }
    for place, (code, old) in enumerate(zip(found.moves, base.moves, strict=True)):
        if code != old:
            assert found.deviations[code - DEVIATIONS_FROM][1] == old, place
    player = Indices()
    assert declared(player) == found
    assert player.deviations is Indices.deviations
    assert "deviations" not in vars(player)


def test_who_deviates_is_asked_like_its_declaration() -> None:
    """A pair is no total, and what is not legal is left to the chart."""
    player = Indices()
    tens, sixteen, eights = (
        Hand((Card(one, Suit.CLUBS), Card(other, Suit.HEARTS)))
        for one, other in ((Rank.TEN, Rank.KING), (Rank.TEN, Rank.SIX), (Rank.EIGHT, Rank.EIGHT))
    )
    legal = (Action.STAND, Action.HIT, Action.DOUBLE, Action.SPLIT, Action.SURRENDER)
    ten, six = (Hand((Card(rank, Suit.SPADES),)) for rank in (Rank.TEN, Rank.SIX))
    player.count, player.seen = 13, 104
    assert player.act(six, tens, legal) is Action.SPLIT
    assert player.act(ten, sixteen, legal[:3] + legal[4:]) is Action.SURRENDER
    assert player.act(ten, eights, legal) is not Action.SURRENDER
    assert player.act(ten, sixteen, legal[:2]) in legal[:2]
    player.count = -13
    assert player.act(six, tens, legal) is not Action.SPLIT


@pytest.mark.parametrize(
    ("deviations", "said"),
    [
        ({("17 soft", "2"): (0, Action.HIT)}, "its deviations name '17 soft' against '2'"),
        ({("16", "T"): (0, Action.HIT)}, "its deviations name '16' against 'T'"),
        ({("16", "10"): (0, Action.INSURE)}, "a row and a column of a chart, and a move"),
    ],
)
def test_deviations_that_name_no_cell_are_not_declared(deviations: Deviations, said: str) -> None:
    """With what would have been one."""
    player = Indices()
    player.deviations = deviations
    found = declaration_of(player, PRESETS["six-decks-h17"])
    assert isinstance(found, Undeclared)
    assert said in found.reason
    assert player.deviations is deviations


def test_deviations_need_a_class_that_acts_and_an_upcard() -> None:
    """A chart by upcards has no columns for two cards, and draw knows no double."""

    class Draws(DeviatingPlayer, Simple):
        system, ramp, deviations = Counter.system, Counter.ramp, Indices.deviations

    found = declaration_of(Draws())
    assert isinstance(found, Undeclared)
    assert "only a class with an act, such as a chart's, can use deviations" in found.reason
    shown = declaration_of(Indices(), replace(PRESETS["six-decks-h17"], dealer_shows="both"))
    assert isinstance(shown, Undeclared)


def test_a_counter_insures_by_its_points() -> None:
    """Asked card by card it does what it declares."""
    player = Counter()
    hand, dealer = Hand(), Hand()
    offered = (Action.DECLINE, Action.INSURE)
    player.count, player.seen = 12, 104
    assert player.points == 3
    assert player.act(dealer, hand, offered) is Action.INSURE
    player.count = 11
    assert player.act(dealer, hand, offered) is Action.DECLINE


def test_one_who_always_insures_declares_it() -> None:
    """Without a count it is always or never."""

    class Insured(ActPlayer):
        @pure
        def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
            return Action.INSURE if Action.INSURE in legal else Action.STAND

    assert declared(Insured()).insure_from == -NEVER


class Unmarked(ActPlayer):
    """Promises nothing."""

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Stand."""
        return legal[0]


class ByCards(ActPlayer):
    """Looks at the first card of its hand."""

    @pure
    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Look closely."""
        return legal[player.cards[0].value > 5]


class ByLuck(ActPlayer):
    """Tosses coins."""

    @pure
    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Toss a coin."""
        return self.random.choice(legal)


class Insures20(ActPlayer):
    """Insures good hands only."""

    @pure
    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Insure what is worth it, as it thinks."""
        return legal[-1] if Action.INSURE in legal and player.total == 20 else legal[0]


class Illegal(ActPlayer):
    """Always doubles."""

    @pure
    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Double."""
        return Action.DOUBLE


class Changing(CountingPlayer, Charted):
    """Draws its chart anew each time."""

    system = CountSystem({})
    ramp = BetRamp({})

    @property
    def chart(self) -> Chart:  # type: ignore[override]  # the trick that is to be found
        """Toss a coin for a chart."""
        return Random(1).choice([BASE, CHART])


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (Unmarked, "Unmarked: its act is not marked @pure"),
        (ByCards, "gives different answers"),
        (ByLuck, "ByLuck: it looks at self.random when asked about a hand, which is not pure"),
        (Insures20, "Insures20: its act takes insurance only with some hands"),
        (Illegal, "and only stand, hit is legal"),
        (Changing, "Changing: it replaces chart with code"),
    ],
)
def test_whoever_is_not_what_it_promises_is_not_declared(kind: type[Player], reason: str) -> None:
    """The reason is a sentence that its author can do something about."""
    found = declaration_of(kind(), CASINO)
    assert isinstance(found, Undeclared)
    assert reason in found.reason


def test_a_chart_by_upcards_is_not_declared_where_both_cards_decide() -> None:
    """The dealer's 16 may have any upcard."""
    found = declaration_of(Charted(), EASYBJ)
    assert isinstance(found, Undeclared)
    assert "gives different answers" in found.reason
