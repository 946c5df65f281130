"""A sample of what `benchmarks/store_fuzz.py` does to stores: nothing wrong is shown in silence."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from .crafted import STATEMENTS, change, craft
from .trying import Damage, cut, flip, plugins_looked_for_once


@pytest.fixture(scope="module")
def damage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Damage]:
    """Give a store that was played, to be damaged."""
    with plugins_looked_for_once():
        yield Damage(tmp_path_factory.mktemp("damage"))


@pytest.mark.parametrize("kind", [flip, cut, craft], ids=lambda kind: kind.__name__)
def test_a_damaged_store_shows_the_truth_or_says_what_is_wrong(
    damage: Damage, kind: object
) -> None:
    """Every command, on four stores of each kind."""
    for seed in range(4):
        _, wrong, _ = damage.faults(kind, seed)  # type: ignore[arg-type]  # one of those above
        assert not wrong


@pytest.mark.parametrize(
    "statement", [each for each in STATEMENTS if "final" in each or "VIEW" in each]
)
def test_a_false_board_is_never_shown(damage: Damage, statement: str) -> None:
    """Neither by results that were edited, nor by views and triggers of somebody else's."""
    _, wrong, _ = damage.faults(lambda path, _: change(path, statement, is_sealed=False), 0)
    assert not wrong


def test_a_board_that_was_sealed_again_is_found_by_playing_again(damage: Damage) -> None:
    """Digests taken anew of false results are not those of the play."""
    statement = "UPDATE seats SET final = final + 500 WHERE entrant = 1; DELETE FROM standings"
    _, ran = damage.attempt(lambda path, _: change(path, statement, is_sealed=True), 0)
    given = dict(ran)
    assert given["leaderboard"].status == 0
    verified = next(each for command, each in ran if command.startswith("verify"))
    assert verified.status == 1
    assert "expected the stored digest, got another" in verified.err


def test_a_sound_store_is_no_cause_for_alarm(damage: Damage) -> None:
    """The board, its exports, its pages and its replays come without a word of damage."""
    assert not [each.err for each in damage.truth if "damaged" in each.err]
    assert Path(damage.folder / "sound.db").exists()
