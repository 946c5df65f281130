"""Transcripts of tables that the documents did not have: several seats, half chips, excerpts."""

from collections.abc import Callable

import pytest

from tourney import Action, Card, Hand, Player, Rank, Suit
from tourney.formats.field import Field
from tourney.game.blocks import TableState
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.narration import Excerpt
from tourney.game.seats import play_block
from tourney.game.turns import Watcher
from tourney.games.blackjack.programs.transcript import Transcript
from tourney.games.blackjack.records import Outcome, Settled
from tourney.games.blackjack.round import Round
from tourney.games.blackjack.rules import EASYBJ, SIX_DECKS_H17, BlackjackRules

RANKS = {"A": Rank.ACE, "T": Rank.TEN} | {str(rank): Rank(rank) for rank in range(2, 10)}


class Careful(Player):
    """Bets the minimum and draws to 15."""

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet the minimum."""
        return minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Draw to 15."""
        return player.total < 15


class Failing(Careful):
    """Cannot decide."""

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Raise."""
        raise ValueError("no")


def play(
    players: tuple[type[Player], ...],
    rounds: int,
    watcher: Callable[[Transcript], Watcher] = lambda transcript: transcript,
    payout: str = "exact",
) -> tuple[list[str], BlockResult]:
    """Play a table with 100 chips a seat and a minimum of 5, and write it down."""
    rules = BlackjackRules(payout=payout)  # type: ignore[arg-type]  # one of both
    unit = rules.unit
    field = Field(len(players), rules, 100 * unit, 5 * unit, 50 * unit, Secret.from_seed(1))
    seats = tuple((number, field.bankroll) for number in range(len(players)))
    lines: list[str] = []
    transcript = Transcript(lines.append, "# ", unit)
    block = field.block(BlockKey(0, 0, 0, 0, 1), seats, rounds)
    result = play_block(block, lambda entrant: players[entrant](), watcher(transcript))
    return lines, result


FIRST_HAND = """\
# Shuffling the deck
# Hand 1 bankroll 100, 100, 100
# Seat 1 bets 5
# Seat 2 bets 5
# Seat 3 bets 5
Seat 1 dealt Seven of Diamonds
Seat 2 dealt King of Hearts
Seat 3 dealt Ace of Hearts
Dealer dealt Six of Hearts
Seat 1 dealt Three of Clubs
Seat 2 dealt Queen of Clubs
Seat 3 dealt Four of Clubs
Seat 1 dealt King of Clubs
Seat 1's total is 20
# Seat 2 is out: draw: expected an answer, got ValueError: no
Seat 2's total is 20
Seat 3's total is 15
Dealer's hole card is Eight of Diamonds
Dealer dealt Ace of Spades
Dealer dealt Jack of Spades
Dealer's total is 25
# Dealer busts
# Dealer busts
# Dealer busts
"""


def test_at_a_table_of_several_every_line_says_whose_it_is() -> None:
    """The document's words, with the seat in the place of the player."""
    lines, _ = play((Careful, Failing, Careful), 1)
    assert lines == FIRST_HAND.splitlines()


def test_a_stand_in_has_no_chips_that_anybody_could_win() -> None:
    """It plays with the house's own money, whose amount says nothing."""
    lines, _ = play((Careful, Failing, Careful), 2)
    assert "# Hand 2 bankroll 105, house, 105" in lines


def test_the_dealers_total_is_told_once_for_all_seats() -> None:
    """However many wagers are settled against it."""
    lines, _ = play((Careful, Careful, Careful), 1)
    assert sum(line.startswith("Dealer's total") for line in lines) == 1


def test_half_chips_are_shown_exactly() -> None:
    """Where naturals are paid in full, 5 chips win 7 and a half; the rest stays whole."""
    lines, result = play((Careful,), 60)
    bankrolls = [line.split("bankroll ")[1] for line in lines if "bankroll" in line]
    assert {each.partition(".")[2] for each in bankrolls} == {"", "5"}
    naturals = sum("natural" in line for line in lines)
    assert naturals
    (seat,) = result.seats
    assert seat.final % 2 == naturals % 2


@pytest.mark.parametrize(
    ("unit", "amount", "shown"),
    [
        (1, 107, "107"),
        (2, 215, "107.5"),
        (2, 214, "107"),
        (2, 2_469_135, "1234567.5"),
        (5, 10_000_001, "2000000.2"),
        (2, 0, "0"),
    ],
)
def test_amounts_are_never_rounded(unit: int, amount: int, shown: str) -> None:
    """Neither large ones nor parts."""
    lines: list[str] = []
    Transcript(lines.append, "", unit).ended(amount, 3)
    assert lines == [f"Player has {shown} after 3 hands"]


def test_a_natural_prints_no_totals() -> None:
    """It is paid at once, whatever the dealer holds."""
    lines: list[str] = []
    transcript = Transcript(lines.append, "# ")
    transcript.opened(1, (100,))
    transcript.happened(Settled(0, Outcome.NATURAL))
    assert lines == ["# Hand 1 bankroll 100", "# Player dealt natural 21"]


