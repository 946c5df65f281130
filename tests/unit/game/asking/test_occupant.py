"""An occupant asks a player, checks its answers and finds its faults."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tourney import Card, Hand, Player
from tourney.game.asking.player_calls import CompetitorError
from tourney.game.asking.printable_text import MOST_TEXT, exception_line
from tourney.game.cards.card import CARDS
from tourney.game.ledger import Account, Verdict
from tourney.games.blackjack.asking.seats import SHUFFLED, PlayerSeat
from tourney.games.blackjack.hand import SeenHand

HAND = SeenHand.opening(CARDS[3], CARDS[8])


class Quiet(Player):
    """Bets the minimum and stands, and does not watch."""

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet the minimum."""
        return minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Stand."""
        return False


class Watching(Quiet):
    """Writes down what it sees, and when it was asked."""

    def __init__(self) -> None:
        self.log: list[str] = []

    def bet(self, bankroll: int, minimum: int) -> int:
        """Write down the question."""
        self.log.append("bet")
        return minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Write down the question."""
        self.log.append("draw")
        return False

    def expose(self, card: Card) -> None:
        """Write down the card."""
        self.log.append(str(card))

    def shuffled(self) -> None:
        """Write down the shuffle."""
        self.log.append("shuffled")


def seated(player: Player) -> PlayerSeat:
    """Seat a player with 100 chips."""
    return PlayerSeat(Account(0, 0, 100), lambda: player, 1)


def verdict_of(ask: Callable[[], Any]) -> Verdict:
    """Ask, and give the verdict."""
    with pytest.raises(CompetitorError) as caught:
        ask()
    return caught.value.verdict


def test_exposures_arrive_before_the_next_decision_and_once() -> None:
    """In dealing order; the last ones at the end of the block."""
    player = Watching()
    occupant = seated(player)
    exposures: list[Card | None] = [SHUFFLED]
    occupant.ask_wager(100, 5, 100, exposures)
    exposures.clear()
    exposures += CARDS[:2]
    occupant.ask_draw(CARDS[0], HAND, exposures)
    exposures += CARDS[2:3]
    occupant.ask_draw(CARDS[0], HAND, exposures)
    exposures += CARDS[3:4]
    occupant.show_rest(exposures)
    assert player.log == [
        *("shuffled", "bet", "Two of Spades", "Three of Spades", "draw", "Four of Spades", "draw"),
        "Five of Spades",
    ]


def test_a_player_that_does_not_watch_is_not_shown_anything() -> None:
    """Nor is it called."""
    assert not seated(Quiet()).watches
    assert seated(Watching()).watches


def test_a_fault_in_watching_is_found_at_the_next_decision() -> None:
    """Its verdict names the call that failed, not the question."""

    class Blind(Watching):
        def expose(self, card: Card) -> None:
            raise KeyError(card.code)

    occupant = seated(Blind())
    verdict = verdict_of(lambda: occupant.ask_wager(100, 5, 100, CARDS[:1]))
    assert (verdict.cause, verdict.call, verdict.message) == (
        "raised",
        "expose",
        "expose: expected an answer, got KeyError: 0",
    )
    assert verdict_of(lambda: seated(Blind()).show_rest(CARDS[:1])).call == "expose"


def test_a_constructor_that_fails_is_at_fault_before_the_first_question() -> None:
    """And so is one that leaves the program."""

    def make() -> Player:
        raise SystemExit("enough")

    verdict = verdict_of(lambda: PlayerSeat(Account(0, 0, 100), make, 7))
    assert (verdict.call, verdict.round, verdict.decision) == ("constructor", 7, 0)


@pytest.mark.parametrize("kind", [SystemExit, GeneratorExit, BaseException])
def test_nothing_a_player_raises_is_more_than_a_fault(kind: type[BaseException]) -> None:
    """Not even what programs are meant to let through."""

    class Odd(Quiet):
        def bet(self, bankroll: int, minimum: int) -> int:
            raise kind

    assert verdict_of(lambda: seated(Odd()).ask_wager(100, 5, 100, [])).cause == "raised"


