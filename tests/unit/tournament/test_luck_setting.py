"""The setting `luck_adjustment`: where it is refused, and that a run goes on as it began."""

from dataclasses import replace
from pathlib import Path

import pytest

from tourney.config.tournament import loads
from tourney.errors import ConfigError
from tourney.plugins.loading import load_plugins
from tourney.tournament.catalog import catalog_of
from tourney.tournament.loading import enter, enter_again, run_record

CONFIG = """\
name: Luck
seed: 3
luck_adjustment: true
game: {preset: ve280, shuffle: uniform}
bankroll: 100
minimum: 5
format: {kind: duplicate, tables: 4, rounds: 50}
entrants: [{strategy: simple}, {strategy: counting}]
"""


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ("shuffle: uniform", "shuffle: riffle", "write false here: "),
        (
            "{kind: duplicate, tables: 4, rounds: 50}",
            "{kind: knockout}",
            "write false here: in knockout the actual chips decide",
        ),
        ("true\n", "maybe\n", "expected true or false, got text 'maybe'"),
    ],
)
def test_luck_is_not_taken_out_where_it_cannot_be(before: str, after: str, fault: str) -> None:
    """With the place in the file, and the reason."""
    with pytest.raises(ConfigError) as raised:
        loads(CONFIG.replace(before, after), catalog_of(load_plugins()))
    assert ":3:18: luck_adjustment:" in str(raised.value)
    assert fault in str(raised.value)


def test_nobody_knows_what_the_cards_of_straights_are_worth() -> None:
    """So their luck stays."""
    text = CONFIG.replace("{preset: ve280, shuffle: uniform}", "straights")
    text = text.replace("bankroll: 100\nminimum: 5\n", "")
    with pytest.raises(ConfigError, match="the game straights defines no value of its cards"):
        loads(text, catalog_of(load_plugins()))


@pytest.mark.parametrize("said", ["true", "false"])
def test_a_run_goes_on_as_it_began(said: str) -> None:
    """Whatever another version does where nothing is said."""
    registry = load_plugins()
    config = loads(CONFIG.replace("true", said), catalog_of(registry))
    entered = enter(config, registry)
    assert entered.follows_luck == entered.field.follows_luck == (said == "true")
    run = replace(
        run_record(entered), number=1, config=CONFIG.replace("luck_adjustment: true\n", "")
    )
    assert enter_again(run, registry).follows_luck == (said == "true")


def test_a_board_has_adjusted_results_beside_raw_ones(tmp_path: Path) -> None:
    """Both are of the same rounds."""
    from tourney import play_tournament

    text = CONFIG.replace("tables: 4", "tables: 12")
    (tmp_path / "luck.yaml").write_text(text, encoding="utf-8")
    rows = play_tournament(
        tmp_path / "luck.yaml", store=tmp_path / "luck.db", engine="reference"
    ).standings
    assert all(row.adjusted is not None and row.adjusted != row.mean for row in rows)
    assert all(row.joint_half_width and row.rank_set for row in rows)
    assert rows[0].decides >= rows[1].decides
