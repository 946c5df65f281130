"""The rules of CSC 24400, clause by clause: docs/rules/csc24400.md.

Several of these change no long-run figure, such as who is served first; so figures cannot
stand in for them.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tourney import Card, Hand, Player, Rank, Suit
from tourney.formats.field import Field
from tourney.game.cards.card import CARDS
from tourney.game.cards.keys import Secret
from tourney.game.cards.shoe import Shoe
from tourney.game.ledger import Account, BlockKey
from tourney.game.seats import play_block
from tourney.game.turns import Watcher
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.asking.seats import PlayerSeat
from tourney.games.blackjack.programs.csc24400 import (
    TEXT,
    ArgumentsError,
    Dialogue,
    Sitting,
    play,
    rng_seed_of,
)
from tourney.games.blackjack.records import DEALER, Acted, Dealt, Outcome, Revealed
from tourney.games.blackjack.round import Round
from tourney.games.blackjack.rules import CSC24400
from tourney.games.blackjack.table_loop import TableLoop

COURT = {"A": Rank.ACE, "K": Rank.KING, "Q": Rank.QUEEN, "J": Rank.JACK, "T": Rank.TEN}
RANK_OF = COURT | {str(number): Rank(number) for number in range(2, 10)}
RANK_NAMES = {str(rank) for rank in Rank}
HIT, STAND = Action.HIT, Action.STAND


def cards(ranks: str) -> list[Card]:
    """Make cards of the ranks in a text such as `AK25`."""
    return [Card(RANK_OF[letter], Suit.CLUBS) for letter in ranks]


def played(ranks: str, actions: Sequence[Action] = (), seats: int = 1) -> Round:
    """Play a round from cards in dealing order; who is not told otherwise stands."""
    state = Round(CSC24400, [1] * seats)
    source, said = iter(cards(ranks)), iter(actions)
    state.deal(source)
    while not state.is_over:
        state.apply_action(next(said, STAND))
        state.deal(source)
    return state


class Scripted(Player):
    """Draws as it is told and remembers what it sees."""

    def __init__(self, draws: Sequence[bool] = ()) -> None:
        self.draws = list(draws)
        self.log: list[str] = []

    def bet(self, bankroll: int, minimum: int) -> int:
        """Remember that it was asked; nobody should."""
        self.log.append("bet")
        return minimum

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
    """Shoes in a known order."""

    def __init__(self, ranks: str) -> None:
        super().__init__()
        self.ranks = ranks

    def _everything(self) -> list[Card]:
        return cards(self.ranks)

    def _shuffled(self, cards: list[Card]) -> Iterator[Card]:
        return iter(cards)


def at_table(ranks: str, *players: Player, bankroll: int = 100, rounds: int = 1) -> list[Account]:
    """Play rounds at a table of the reference engine and give the accounts."""
    table = TableLoop(CSC24400, Stacked(ranks), (1, 1))
    accounts = [Account(seat, seat, bankroll) for seat in range(len(players))]

    def occupant(account: Account, player: Player) -> PlayerSeat:
        return PlayerSeat(account, lambda: player, 1)

    table.play(list(map(occupant, accounts, players)), 1, rounds)
    return accounts


class Spy(Watcher):
    """Remembers before which rounds the dealer shuffled, and how many cards a round took."""

    def __init__(self) -> None:
        self.rounds: list[int] = []  # cards of every round
        self.shuffles: list[int] = []  # rounds played before
        self.dealt: list[Card] = []

    def shuffled(self, shoe: Shoe) -> None:
        """Remember when."""
        self.shuffles.append(max(len(self.rounds) - 1, 0))

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Begin to count."""
        self.rounds.append(0)

    def happened(self, record: Any) -> None:
        """Count a card."""
        if isinstance(record, Dealt):
            self.rounds[-1] += 1
            self.dealt.append(record.card)