def test_ctrl_c_is_the_organisers_and_no_fault() -> None:
    """It goes through a player's code."""

    class Interrupted(Quiet):
        def bet(self, bankroll: int, minimum: int) -> int:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        seated(Interrupted()).ask_wager(100, 5, 100, [])


def yielding() -> Any:
    """Yield an answer instead of returning it."""
    yield True


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (yielding(), "got a generator: return one value: write return, not yield"),
        ((each for each in [True]), "got a generator: return one value: write return, not yield"),
        ([True], "got [True], a list"),
        ({5: 1}, "got {5: 1}, a dict"),
        (np.bool_(1), "got np.True_, a numpy bool: wrap it in bool(…)"),
        (np.array([True]), "got array([ True]), a numpy ndarray"),
        (1.0, "got 1.0, a float: wrap it in bool(…)"),
        (None, "got None: every way through it must end in a return"),
    ],
    ids=lambda each: each if isinstance(each, str) else type(each).__name__,
)
def test_only_a_number_is_wrapped_in_a_type(answer: Any, told: str) -> None:
    """A list and a generator would always be True."""

    class Odd(Quiet):
        def draw(self, dealer: Card, player: Hand) -> bool:
            return answer  # type: ignore[no-any-return]  # on purpose

    verdict = verdict_of(lambda: seated(Odd()).ask_draw(CARDS[0], HAND, []))
    assert verdict.message == f"draw: expected True or False, {told}"


@pytest.mark.parametrize(
    ("wager", "most", "told"),
    [
        (5.0, 5, "you bet 5.0, a float: wrap it in int(…)"),
        (5.5, 5, "you bet 5.5"),
        (np.float64(5), 5, "you bet np.float64(5.0), a numpy float64: wrap it in int(…)"),
        (np.int64(5), 9, "you bet np.int64(5), a numpy int64: wrap it in int(…)"),
        ("5", 9, "you bet '5', a str: wrap it in int(…)"),
        ("five", 9, "you bet 'five', a str"),
        ([5], 9, "you bet [5], a list"),
    ],
    ids=str,
)
def test_a_wager_of_another_type_is_wrapped_if_that_makes_it_right(
    wager: Any, most: int, told: str
) -> None:
    """A fraction is not, where only one wager is right."""

    class Odd(Quiet):
        def bet(self, bankroll: int, minimum: int) -> int:
            return wager  # type: ignore[no-any-return]  # on purpose

    verdict = verdict_of(lambda: seated(Odd()).ask_wager(100, 5, most, []))
    assert verdict.message.endswith(told)


def test_a_verdict_cannot_write_over_a_terminal() -> None:
    """Control characters are escaped, and long texts are cut."""

    class Rude(Quiet):
        def bet(self, bankroll: int, minimum: int) -> int:
            raise ValueError("\x1b[2J" + "x" * 10 * MOST_TEXT)

    message = verdict_of(lambda: seated(Rude()).ask_wager(100, 5, 100, [])).message
    assert "\\x1b[2J" in message
    assert message.isprintable()
    assert len(message) < MOST_TEXT + 20


