"""A configuration without faults becomes the values it names."""

import os
from dataclasses import FrozenInstanceError
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tourney.config.model import Catalog, FloorConfig, LeaderboardConfig
from tourney.config.tournament import load, loads
from tourney.errors import ConfigError

WHOLE = """\
name: Quickstart
seed: 280
game: {preset: ve280, shuffle: uniform}
bankroll: 1000
minimum: 5
maximum: 500
format: {kind: duplicate, tables: 400, rounds: 1000}
floor: {tables: 20, dealers: 20}
entrants:
  - strategy: simple
  - strategy: ramp
    as: "Ramp 1-8"
    options: {spread: 8}
    group: staff
  - {file: players/bold.py, author: Ada Lovelace}
leaderboard: {columns: [rank, entrant, mean_final_bankroll, ruin]}
"""

LEAST = """\
name: Least
game: ve280
bankroll: 1000
minimum: 5
format: duplicate
entrants: [{strategy: simple}]
"""


def test_every_setting_of_a_file_arrives(catalog: Catalog, folder: Path) -> None:
    """The file of the documentation, setting by setting."""
    path = folder / "quickstart.yaml"
    path.write_text(WHOLE, encoding="utf-8")
    config = load(path, catalog)
    assert (config.name, config.seed) == ("Quickstart", 280)
    assert (config.bankroll, config.minimum, config.maximum) == (1000, 5, 500)
    assert (config.game.preset, config.game.overrides) == ("ve280", (("shuffle", "uniform"),))
    assert (config.game.rules.shuffle, config.game.rules.decks) == ("uniform", 1)
    assert (config.format.kind, config.format.options.tables) == ("duplicate", 400)
    assert config.floor == FloorConfig(tables=20, dealers=20)
    assert config.leaderboard.columns == ("rank", "entrant", "mean_final_bankroll", "ruin")
    assert (config.text, config.source) == (WHOLE, str(path))


def test_entrants_arrive_with_their_names_and_options(catalog: Catalog, folder: Path) -> None:
    """An entrant is called what it is told, or as its strategy or file."""
    simple, ramp, bold = loads(WHOLE, catalog, folder=folder).entrants
    assert (simple.name, simple.strategy, simple.options) == ("simple", "simple", ())
    assert (ramp.name, ramp.group, ramp.options) == ("Ramp 1-8", "staff", (("spread", 8),))
    assert (bold.name, bold.strategy) == ("bold", None)
    assert bold.source == (folder / "players" / "bold.py").resolve()
    assert (ramp.author, bold.author) == (None, "Ada Lovelace")


def test_what_is_left_out_has_its_default(catalog: Catalog) -> None:
    """A name is enough for a game and a format, and the rest may be left out."""
    config = loads(LEAST, catalog)
    assert (config.seed, config.maximum, config.source) == (None, None, "<text>")
    assert config.game.rules is not None
    assert config.game.overrides == ()
    assert config.format.options.rounds == 1000
    assert (config.floor, config.leaderboard) == (FloorConfig(), LeaderboardConfig())


def test_whole_numbers_may_stand_for_seconds(catalog: Catalog) -> None:
    """A duration without a decimal point is a number of seconds all the same."""
    config = loads(LEAST + "floor: {round_seconds: 30, dealers: null}\n", catalog)
    assert config.floor.round_seconds == 30.0
    assert isinstance(config.floor.round_seconds, float)
    assert config.floor.dealers is None


@pytest.mark.parametrize(
    "time", ["2026-05-01T12:00", '"2026-05-01 14:00+02:00"', "2026-05-01 12:00:00"]
)
def test_a_time_needs_no_quotes_and_is_utc_without_a_zone(catalog: Catalog, time: str) -> None:
    """Whether a YAML takes it for a date or for text, it is the same time."""
    text = f"leaderboard: {{names: handles, top: 3, freeze: {time}, reveal: 2026-05-02}}\n"
    board = loads(LEAST + text, catalog).leaderboard
    assert (board.names, board.top, board.columns) == ("handles", 3, None)
    assert board.freeze == datetime(2026, 5, 1, 12, tzinfo=UTC)
    assert board.reveal == datetime(2026, 5, 2, tzinfo=UTC)


