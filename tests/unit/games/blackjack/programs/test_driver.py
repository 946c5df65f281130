"""The course drivers as a library: sessions, files of cuts and players at fault."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.proving import tried
from tourney import Action, Card, Hand, Player
from tourney.errors import CardsError, CompetitorFailedError
from tourney.games.blackjack.asking.pool import Pool
from tourney.games.blackjack.programs.command import (
    Session,
    asked_at,
    made_by,
    play_session,
    read_cuts,
)
from tourney.strategies.counting import Counting
from tourney.strategies.simple import Simple


@pytest.fixture
def cuts(tmp_path: Path) -> Callable[[bytes], Path]:
    """Give what writes a file of cuts."""

    def write(content: bytes) -> Path:
        file = tmp_path / "cuts.txt"
        file.write_bytes(content)
        return file

    return write


def test_cuts_are_whole_numbers_however_they_are_spaced(cuts: Callable[[bytes], Path]) -> None:
    """Lines, spaces and leading zeros are all the same."""
    assert read_cuts(cuts(b"13 0\n\n\t052\r\n007 000")) == (13, 0, 52, 7, 0)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file has no cuts; add at least one"),
        (b" \n\t\n", "the file has no cuts; add at least one"),
        (b"13 fourteen", "cut 2: expected a whole number from 0 to 52, got 'fourteen'"),
        (b"53", "cut 1: expected a whole number from 0 to 52, got '53'"),
        (b"13 -1", "cut 2: expected a whole number from 0 to 52, got '-1'"),
        (b"1.0", "cut 1: expected a whole number from 0 to 52, got '1.0'"),
        (b"+5", r"cut 1: expected a whole number from 0 to 52, got '\+5'"),
        ("٣".encode(), "cut 1: expected a whole number from 0 to 52, got '٣'"),
        (b"9" * 5000, "cut 1: expected a whole number from 0 to 52, got '9{40}'$"),
        (b"\xff\x00\xfe", "cannot read the cuts: it is not text"),
        (b"1 " * 600_000, "the file is larger than 1,000,000 bytes"),
    ],
    ids=[
        *("empty", "blank", "word", "too many", "negative", "fraction", "sign", "other digits"),
        *("long", "binary", "endless"),
    ],
)
def test_a_bad_file_of_cuts_is_told_with_its_place(
    cuts: Callable[[bytes], Path], content: bytes, said: str
) -> None:
    """The file, which cut, what was expected and what came."""
    with pytest.raises(CardsError, match=rf"cuts\.txt: {said}"):
        read_cuts(cuts(content))


def test_a_file_of_cuts_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    """Missing, or a folder."""
    with pytest.raises(
        CardsError, match=r"nope\.txt: cannot read the cuts: No such file or directory"
    ):
        read_cuts(tmp_path / "nope.txt")
    with pytest.raises(CardsError, match="cannot read the cuts: Is a directory"):
        read_cuts(tmp_path)


def session(
    make_player: Callable[[], Player], hands: int = 5, bankroll: int = 100, mark: str = "# "
) -> list[str]:
    """Play a session at a minimum of 5 and give its lines."""
    lines: list[str] = []
    play_session(Session(bankroll, 5, hands, mark), made_by(make_player), lines.append)
    return lines


def test_a_session_ends_with_the_hands_that_were_asked_for() -> None:
    """Five hands, numbered from 1."""
    lines = session(Simple)
    assert [line.split()[2] for line in lines if line.startswith("# Hand")] == list("12345")
    assert lines[-1].endswith("after 5 hands")


def test_a_session_ends_early_when_the_minimum_cannot_be_met() -> None:
    """The initial shuffle is announced all the same."""
    lines = session(Simple, bankroll=4)
    assert lines[0] == "# Shuffling the deck"
    assert lines[-1] == "# Player has 4 after 0 hands"
    assert not any(line.startswith("# Hand") for line in lines)


def test_every_session_deals_the_same_cards() -> None:
    """The generator starts anew with every program."""
    assert session(Simple) == session(Simple)
    bare = [line.removeprefix("# ") for line in session(Simple)]
    assert session(Simple, mark="") == bare


class Quiet(Player):
    """Bets the minimum and stands."""

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet the minimum."""
        return minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Stand."""
        return False


class Watcher(Quiet):
    """Decides by all that it sees: cards, the table and its own luck."""

    def __init__(self) -> None:
        self.seen = 0

    def expose(self, card: Card) -> None:
        """Remember a card."""
        self.seen = 31 * self.seen + card.code

    def shuffled(self) -> None:
        """Remember a shuffle."""
        self.seen += 1000

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet what all of that comes to."""
        spare = (self.seen + self.table.rounds_left + self.random.randrange(99)) % 4
        return min(minimum + spare, bankroll, self.table.maximum)

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Do what all of that comes to."""
        (bankroll,), (wager,) = self.table.bankrolls, self.table.wagers
        return legal[(self.seen + bankroll + wager + dealer.total + len(player)) % len(legal)]


class Unmade(Quiet):
    """Cannot be made."""

    def __init__(self) -> None:
        raise ValueError("no chips")


class Greedy(Quiet):
    """Bets more than it has."""

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet too much."""
        return bankroll + 1


