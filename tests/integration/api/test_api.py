"""What the command line does, for whoever would rather write Python."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from tourney import TourneyError, play_tournament
from tourney.config.tournament import load
from tourney.errors import ConfigError, RunNotFoundError, StoreError
from tourney.plugins.loading import load_plugins
from tourney.tournament.catalog import catalog_of
from tourney.tournament.tournament import TournamentResult, resume_tournament

Write = Callable[[str, str], Path]


@pytest.fixture
def played(small: Path, tmp_path: Path) -> TournamentResult:
    """Play the small tournament."""
    return play_tournament(small, store=tmp_path / "api.db")


def test_a_tournament_is_one_call(played: TournamentResult) -> None:
    """It gives the ranking, the standings and the run as it was kept."""
    assert played.ranking == ("simple", "counting", "mimic")
    assert [row.place for row in played.standings] == [1, 2, 3]
    assert played.standings[0].mean == 762 / 8
    assert (played.run.number, played.run.status, played.run.rehearsal) == (1, "finished", True)
    assert played.floor.blocks == 24


def test_standings_are_written_as_csv_with_every_column(
    played: TournamentResult, tmp_path: Path
) -> None:
    """One header, one line each, and the last line ends."""
    played.write_csv(tmp_path / "board.csv")
    text = (tmp_path / "board.csv").read_bytes().decode()
    assert text.endswith("\n")
    assert "\r" not in text
    rows = list(csv.DictReader(text.splitlines()))
    assert [row["entrant"] for row in rows] == ["simple", "counting", "mimic"]
    assert rows[0]["half_width"] == "27.589595"
    assert rows[0]["handle"] == "2400"


def test_paths_may_be_text(small: Path, tmp_path: Path, played: TournamentResult) -> None:
    """As in any script; the results are the same."""
    again = play_tournament(str(small), store=str(tmp_path / "text.db"), workers=2)
    assert again.standings == played.standings


def test_a_configuration_may_be_read_before(small: Path, tmp_path: Path) -> None:
    """Whoever has read it need not have it read again."""
    plugins = load_plugins()
    config = load(small, catalog_of(plugins))
    result = play_tournament(config, store=tmp_path / "read.db", seed=8, plugins=plugins)
    assert len(result.ranking) == 3
    assert result.run.name == "Small"


def test_a_run_is_resumed_by_number_name_or_as_the_latest(
    played: TournamentResult, tmp_path: Path
) -> None:
    """A finished run has nothing left to be played, and gives its standings again."""
    for run in (1, "1", "Small", None):
        resumed = resume_tournament(run, store=tmp_path / "api.db")
        assert resumed.standings == played.standings


def test_errors_are_of_one_family(small: Path, tmp_path: Path, played: TournamentResult) -> None:
    """Every mistake is a TourneyError, and says which."""
    with pytest.raises(ConfigError, match=r"nope\.yaml: no such file"):
        play_tournament(tmp_path / "nope.yaml", store=tmp_path / "api.db")
    with pytest.raises(RunNotFoundError, match="run 9 is not in"):
        resume_tournament(9, store=tmp_path / "api.db")
    with pytest.raises(StoreError, match="does not exist; make a store"):
        resume_tournament(store=tmp_path / "nope.db")
    with pytest.raises(TourneyError, match="workers: expected a whole number from 1 to 256, got 0"):
        play_tournament(small, store=tmp_path / "api.db", workers=0)
