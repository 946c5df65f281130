"""The rules of blackjack from clause 24 on, one by one: docs/rules/blackjack.md."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tourney import Action, ActPlayer, Card, Hand, Player, Rank, Suit
from tourney.errors import IllegalActionError
from tourney.game.cards.shoe import Shoe
from tourney.game.ledger import Account
from tourney.games.blackjack.asking.seats import PlayerSeat
from tourney.games.blackjack.records import Dealt, Outcome, Revealed
from tourney.games.blackjack.round import Round
from tourney.games.blackjack.rules import CSC24400, EASYBJ, BlackjackRules
from tourney.games.blackjack.table_loop import TableLoop

HIT, STAND, DOUBLE, SPLIT, SURRENDER, *_ = Action
SHORT = {"A": Rank.ACE, "K": Rank.KING, "Q": Rank.QUEEN, "J": Rank.JACK, "T": Rank.TEN}
FULL = BlackjackRules(
    payout="exact", double="first-two", split="by-value", surrender="first", reshuffle=1
)
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


class Stacked(Shoe):
    """A shoe in a known order, over and over."""

    def __init__(self, ranks: str) -> None:
        super().__init__()
        self.ranks = ranks

    def _everything(self) -> list[Card]:
        return cards(self.ranks)

    def _shuffled(self, cards: list[Card]) -> Iterator[Card]:
        return iter(cards)


def table_of(
    rules: BlackjackRules, ranks: str, player: Player, bankroll: int = 100, rounds: int = 1
) -> Account:
    """Play rounds at a table with one seat and a wager of 10 at least."""
    account = Account(0, 0, bankroll)
    table = TableLoop(rules, Stacked(ranks), (WAGER, 1000))
    table.play([PlayerSeat(account, lambda: player, 1)], 1, rounds)
    return account


class Scripted(ActPlayer):
    """Acts by a script, then stands, and remembers what it was asked."""

    def __init__(self, *actions: Any) -> None:
        self.script = list(actions)
        self.asked: list[tuple[Hand, Hand, tuple[Action, ...]]] = []
        self.seen: list[Card] = []

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Do the next thing of the script."""
        self.asked.append((Hand(dealer.cards), Hand(player.cards), legal))
        action: Action = self.script.pop(0) if self.script else STAND
        return action

    def expose(self, card: Card) -> None:
        """Remember a card."""
        self.seen.append(card)


@pytest.mark.parametrize(
    ("dealing", "order"),
    [
        ("seats-first", [0, 1, -1, 0, 1, -1]),
        ("dealer-first", [-1, 0, 1, -1, 0, 1]),
        ("dealer-both", [-1, -1, 0, 0, 1, 1]),
    ],
)
def test_rule_24_the_opening_cards_have_an_order(dealing: Any, order: list[int]) -> None:
    """The hole card is the dealer's second in all of them."""
    state = played(replace(FULL, dealing=dealing), "234567", seats=2)
    dealt = [record for record in state.records if isinstance(record, Dealt)]
    assert [record.seat for record in dealt] == order
    assert [record.is_face_up for record in dealt].index(False) == len(order) - 1 - order[
        ::-1
    ].index(-1)


def test_rule_25_both_cards_of_the_dealer_may_lie_face_up() -> None:
    """A player that acts sees both, and both are exposed before it acts."""
    player = Scripted()
    table_of(replace(FULL, dealer_shows="both"), "T6T7" + "9" * 9, player)
    dealer, _, _ = player.asked[0]
    assert dealer.cards == tuple(cards("67"))
    assert player.seen[:4] == cards("T6T7")


@pytest.mark.parametrize(
    ("ranks", "outcome", "net"),
    [
        ("9A9K", Outcome.DEALER_NATURAL, -WAGER),
        ("9K9A", Outcome.DEALER_NATURAL, -WAGER),
        ("AAKK", Outcome.BOTH_NATURAL, 0),
        ("A9K9", Outcome.NATURAL, 15),
    ],
)
def test_rule_26_a_dealers_natural_may_win_at_once(ranks: str, outcome: Outcome, net: int) -> None:
    """Nobody acts; only a natural saves the wager."""
    state = played(replace(FULL, dealer_natural="wins-at-once"), ranks)
    assert state.is_over
    assert state.outcomes == [outcome]
    assert state.results() == (net,)


