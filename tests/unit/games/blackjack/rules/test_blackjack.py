"""The rules of blackjack, clause by clause: docs/rules/blackjack.md."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tourney import Card, Hand, Player, Rank, Suit
from tourney.errors import IllegalActionError
from tourney.formats.field import Field
from tourney.game.cards.card import CARDS
from tourney.game.cards.deck import riffle
from tourney.game.cards.keys import Secret
from tourney.game.cards.shoe import RiffleShoe, Shoe, make_shoe
from tourney.game.ledger import Account, BlockKey
from tourney.game.seats import play_block
from tourney.game.turns import Watcher
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.asking.seats import PlayerSeat
from tourney.games.blackjack.records import Dealt, Outcome
from tourney.games.blackjack.round import Round
from tourney.games.blackjack.rules import EECS280, VE280, BlackjackRules
from tourney.games.blackjack.table_loop import TableLoop
from tourney.plugins.loading import load_plugins
from tourney.strategies.counting import Counting
from tourney.tournament.loading import enter
from tourney.tournament.tournament import config_of

RANK_NAMES = {str(rank) for rank in Rank}
SHORT_SHOE = BlackjackRules(reshuffle=20)
SHORT = {"A": Rank.ACE, "K": Rank.KING, "Q": Rank.QUEEN, "J": Rank.JACK, "T": Rank.TEN}


def cards(ranks: str) -> list[Card]:
    """Make cards of the ranks in a text such as `AK25`."""
    rank_of = SHORT | {str(number): Rank(number) for number in range(2, 10)}
    return [Card(rank_of[letter], Suit.CLUBS) for letter in ranks]


class Scripted(Player):
    """Bets and draws as it is told, and remembers what it sees."""

    def __init__(self, wagers: Sequence[int] = (), draws: Sequence[bool] = ()) -> None:
        self.wagers, self.draws = list(wagers), list(draws)
        self.log: list[str] = []

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet the next wager of the script, then the minimum."""
        self.log.append("bet")
        return self.wagers.pop(0) if self.wagers else minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Draw as the script says, then stand."""
        self.log.append(f"draw {player.total} against {dealer.value}")
        return self.draws.pop(0) if self.draws else False

    def expose(self, card: Card) -> None:
        """Remember a card."""
        self.log.append(str(card.rank))

    def shuffled(self) -> None:
        """Remember a shuffle."""
        self.log.append("shuffled")


class Stacked(Shoe):
    """A shoe in a known order, over and over."""

    def __init__(self, ranks: str) -> None:
        super().__init__()
        self.ranks = ranks

    def _everything(self) -> list[Card]:
        return cards(self.ranks)

    def _shuffled(self, cards: list[Card]) -> Iterator[Card]:
        return iter(cards)


def play(
    ranks: str,
    *players: Player,
    rules: BlackjackRules | None = None,
    bankroll: int = 100,
    rounds: int = 1,
    limits: tuple[int, int] = (5, 1000),
    watcher: Watcher | None = None,
) -> list[Account]:
    """Play rounds from a stacked shoe and give the accounts."""
    # These shoes are short; they are shuffled only where a test asks for it.
    table = TableLoop(rules or BlackjackRules(reshuffle=1), Stacked(ranks), limits, watcher=watcher)
    accounts = [Account(seat, seat, bankroll) for seat in range(len(players))]

    def occupant(account: Account, player: Player) -> PlayerSeat:
        return PlayerSeat(account, lambda: player, 1)

    table.play(list(map(occupant, accounts, players)), 1, rounds)
    return accounts


def opened(ranks: str, seats: int = 1, rules: BlackjackRules | None = None) -> Round:
    """Deal the opening cards of a round."""
    state = Round(rules or BlackjackRules(), [10] * seats)
    state.deal(iter(cards(ranks)))
    return state


def net_of(ranks: str, draws: Sequence[bool] = (), rules: BlackjackRules | None = None) -> int:
    """Play one round of a wager of 5 and give the net."""
    (account,) = play(ranks, Scripted(draws=draws), rules=rules or BlackjackRules(reshuffle=1))
    return account.bankroll - 100


def test_rule_1_seats_act_in_order() -> None:
    """First base first; who is to act is part of the state."""
    state = opened("23456789", seats=3)
    turns = []
    while state.to_act is not None:
        turns.append(state.to_act)
        state.apply_action(Action.STAND)
    assert turns == [0, 1, 2]


def test_rule_2_wagers_come_before_cards() -> None:
    """Every seat has answered before the first exposure."""
    first, second = Scripted(), Scripted()
    play("2345678999", first, second)
    assert first.log[:3] == ["shuffled", "bet", "Two"]
    assert second.log[:3] == ["shuffled", "bet", "Two"]


@pytest.mark.parametrize(
    ("wager", "limits", "expected"),
    [
        (4, (5, 1000), "from 5 to 100; you bet 4"),
        (101, (5, 1000), "from 5 to 100; you bet 101"),
        (51, (5, 50), "from 5 to 50; you bet 51"),
        (True, (1, 1000), "you bet True, a bool: wrap it in int"),
        (10.0, (5, 1000), r"you bet 10.0, a float: wrap it in int"),
        (None, (5, 1000), "you bet None"),
    ],
)
def test_rule_3_a_wager_lies_between_minimum_and_what_the_seat_can_place(
    wager: Any, limits: tuple[int, int], expected: str
) -> None:
    """Anything else is a fault; the chips stay where they are."""
    (account,) = play("9999", Scripted(wagers=[wager]), limits=limits)
    assert account.verdict is not None
    assert account.verdict.cause == "illegal"
    assert expected.replace("\\", "") in account.verdict.message
    assert account.bankroll == 100


@pytest.mark.parametrize("wager", [5, 50, 100])
def test_rule_3_both_ends_are_allowed(wager: int) -> None:
    """The minimum, and the whole bankroll."""
    (account,) = play("9999", Scripted(wagers=[wager]))
    assert account.verdict is None
    assert account.handle == wager


def test_rule_4_the_stop_rule_decides_about_a_bankroll_of_the_minimum() -> None:
    """At least 5 plays on with 5; above 5 does not."""
    lost_half = [
        play(
            "TT89" * 9,
            Scripted(),
            rules=BlackjackRules(reshuffle=1, stop=stop),  # type: ignore[arg-type]  # one of both
            bankroll=10,
            rounds=9,
        )[0]
        for stop in ("at-least", "above")
    ]
    assert [(account.bankroll, account.rounds) for account in lost_half] == [(0, 2), (5, 1)]
    assert [account.left_round for account in lost_half] == [2, 1]


def test_rule_4_both_documents_are_read_as_at_least() -> None:
    """One says "above the minimum bet of 5", and why it is read so stands beside the rule."""
    assert [rules.may_play(5, 5) for rules in (VE280, EECS280)] == [True, True]
    page = Path(__file__).parents[5] / "docs" / "rules" / "blackjack.md"
    clause = page.read_text(encoding="utf-8").partition("\n4. ")[2].partition("\n## ")[0]
    assert "above the minimum bet of 5" in clause
    assert "too little money to make a minimum wager" in clause


def test_rule_5_the_order_of_the_deal() -> None:
    """Seats, upcard, seats, hole card face down."""
    state = opened("2345678", seats=2)
    dealt = [record for record in state.records if isinstance(record, Dealt)]
    assert [(record.seat, record.card.value, record.is_face_up) for record in dealt] == [
        (0, 2, True),
        (1, 3, True),
        (-1, 4, True),
        (0, 5, True),
        (1, 6, True),
        (-1, 7, False),
    ]


@pytest.mark.parametrize(
    ("ranks", "total", "soft"),
    [("A6", 17, True), ("A6T", 17, False), ("AA", 12, True), ("AA9", 21, True), ("KQ5", 25, False)],
)
def test_rule_6_one_ace_counts_eleven_if_it_can(ranks: str, total: int, soft: bool) -> None:
    """Else every ace counts one."""
    assert tuple(Hand(cards(ranks)).value) == (total, soft)


def test_rule_7_a_player_sees_every_card_that_lies_face_up() -> None:
    """Those of the other seats too, in dealing order; the hole card when it is turned."""
    first, second = Scripted(draws=[True]), Scripted()
    play("23456T98", first, second)
    assert second.log == [
        *("shuffled", "bet", "Two", "Three", "Four", "Five", "Six", "Nine", "draw 9 against 4"),
        *("Ten", "Eight"),
    ]


@pytest.mark.parametrize(
    ("ranks", "seen"),
    [("T9A2", ["Ten", "Nine", "Ace"]), ("T9T2K", ["Ten", "Nine", "Ten", "King"])],
    ids=["natural", "bust"],
)
def test_rule_7_the_hole_card_stays_hidden_if_the_dealer_need_not_play(
    ranks: str, seen: list[str]
) -> None:
    """After a natural or a bust nobody sees it."""
    player = Scripted(draws=[True])
    play(ranks, player)
    assert [entry for entry in player.log if entry in RANK_NAMES] == seen


def test_rule_8_a_natural_is_paid_whatever_the_dealer_holds() -> None:
    """Against a dealer's natural too, and without a decision."""
    player = Scripted()
    (account,) = play("AAKK", player)
    assert account.bankroll == 107
    assert not any(entry.startswith("draw") for entry in player.log)