def in_block(decks: int, rounds: int, seats: int = 1) -> tuple[Spy, list[Player]]:
    """Play a block with players who stand, and give what happened."""
    spy = Spy()
    sat: list[Player] = []

    def sit(_: int) -> Player:
        sat.append(Scripted())
        return sat[-1]

    field = Field(1, replace(CSC24400, decks=decks), 10_000, 1, 1, Secret.from_seed(7))
    block = field.block(BlockKey(0, 0, 0, 0, 1), ((0, 10_000),) * seats, rounds)
    play_block(block, sit, spy)
    return spy, sat


def asked(answers: list[str], rng_seed: int = 1) -> str:
    """Give what the program shows to a person who gives these answers and goes."""
    coming = iter(answers)
    said: list[str] = []
    play(rng_seed, Dialogue(lambda: next(coming, None), said.append))
    return "".join(said)


def test_rule_1_every_seat_plays_against_the_dealer() -> None:
    """Against the same 19 an 18 loses, a 19 ties and a 20 wins."""
    assert played("TTTT989T", seats=3).results() == (-1, 0, 1)
    accounts = at_table("TTTT989T", Scripted(), Scripted(), Scripted())
    assert [account.bankroll for account in accounts] == [99, 100, 101]


def test_rule_1_seats_act_in_order() -> None:
    """First base first, and each ends its turn before the next one begins."""
    state = played("T222T333" + "9" * 9, [HIT, HIT, STAND, HIT, STAND, STAND], seats=3)
    acted = [record.seat for record in state.records if isinstance(record, Acted)]
    assert acted == sorted(acted)
    assert set(acted) == {0, 1, 2}


def test_rule_2_nobody_is_asked_for_a_wager() -> None:
    """Every seat stakes one chip, however many it has."""
    first, second = Scripted(), Scripted()
    accounts = at_table("T99998", first, second, rounds=7)
    assert "bet" not in first.log + second.log
    assert [account.handle for account in accounts] == [7, 7]


@pytest.mark.parametrize(
    ("ranks", "net"), [("TA9K", 1), ("T99T", 0), ("TT9T", 1), ("T999", -1), ("A9TK", -1)]
)
def test_rule_2_a_round_is_worth_one_chip_at_most(ranks: str, net: int) -> None:
    """+1, 0 or -1, naturals included."""
    assert played(ranks).results() == (net,)
    (account,) = at_table(ranks, Scripted())
    assert account.bankroll == 100 + net


def test_rule_3_a_seat_plays_until_its_last_chip_is_gone() -> None:
    """The others play on."""
    poor, rich = Account(0, 0, 3), Account(1, 1, 100)
    table = TableLoop(CSC24400, Stacked("T8898T"), (1, 1))
    table.play([PlayerSeat(poor, Scripted, 1), PlayerSeat(rich, Scripted, 1)], 1, 3)
    assert (poor.bankroll, poor.rounds, poor.left_round) == (0, 3, 3)
    assert (rich.rounds, rich.left_round) == (3, None)


def test_rule_4_the_dealer_is_served_first() -> None:
    """Once round for the first cards, once more for the second ones."""
    state = Round(CSC24400, [1, 1])
    state.deal(iter(cards("234567")))
    dealt = [record for record in state.records if isinstance(record, Dealt)]
    assert [(record.seat, record.card.value, record.is_face_up) for record in dealt] == [
        (DEALER, 2, True),
        (0, 3, True),
        (1, 4, True),
        (DEALER, 5, False),
        (0, 6, True),
        (1, 7, True),
    ]
    assert state.upcard.value == 2


@pytest.mark.parametrize(
    ("ranks", "total"),
    [
        *(("A", 11), ("AA", 12), ("A9", 20), ("AA9", 21), ("AAA8", 21), ("AA9T", 21)),
        *(("6AT", 17), ("KQA", 21), ("AKQA", 22), ("KQ5", 25)),
    ],
)
def test_rule_5_aces_become_one_while_the_total_is_over_21(ranks: str, total: int) -> None:
    """One after the other, and a 21 is kept."""
    assert Hand(cards(ranks)).total == total


