"""Classes and players of the calling program, such as a notebook, in tournaments and checks."""

from pathlib import Path
from typing import Any

import pytest

import tourney
from tourney import Card, Hand, Player, TourneyError
from tourney.errors import ConfigError, EngineError, PluginError

GAME = "ve280,shuffle=uniform"
CUP: dict[str, Any] = {
    "name": "Cup",
    "seed": 3,
    "game": {"preset": "ve280", "shuffle": "uniform"},
    "bankroll": 1000,
    "minimum": 5,
    "format": {"kind": "duplicate", "tables": 4, "rounds": 20},
}


class Draws(Player):
    """Draws below a total."""

    def __init__(self, below: int = 15) -> None:
        self.below = below

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager the minimum."""
        return minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Draw to a total."""
        return player.total < self.below


def cup_of(*entrants: object) -> dict[str, Any]:
    """Return a configuration with entrants."""
    return {**CUP, "entrants": list(entrants)}


@pytest.mark.parametrize(
    "entrant", [Draws, Draws(15), {"strategy": Draws}, {"class": Draws, "as": "Draws"}]
)
def test_a_class_enters_a_tournament(tmp_path: Path, entrant: object) -> None:
    """With the results of the same strategy in a file, whatever the form of the entry."""
    file = tmp_path / "Draws.py"
    file.write_text(
        "from tourney import Player\n\nclass Draws(Player):\n"
        "    def bet(self, bankroll, minimum):\n        return minimum\n\n"
        "    def draw(self, dealer, player):\n        return player.total < 15\n"
    )
    others = [{"strategy": "simple"}, {"strategy": "counting"}]
    own = tourney.play_tournament(cup_of(*others, entrant), store=tmp_path / "own.db")
    filed = tourney.play_tournament(
        cup_of(*others, {"file": str(file)}), store=tmp_path / "f.db", trust_submissions=True
    )
    assert [(each.name, each.mean) for each in own.standings] == [
        (each.name, each.mean) for each in filed.standings
    ]


def test_a_stored_run_of_a_class_can_be_read_again(tmp_path: Path) -> None:
    """Its board and its configuration, in which no address of an object appears."""
    store = tmp_path / "runs.db"
    bold = {"strategy": Draws, "options": {"below": 17}, "as": "Bold"}
    played = tourney.play_tournament(cup_of(Draws, bold), store=store)
    assert {each.name for each in played.standings} == {"Draws", "Bold"}
    assert "class: Draws" in played.run.config
    with tourney.open_store(store) as runs:
        assert runs["Cup"].standings == played.standings
    again = tourney.play_tournament(cup_of(Draws, bold), store=store)
    assert [each.digest for each in again.run.entrants] == [
        each.digest for each in played.run.entrants
    ]


def test_faults_of_a_class_name_the_setting() -> None:
    """As they would in a file of a configuration."""
    with pytest.raises(ConfigError, match=r"entrants\[0\].options.below: expected a whole number"):
        tourney.play_tournament(cup_of({"strategy": Draws, "options": {"below": "x"}}, Draws))
    with pytest.raises(ConfigError, match="'Draws' is already an entrant; add 'as'"):  # no line
        tourney.play_tournament(cup_of(Draws, Draws))
    with pytest.raises(PluginError, match="int"):
        tourney.play_tournament(cup_of(int))


def test_an_unknown_engine_leaves_no_run_behind(tmp_path: Path) -> None:
    """A list of runs would call it interrupted."""
    with pytest.raises(EngineError, match="engine: expected"):
        tourney.play_tournament(cup_of(Draws), store=tmp_path / "cup.db", engine="x")
    assert not (tmp_path / "cup.db").exists()


def test_other_processes_cannot_play_a_class(tmp_path: Path) -> None:
    """The message says what to do, before anything is stored."""
    with pytest.raises(PluginError, match=r"Draws: 2 workers cannot load .* save the class in a f"):
        tourney.play_tournament(cup_of(Draws), store=tmp_path / "runs.db", workers=2)
    assert not (tmp_path / "runs.db").exists()


def test_a_class_is_checked_in_its_program() -> None:
    """It passes, or has the findings of a file."""
    passed = tourney.check(Draws, "ve280")
    assert passed.passed, passed

    class Broken(Draws):
        """Answers with text."""

        def draw(self, dealer: Card, player: Hand) -> bool:
            """Answer wrongly."""
            return "no"  # type: ignore[return-value]  # on purpose

    failed = tourney.check(Broken, "ve280")
    assert not failed.passed
    assert "draw" in str(failed.findings[0])


def test_options_and_settings_are_columns() -> None:
    """Of a sweep with values of an option, which a frame can pivot."""
    games = [GAME, {"preset": "ve280", "shuffle": "uniform", "decks": 2}]
    found = tourney.sweep(Draws, games, vary={"below": [14, 16]}, rounds=500, seed=1)
    frame = found.to_pandas()
    assert list(frame["below"]) == [14, 16, 14, 16]
    assert frame["decks"].isna().tolist() == [True, True, False, False]
    table = frame.pivot_table(index="below", columns="game", values="mean")
    assert table.shape == (2, 2)
    alone = tourney.ev(Draws, GAME, options={"below": 16}, rounds=500, seed=1)
    assert found.each[1].mean == alone.mean
    assert alone.rows()[0]["below"] == 16
    for wrong in ({"below": 14}, {"below": "14"}, {"below": []}):
        with pytest.raises(TourneyError, match="vary: below: "):
            tourney.sweep(Draws, GAME, vary=wrong, rounds=100)


def test_a_column_that_is_taken_gets_another_name() -> None:
    """An option may have the name of a figure."""

    class Named(Draws):
        """Has an option called `rounds`."""

        def __init__(self, rounds: int = 3) -> None:
            super().__init__()
            self.rounds = rounds

    (row,) = tourney.ev(Named, GAME, options={"rounds": 7}, rounds=200, seed=1).rows()
    assert (row["rounds"], row["option_rounds"]) == (200, 7)