@pytest.mark.parametrize(
    ("natural", "wager", "net"),
    [("3:2", 3, 4), ("3:2", 10, 15), ("6:5", 5, 6), ("6:5", 7, 8), ("1:1", 7, 7)],
)
def test_rule_9_a_natural_is_rounded_down(natural: Any, wager: int, net: int) -> None:
    """3 to 2, 6 to 5 or even money."""
    rules = BlackjackRules(reshuffle=1, natural=natural)
    (account,) = play("A9K9", Scripted(wagers=[wager]), rules=rules, limits=(1, 100))
    assert account.bankroll == 100 + net


@pytest.mark.parametrize(("natural", "unit"), [("3:2", 2), ("6:5", 5), ("1:1", 1)])
def test_rule_9_an_exact_payout_counts_chips_in_parts(natural: Any, unit: int) -> None:
    """A wager of one chip is paid exactly; the player goes on thinking in whole chips."""
    rules = BlackjackRules(reshuffle=1, natural=natural, payout="exact")
    player = Scripted(wagers=[1])
    (account,) = play("A9K9", player, rules=rules, bankroll=100 * unit, limits=(unit, 50 * unit))
    numerator, denominator = map(int, natural.split(":"))
    assert account.bankroll * denominator == (100 * denominator + numerator) * unit
    assert account.handle == unit


