"""The rules of blackjack from clause 37 on, those of casinos: docs/rules/blackjack.md."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tourney import Action, ActPlayer, Card, Hand, Player, Rank, Suit
from tourney.errors import IllegalActionError, RulesError
from tourney.game.cards.shoe import Shoe
from tourney.game.ledger import Account
from tourney.game.ledger.running_hash import cards_word
from tourney.games.blackjack.asking.seats import PlayerSeat
from tourney.games.blackjack.players.chart import ChartPlayer, always
from tourney.games.blackjack.records import Dealt, InsuranceSettled, Outcome, Revealed
from tourney.games.blackjack.round import Round
from tourney.games.blackjack.rules import (
    DOUBLE_DECK,
    EUROPEAN,
    SINGLE_DECK,
    SIX_DECKS_H17,
    SIX_DECKS_S17,
    BlackjackRules,
)
from tourney.games.blackjack.table_loop import TableLoop

HIT, STAND, DOUBLE, SPLIT, SURRENDER, INSURE, DECLINE = Action
SHORT = {"A": Rank.ACE, "K": Rank.KING, "T": Rank.TEN}
PEEK = BlackjackRules(
    payout="exact",
    double="first-two",
    split="by-value",
    surrender="first",
    insurance="offered",
    dealer_natural="wins-at-once",
    reshuffle=1,
)
LATE = replace(PEEK, dealer_natural="is-21")
NO_HOLE = replace(PEEK, hole_card="none", dealer_natural="beats-all")
WAGER = 10


def cards(ranks: str) -> list[Card]:
    """Make cards of the ranks in a text such as `AK25`."""
    rank_of = SHORT | {str(number): Rank(number) for number in range(2, 10)}
    return [Card(rank_of[letter], Suit.CLUBS) for letter in ranks]


def played(
    rules: BlackjackRules,
    ranks: str,
    actions: Sequence[Action] = (),
    seats: int = 1,
    behind: list[int] | None = None,
) -> Round:
    """Play a round by a script from a known shoe, as far as the script goes."""
    state = Round(rules, [WAGER] * seats, behind)
    shoe, script = iter(cards(ranks)), iter(actions)
    while not state.is_over:
        if state.to_act is None:
            state.deal(shoe)
        else:
            action = next(script, None)
            if action is None:
                return state
            state.apply_action(action)
    return state


def dealers_cards(state: Round) -> int:
    """Count the cards that the dealer has, face up or down."""
    return sum(isinstance(record, Dealt) and record.seat == -1 for record in state.records)


class Stacked(Shoe):
    """A shoe in a known order, over and over."""

    def __init__(self, ranks: str) -> None:
        super().__init__()
        self.ranks = ranks

    def _everything(self) -> list[Card]:
        return cards(self.ranks)

    def _shuffled(self, cards: list[Card]) -> Iterator[Card]:
        return iter(cards)


class Scripted(ActPlayer):
    """Acts by a script, then does the first thing it may, and remembers what it was asked."""

    def __init__(self, *actions: Any) -> None:
        self.script = list(actions)
        self.asked: list[tuple[Hand, Hand, tuple[Action, ...]]] = []
        self.seen: list[Card] = []

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Do the next thing of the script."""
        self.asked.append((Hand(dealer.cards), Hand(player.cards), legal))
        action: Action = self.script.pop(0) if self.script else legal[0]
        return action

    def expose(self, card: Card) -> None:
        """Remember a card."""
        self.seen.append(card)


class Drawing(Player):
    """Answers `draw` only."""

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet the minimum."""
        return minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Stand."""
        return False


def table_of(rules: BlackjackRules, ranks: str, *players: Player, bankroll: int = 100) -> Any:
    """Play one round with wagers of 10 and give the accounts, or the only one."""
    accounts = [Account(seat, seat, bankroll) for seat in range(len(players))]
    table = TableLoop(rules, Stacked(ranks), (WAGER, 1000))

    def occupant(account: Account, player: Player) -> PlayerSeat:
        return PlayerSeat(account, lambda: player, 1)

    table.play(list(map(occupant, accounts, players)), 1, 1)
    return accounts if len(accounts) > 1 else accounts[0]