def test_even_saying_what_went_wrong_may_fail() -> None:
    """An exception whose text raises, and an answer whose repr raises."""

    class NastyError(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    class Answer:
        def __repr__(self) -> str:
            raise RuntimeError

    class Difficult(Quiet):
        def bet(self, bankroll: int, minimum: int) -> int:
            raise NastyError

        def draw(self, dealer: Card, player: Hand) -> Any:
            return Answer()

    occupant = seated(Difficult())
    assert "Nasty" in verdict_of(lambda: occupant.ask_wager(100, 5, 100, [])).message
    verdict = verdict_of(lambda: occupant.ask_draw(CARDS[0], HAND, []))
    assert "something whose repr() raises RuntimeError" in verdict.message


def test_who_calls_itself_without_end_has_a_short_traceback() -> None:
    """A line that runs from itself is shown once, and how often it did."""

    class Endless(Quiet):
        def bet(self, bankroll: int, minimum: int) -> int:
            return self.bet(bankroll, minimum)

    verdict = verdict_of(lambda: seated(Endless()).ask_wager(100, 5, 100, []))
    assert "RecursionError" in verdict.message
    assert re.fullmatch(r"[\w<>/-]*test_occupant\.py:\d+", verdict.place)
    assert str(Path(__file__).parent) not in f"{verdict.place}{verdict.traceback}"
    assert verdict.traceback.count("return self.bet(bankroll, minimum)") == 1
    assert re.search(r"\[Previous line repeated \d{3} more times\]$", verdict.traceback.rstrip())


def test_a_note_is_not_what_was_raised() -> None:
    """It may end a line, and then nothing would be left to say."""

    class Noting(Quiet):
        def bet(self, bankroll: int, minimum: int) -> int:
            error = ValueError("seen")
            error.add_note("a note\n")
            raise error

    verdict = verdict_of(lambda: seated(Noting()).ask_wager(100, 5, 100, []))
    assert verdict.message == "bet: expected an answer, got ValueError: seen"


def test_the_causes_of_an_exception_cost_nobody_time() -> None:
    """They are nowhere shown; of thousands, to say them all took longer than a decision may."""
    told = []

    class BecauseError(ValueError):
        def __str__(self) -> str:
            told.append(self)
            return "because"

    error = BecauseError()
    error.__cause__, error.__context__ = BecauseError(), BecauseError()
    error.__suppress_context__ = False
    cause, context = error.__cause__, error.__context__
    assert exception_line(error).endswith("BecauseError: because")
    assert set(told) == {error}
    assert (error.__cause__, error.__context__) == (cause, context)
    assert not error.__suppress_context__


def test_an_exception_without_a_name_says_so() -> None:
    """Its class is the author's, and so is that class's name."""

    class Nameless(Exception):  # noqa: N818 - that is what it is
        pass

    Nameless.__qualname__, Nameless.__module__ = "", "builtins"

    class Silent(Quiet):
        def bet(self, bankroll: int, minimum: int) -> int:
            raise Nameless

    verdict = verdict_of(lambda: seated(Silent()).ask_wager(100, 5, 100, []))
    assert verdict.message == "bet: expected an answer, got an exception without a message"


def test_a_verdict_counts_the_questions_before_it() -> None:
    """So that its place can be found again."""

    class Third(Quiet):
        def draw(self, dealer: Card, player: Hand) -> Any:
            return None

    occupant = seated(Third())
    for _ in range(2):
        occupant.ask_wager(100, 5, 100, [])
    verdict = verdict_of(lambda: occupant.ask_draw(CARDS[0], HAND, []))
    assert (verdict.cause, verdict.decision) == ("illegal", 2)
    assert verdict.message == (
        "draw: expected True or False, got None: every way through it must end in a return"
    )


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("[].apend", "AttributeError: 'list' object has no attribute 'apend'"),
        ("maths", "NameError: name 'maths' is not defined"),
        ("json", "NameError: name 'json' is not defined"),
        ("from json import dumbs", "ImportError: cannot import name 'dumbs' from 'json'"),
    ],
)
def test_a_message_is_the_same_with_every_python(code: str, line: str) -> None:
    """Later versions add what may have been meant, and a board must not depend on them."""
    with pytest.raises((AttributeError, NameError, ImportError)) as raised:
        exec(code, {})  # noqa: S102 - the text above
    before = {each: getattr(raised.value, each, None) for each in ("name", "name_from")}
    assert re.fullmatch(line, exception_line(raised.value))
    assert {each: getattr(raised.value, each, None) for each in before} == before