def test_rule_10_a_seat_is_asked_until_it_stands_or_busts() -> None:
    """At 21 too."""
    player = Scripted(draws=[True, True])
    play("5T6TT5T", player)
    asked = [entry for entry in player.log if entry.startswith("draw")]
    assert asked == ["draw 11 against 10", "draw 21 against 10"]


def test_rule_11_a_bust_loses_even_if_the_dealer_would_bust() -> None:
    """The dealer does not play for it."""
    assert net_of("T6T6TT", draws=[True]) == -5


def test_rule_12_the_dealer_plays_only_for_a_seat_that_waits() -> None:
    """One seat busts, the other waits: the dealer draws once."""
    state = opened("T96T9TT5", seats=2)
    state.apply_action(Action.HIT)
    state.deal(iter(cards("T5")))
    state.apply_action(Action.STAND)
    state.deal(iter(cards("5")))
    assert state.outcomes == [Outcome.BUST, Outcome.LOSS]
    assert state.dealer is not None
    assert state.dealer.total == 21


@pytest.mark.parametrize(
    ("ranks", "soft_17", "draws_on"),
    [
        ("TT86", "stand", True),  # 16
        ("TT87", "stand", False),  # hard 17
        ("TA86", "stand", False),  # soft 17
        ("TA86", "hit", True),
        ("TT87", "hit", False),
        ("TA87", "hit", False),  # soft 18
    ],
)
def test_rule_13_the_dealer_stands_on_17(ranks: str, soft_17: Any, draws_on: bool) -> None:
    """On soft 17 as well, unless the rules say hit."""
    state = opened(ranks, rules=BlackjackRules(soft_17=soft_17))
    state.apply_action(Action.STAND)
    assert state.is_over is not draws_on


@pytest.mark.parametrize(
    ("ranks", "outcome", "net"),
    [
        ("T6T6T", Outcome.DEALER_BUST, 5),
        ("T79T", Outcome.WIN, 5),
        ("T9TT", Outcome.WIN, 5),
        ("TT89", Outcome.LOSS, -5),
        ("T9TA", Outcome.PUSH, 0),
    ],
)
def test_rule_14_totals_are_compared(ranks: str, outcome: Outcome, net: int) -> None:
    """A dealer's bust pays everybody who waits, the higher total wins, equals push."""
    state = opened(ranks)
    state.apply_action(Action.STAND)
    if not state.is_over:
        state.deal(iter(cards(ranks[4:])))
    assert state.outcomes == [outcome]
    assert net_of(ranks) == net


def test_rule_15_a_dealers_natural_is_only_a_21() -> None:
    """A 21 of three cards pushes against it."""
    assert net_of("7A7T7", draws=[True]) == 0


def test_rule_16_the_dealer_shuffles_before_a_round_when_few_cards_are_left() -> None:
    """With 12 cards and a threshold of 5, every second round; before the wagers."""
    player = Scripted()
    play("T8T9" * 3, player, rules=BlackjackRules(reshuffle=5), rounds=4)
    asked = [entry for entry in player.log if entry in {"shuffled", "bet"}]
    assert asked == ["shuffled", "bet", "bet", "shuffled", "bet", "bet"]