def test_a_configuration_cannot_be_changed(catalog: Catalog) -> None:
    """What was read once is the same for every layer."""
    config = loads(LEAST, catalog)
    with pytest.raises(FrozenInstanceError):
        config.bankroll = 2  # type: ignore[misc]  # on purpose


def test_aliases_repeat_what_an_anchor_names(catalog: Catalog) -> None:
    """Options may be written once and used by several entrants."""
    text = LEAST.replace(
        "[{strategy: simple}]",
        "[{strategy: ramp, options: &o {spread: 4}}, {strategy: ramp, as: B, options: *o}]",
    )
    one, two = loads(text, catalog).entrants
    assert one.options == two.options == (("spread", 4),)


def test_a_list_may_fill_a_tuple(catalog: Catalog) -> None:
    """YAML has no tuples, but the options of a format may be some."""
    text = LEAST.replace("duplicate", "{kind: knockout, advance: 2, cuts: [8, 4], seats: null}")
    assert loads(text, catalog).format.options.cuts == (8, 4)


@pytest.mark.parametrize(
    ("entrant", "options"),
    [
        ("{strategy: ramp, options: {base: many, mood: 1.5}}", {"base": "many", "mood": 1.5}),
        (
            "{strategy: chart, options: {chart: a, deep: [1, [b]]}}",
            {"chart": "a", "deep": (1, ("b",))},
        ),
        ("{file: players/bold.py, options: {anything: true}}", {"anything": True}),
        ("{strategy: shaped, options: {}}", {}),
        ('{strategy: simple, as: "NO"}', {}),
        ("{strategy: simple, as: !!str NO}", {}),
    ],
)
def test_options_follow_the_constructor(
    catalog: Catalog, folder: Path, entrant: str, options: dict[str, Any]
) -> None:
    """Where a constructor names no type, any single value will do."""
    text = LEAST.replace("{strategy: simple}", entrant)
    assert dict(loads(text, catalog, folder=folder).entrants[0].options) == options


def test_a_byte_order_mark_and_other_line_ends_do_no_harm(catalog: Catalog, tmp_path: Path) -> None:
    """Editors on other systems begin and end lines in their own way."""
    path = tmp_path / "odd.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + LEAST.replace("\n", "\r\n").encode())
    assert load(path, catalog).name == "Least"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file is empty; add settings such as 'name: Quickstart'"),
        (b"a: b\n\xe9", "the file is not UTF-8 (the byte 0xe9 on line 2); save it as UTF-8"),
        (b" " * 5_000_001, "the file is larger than 5000000 bytes"),
    ],
)
def test_a_file_that_is_no_text_is_one_fault(
    catalog: Catalog, tmp_path: Path, data: bytes, message: str
) -> None:
    """A file that cannot be read at all says so by its name."""
    path = tmp_path / "odd.yaml"
    path.write_bytes(data)
    with pytest.raises(ConfigError) as caught:
        load(path, catalog)
    assert str(caught.value) == f"{path}: {message}"


def test_a_missing_file_and_a_folder_are_one_fault_each(catalog: Catalog, tmp_path: Path) -> None:
    """What cannot be opened says why."""
    with pytest.raises(ConfigError, match=r"no such file; `tourney new tournament`") as told:
        load(tmp_path / "none.yaml", catalog)
    assert told.value.__suppress_context__  # what Python said first is no news
    with pytest.raises(ConfigError, match=r"the file cannot be read"):
        load(tmp_path, catalog)