def test_rule_37_every_seat_is_asked_first_of_all() -> None:
    """In order, naturals too, and before the dealer looks."""
    state = played(PEEK, "9A8A" + "9K8K", seats=3)
    turns = []
    while state.asks_insurance:
        turns.append(state.to_act)
        assert state.legal_actions() == (DECLINE, INSURE)
        state.apply_action(DECLINE)
    assert turns == [0, 1, 2]
    assert state.outcomes == [Outcome.DEALER_NATURAL, Outcome.BOTH_NATURAL, Outcome.DEALER_NATURAL]


@pytest.mark.parametrize(
    ("rules", "ranks"),
    [(PEEK, "9K9A"), (replace(PEEK, insurance="never"), "9A9K"), (PEEK, "9997")],
    ids=["ten", "never", "nine"],
)
def test_rule_37_only_against_an_ace_where_it_is_offered(rules: BlackjackRules, ranks: str) -> None:
    """A ten hides a natural as well, but is not insured against."""
    assert not played(rules, ranks).asks_insurance


def test_rule_37_a_player_sees_all_that_lies_face_up_before_it_insures() -> None:
    """The upcard and every hand, and not the hole card."""
    player = Scripted()
    table_of(PEEK, "9A8K", player)
    assert player.asked == [(Hand(cards("A")), Hand(cards("98")), (DECLINE, INSURE))]
    assert player.seen[:3] == cards("9A8")


@pytest.mark.parametrize(("behind", "asked"), [(4, False), (5, True)])
def test_rule_38_half_the_wager_must_be_there(behind: int, asked: bool) -> None:
    """One unit short of it, and the seat is passed over."""
    assert played(PEEK, "9A9T9", behind=[behind]).asks_insurance is asked


@pytest.mark.parametrize("answer", [HIT, STAND, SPLIT, True, None])
def test_rule_38_anything_else_is_a_fault(answer: Any) -> None:
    """The wager is lost; a stand-in declines and stands."""
    account = table_of(PEEK, "9A97" + "9" * 9, Scripted(answer))
    assert account.verdict is not None
    assert "one of Action.DECLINE, Action.INSURE, got" in account.verdict.message
    assert account.bankroll == 100 - WAGER
    state = played(PEEK, "9A97")
    with pytest.raises(IllegalActionError, match="hit is not legal; use decline or insure"):
        state.apply_action(HIT)


def test_rule_38_who_only_draws_declines() -> None:
    """And it counts as an action of its round, like anybody's."""
    account = table_of(PEEK, "9A8T9", Drawing())
    assert account.verdict is None
    assert (account.bankroll, account.handle) == (100 - WAGER, WAGER)
    expected = Account(0, 0, 100)
    expected.settle(WAGER, -WAGER, int(DECLINE), 4)
    expected.see_shoe(cards_word([card.code for card in cards("9A8T")]))
    assert account.mix == expected.mix


@pytest.mark.parametrize("asks", [ActPlayer, ChartPlayer])
def test_rule_38_who_says_nothing_about_insurance_declines(asks: type[Player]) -> None:
    """A chart, and a player whose `act` is the default."""

    class Charted(ChartPlayer):
        chart = always(HIT, shows_both=False)

    class Default(Drawing):
        def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
            """Leave it to the contract."""
            return super().act(dealer, player, legal)

    player = Charted() if asks is ChartPlayer else Default()
    assert player.act(Hand(cards("A")), Hand(cards("AK")), (DECLINE, INSURE)) is DECLINE
    account = table_of(PEEK, "9A8K", player)
    assert (account.verdict, account.bankroll) == (None, 100 - WAGER)