@pytest.mark.parametrize(
    ("ranks", "actions"),
    [("TA9K", ()), ("TT6T" + "T", (HIT,)), ("TT7T", ()), ("AT9T", ())],
    ids=["natural", "bust", "compared", "dealer-natural"],
)
def test_rule_6_the_hole_card_is_turned_in_every_round(
    ranks: str, actions: Sequence[Action]
) -> None:
    """Once, after the last action, even where it decides nothing."""
    state = played(ranks, actions)
    turned = [place for place, each in enumerate(state.records) if isinstance(each, Revealed)]
    acted = [place for place, each in enumerate(state.records) if isinstance(each, Acted)]
    assert len(turned) == 1
    assert turned > acted[-1:]
    player = Scripted([action is HIT for action in actions])
    at_table(ranks, player)
    seen = [entry for entry in player.log if entry in RANK_NAMES]
    assert len(seen) == len(state.cards)
    assert seen[-1] == str(cards(ranks[2])[0].rank)


def test_rule_7_a_21_of_three_cards_is_no_natural() -> None:
    """Of the dealer or of a seat: it ties with another one, and the dealer plays against it."""
    assert played("T7T77", [HIT]).outcomes == [Outcome.WIN]
    assert played("5TT6" + "56", [HIT]).outcomes == [Outcome.PUSH]


def test_rule_8_a_dealers_natural_ends_the_round_before_anybody_acts() -> None:
    """Everybody loses but a natural, which ties."""
    state = played("A5A9T6K9", seats=3)
    assert state.outcomes == [
        Outcome.DEALER_NATURAL,
        Outcome.BOTH_NATURAL,
        Outcome.DEALER_NATURAL,
    ]
    assert state.results() == (-1, 0, -1)
    assert not any(isinstance(record, Acted) for record in state.records)


def test_rule_8_nobody_is_asked_at_a_table_either() -> None:
    """With the ace below as well as with the ten below."""
    for ranks in ("A5T6", "T5A6"):
        player = Scripted([True] * 9)
        (account,) = at_table(ranks, player)
        assert not any(entry.startswith("draw") for entry in player.log)
        assert account.bankroll == 99


def test_rule_9_a_natural_wins_one_chip_at_once() -> None:
    """While the other seat plays on, and even if the dealer comes to 21."""
    state = played("6A95T9" + "T", seats=2)
    assert state.outcomes == [Outcome.NATURAL, Outcome.LOSS]
    assert state.results() == (1, -1)
    acted = [record.seat for record in state.records if isinstance(record, Acted)]
    assert acted == [1]


def test_rule_10_a_seat_is_asked_at_21_too() -> None:
    """And there is never another choice than hit or stand, not even for a pair."""
    state = Round(CSC24400, [1])
    state.deal(iter(cards("9888")))
    assert set(state.legal_actions()) == {HIT, STAND}
    player = Scripted([True])
    at_table("T586" + "T", player)
    assert [entry for entry in player.log if entry.startswith("draw")] == [
        "draw 11 against 10",
        "draw 21 against 10",
    ]


def test_rule_11_a_bust_loses_even_if_the_dealer_busts_too() -> None:
    """The other seat is paid for the same dealer's bust."""
    state = played("TT96T9" + "T" + "T", [HIT, STAND], seats=2)
    assert state.outcomes == [Outcome.BUST, Outcome.DEALER_BUST]
    assert state.results() == (-1, 1)


