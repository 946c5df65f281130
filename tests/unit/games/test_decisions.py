"""How many decisions a block had, told from its result."""

import pytest

from tourney.config.tournament import loads
from tourney.game.seats import play_block
from tourney.game.turns import Watcher
from tourney.games.blackjack.rules import BlackjackRules
from tourney.plugins.loading import load_plugins
from tourney.plugins.registry import Registry
from tourney.tournament.catalog import catalog_of
from tourney.tournament.loading import Tournament, enter

CLOSE = 1 / 8
CHIPS = "bankroll: 100000\nminimum: 5\n"


class Counting(Watcher):
    """Counts what is asked of the seats of a table."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.decisions = 0

    def asked(self, seat: int, call: str, seen: str, answer: str) -> None:
        """Count a decision."""
        del seat, call, seen, answer
        self.decisions += 1


@pytest.fixture(scope="module")
def registry() -> Registry:
    """Load what is installed."""
    return load_plugins()


def event(registry: Registry, preset: str, strategy: str, seats: int) -> Tournament:
    """Enter a strategy so often for a heat at one table."""
    alone = "{kind: duplicate, tables: 1, rounds: 700}"
    full = f"{{kind: knockout, seats: {seats}, rounds: 100}}"
    chips = "" if preset == "straights" else CHIPS
    text = f"""\
name: Decisions
seed: 5
game: {preset}
{chips}format: {alone if seats == 1 else full}
entrants: [{{strategy: {strategy}, count: {max(2, seats)}}}]
"""
    return enter(loads(text, catalog_of(registry)), registry)


def counted_and_told(tournament: Tournament, registry: Registry) -> tuple[int, int]:
    """Play a table; say how many decisions there were, and how many its result tells."""
    watcher = Counting()
    wave = next(iter(tournament.format.schedule(tournament.field).waves()))
    block = next(iter(wave)).blocks[0]
    make = registry.strategies[tournament.records[0].strategy].make
    result = play_block(block, lambda _: make(), watcher)
    seat_rounds = sum(seat.rounds for seat in result.seats)
    told = tournament.rules.decisions(result.rounds, seat_rounds, result.cards)
    return watcher.decisions, told


@pytest.mark.parametrize("seats", [1, 7])
@pytest.mark.parametrize("strategy", ["simple", "mimic", "never-bust"])
@pytest.mark.parametrize("preset", ["ve280", "six-decks-h17", "european"])
def test_decisions_at_blackjack_are_estimated_within_an_eighth(
    registry: Registry, preset: str, strategy: str, seats: int
) -> None:
    """Whoever plays, and however many: a wager in each round, and moves by the cards."""
    counted, told = counted_and_told(event(registry, preset, strategy, seats), registry)
    assert abs(told / counted - 1) < CLOSE


def test_decisions_at_straights_are_counted(registry: Registry) -> None:
    """Thirteen of each seat in each round."""
    counted, told = counted_and_told(event(registry, "straights", "first-legal", 4), registry)
    assert counted == told == 100 * 4 * 13


def test_wagers_that_the_rules_fix_are_no_decisions() -> None:
    """Only moves are left."""
    chosen, fixed = (BlackjackRules(wager=wager) for wager in ("chosen", "minimum"))
    assert chosen.decisions(10, 70, 220) - fixed.decisions(10, 70, 220) == 70
    assert fixed.decisions(10, 10, 0) == 0