@pytest.mark.parametrize(
    ("rules", "ranks", "net"),
    [
        (PEEK, "9A9K", 0),  # loses 10 and gets 10
        (PEEK, "AAKK", WAGER),  # pushes and gets 10: even money
        (PEEK, "AAK9", 15 - 5),
        (PEEK, "TA98", -5 + 0),  # 19 pushes
        (LATE, "AAKK", 15 + WAGER),  # a natural is paid whatever the dealer holds
        (LATE, "TATK", -WAGER + WAGER),  # 20 against 21
        (NO_HOLE, "AAKK", WAGER),
        (NO_HOLE, "AAK9", 15 - 5),
        (NO_HOLE, "TA9K", 0),
    ],
)
def test_rule_39_insurance_is_paid_two_to_one(rules: BlackjackRules, ranks: str, net: int) -> None:
    """Or it is lost, beside what the hand comes to."""
    state = played(rules, ranks, [INSURE, STAND])
    assert state.is_over
    assert state.results() == (net,)


def test_rule_39_a_later_21_of_the_dealer_is_no_natural() -> None:
    """An ace, a five and another five."""
    assert played(LATE, "TA95" + "5", [INSURE, STAND]).results() == (-WAGER - 5,)
    assert played(NO_HOLE, "TA95" + "5", [INSURE, STAND]).results() == (-WAGER - 5,)


@pytest.mark.parametrize("rules", [SIX_DECKS_H17, EUROPEAN, replace(PEEK, natural="6:5")])
def test_rule_39_chips_are_counted_in_halves(rules: BlackjackRules) -> None:
    """So that half of every wager is whole."""
    assert rules.unit % 2 == 0
    assert BlackjackRules(insurance="offered").unit == 2


def test_rule_40_a_dealer_who_looks_settles_insurance_at_once() -> None:
    """Before anybody plays; or else at the end."""
    told = [record for record in played(PEEK, "9A98", [INSURE]).records if is_settled(record)]
    assert told == [InsuranceSettled(0, is_paid=False)]
    assert not any(map(is_settled, played(LATE, "9A98", [INSURE]).records))
    ended = played(LATE, "9A9K", [INSURE, STAND])
    told = [record for record in ended.records if is_settled(record)]
    assert told == [InsuranceSettled(0, is_paid=True)]


def is_settled(record: object) -> bool:
    """Say whether a record tells what became of insurance."""
    return isinstance(record, InsuranceSettled)


@pytest.mark.parametrize(("rules", "total"), [(LATE, 2), (NO_HOLE, 2)])
def test_rule_40_the_second_card_is_shown_for_insurance(rules: BlackjackRules, total: int) -> None:
    """After a bust nothing else asks for it, and none is drawn to it."""
    ranks = "TA65" + "T" if rules is LATE else "TA6" + "T" + "5"
    state = played(rules, ranks, [INSURE, HIT])
    assert state.is_over
    assert state.dealer is not None
    assert len(state.dealer) == total
    declined = played(rules, ranks, [DECLINE, HIT])
    assert declined.dealer is None
    assert not any(isinstance(record, Revealed) for record in declined.records)


def test_rule_41_the_stake_counts_in_the_handle() -> None:
    """And what is staked cannot be doubled with."""
    account = table_of(PEEK, "5A68" + "9" * 9, Scripted(INSURE, DOUBLE), bankroll=25)
    assert account.handle == 2 * WAGER + 5
    account = table_of(PEEK, "5A68" + "9" * 9, Scripted(INSURE, DOUBLE), bankroll=24)
    assert account.verdict is not None
    assert "Action.DOUBLE" not in account.verdict.message.partition(", got")[0]
    assert account.bankroll == 24 - WAGER - 5


@pytest.mark.parametrize(
    ("dealing", "order"),
    [
        ("seats-first", [0, 1, -1, 0, 1]),
        ("dealer-first", [-1, 0, 1, 0, 1]),
        ("dealer-both", [-1, 0, 0, 1, 1]),
    ],
)
def test_rule_42_the_dealer_gets_one_card(dealing: Any, order: list[int]) -> None:
    """And the second after all have played, face up."""
    rules = replace(NO_HOLE, dealing=dealing, insurance="never")
    state = played(rules, "99999", seats=2)
    dealt = [record for record in state.records if isinstance(record, Dealt)]
    assert [record.seat for record in dealt] == order
    assert all(record.is_face_up for record in dealt)
    state.apply_action(STAND)
    state.apply_action(STAND)
    state.deal(iter(cards("8")))
    assert state.is_over
    assert state.records[-3] == Dealt(-1, cards("8")[0])