def test_the_minimum_may_come_from_the_rules(catalog: Catalog) -> None:
    """Only if they have one; the organiser's goes first."""
    from tourney.games.blackjack.rules import PRESETS

    course = Catalog(
        presets=PRESETS,
        formats=catalog.formats,
        strategies=catalog.strategies,
        columns=catalog.columns,
    )
    text = (
        "name: A\ngame: GAME\nbankroll: 100\nformat: duplicate\nentrants:\n  - strategy: simple\n"
    )
    assert loads(text.replace("GAME", "eecs280"), course).minimum == 5
    assert loads(text.replace("GAME", "eecs280") + "minimum: 10\n", course).minimum == 10
    with pytest.raises(ConfigError, match=r"'minimum' is missing \(least wager in chips\)"):
        loads(text.replace("GAME", "ve280"), course)


def test_an_archived_configuration_needs_no_files(catalog: Catalog) -> None:
    """Its sources are kept elsewhere; the path stays as it was written."""
    text = (
        "name: A\ngame: short\nbankroll: 100\nminimum: 5\nformat: duplicate\n"
        "entrants:\n  - file: gone.py\n"
    )
    preset = next(iter(catalog.presets))
    config = loads(text.replace("short", preset), catalog, folder=None)
    assert str(config.entrants[0].source) == "gone.py"


def charts_of(folder: Path, entrants: str, catalog: Catalog) -> list[tuple[str, str]]:
    """Read a list of entrants next to a few charts; give names and file names."""
    (folder / "charts").mkdir(exist_ok=True)
    for name in ("bold", "acute"):
        (folder / "charts" / f"{name}.txt").touch()
    text = LEAST.replace("entrants: [{strategy: simple}]", f"entrants: {entrants}")
    config = loads(text, catalog, "it.yaml", folder)
    return [(each.name, each.source.name if each.source else "") for each in config.entrants]


def test_a_pattern_makes_an_entrant_of_every_chart(tmp_path: Path, catalog: Catalog) -> None:
    """In the order of their names, called after their files."""
    found = charts_of(tmp_path, "[{chart: charts/*.txt, group: ours}]", catalog)
    assert found == [("acute", "acute.txt"), ("bold", "bold.txt")]


def test_a_chart_may_have_a_name_of_its_own(tmp_path: Path, catalog: Catalog) -> None:
    """One file, named as it is; or a pattern that fits one."""
    for path in ("charts/bold.txt", "charts/b*.txt"):
        found = charts_of(tmp_path, f"[{{chart: {path}, as: Bolder}}]", catalog)
        assert found == [("Bolder", "bold.txt")]


@pytest.mark.parametrize(
    ("entrant", "message"),
    [
        ("{chart: charts/none.txt}", "chart: 'charts/none.txt' does not exist"),
        ("{chart: charts/*.csv}", "chart: no file matches 'charts/*.csv'"),
        ("{chart: /charts/*.txt}", "chart: '/charts/*.txt' is not a usable pattern"),
        (
            "{chart: charts/*.txt, as: A}",
            "as: one name for the 2 charts of 'charts/*.txt'; remove it",
        ),
        (
            "{chart: charts/bold.txt, options: {bold: 1}}",
            "options: a chart has no options; remove them",
        ),
        (
            "{chart: charts/bold.txt, strategy: simple}",
            "strategy: an entrant has only one of 'strategy', 'file', 'chart' and "
            "'submissions'; remove one",
        ),
    ],
)
def test_a_chart_that_cannot_be_meant_is_refused(
    tmp_path: Path, catalog: Catalog, entrant: str, message: str
) -> None:
    """At its place, with what was expected."""
    with pytest.raises(ConfigError) as caught:
        charts_of(tmp_path, f"[{entrant}]", catalog)
    assert f"entrants[0].{message}" in str(caught.value)


def test_a_file_is_blamed_by_its_own_name_for_what_it_is_called(
    catalog: Catalog, tmp_path: Path
) -> None:
    """Nothing that keeps the run could write down a name that is not UTF-8."""
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.yaml"))
    path.write_text("name: it\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"caf.+\.yaml: the path is not UTF-8 \(the byte 0xe9\)"):
        load(path, catalog)
