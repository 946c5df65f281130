"""Whose code may be played, and how well it is shut in."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import tourney.tournament.sandbox_level
from tourney.errors import ConfinementError, PluginError, TourneyError
from tourney.plugins.loading import load_plugins
from tourney.sandbox.levels import Level
from tourney.tournament.loading import enter, enter_again, run_record

CUP = """
name: cup
seed: 7
game: {preset: ve280}
bankroll: 1000
minimum: 5
format: {kind: duplicate, tables: 2, rounds: 2}
entrants:
"""
NOT_READ = "raise SystemExit('somebody has run this')\n"

Write = Callable[[str], Path]


@pytest.fixture
def cup(tmp_path: Path) -> Write:
    """Write a tournament of one file that must not run here, and others."""
    (tmp_path / "ada.py").write_text(NOT_READ, encoding="utf-8")

    def write(entrants: str) -> Path:
        path = tmp_path / "cup.yaml"
        path.write_text(CUP + entrants, encoding="utf-8")
        return path

    return write


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Callable[[Level], None]:
    """Have the machine confine as well as a test likes."""
    return lambda level: monkeypatch.setattr(
        tourney.tournament.sandbox_level, "probe", lambda: level
    )


FILE = "  - file: ada.py\n"


@pytest.mark.parametrize("level", [Level.FULL, Level.REDUCED])
def test_a_file_is_confined_as_well_as_the_machine_can(
    cup: Write, machine: Callable[[Level], None], level: Level
) -> None:
    """Nothing of it runs in this process, and the run says how well it was shut in."""
    machine(level)
    tournament = enter(cup(FILE + "  - strategy: simple\n"), load_plugins())
    assert [spec.confinement for spec in tournament.entrants] == [level, None]
    assert run_record(tournament).confinement == level


def test_who_brings_no_code_needs_no_confinement(cup: Write) -> None:
    """Installed strategies and charts are nobody's files."""
    tournament = enter(cup("  - strategy: simple\n"), load_plugins())
    assert run_record(tournament).confinement == ""
    assert tourney.tournament.sandbox_level.confinement_words(run_record(tournament)) == ""


@pytest.mark.parametrize(
    ("level", "entrants", "reason"),
    [
        (Level.UNSAFE, FILE, "this machine cannot run players in a sandbox"),
        (
            Level.UNSAFE,
            FILE + "    options: {spread: 2}\n",
            "this machine cannot run players in a sandbox",
        ),
    ],
)
def test_what_cannot_be_confined_is_refused(
    cup: Write, machine: Callable[[Level], None], level: Level, entrants: str, reason: str
) -> None:
    """With the reason and the only way past it."""
    machine(level)
    with pytest.raises(TourneyError, match=f"because {reason}.*add --no-sandbox"):
        enter(cup(entrants), load_plugins())


def test_options_are_confined(cup: Write, machine: Callable[[Level], None]) -> None:
    """They go along with the file, as they stand in the configuration."""
    machine(Level.FULL)
    options = "    options: {spread: 2, totals: [12, 16]}\n"
    (spec,) = enter(cup(FILE + options), load_plugins()).entrants
    assert spec.confinement is Level.FULL
    assert spec.options == (("spread", 2), ("totals", (12, 16)))


def test_all_are_confined_or_the_run_is_refused(
    cup: Write, machine: Callable[[Level], None]
) -> None:
    """Installed strategies are a reason, too, where the organiser wants them confined."""
    machine(Level.UNSAFE)
    config = cup("  - strategy: simple\n")
    message = "--confine all is not possible: this machine cannot run players in a sandbox"
    with pytest.raises(TourneyError, match=message):
        enter(config, load_plugins(), confines_all=True)


def test_a_run_goes_on_at_the_level_of_the_machine(
    cup: Write, machine: Callable[[Level], None]
) -> None:
    """Never at less than it says it began at, whoever trusts it."""
    machine(Level.REDUCED)
    run = run_record(enter(cup(FILE), load_plugins()))
    machine(Level.FULL)
    again = enter_again(run, load_plugins(), trusts_files=True)
    assert again.entrants[0].confinement is Level.FULL
    machine(Level.UNSAFE)
    with pytest.raises(TourneyError, match="level reduced, but this machine offers only level un"):
        enter_again(run, load_plugins(), trusts_files=True)


@pytest.mark.parametrize("level", ["", "unsafe", "full"])
def test_where_nobody_is_to_play_nobody_can(
    cup: Write, machine: Callable[[Level], None], level: str
) -> None:
    """Whatever the store says: what asks for a player by mistake gets none of this process."""
    machine(Level.FULL)
    run = replace(run_record(enter(cup(FILE), load_plugins())), confinement=level)
    for trusts in (False, True):
        reading = enter_again(run, load_plugins(), plays=False, trusts_files=trusts)
        assert reading.confinement is None
        with pytest.raises(
            ConfinementError, match="loading it here would run its code outside the sandbox"
        ):
            reading.entrants[0].load()


@pytest.mark.parametrize("level", ["", "reduced", "full"])
def test_where_nothing_can_be_confined_a_stored_run_is_refused(
    cup: Write, machine: Callable[[Level], None], level: str
) -> None:
    """Whatever the store says, and with what to do where that helps."""
    machine(Level.FULL)
    run = replace(run_record(enter(cup(FILE), load_plugins())), confinement=level)
    machine(Level.UNSAFE)
    with pytest.raises(
        TourneyError, match=r"cannot run players in a sandbox\. .*|on a machine with that level"
    ):
        enter_again(run, load_plugins())
    if not level:
        assert enter_again(run, load_plugins(), trusts_files=True).confinement is Level.UNSAFE


def test_digests_are_compared_before_anything_is_loaded(
    cup: Write, machine: Callable[[Level], None]
) -> None:
    """Even of those who are trusted."""
    machine(Level.FULL)
    (spec,) = enter(cup(FILE), load_plugins()).entrants
    for kind in ("file", "package", "chart"):
        swapped = replace(
            spec, kind=kind, sources=(("ada.py", NOT_READ),), digest=b"", confinement=None
        )
        with pytest.raises(PluginError, match="is not the one that the run began with"):
            swapped.load()


def test_a_level_is_said_in_words(cup: Write, machine: Callable[[Level], None]) -> None:
    """For the leaderboard's footer."""
    machine(Level.FULL)
    run = run_record(enter(cup(FILE), load_plugins()))
    ran = "the code of 1 entrant ran in sandboxed processes"
    assert (
        tourney.tournament.sandbox_level.confinement_words(run, was_seen=True)
        == f"sandbox full: {ran}"
    )
    assert (
        tourney.tournament.sandbox_level.confinement_words(run)
        == f"sandbox full according to the store: {ran}"
    )
    nothing = tourney.tournament.sandbox_level.confinement_words(replace(run, confinement=""))
    assert nothing == "sandbox unknown: the store names no level for the code of 1 entrant"