def test_rule_42_nobody_waits_for_a_second_card_after_busts() -> None:
    """The dealer keeps one card then."""
    state = played(NO_HOLE, "T6T" + "T", [HIT])
    assert state.outcomes == [Outcome.BUST]
    assert dealers_cards(state) == 1


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"dealer_natural": "wins-at-once"}, "dealer_natural: 'wins-at-once' needs a hole card"),
        ({"dealer_shows": "both"}, "dealer_shows: 'both' needs a hole card"),
    ],
)
def test_rule_42_what_needs_a_hole_card_is_refused(settings: Any, expected: str) -> None:
    """To look at it, or to show it."""
    with pytest.raises(RulesError, match=expected):
        BlackjackRules(hole_card="none", **settings)


@pytest.mark.parametrize("rules", [NO_HOLE, replace(NO_HOLE, hole_card="if-compared")])
@pytest.mark.parametrize(
    ("hand", "actions", "drawn", "net"),
    [
        ("56", [DOUBLE], "T", -2 * WAGER),  # 21
        ("88", [SPLIT, STAND, STAND], "TT", -2 * WAGER),
        ("56", [HIT, STAND], "T", -WAGER),
        ("T9", [STAND], "", -WAGER),
    ],
)
def test_rule_43_a_natural_beats_all(
    rules: BlackjackRules, hand: str, actions: list[Action], drawn: str, net: int
) -> None:
    """Whatever has been staked by then, and a 21 too."""
    last = drawn + "A" if rules is NO_HOLE else drawn
    hole = "" if rules is NO_HOLE else "A"
    state = played(rules, f"{hand[0]}T{hand[1]}{hole}{last}", actions)
    assert state.is_over
    assert state.results() == (net,)
    assert set(state.outcomes) == {Outcome.DEALER_NATURAL}


@pytest.mark.parametrize(
    ("ranks", "net", "dealt"),
    [
        ("ATKA", 0, 2),  # ties
        ("ATK9", 15, 2),  # a ten could be a natural; it takes one card and no more
        ("AAKT", 0, 2),
        ("A9K", 15, 1),  # a nine could not
    ],
)
def test_rule_44_a_natural_waits_where_it_can_tie(ranks: str, net: int, dealt: int) -> None:
    """Against an ace or a ten."""
    state = played(NO_HOLE, ranks, [DECLINE])
    assert state.is_over
    assert state.results() == (net,)
    assert dealers_cards(state) == dealt


def test_rule_44_without_beats_all_it_is_paid_at_once() -> None:
    """A dealer's natural is a 21 then, as with a hole card."""
    state = played(replace(NO_HOLE, dealer_natural="is-21"), "ATK")
    assert state.results() == (15,)