class Torn(Quiet):
    """Cannot decide."""

    def draw(self, dealer: Card, player: Hand) -> Any:
        """Say neither."""
        return None


class Blind(Quiet):
    """Trips over the cards."""

    def expose(self, card: Card) -> None:
        """Fall."""
        raise LookupError(str(card))


class Tired(Quiet):
    """Falls asleep at the last card, which nobody asks it about."""

    def __init__(self) -> None:
        self.hands = 0

    def bet(self, bankroll: int, minimum: int) -> int:
        """Count the hands."""
        self.hands += 1
        return minimum

    def expose(self, card: Card) -> None:
        """Sleep after the wagers of the fifth hand."""
        if self.hands == 5:
            raise TimeoutError("good night")


@pytest.mark.parametrize(
    ("player", "said"),
    [
        (Unmade, r"^[^:]+test_driver\.py:\d+: constructor: expected an answer, got ValueError: no"),
        (Greedy, r"^hand 1: bet: your bet must be a whole number from 5 to 100; you bet 101$"),
        (Torn, r"^hand \d: draw: expected True or False, got None"),
        (Blind, r"^hand 1: [^:]+test_driver\.py:\d+: expose: expected an answer, got LookupError"),
        (Tired, r"^hand 5: .*expose: expected an answer, got TimeoutError: good night$"),
    ],
)
def test_a_player_at_fault_ends_its_session(player: type[Player], said: str) -> None:
    """Alone at the table there is nobody else to play on for."""
    with pytest.raises(CompetitorFailedError, match=said):
        session(player)


def test_a_player_sees_its_table() -> None:
    """One seat, the minimum, and how many hands are left."""
    seen: list[tuple[int, ...]] = []

    class Looking(Quiet):
        def bet(self, bankroll: int, minimum: int) -> int:
            table = self.table
            seen.append((table.seat, table.minimum, table.rounds_left, *table.bankrolls))
            assert table.wagers == (0,)
            assert table.maximum >= bankroll
            return minimum

        def draw(self, dealer: Card, player: Hand) -> bool:
            assert self.table.wagers == (5,)
            assert self.table.bankrolls[0] == seen[-1][3] - 5
            return False

    session(Looking, hands=3)
    assert [each[:3] for each in seen] == [(0, 5, 3), (0, 5, 2), (0, 5, 1)]
    assert seen[0][3] == 100


@tried(60)
@given(
    st.sampled_from((Simple, Counting, Watcher)),
    st.integers(1, 400),
    st.integers(1, 60),
    st.integers(1, 60),
    st.lists(st.integers(0, 52), max_size=8),
)
def test_who_sits_at_a_pool_plays_the_same_session(
    make_player: Callable[[], Player], bankroll: int, minimum: int, hands: int, cuts: list[int]
) -> None:
    """Asked one by one from arrays, or as an object: the same lines."""
    asked = Session(bankroll, minimum, hands, "# ", tuple(cuts) or None)
    here: list[str] = []
    there: list[str] = []
    play_session(asked, made_by(make_player), here.append)
    play_session(asked, asked_at(Pool(make_player)), there.append)
    assert here == there
