"""Which engine plays a block, and that nobody is made or loaded who need not be."""

import subprocess
import sys
from collections.abc import Callable, Iterable

import pytest

from tourney import Card, Hand, Player
from tourney.cli.list import playable
from tourney.errors import EngineError
from tourney.execution.engine_selection import play_batch
from tourney.execution.warm_up import warm_up
from tourney.formats.field import Field
from tourney.game.blocks import Batch
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey
from tourney.game.lineup import Lineup, lineup_of
from tourney.game.seats import play_block
from tourney.game.turns import Watcher
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.straights.rules import StraightsRules
from tourney.strategies.bookkeeper import Bookkeeper
from tourney.strategies.counting import Counting
from tourney.strategies.first_legal import FirstLegal
from tourney.strategies.simple import Simple

MANY, FEW = 50_000, 20


class Shy(Player):
    """Only its own code can say what it does."""

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager the minimum."""
        del bankroll
        return minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Never hit."""
        del dealer, player
        return False


class Broken(Simple):
    """Cannot be made."""

    def __init__(self) -> None:
        raise ValueError("not today")


def batch_of(entrants: Iterable[int], rounds: int) -> Batch:
    """Draw up a batch in which everybody plays a block alone."""
    field = Field(9, BlackjackRules(), 10_000, 10, 10_000, Secret.from_seed(4))
    blocks = (
        field.block(BlockKey(0, 0, entrant, 0, 1), ((entrant, 10_000),), rounds)
        for entrant in entrants
    )
    return Batch(0, 0, tuple(blocks))


def recorded(kinds: list[type[Player]]) -> tuple[Lineup, list[int], list[int]]:
    """Give a lineup, the entrants that players were made for, and those that were loaded."""
    made: list[int] = []
    loaded: list[int] = []

    def make(entrant: int) -> Player:
        made.append(entrant)
        return kinds[entrant]()

    return (
        Lineup(make, lineup_of(lambda entrant: kinds[entrant]()).declared, loaded.extend),
        made,
        loaded,
    )


@pytest.mark.prove
@pytest.mark.parametrize("engine", ["auto", "compiled"])
def test_whoever_is_declared_is_played_without_python(engine: str) -> None:
    """No player of theirs sits at a table, and nothing of theirs is loaded for it."""
    warm_up(BlackjackRules())  # else the reference engine plays while machine code is made
    batch = batch_of([0, 1], MANY)
    lineup, made, loaded = recorded([Simple, Counting])
    results = play_batch(batch, lineup, engine).results
    assert (made, loaded) == ([], [])
    assert results[0] == play_block(batch.blocks[0], lambda _: Simple())


def test_whoever_is_not_declared_is_loaded_and_made_by_itself() -> None:
    """The others of the batch are not."""
    warm_up(BlackjackRules())
    batch = batch_of([0, 1, 2], MANY)
    lineup, made, loaded = recorded([Simple, Shy, Broken])
    results = play_batch(batch, lineup).results
    assert (sorted(made), loaded) == ([1, 2], [1, 2])
    assert [result.key for result in results] == [block.key for block in batch.blocks]
    assert results[2].seats[0].verdict is not None


def test_a_watched_block_is_played_by_the_reference_engine() -> None:
    """It is the one that can tell what happens."""
    batch = batch_of([0], FEW)
    lineup, made, _ = recorded([Simple])

    class Seen(Watcher):
        rounds = 0

        def closed(self, number: int, bankrolls: tuple[int, ...]) -> None:
            self.rounds += 1

    seen = Seen()
    (result,) = play_batch(batch, lineup, "auto", {batch.blocks[0].key: seen}).results
    assert (made, seen.rounds) == ([0], result.rounds)


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (Shy, "seat 1: Shy: its draw is not marked @pure"),
        (Broken, "seat 1: its constructor raises ValueError"),
    ],
)
def test_what_cannot_be_compiled_is_refused_with_a_reason(kind: type[Player], reason: str) -> None:
    """If that is asked for."""
    lineup, _, _ = recorded([kind])
    with pytest.raises(EngineError, match="engine compiled cannot play this") as refusal:
        play_batch(batch_of([0], FEW), lineup, "compiled")
    assert reason in str(refusal.value)


def test_an_engine_that_is_not_there() -> None:
    """The message has the ones that are."""
    lineup, _, _ = recorded([Simple])
    with pytest.raises(EngineError, match=r"expected auto, .* or reference, got 'quick'"):
        play_batch(batch_of([0], FEW), lineup, "quick")


@pytest.mark.parametrize(
    ("make", "rules", "engine", "reason"),
    [
        (Simple, BlackjackRules(), "compiled", ""),
        (Shy, BlackjackRules(), None, "Shy: its draw is not marked @pure"),
        (FirstLegal, StraightsRules(), "compiled", ""),
        (Bookkeeper, StraightsRules(), None, "overrides choose_play()"),
    ],
)
def test_what_is_told_of_a_strategy(
    make: Callable[[], Player], rules: BlackjackRules, engine: str | None, reason: str
) -> None:
    """The engine, and why it is no faster one."""
    found = playable(make, rules)
    if engine:
        assert found.engine == engine
    assert reason in found.reason
    assert (found.engine == "compiled") == (not found.reason)


def test_who_can_compile_goes_on_to_do_so() -> None:
    """Half of the compiler would read the new setting: a worker of an earlier run has loaded it."""
    module = "tourney.execution.engine_selection"
    ask = f"from os import environ; from {module} import compile_nothing; compile_nothing(); "
    tell = "print('NUMBA_DISABLE_JIT' in environ)"
    for before, told in (("", "True\n"), ("import numba; ", "False\n")):
        command = (sys.executable, "-c", f"{before}{ask}{tell}")
        assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == told