@pytest.mark.parametrize(("setting", "turns"), [("if-compared", 0), ("always", 1)])
def test_rule_27_the_hole_card_may_be_turned_in_any_case(setting: Any, turns: int) -> None:
    """Here after a bust."""
    state = played(replace(FULL, hole_card=setting), "T6T7T", [HIT])
    assert state.outcomes == [Outcome.BUST]
    assert sum(isinstance(record, Revealed) for record in state.records) == turns
    assert len(state.cards) == 5


def test_rule_28_a_21_may_stand_by_itself() -> None:
    """After a hit, and after a split; without the rule its seat is asked."""
    rules = replace(FULL, stands_on_21=True)
    assert played(rules, "56T75", [HIT]).to_act == 0  # 20
    assert played(rules, "5667T" + "9", [HIT]).is_over  # 21
    assert played(FULL, "5667T", [HIT]).to_act == 0
    state = played(rules, "AT A6 T9 9".replace(" ", ""), [SPLIT])
    assert state.is_over


def test_rule_29_wagers_may_be_fixed() -> None:
    """Nobody is asked to bet; cards of the round before are seen all the same."""

    class Shy(Scripted):
        """Would not know what to bet."""

        def bet(self, bankroll: int, minimum: int) -> int:
            """Fail, should anybody ask."""
            raise AssertionError

    player = Shy()
    account = table_of(replace(FULL, wager="minimum"), "T8T9" * 4, player, rounds=2)
    assert account.verdict is None
    assert (account.rounds, account.handle) == (2, 2 * WAGER)
    assert player.seen == cards("T8T9" * 2)


@pytest.mark.parametrize(("decks", "left"), [(1, 51), (3, 51), (4, 62), (20, 311)])
def test_rule_30_two_thresholds_hold_at_once(decks: int, left: int) -> None:
    """Fewer than 52 cards, or less than 30 % of the shoe: whichever comes first."""
    rules = replace(CSC24400, decks=decks)
    assert rules.must_shuffle(left, 52 * decks)
    assert not rules.must_shuffle(left + 1, 52 * decks)


@pytest.mark.parametrize(
    ("ranks", "net"),
    [
        ("5T6T9", 0),  # 20 against 20
        ("5T6TT", 2 * WAGER),  # 21
        ("5T6T2", -2 * WAGER),  # 13 stands: one card and no more
        ("TT6TT", -2 * WAGER),  # a doubled hand that busts loses two
        ("5667TT", 2 * WAGER),  # the dealer busts
    ],
)
def test_rule_31_a_double_stakes_the_wager_again_for_one_card(ranks: str, net: int) -> None:
    """Win, lose and push count twice."""
    state = played(FULL, ranks, [DOUBLE])
    assert state.is_over
    assert state.results() == (net,)
    assert state.wagers == [2 * WAGER]


def test_rule_31_only_two_cards_can_be_doubled() -> None:
    """After a hit it is too late; after a split it is a matter of the rules."""
    assert DOUBLE not in played(FULL, "2T3T4", [HIT]).legal_actions()
    assert DOUBLE in played(FULL, "8T8T23", [SPLIT]).legal_actions()
    not_after = replace(FULL, double_after_split=False)
    assert DOUBLE not in played(not_after, "8T8T23", [SPLIT]).legal_actions()
    with pytest.raises(IllegalActionError, match="double is not legal; use stand or hit"):
        played(FULL, "2T3T4", [HIT, DOUBLE])


@pytest.mark.parametrize(
    ("setting", "ranks", "may"),
    [
        ("by-value", "KTQT", True),
        ("by-rank", "KTQT", False),
        ("by-rank", "KTKT", True),
        ("by-value", "9TTT", False),
        ("never", "8T8T", False),
    ],
)
def test_rule_32_pairs_are_split_by_value_or_by_rank(setting: Any, ranks: str, may: bool) -> None:
    """A king and a queen are of equal value and of different rank."""
    state = played(replace(FULL, split=setting), ranks)
    assert (SPLIT in state.legal_actions()) is may


def test_rule_32_new_hands_wait_at_the_end() -> None:
    """The hand in play is split again; then the second hand is played, then the third."""
    # Seat 8 8, dealer T 7. Split: 8+8 and 8+2; split again: 8+3 and 8+4.
    state = played(FULL, "8T87" + "82" + "34", [SPLIT, SPLIT])
    assert [each.hand.total for each in state.hands] == [11, 10, 12]
    assert [each.number for each in state.hands] == [0, 1, 2]
    assert [each.hand.cards[1] for each in state.hands] == cards("324")
    assert state.in_play is state.hands[0]
    state.apply_action(STAND)
    assert state.in_play is state.hands[1]