def test_rule_16_the_threshold_itself_is_enough() -> None:
    """Fewer than 4 cards left shuffles; 4 do not."""
    player = Scripted()
    play("T8T9" * 3, player, rules=BlackjackRules(reshuffle=4), rounds=3)
    assert player.log.count("shuffled") == 1


def test_rule_16_every_round_can_begin_a_shoe() -> None:
    """And the first round does not shuffle twice."""
    player = Scripted()
    play("T8T9" * 3, player, rules=BlackjackRules(reshuffle="every-round"), rounds=3)
    asked = [entry for entry in player.log if entry in {"shuffled", "bet"}]
    assert asked == ["shuffled", "bet"] * 3


class Spy(Watcher):
    """Remembers the shoes and the cards of every round."""

    def __init__(self) -> None:
        self.shoes: list[int] = []
        self.dealt: list[Card] = []

    def shuffled(self, shoe: Shoe) -> None:
        """Remember the number of the shoe."""
        self.shoes.append(shoe.number)

    def happened(self, record: Any) -> None:
        """Remember a card."""
        if isinstance(record, Dealt):
            self.dealt.append(record.card)


def spied(rules: BlackjackRules, seats: int, rounds: int, *, hits: bool = False) -> Spy:
    """Play a block and give what happened."""
    spy = Spy()
    key = BlockKey(0, 0, 0, 0, 1)
    field = Field(1, rules, 10_000, 5, 500, Secret.from_seed(7))
    block = field.block(key, ((0, 10_000),) * seats, rounds)
    play_block(block, lambda _: Scripted(draws=[True] * 10_000 if hits else []), spy)
    return spy


def test_rule_17_every_shoe_is_newly_opened_decks() -> None:
    """A round from each of many shoes: every card comes first about equally often."""
    spy = spied(BlackjackRules(reshuffle="every-round"), 1, 5_200)
    assert set(Counter(spy.dealt)) == set(CARDS)
    assert spy.shoes == list(range(5_200))


def test_rule_18_a_riffled_deck_is_never_reset() -> None:
    """Shoe 1 is a shuffle of shoe 0, not of a newly opened deck."""
    shoe = make_shoe(1, "riffle", bytes(16))
    assert isinstance(shoe, RiffleShoe)
    shoe.shuffle()
    order = list(shoe.cards)
    shoe.shuffle()
    for cut in shoe.cuts:
        order = riffle(order, cut)
    assert list(shoe.cards) == order


@pytest.mark.parametrize("shuffle", ["uniform", "riffle"])
def test_rule_19_a_shoe_that_runs_out_goes_on_from_the_discards(shuffle: Any) -> None:
    """Seven eager seats and one deck: no card lies twice on the table, and all are told."""
    spy = spied(BlackjackRules(shuffle=shuffle, reshuffle=1), 7, 40, hits=True)
    assert len(spy.shoes) > 20
    rounds = rounds_of(BlackjackRules(shuffle=shuffle, reshuffle=1), 40)
    assert all(len(set(on_table)) == len(on_table) for on_table in rounds)


def rounds_of(rules: BlackjackRules, rounds: int) -> list[list[Card]]:
    """Give the cards of every round at a table of seven seats that hit to the end."""

    class ByRound(Watcher):
        def __init__(self) -> None:
            self.rounds: list[list[Card]] = []

        def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
            self.rounds.append([])

        def happened(self, record: Any) -> None:
            if isinstance(record, Dealt):
                self.rounds[-1].append(record.card)

    watcher = ByRound()
    field = Field(1, rules, 10_000, 5, 500, Secret.from_seed(7))
    block = field.block(BlockKey(0, 0, 0, 0, 1), ((0, 10_000),) * 7, rounds)
    play_block(block, lambda _: Scripted(draws=[True] * 10_000), watcher)
    return watcher.rounds


def test_rule_20_infinite_decks_can_deal_a_card_twice() -> None:
    """And every round has a shoe of its own."""
    spy = spied(BlackjackRules(decks="infinite"), 7, 300)
    assert spy.shoes == list(range(300))
    assert any(
        len(set(cards)) < len(cards) for cards in rounds_of(BlackjackRules(decks="infinite"), 20)
    )