def test_rule_45_a_surrender_saves_half_of_the_wager() -> None:
    """From a natural too, but not where the dealer has looked."""
    assert played(NO_HOLE, "T6TTA", [SURRENDER]).results() == (-WAGER // 2,)
    assert played(PEEK, "TA6K", [DECLINE]).results() == (-WAGER,)
    two = played(NO_HOLE, "T9T69" + "A", [SURRENDER, STAND], seats=2)
    assert two.outcomes == [Outcome.SURRENDERED, Outcome.DEALER_NATURAL]


def test_rule_45_a_bust_has_lost_already() -> None:
    """Whatever the dealer's second card says to the others."""
    state = played(NO_HOLE, "T9T69" + "T" + "A", [HIT, STAND], seats=2)
    assert state.outcomes == [Outcome.BUST, Outcome.DEALER_NATURAL]
    assert state.results() == (-WAGER, -WAGER)


@pytest.mark.parametrize(
    ("setting", "hand", "may"),
    [
        ("9-11", "53", False),
        ("9-11", "54", True),
        ("9-11", "56", True),
        ("9-11", "57", False),
        ("9-11", "A8", False),
        ("9-11", "AA", False),
        ("10-11", "54", False),
        ("10-11", "55", True),
        ("10-11", "A9", False),
    ],
)
def test_rule_46_only_some_totals_are_doubled(setting: Any, hand: str, may: bool) -> None:
    """A soft 19 is no nine."""
    state = played(replace(PEEK, double=setting), f"{hand[0]}6{hand[1]}9")
    assert (DOUBLE in state.legal_actions()) is may


def test_rule_47_aces_are_split_again_and_nothing_else() -> None:
    """The seat is asked about two aces only, and may stand on them."""
    rules = replace(PEEK, split_aces="resplit")
    assert played(rules, "A6A9" + "89" + "9", [SPLIT]).is_over
    state = played(rules, "A6A9" + "A9", [SPLIT])
    assert state.legal_actions() == (STAND, SPLIT)
    with pytest.raises(IllegalActionError, match="hit is not legal; use stand or split"):
        state.apply_action(HIT)
    state.apply_action(SPLIT)
    state.deal(iter(cards("8A")))
    assert state.in_play is state.hands[2]
    state.apply_action(STAND)
    state.deal(iter(cards("9")))
    assert state.is_over
    assert [each.hand.total for each in state.hands] == [19, 20, 12]


def test_rule_47_as_long_as_there_may_be_another_hand() -> None:
    """Neither beyond `hands` nor beyond the chips."""
    rules = replace(PEEK, split_aces="resplit")
    assert played(replace(rules, hands=2), "A6A9" + "AA" + "9", [SPLIT]).is_over
    assert played(rules, "A6A9" + "AA" + "9", [SPLIT], behind=[WAGER]).is_over
    assert not played(rules, "A6A9" + "AA" + "9", [SPLIT], behind=[2 * WAGER]).is_over


@pytest.mark.parametrize("cell", [(SPLIT,), (HIT, SPLIT), (DOUBLE, HIT)])
def test_rule_47_a_chart_reads_its_row_of_aces(cell: tuple[Action, ...]) -> None:
    """As if the hand could be hit; it stands if the chart wants anything but a split."""
    chart = always(*cell, shows_both=False)
    move = chart.choose(Hand(cards("6")), Hand(cards("AA")), (STAND, SPLIT))
    assert move is (SPLIT if cell[0] is SPLIT else STAND)


@pytest.mark.parametrize("rules", [SIX_DECKS_H17, SIX_DECKS_S17])
def test_rule_48_six_decks(rules: BlackjackRules) -> None:
    """They differ in what the dealer does with a soft 17."""
    assert replace(rules, soft_17="hit") == SIX_DECKS_H17
    assert (rules.decks, rules.reshuffle, rules.natural) == (6, 78, "3:2")
    assert played(rules, "8T88" + "23", [SPLIT]).legal_actions() == (STAND, HIT, DOUBLE)
    assert SURRENDER in played(rules, "T69T").legal_actions()
    assert played(rules, "TA6K", [DECLINE]).is_over
    after = played(rules, "TA76" + "4", [DECLINE, STAND])
    assert len(after.cards) == (4 if rules is SIX_DECKS_S17 else 5)


def test_rule_49_two_decks_and_one() -> None:
    """Without surrender; and with one deck hands are not doubled after a split."""
    assert (DOUBLE_DECK.decks, DOUBLE_DECK.reshuffle) == (2, 34)
    assert (SINGLE_DECK.decks, SINGLE_DECK.reshuffle) == (1, 26)
    for rules in (DOUBLE_DECK, SINGLE_DECK):
        assert SURRENDER not in played(rules, "T69T").legal_actions()
        after = played(rules, "8T88" + "23", [SPLIT]).legal_actions()
        assert (DOUBLE in after) is (rules is DOUBLE_DECK)


def test_rule_50_the_european_game() -> None:
    """The dealer's second card comes last, and an ace to a ten takes all."""
    state = played(EUROPEAN, "5T6" + "T" + "A", [DOUBLE])
    assert state.results() == (-2 * WAGER,)
    assert replace(
        EUROPEAN, hole_card="if-compared", dealer_natural="wins-at-once", surrender="first"
    ) == (SIX_DECKS_S17)
