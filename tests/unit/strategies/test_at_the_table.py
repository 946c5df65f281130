"""Competitors that look at their table, in cases one can follow by hand."""

from collections.abc import Callable

import pytest

from tourney import TableView
from tourney.strategies.finisher import Finisher, chance
from tourney.strategies.leader import Leader
from tourney.strategies.rivals import Rival, others_at, to_beat

MINIMUM = 10


def table(
    bankrolls: tuple[int, ...], wagers: tuple[int, ...], rounds_left: int = 1, advance: int = 1
) -> Callable[[], TableView]:
    """Make what the first seat sees."""
    view = TableView(0, MINIMUM, 10_000, rounds_left, bankrolls, wagers, advance=advance)
    return lambda: view


def test_a_wager_counts_among_the_chips_of_its_rival() -> None:
    """Whoever has most comes first, and with two places the second is to be beaten."""
    seen = table((500, 300, 400, 450), (0, 200, 0, 0), advance=2)()
    rivals = others_at(seen)
    assert rivals == [Rival(500, 200), Rival(450, 0), Rival(400, 0)]
    assert to_beat(seen, rivals) == Rival(450, 0)


def test_nobody_is_to_be_beaten_where_all_go_on() -> None:
    """Nor at a table of one's own."""
    seen = table((500, 300), (0, 0), advance=2)()
    assert to_beat(seen, others_at(seen)) is None
    player = Leader()
    player.look = table((500,), (0,))
    assert player.bet(500, MINIMUM) == MINIMUM


@pytest.mark.parametrize(
    ("bankrolls", "wagers", "rounds_left", "wager"),
    [
        ((500, 700), (0, 0), 1, 201),
        ((500, 600), (0, 100), 1, 301),
        ((700, 400), (0, 300), 1, 301),
        ((800, 600), (0, 100), 1, 10),
        ((500, 1700), (0, 0), 1, 500),
        ((500, 700), (0, 0), 11, 10),
    ],
    ids=["takes the high", "over a wager", "covers it", "safe", "all in", "too early"],
)
def test_leader_bets_what_leads_if_both_win(
    bankrolls: tuple[int, ...], wagers: tuple[int, ...], rounds_left: int, wager: int
) -> None:
    """Behind, it bets past the rival's win; level or ahead, just enough to stay before it."""
    player = Leader()
    player.look = table(bankrolls, wagers, rounds_left)
    assert player.bet(bankrolls[0], MINIMUM) == wager


def test_leader_looks_at_the_last_place_that_goes_on() -> None:
    """With two places the leader's chips are nobody's affair."""
    player = Leader()
    player.look = table((500, 900, 520), (0, 0, 0), advance=2)
    assert player.bet(500, MINIMUM) == 21


def test_finisher_weighs_endings_together_with_the_dealer() -> None:
    """Chips that nobody can reach go on always; such that everybody has already, never."""
    always = 27 * 100 * 100 + 73 * 100 * 100
    rivals = [Rival(100, 10)]
    assert chance(rivals, 1, 500, 10) == always
    assert chance(rivals, 1, 50, 10) == 0
    # Level with a rival who stakes the same, it must win while that one does not.
    level = 27 * 85 * 15 + 73 * 27 * (12 + 61)
    assert chance([Rival(100, 10)], 1, 100, 10) == level + 73 * 12 * 61


def test_finisher_goes_past_the_push_of_a_rival_that_staked_all() -> None:
    """A win of 101 passes its 600, and a loss of them still beats its loss; 1200 is too far."""
    player = Finisher()
    player.look = table((500, 0), (0, 600))
    assert player.bet(500, MINIMUM) == 101


def test_finisher_goes_past_a_rival_that_bets_the_minimum() -> None:
    """Fifty behind, a win of 61 passes even a win of ten."""
    player = Finisher()
    player.look = table((500, 550), (0, 0))
    assert player.bet(500, MINIMUM) == 61


def test_finisher_bets_for_a_cushion_before_the_last_round() -> None:
    """Level with nine rounds left it wants three minimums more than its rival."""
    player = Finisher()
    player.look = table((500, 500), (0, 0), rounds_left=9)
    assert player.bet(500, MINIMUM) == 30