def test_rule_21_a_player_is_made_for_every_block() -> None:
    """Once for each, and never shared."""
    made: list[Player] = []

    def make(_: int) -> Player:
        made.append(Scripted())
        return made[-1]

    field = Field(1, BlackjackRules(), 100, 5, 100, Secret.from_seed(7))
    for table in range(3):
        play_block(field.block(BlockKey(0, 0, table, 0, 1), ((0, 100),), 5), make)
    assert len(set(map(id, made))) == 3


class Faulty(Scripted):
    """Raises at its third decision about a card."""

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Fail, sooner or later."""
        if sum(entry.startswith("draw") for entry in self.log) == 2:
            raise ZeroDivisionError("a student's mistake")
        return super().draw(dealer, player)


def test_rule_22_a_fault_ends_the_seat_and_costs_its_wager() -> None:
    """The verdict says what, where and when."""
    (account,) = play("TT89" * 9, Faulty(), rounds=9)
    verdict = account.verdict
    assert verdict is not None
    assert (verdict.cause, verdict.call, verdict.round) == ("raised", "draw", 3)
    assert verdict.message == "draw: expected an answer, got ZeroDivisionError: a student's mistake"
    assert __file__.endswith(verdict.place.partition(":")[0])
    assert verdict.place
    assert "raise ZeroDivisionError" in verdict.traceback
    assert (account.bankroll, account.rounds, account.left_round) == (85, 3, 3)


@pytest.mark.parametrize("answer", [1, None, "yes", 0.0])
def test_rule_22_a_draw_is_true_or_false(answer: Any) -> None:
    """Nothing that merely looks like it."""
    (account,) = play("T8T9" * 9, Scripted(draws=[answer]), rounds=9)
    assert account.verdict is not None
    assert account.verdict.message.startswith(f"draw: expected True or False, got {answer!r}")


def test_rule_23_the_others_do_not_notice_a_fault() -> None:
    """Their cards and results are those of a table where the faulted seat bet and stood."""
    with_fault, without = Scripted(draws=[True] * 50), Scripted(draws=[True] * 50)
    first = play("23456789TJQKA" * 4, Faulty(), with_fault, rules=SHORT_SHOE, rounds=20)
    second = play("23456789TJQKA" * 4, Scripted(), without, rules=SHORT_SHOE, rounds=20)
    assert first[0].verdict is not None
    assert second[0].verdict is None
    assert with_fault.log == without.log
    assert first[1].result() == second[1].result()


def test_the_presets_are_the_documents() -> None:
    """Riffled, reshuffled under 20 cards, 3:2 rounded down, standing on soft 17."""
    assert BlackjackRules(shuffle="riffle") == VE280
    assert BlackjackRules(shuffle="riffle", minimum=5) == EECS280


def test_a_state_refuses_what_is_not_its_turn() -> None:
    """Before the deal, and after the end."""
    state = Round(BlackjackRules(), [5])
    with pytest.raises(IllegalActionError, match="no seat can act now"):
        state.apply_action(Action.HIT)
    with pytest.raises(IllegalActionError, match="the round is not over"):
        state.results()


def counting_options(preset: str, **own: str) -> dict[str, object]:
    """Give the options of Counting in a tournament of a preset."""
    plugins = load_plugins()
    told = {
        "name": "Short",
        "seed": 1,
        "game": preset,
        "bankroll": 9,
        "format": {"kind": "duplicate", "tables": 1, "rounds": 1},
        "entrants": [{"strategy": "counting", "options": own}, {"strategy": "simple"}],
    } | ({} if preset == "eecs280" else {"minimum": 5})
    counting, simple = enter(config_of(told, plugins), plugins).records
    assert not simple.options
    return dict(counting.options)


def counting_wager(bankroll: int, **options: Any) -> int:
    """Give what Counting bets at a count of +2 and a minimum of 5."""
    player = Counting(**options)
    for _ in range(2):
        player.expose(Card(Rank.TWO, Suit.SPADES))
    return player.bet(bankroll, 5)


def test_rule_51_counting_bets_the_minimum_if_it_cannot_pay_the_double() -> None:
    """As the VE280 document says."""
    options = counting_options("ve280")
    assert options == {}
    assert [counting_wager(chips, **options) for chips in (5, 6, 9, 10)] == [5, 5, 5, 10]


def test_rule_52_counting_bets_all_it_has_in_eecs280() -> None:
    """Unless its entrant says otherwise."""
    options = counting_options("eecs280")
    assert options == {"short": "rest"}
    assert [counting_wager(chips, **options) for chips in (5, 6, 9, 10)] == [5, 6, 9, 10]
    assert counting_options("eecs280", short="minimum") == {"short": "minimum"}