@pytest.mark.parametrize(
    ("ranks", "actions", "drawn"),
    [
        ("TTA6TT" + "T" + "T", [HIT], 0),  # a bust and a natural
        ("TAA6TT", [], 0),  # two naturals
        ("TTT6TT" + "TT" + "T", [HIT, HIT], 0),  # two busts
        ("TAT6TT" + "T", [STAND], 1),  # a natural, and a seat that waits
        ("TTT6TT" + "T" + "T", [HIT, STAND], 1),  # a bust, and a seat that waits
    ],
)
def test_rule_12_the_dealer_plays_unless_every_seat_is_done(
    ranks: str, actions: list[Action], drawn: int
) -> None:
    """A 16 is hit for one seat that waits, and left alone for none."""
    state = played(ranks, actions, seats=2)
    assert state.dealer is not None
    assert len(state.dealer) == 2 + drawn


@pytest.mark.parametrize(
    ("ranks", "total"),
    [("T86T5", 21), ("T87T", 17), ("A86T", 17), ("A85TT2", 18), ("2A2A" + "A2T", 17)],
)
def test_rule_13_the_dealer_hits_below_17_and_stands_on_any_17(ranks: str, total: int) -> None:
    """Soft or hard."""
    state = played(ranks)
    assert state.dealer is not None
    assert state.dealer.total == total


@pytest.mark.parametrize(
    ("ranks", "outcome"),
    [
        ("T26TT", Outcome.DEALER_BUST),
        ("T97T", Outcome.WIN),
        ("T89T", Outcome.LOSS),
        ("T87T", Outcome.WIN),
        ("T79T", Outcome.LOSS),
        ("T88T", Outcome.PUSH),
    ],
)
def test_rule_14_the_higher_total_wins(ranks: str, outcome: Outcome) -> None:
    """And a dealer's bust pays whoever waits, with any total."""
    assert played(ranks).outcomes == [outcome]


@pytest.mark.parametrize("decks", [1, 2, 20])
def test_rule_15_the_shoe_holds_one_to_twenty_decks(decks: int) -> None:
    """In tournaments and in the program."""
    assert Sitting(1, decks).shoe.size == 52 * decks
    spy, _ = in_block(decks, 300)
    first_shoe = spy.dealt[: sum(spy.rounds[: spy.shuffles[1]])]
    assert max(Counter(first_shoe).values()) <= decks


def test_rule_15_there_is_no_shoe_of_21_decks() -> None:
    """Nor one of none; the program asks again."""
    assert asked(["0", "21", "20"]).count("How many decks") == 3
    assert CSC24400.decks == 6


@pytest.mark.parametrize("decks", [1, 2, 3, 4, 6, 10, 20])
def test_rule_16_few_cards_left_are_shuffled_before_a_round(decks: int) -> None:
    """Fewer than 52, or less than 30 percent of the shoe, and never before that."""
    spy, _ = in_block(decks, 400)
    size = 52 * decks
    left, expected = size, [0]
    for place, taken in enumerate(spy.rounds):
        if left < 52 or left / size < 0.3:
            left = size
            expected.append(place)
        left -= taken
    assert spy.shuffles == expected
    assert len(expected) >= 3


def test_rule_16_the_players_of_all_seats_are_told() -> None:
    """The count of shuffles is the same for everybody."""
    spy, players = in_block(2, 100, seats=3)
    for player in players:
        assert isinstance(player, Scripted)
        assert player.log.count("shuffled") == len(spy.shuffles) > 5


@pytest.mark.parametrize(
    ("left", "decks", "must_shuffle"),
    [
        *((52, 1, False), (51, 1, True), (52, 3, False), (51, 3, True)),
        *((63, 4, False), (62, 4, True), (156, 10, False), (155, 10, True)),
        *((312, 20, False), (311, 20, True)),
    ],
)
def test_rule_17_the_thresholds_themselves_are_enough(
    left: int, decks: int, must_shuffle: bool
) -> None:
    """Exactly 52 cards, exactly 30 percent."""
    rules = replace(CSC24400, decks=decks)
    assert rules.must_shuffle(left, 52 * decks) is must_shuffle