def test_rule_32_hands_of_another_seat_wait_longer() -> None:
    """All hands of a seat are played before the next seat acts."""
    state = played(FULL, "82T82T" + "53", [SPLIT, STAND], seats=2)
    assert state.in_play is not None
    assert (state.in_play.seat, state.in_play.number) == (0, 1)
    state.apply_action(STAND)
    assert state.to_act == 1


def test_rule_32_a_seat_holds_so_many_hands() -> None:
    """Four by default; then the pair is played as it is."""
    state = played(FULL, "8T87" + "88" * 3, [SPLIT, SPLIT, SPLIT])
    assert len(state.hands) == 4
    assert SPLIT not in state.legal_actions()


def test_rule_32_a_21_after_a_split_is_no_natural() -> None:
    """It wins the wager, not three halves of it."""
    state = played(FULL, "AT A8 TT".replace(" ", ""), [SPLIT])
    assert state.outcomes == [Outcome.WIN, Outcome.WIN]
    assert state.results() == (2 * WAGER,)


def test_rule_33_split_aces_get_one_card() -> None:
    """Even two aces again; with `played` they go on."""
    assert played(FULL, "ATA8A5", [SPLIT]).is_over
    state = played(replace(FULL, split_aces="played"), "ATA8A5", [SPLIT])
    assert SPLIT in state.legal_actions()


def test_rule_34_a_seat_may_give_up_half() -> None:
    """As its first action, and the dealer draws no card for it."""
    state = played(FULL, "T6T6", [SURRENDER])
    assert state.results() == (-WAGER // 2,)
    assert len(state.cards) == 4
    assert SURRENDER not in played(FULL, "2T3T4", [HIT]).legal_actions()
    assert SURRENDER not in played(FULL, "8T8T23", [SPLIT]).legal_actions()


@pytest.mark.parametrize(("behind", "may"), [(WAGER - 1, False), (WAGER, True)])
def test_rule_35_chips_behind_must_cover_it(behind: int, may: bool) -> None:
    """One unit short of a double is no double."""
    legal = played(FULL, "8T8T", behind=[behind]).legal_actions()
    assert (DOUBLE in legal) is (SPLIT in legal) is may


def test_rule_35_every_stake_is_counted() -> None:
    """A split and a double: three wagers; the bankroll never falls below nothing."""
    player = Scripted(SPLIT, DOUBLE, STAND)
    account = table_of(FULL, "8T8T" + "3T" + "2" + "9" * 9, player, bankroll=35)
    assert account.handle == 3 * WAGER
    assert account.bankroll == 35 - 3 * WAGER
    assert player.asked[-1][2] == (STAND, HIT)


def test_rule_36_who_acts_is_asked_with_all_that_is_legal() -> None:
    """Stand, hit, double, split, surrender: in this order."""
    player = Scripted()
    table_of(FULL, "8T8T" + "9" * 9, player)
    dealer, hand, legal = player.asked[0]
    assert (dealer, hand) == (Hand(cards("T")), Hand(cards("88")))
    assert legal == (STAND, HIT, DOUBLE, SPLIT, SURRENDER)


@pytest.mark.parametrize("answer", [SPLIT, 1, "hit", None])
def test_rule_36_anything_else_is_a_fault(answer: Any) -> None:
    """The wager in play is lost, and the verdict lists what was legal."""
    account = table_of(FULL, "8T9T" + "9" * 9, Scripted(answer))
    assert account.verdict is not None
    assert (account.verdict.cause, account.verdict.call) == ("illegal", "act")
    expected = "one of Action.STAND, Action.HIT, Action.DOUBLE, Action.SURRENDER, got"
    assert expected in account.verdict.message
    assert account.bankroll == 100 - WAGER


def test_rule_36_who_only_draws_hits_and_stands_everywhere() -> None:
    """A player of the documents sits down at Easy Blackjack."""

    class Bold(Player):
        """Draws below 17."""

        def bet(self, bankroll: int, minimum: int) -> int:
            """Bet the minimum, should anybody ask."""
            return minimum

        def draw(self, dealer: Card, player: Hand) -> bool:
            """Look at the first exposed card."""
            assert dealer == cards("T")[0]
            return player.total < 17

    account = table_of(EASYBJ, "T788" + "5" + "9" * 9, Bold())
    assert account.verdict is None
    assert account.bankroll == 100 + WAGER
