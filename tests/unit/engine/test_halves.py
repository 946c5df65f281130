"""Waves in halves: one half of the tables plays while the players at the other one think."""

from collections.abc import Callable
from functools import partial
from typing import NoReturn

import pytest

from tourney import Card, Hand, Player
from tourney.game.asking.exchange import Decided
from tourney.game.blocks import Block
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.lineup import Lineup
from tourney.games.blackjack.asking.pool import Pool
from tourney.games.blackjack.lockstep import play
from tourney.games.blackjack.lockstep.play import play_lockstep
from tourney.games.blackjack.players.questions import Questions
from tourney.games.blackjack.rules import BlackjackRules
from tourney.play import play_block
from tourney.schedule import Field

TABLES, CHIPS, MINIMUM = 8, 1_000, 5


@pytest.fixture(autouse=True)
def _halves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let few tables play in halves, too."""
    monkeypatch.setattr(play, "SEATS_WORTH_HALVING", 1)


class Careful(Player):
    """Hits a low hand."""

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager little."""
        del bankroll
        return minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Hit a low hand."""
        return player.total < 15


class Noted(Pool):
    """A pool that writes down what is done with it."""

    def __init__(self, make_player: Callable[[], Player], name: str, notes: list[str]) -> None:
        super().__init__(make_player)
        self.name, self.notes = name, notes

    def asking(self, questions: Questions) -> "Steps":  # type: ignore[override]  # alike
        """Give steps that are written down."""
        part = "a" if questions.seats[0] < TABLES // 2 else "b"
        return Steps(partial(self.decide, questions), f"{self.name}{part}", self.notes)


class Steps:
    """Questions whose steps are written down."""

    def __init__(self, decide: Callable[[], Decided], name: str, notes: list[str]) -> None:
        self._decide, self._name, self._notes = decide, name, notes
        self._note("prepare")

    def send(self) -> None:
        """Note it."""
        self._note("send")

    def wait(self) -> None:
        """Note it."""
        self._note("wait")

    def answers(self) -> Decided:
        """Note it, and answer."""
        self._note("answers")
        return self._decide()

    def _note(self, step: str) -> None:
        self._notes.append(f"{step} {self._name}")


def never(*_: object) -> NoReturn:
    """Fail: this would run a confined player's code here."""
    raise AssertionError


def blocks(entrants: int) -> list[Block]:
    """Draw up tables of some entrants."""
    field = Field(entrants, BlackjackRules(), CHIPS, MINIMUM, 10**9, Secret.from_seed(1))
    seats = tuple((entrant, CHIPS) for entrant in range(entrants))
    return [field.block(BlockKey(0, 0, table, 0, 1), seats, 10) for table in range(TABLES)]


def noted(entrants: int) -> tuple[list[str], list[BlockResult]]:
    """Play; give the steps, and what came of it."""
    notes: list[str] = []
    lineup = Lineup(never, never, confined=lambda entrant: Noted(Careful, str(entrant), notes))
    return notes, play_lockstep(blocks(entrants), lineup, {}).results


def test_while_one_half_thinks_the_other_one_plays() -> None:
    """Its answers are taken, and its next questions prepared, after the others' were sent."""
    notes, results = noted(1)
    assert notes[:14] == [
        *("prepare 0a", "prepare 0b", "send 0a"),
        *("wait 0a", "send 0b", "answers 0a", "prepare 0a"),
        *("wait 0b", "send 0a", "answers 0b", "prepare 0b"),
        *("wait 0a", "send 0b", "answers 0a"),
    ]
    assert results == [play_block(block, lambda _: Careful()) for block in blocks(1)]


def test_a_pool_is_sent_nothing_before_it_has_answered() -> None:
    """So a process has one thing to do at a time, and may say nothing in between."""
    notes, _ = noted(1)
    sent = [note.split()[0] for note in notes if note.startswith(("send", "wait"))]
    assert sent == ["send", "wait"] * (len(sent) // 2)


def test_all_who_are_asked_think_at_once() -> None:
    """Nobody waits for another entrant's process."""
    notes, results = noted(2)
    steps = " ".join(note for note in notes if not note.startswith("prepare"))
    assert "send 0a send 1a" in steps or "send 0b send 1b" in steps
    assert results == [play_block(block, lambda _: Careful()) for block in blocks(2)]


def test_with_few_seats_nobody_is_asked_in_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the confined has to have enough of them."""
    monkeypatch.setattr(play, "SEATS_WORTH_HALVING", TABLES + 1)
    notes, _ = noted(1)
    assert not any(note.endswith("b") for note in notes[:20])


class Forgetful(Player):
    """Fails at one decision of all players together: what its class keeps they share."""

    asked = 0
    fails_at = 0

    def bet(self, bankroll: int, minimum: int) -> int:
        """Count, and wager by the count."""
        kind = type(self)
        kind.asked += 1
        if kind.asked == kind.fails_at:
            raise RuntimeError
        return min(bankroll, minimum + kind.asked % 3)

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Hit a low hand."""
        return player.total < 15


def shared(fails_at: int = 0) -> list[BlockResult]:
    """Play with players that share a count, which begins in each pool."""

    def open_pool(_entrant: int) -> Pool:
        return Pool(type("Fresh", (Forgetful,), {"asked": 0, "fails_at": fails_at}))

    return play_lockstep(blocks(1), Lineup(never, never, confined=open_pool), {}).results


def test_players_that_share_what_their_class_keeps_see_the_same_order_every_time() -> None:
    """Half by half, whatever takes how long; one wave has another order, see decision 0010."""
    assert shared() == shared()


def test_a_fault_of_one_seat_is_its_own() -> None:
    """The tables of both halves go on."""
    assert sum(bool(each.seats[0].verdict) for each in shared(fails_at=TABLES + 2)) == 1