def test_rule_17_one_deck_is_shuffled_before_every_round_but_the_first() -> None:
    """In tournaments and in the program, which shuffles it once at its start."""
    spy, _ = in_block(1, 50)
    assert spy.shuffles == list(range(50))
    sitting = Sitting(3, 1)
    shuffles = []
    for _ in range(5):
        state = sitting.next_round()
        shuffles.append(sitting.shuffles)
        if not state.is_over:
            sitting.act(state, STAND)
    assert shuffles == [1, 2, 3, 4, 5]


def test_rule_18_tournaments_shuffle_new_decks() -> None:
    """What fell before a shuffle says nothing about what comes after: streams are its own."""
    (spy, _), (other, _) = in_block(1, 60), in_block(1, 60, seats=2)
    assert [spy.dealt[sum(spy.rounds[:place])] for place in range(60)] == [
        other.dealt[sum(other.rounds[:place])] for place in range(60)
    ]


def test_rule_19_a_seed_is_a_long_and_its_low_bits_count() -> None:
    """Anything else is answered with the usage message."""
    assert rng_seed_of(["-s", "-3"]) == -3
    assert Sitting(-3, 1).next_round().cards == Sitting(2**32 - 3, 1).next_round().cards
    with pytest.raises(ArgumentsError, match=r"^Usage: Blackjack \[-s <number>\]$"):
        rng_seed_of(["-s", "1.5"])
    assert "Seed value is: -3\n" in asked([], -3)


def test_rule_20_what_is_no_answer_is_asked_again() -> None:
    """Decks, hands and actions."""
    shown = asked(["six", "6", "perhaps", "YES", "double", "Stand", "", "No"])
    assert shown.count("How many decks do you wish to play with (max 20)?\n") == 2
    assert shown.count("Do you wish to play a hand of blackjack? ") == 4
    assert shown.count("Hit or Stand: ") == 2


def test_rule_21_the_shoe_is_the_transcripts() -> None:
    """The first hand of the document, from seed 1 and twenty decks."""
    state = Sitting(1, 20).next_round()
    assert [f"{card.rank} {card.suit}"[:5] for card in state.cards] == [
        *("Ten H", "Queen", "King ", "Nine "),
    ]
    assert state.upcard == Card(Rank.TEN, Suit.HEARTS)


def test_rule_21_a_later_shuffle_starts_from_the_order_of_the_shoe() -> None:
    """Otherwise two shoes of the same numbers would be the same."""
    sitting = Sitting(5, 1)
    first = list(sitting.shoe)
    sitting.shoe.shuffle()
    assert list(sitting.shoe) != first
    assert set(first) == set(CARDS)


def test_rule_22_the_text_can_be_followed_instead() -> None:
    """The player is served first, and the cards are others."""
    state = Sitting(1, 20, TEXT).next_round()
    assert state.upcard == state.cards[1]
    assert state.cards != Sitting(1, 20).next_round().cards
    said: list[str] = []
    answers = iter(["20", "y"])
    play(1, Dialogue(lambda: next(answers, None), said.append), TEXT)
    assert f"Dealer Hand:     sum: {state.upcard.value}\n" in "".join(said)


def test_rule_23_a_tie_counts_as_a_hand_and_as_no_win() -> None:
    """Hands are wins, losses and ties together."""
    shown = asked(["6", *("y", "s", "s") * 60, "n"])
    ties = shown.count("Tie")
    assert ties > 0
    (hands,) = [int(line.split()[3]) for line in shown.splitlines() if line.startswith("A total")]
    won = [int(line.split()[2]) for line in shown.splitlines() if " won " in line]
    assert hands == sum(won) + ties


def test_rule_23_a_hand_cut_short_is_not_counted() -> None:
    """The program ends with its statistics when nobody answers any more."""
    assert "A total of 0 hands were played\n" in asked(["6", "y"])
    assert "A total of 1 hands were played\n" in asked(["6", "y", "s", "y"])
