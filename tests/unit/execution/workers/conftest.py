"""A competitor with an option, batches for it, and workers of both kinds."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack

import pytest

from tourney.competitors.sources import digest_of
from tourney.execution.workers.pool import InlineWorkers, PoolWorkers, Workers
from tourney.execution.workers.task import EntrantSpec
from tourney.formats.field import Field
from tourney.game.blocks import Batch
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey
from tourney.games.blackjack.rules import BlackjackRules

BOLD = """\
from tourney import Card, Hand, Player


class Bold(Player):
    def __init__(self, units: int = 1) -> None:
        self.units = units

    def bet(self, bankroll: int, minimum: int) -> int:
        return self.units * minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        return player.total < 15
"""

MakeWorkers = Callable[[Mapping[int, EntrantSpec], str], Workers]


@pytest.fixture
def bold() -> EntrantSpec:
    """Give an entrant that bets three minimums."""
    options = (("units", 3),)
    digest = digest_of((("bold.py", BOLD),), options)
    return EntrantSpec("Bold", "file", "bold.py", (("bold.py", BOLD),), options, digest)


@pytest.fixture
def batches() -> tuple[Batch, ...]:
    """Give a hundred batches of one block of ten rounds."""
    field = Field(1, BlackjackRules(), 10_000, 5, 500, Secret.from_seed(3))
    keys = [BlockKey(0, 0, table, 0, 1) for table in range(100)]
    return tuple(
        Batch(0, number, (field.block(key, ((0, field.bankroll),), 10),))
        for number, key in enumerate(keys)
    )


@pytest.fixture(params=["inline", "pool"])
def make_workers(request: pytest.FixtureRequest) -> Iterator[MakeWorkers]:
    """Make workers of a kind: those of this process, or one of another."""
    with ExitStack() as stack:

        def make(entrants: Mapping[int, EntrantSpec], engine: str = "auto") -> Workers:
            if request.param == "inline":
                return stack.enter_context(InlineWorkers(entrants, engine))
            return stack.enter_context(PoolWorkers(entrants, engine, 1, batches_a_task=2))

        yield make