@pytest.mark.parametrize("rounds", [range(1, 2), range(3, 6), range(12, 99), range(50, 60)])
def test_an_excerpt_is_cut_out_of_the_whole(rounds: range) -> None:
    """Its lines stand in the whole transcript, one after another; a shuffle with its round."""
    whole, _ = play((Careful, Careful, Careful), 12)
    some, _ = play((Careful, Careful, Careful), 12, lambda each: Excerpt(each, rounds))
    text, part = "\n".join(whole), "\n".join(some)
    assert part in text
    hands = [int(line.split()[2]) for line in some if line.startswith("# Hand")]
    assert hands == [number for number in range(1, 13) if number in rounds]
    assert ("# Shuffling the deck" in some[:1]) == (1 in rounds)


def test_an_excerpt_leaves_out_the_faults_of_other_rounds() -> None:
    """Who was out before is not told again."""
    players = (Careful, Failing, Careful)
    first, _ = play(players, 3, lambda each: Excerpt(each, range(1, 2)))
    later, _ = play(players, 3, lambda each: Excerpt(each, range(2, 4)))
    assert first == FIRST_HAND.splitlines()
    assert not any("is out" in line for line in later)


def test_watching_changes_nothing() -> None:
    """A table plays the same whether it is written down or not."""
    _, watched = play((Careful, Failing), 20)
    _, unwatched = play((Careful, Failing), 20, lambda _: Watcher())
    assert watched == unwatched


SPLIT_AND_DOUBLED = """\
# Hand 1 bankroll 100
Dealer dealt Six of Clubs
Dealer dealt Ten of Clubs
Player dealt Eight of Clubs
Player dealt Eight of Clubs
# Player splits
Player's hand 1 dealt Three of Clubs
Player's hand 2 dealt Ten of Clubs
# Player's hand 1 doubles
Player's hand 1 dealt Nine of Clubs
Player's hand 2's total is 18
Dealer dealt Five of Clubs
Dealer's total is 21
# Dealer wins
# Dealer wins"""


def told(ranks: str, actions: tuple[Action, ...]) -> list[str]:
    """Play Easy Blackjack by a script from a known shoe and write it down."""
    shoe = iter([Card(RANKS[letter], Suit.CLUBS) for letter in ranks])
    state, script = Round(EASYBJ, [2]), iter(actions)
    while not state.is_over:
        if state.to_act is None:
            state.deal(shoe)
        else:
            state.apply_action(next(script))
    lines: list[str] = []
    transcript = Transcript(lines.append, "# ", unit=2)
    transcript.opened(1, (200,))
    for record in state.records:
        transcript.happened(record)
    return lines


def test_a_split_hand_has_a_number() -> None:
    """Doubles and splits are told as they happen; both dealer's cards lie open."""
    lines = told("6T88" + "3T" + "9" + "5", (Action.SPLIT, Action.DOUBLE, Action.STAND))
    assert "\n".join(lines) == SPLIT_AND_DOUBLED


@pytest.mark.parametrize(
    ("ranks", "actions", "end"),
    [
        ("AT9A", (), ["# Dealer dealt natural 21"]),
        ("ATTA", (), ["# Player and dealer dealt natural 21"]),
        ("6T88", (Action.SURRENDER,), ["# Player surrenders"]),
    ],
)
def test_a_hand_that_ends_early_says_how(
    ranks: str, actions: tuple[Action, ...], end: list[str]
) -> None:
    """Without a total to compare."""
    assert told(ranks, actions)[5:] == end


@pytest.mark.parametrize(("hole", "end"), [("T", "paid"), ("9", "lost")])
def test_insurance_is_told_with_its_end(hole: str, end: str) -> None:
    """Who takes it, and what becomes of it; nothing of who declines."""
    lines: list[str] = []
    transcript = Transcript(lines.append, "# ")
    transcript.opened(1, (100, 100))
    state = Round(SIX_DECKS_H17, [10, 10])
    state.deal(Card(RANKS[rank], Suit.CLUBS) for rank in f"99A99{hole}")
    state.apply_action(Action.INSURE)
    state.apply_action(Action.DECLINE)
    for record in state.records:
        transcript.happened(record)
    told = [line for line in lines if "insurance" in line]
    assert told == ["# Seat 1 takes insurance", f"# Seat 1's insurance is {end}"]


def test_seats_keep_their_names_when_the_button_moves() -> None:
    """The second round begins with the second seat, and still calls it so."""
    field = Field(3, BlackjackRules(), 100, 5, 50, Secret.from_seed(1))
    state = TableState(moves_button=True)
    seats = ((0, 70), (1, 80), (2, 90))
    block = field.block(BlockKey(0, 0, 0, 0, 1), seats, 2, state=state)
    lines: list[str] = []
    play_block(block, lambda _: Careful(), Transcript(lines.append, "# "))
    bets = [line for line in lines if line.endswith("bets 5")]
    assert bets == [f"# Seat {seat} bets 5" for seat in (1, 2, 3, 2, 3, 1)]
    assert "# Hand 1 bankroll 70, 80, 90" in lines
