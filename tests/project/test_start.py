"""What a command loads before it does anything: what it uses, and nothing that takes long.

Held by names, not by seconds: a machine may be busy, but a module is loaded or it is not.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tourney.config import settings
from tourney.plugins import loading, validation
from tourney.plugins.discovery import find_entry_points

IMPORTERS = Path(__file__).with_name("importers.py")

SMALL = """
name: Small
seed: 1
game: {preset: ve280, shuffle: uniform}
bankroll: 1000
minimum: 5
format: {kind: duplicate, tables: 2, rounds: 50}
entrants: [{strategy: simple}, {strategy: mimic}]
"""

NAMES = {"cli", "course.commands", "errors", "lazy", "portal.commands"}
"""Rooms that are loaded by whatever is typed; the last two list commands of optional parts."""

LISTED = NAMES | {
    *("competitors", "config", "course.plugin", "execution", "formats", "game", "games"),
    *("plugins", "standings", "strategies"),
}
"""Rooms that know what there is: games, formats, columns and strategies."""

STORED = NAMES | {
    *("competitors", "execution.engine_names", "game", "plugins", "sandbox", "sqlite", "store"),
    "tournament.sandbox_level",
    *(
        "config.words",
        "config.documents",
        "config.scalars",
    ),  # choices are said as in a configuration
}
"""Rooms that know what the store keeps of a run."""

SHOWN = (
    LISTED
    | STORED
    | {
        "checks.report",
        "course.records",
        "report",
        "tournament.catalog",
        "tournament.entrant_specs",
        "tournament.plugin_needs",
    }
    | {"tournament.loading", "tournament.stored_standings"}
)
"""Rooms that read a run's configuration again, and show its board."""

PLUGINS = {"annotated_types", "click", "pluggy", "tabulate"}
CONFIGURED = PLUGINS | {"pydantic", "yaml"}

LOADED = {
    ("--help",): (NAMES - {"lazy"}, {"click"}),
    ("list", "strategies"): (LISTED, PLUGINS),
    ("list", "games"): (LISTED, PLUGINS),
    ("list", "formats"): (LISTED, PLUGINS),
    ("runs",): (STORED, {"click", "tabulate"}),
    ("runs", "1"): (LISTED | STORED, PLUGINS),  # whether a program was installed, its language says
    ("leaderboard",): (SHOWN, CONFIGURED),
    ("submissions", "handed-in"): (
        LISTED | {"checks.report", "checks.source", "course", "sandbox"},
        CONFIGURED,
    ),
    ("run", "small.yaml", "--engine", "reference", "--workers", "1"): (
        SHOWN
        | {"floor", "tournament.board", "tournament.progress", "tournament.tournament"}
        | {"notebook.progress_bar", "notebook.tables"},  # what a run gives is a table in Python
        CONFIGURED | {"numpy", "rich", "scipy", "simpy"},
    ),
}
"""Rooms and packages of others that a command may load. No name may be added without a reason."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with a small run that has finished, and with one of submissions."""
    folder = tmp_path_factory.mktemp("start")
    (folder / "small.yaml").write_text(SMALL, encoding="utf-8")
    (folder / "handed-in").mkdir()
    (folder / "handed-in" / "submissions.yaml").write_text("game: {preset: ve280}\n")
    subprocess.run(
        [sys.executable, "-m", "tourney", "run", "small.yaml", "--workers", "1"],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    return folder


@pytest.mark.parametrize("command", LOADED, ids=" ".join)
def test_a_command_loads_what_it_uses_and_no_more(command: tuple[str, ...], folder: Path) -> None:
    """Whatever else is loaded is named, with who imported it."""
    rooms, packages = LOADED[command]
    importers = _importers(command, folder)
    allowed = {"tourney.__init__", *(f"tourney.{room}" for room in rooms), *packages}
    others = [
        _chain(name, importers)
        for name in importers
        if not all(_is_in(owner, allowed) for owner in _owners(name, importers))
    ]
    assert not others, "expected none but the rooms and packages above, got:\n" + "\n".join(others)


def test_what_is_loaded_is_seen(folder: Path) -> None:
    """A name that is imported late is not missed, nor who wanted it."""
    importers = _importers(("leaderboard",), folder)
    assert _owners("yaml", importers) == {"yaml"}
    assert _chain("yaml", importers).startswith("yaml < tourney.config.documents < ")
    assert _chain("yaml", importers).endswith(
        " < tourney.cli.leaderboard < tourney.cli.commands < tourney.cli < __main__"
    )


def _is_in(name: str, rooms: set[str]) -> bool:
    """Say whether a module is of one of some rooms, or a room around one of them."""
    return any(f"{name}.".startswith(f"{room}.") or room.startswith(f"{name}.") for room in rooms)


def _importers(command: tuple[str, ...], folder: Path) -> dict[str, str]:
    """Run a command and give the modules it loaded, each with who imported it first."""
    told = folder / "importers.json"
    subprocess.run(
        [sys.executable, IMPORTERS, told, *command], cwd=folder, check=True, capture_output=True
    )
    importers: dict[str, str] = json.loads(told.read_text(encoding="utf-8"))
    return importers


def _owners(name: str, importers: dict[str, str]) -> set[str]:
    """Name the room or the package of others that a module is of; none if we did not ask for it."""
    top, by = name.partition(".")[0], importers[name].partition(".")[0]
    if top == "tourney":
        return {name}
    # What Python and libraries need themselves is up to them.
    is_asked_for = by == "tourney" and top not in sys.stdlib_module_names
    return {top} if is_asked_for else set()


def _chain(name: str, importers: dict[str, str]) -> str:
    """Say who imported a module, and who imported that one, up to the command line."""

    def links() -> Iterator[str]:
        link, seen = name, set[str]()
        while link in importers and link not in seen:
            seen.add(link)
            yield link
            link = importers[link]
        yield link

    return " < ".join(links())


def test_what_only_a_fault_or_an_editor_needs_is_not_worked_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Sources are not searched for lines and texts, nor types described, before somebody asks."""

    def refuse(*_: object) -> None:
        raise AssertionError("expected nobody to ask for this, got somebody")

    monkeypatch.setattr(validation, "place_of_class", refuse)
    monkeypatch.setattr(loading, "own_modules", refuse)
    monkeypatch.setattr(settings, "field_texts", refuse)
    settings.settings_of.cache_clear()  # other tests may have described the same types
    registry = loading.load_plugins(entry_points=find_entry_points()[0])
    assert not registry.quarantined
    assert len(registry.strategies) > len(registry.games) > 1
    kinds = [each.make for each in registry.formats.values()]
    for kind in kinds:
        settings.settings_of(kind, is_partial=True).model_validate_json("{}")
    with pytest.raises(AssertionError, match="expected nobody"):
        settings.schema_of(settings.settings_of(kinds[0]))


ENDING = """
import atexit, gc, os, sys
told = lambda: print(gc.get_freeze_count() > 0, os.environ["OPENBLAS_NUM_THREADS"])
atexit.register(told)  # called after whatever is registered later
from tourney.cli import main
main(["--help"])
"""


@pytest.mark.parametrize(("own", "expected"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3")])
def test_a_command_starts_no_idle_threads_and_ends_at_once(
    own: dict[str, str], expected: str
) -> None:
    """Whoever asks for threads gets them; and what was imported is not searched for garbage."""
    inherited = {name: value for name, value in os.environ.items() if "OPENBLAS" not in name}
    done = subprocess.run(
        [sys.executable, "-c", ENDING],
        env=inherited | own,
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.splitlines()[-1] == f"True {expected}"
