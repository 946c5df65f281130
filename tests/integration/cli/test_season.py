"""`season`: points over several runs, in text, in data and as pages."""

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.support.told import told_of
from tourney.cli.progress import LiveBoard
from tourney.config.documents import plain_data
from tourney.report.publish.collection import collect
from tourney.sandbox.levels import Level, probe
from tourney.store.store import Store
from tourney.tournament.tournament import Play

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

RUN = """\
name: {name}
seed: {seed}
game: {{preset: ve280, shuffle: uniform}}
bankroll: 100
minimum: 5
format: {{kind: {kind}}}
entrants:
{entrants}
{board}
"""
TABLES = "duplicate, tables: 6, rounds: 20"
LEVELS = "multi-table, seats: 3, block_rounds: 10, level_rounds: 10"
PLAYER = """\
from tourney import Player


class Own(Player):
    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return player.total < {total}
"""
TRUST = ("--no-sandbox",) if probe() is Level.UNSAFE else ()
QUICK = ("--show-tables", 0, "--samples", 0)


def _run(name: str, *entrants: str, kind: str = TABLES, board: str = "", seed: int = 3) -> str:
    listed = "\n".join(f"  - {{{each}}}" for each in entrants)
    return RUN.format(name=name, seed=seed, kind=kind, entrants=listed, board=board)


def test_a_tournament_is_not_taken_for_a_season(cli: Cli, write: Write) -> None:
    """One message, with the command for it, not a fault for every setting."""
    write("cup.yaml", _run("Cup", "strategy: simple"))
    ran = cli("season", "cup.yaml")
    assert ran.status == 2
    assert ran.err == (
        "cup.yaml: this is a tournament, not a season; `tourney run cup.yaml` plays it\n"
    )


def test_who_has_no_season_yet_hears_what_is_in_one(cli: Cli) -> None:
    """No command writes the file of a season."""
    ran = cli("season", "nope.yaml")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        "nope.yaml: no such file; write one with a 'name' and the 'runs' that count\n"
    )


@pytest.fixture
def played(cli: Cli, write: Write) -> Cli:
    """Play two runs: Ada and Blaise in both, Sofja in the first, Emmy in the second."""
    write(
        "one.yaml",
        _run(
            "One",
            "strategy: simple, as: Ada",
            "strategy: counting, as: Blaise",
            "strategy: never-bust, as: Sofja",
        ),
    )
    write(
        "two.yaml",
        _run(
            "Two",
            "strategy: simple, as: ADA",
            "strategy: counting, as: blaise v2",
            "strategy: mimic, as: Emmy",
            kind=LEVELS,
        ),
    )
    for name in ("one.yaml", "two.yaml"):
        assert cli("run", name, "--workers", 1).status == 0
    return cli


def _table(cli: Cli, *options: object) -> dict[str, dict[str, str]]:
    ran = cli("season", "season.yaml", "--format", "csv", *options)
    assert ran.status == 0, ran.err
    return {row["entrant"]: row for row in csv.DictReader(ran.lines)}


def _places(cli: Cli, run: int) -> dict[str, int]:
    board = csv.DictReader(cli("leaderboard", run, "--format", "csv").lines)
    return {row["entrant"]: int(row["rank"]) for row in board}


SEASON = """\
name: Spring
points: [10, 6, 3]
runs: [One, {run: 2, as: Final}]
entrants: [{as: Blaise, names: [blaise v2]}]
"""


def test_points_of_all_runs_are_summed_up(played: Cli, write: Write) -> None:
    """Entrants are found by name, however it is capitalised, or by what the season says."""
    write("season.yaml", SEASON)
    one, two = _places(played, 1), _places(played, 2)
    table, worth = _table(played), {1: 10, 2: 6, 3: 3}
    assert set(table) == {"Ada", "Blaise", "Sofja", "Emmy"}
    assert table["Ada"]["points"] == str(worth[one["Ada"]] + worth[two["ADA"]])
    assert table["Blaise"]["points"] == str(worth[one["Blaise"]] + worth[two["blaise v2"]])
    assert (table["Sofja"]["One"], table["Sofja"]["Final"]) == (str(worth[one["Sofja"]]), "")
    assert (table["Emmy"]["One"], table["Emmy"]["runs"]) == ("", "1")
    points = [float(row["points"]) for row in table.values()]
    assert points == sorted(points, reverse=True)


def test_by_default_everybody_beaten_is_a_point(played: Cli, write: Write) -> None:
    """So a large run is worth more than a small one."""
    write("season.yaml", "name: Spring\nruns: [1]\n")
    one = _places(played, 1)
    assert {name: row["points"] for name, row in _table(played).items()} == {
        name: str(3 - place) for name, place in one.items()
    }


def test_only_the_best_results_count(played: Cli, write: Write) -> None:
    """The others stand in brackets."""
    write("season.yaml", SEASON + "best: 1\n")
    table = _table(played)
    ada = [float(table["Ada"][title]) for title in ("One", "Final")]
    assert float(table["Ada"]["points"]) == max(ada)
    assert f"({min(ada):g})" in played("season", "season.yaml").out


def test_the_same_points_are_the_same_place(played: Cli, write: Write) -> None:
    """No name and no order breaks a tie."""
    write("season.yaml", "name: Spring\nruns: [1]\npoints: [5, 5, 5]\n")
    assert [row["place"] for row in _table(played).values()] == ["1", "1", "1"]


def test_ranks_count_where_the_season_says_so(played: Cli, write: Write) -> None:
    """A run that ends with places leaves them all open, so it is worth the same to everybody."""
    write("season.yaml", "name: Spring\nruns: [1]\nby: ranks\npoints: [6, 3, 0]\n")
    board = csv.DictReader(played("leaderboard", 1, "--format", "csv").lines)
    ranks = {row["entrant"]: [int(each) for each in row["rank_set"].split(" to ")] for row in board}
    worth = {1: 6, 2: 3, 3: 0}
    for name, row in _table(played).items():
        among = range(ranks[name][0], ranks[name][-1] + 1)
        assert float(row["points"]) == sum(worth[each] for each in among) / len(among)
    write("season.yaml", "name: Spring\nruns: [2]\nby: ranks\n")
    assert {row["points"] for row in _table(played).values()} == {"1"}


def test_pages_are_written_with_a_site_for_each_run(played: Cli, write: Write) -> None:
    """Every link leads somewhere, and data of the page fit their schema."""
    write("season.yaml", SEASON)
    ran = played("season", "season.yaml", "--output", "site", *QUICK)
    assert ran.status == 0, ran.err
    assert "site/index.html: 2 runs, " in ran.err
    page = Path("site/index.html").read_text()
    links = [link for link in re.findall(r'(?:href|src)="([^"#]+)"', page) if link[:5] != "data:"]
    assert all((Path("site") / link).is_file() for link in links)
    assert {"run-1/index.html", "run-2/index.html", "run-1/entrants/3.html"} <= set(links)
    told = json.loads(Path("site/data.json").read_text())
    schema = json.loads(Path("site/data.schema.json").read_text())
    assert schema == json.loads(played("schema", "season").out)
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(told)
    assert played("season", "season.yaml", "--format", "json").status == 0
    assert [each["title"] for each in told["runs"]] == ["One", "Final"]


def test_places_by_run_are_drawn_with_a_table_of_the_same_values(played: Cli, write: Write) -> None:
    """A dash where an entrant took no part; a season of one run has no chart."""
    write("season.yaml", SEASON)
    assert played("season", "season.yaml", "--output", "site", *QUICK).status == 0
    page = Path("site/index.html").read_text()
    data = json.loads(Path("site/data.json").read_text())
    table = page.partition('<caption id="places-caption">Places by run</caption>')[2]
    for row in data["entrants"]:
        cells = [str(each["place"]) if each else "\u2013" for each in row["scores"]]
        found = re.search(f'<th scope="row" class="who">{row["name"]}</th>(.*)</tr>', table)
        assert found
        assert re.findall(">([^<]+)</td>", found[1]) == cells
    assert page.count("<circle") == sum(
        bool(each) for row in data["entrants"] for each in row["scores"]
    )
    write("season.yaml", "name: Spring\nruns: [1]\n")
    assert played("season", "season.yaml", "--output", "other", *QUICK).status == 0
    assert "Places by run" not in Path("other/index.html").read_text()


def test_a_season_that_is_interrupted_leaves_no_page_with_links_to_nowhere(
    played: Cli, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is written before all of it is there, so the same folder can be named again."""
    write("season.yaml", SEASON)
    seen: list[str] = []

    def interrupted(tournament: Any, store: Any, run: Any, *more: Any, **how: Any) -> Any:
        seen.append(run.name)
        if run.name == "Two":
            raise KeyboardInterrupt
        return collect(tournament, store, run, *more, **how)

    with monkeypatch.context() as patch:
        patch.setattr("tourney.cli.season.collect", interrupted)
        assert played("season", "season.yaml", "--output", "site", *QUICK).status == 130
    assert seen == ["One", "Two"]
    assert not Path("site").exists()
    assert played("season", "season.yaml", "--output", "site", *QUICK).status == 0


def test_a_folder_with_other_files_is_refused_before_anything_is_played_again(
    played: Cli, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `publish` refuses it."""
    write("season.yaml", SEASON)
    monkeypatch.setattr("tourney.cli.season.collect", None)
    ran = played("season", "season.yaml", "--output", ".", *QUICK)
    assert (ran.status, ran.err) == (
        2,
        ".: the folder has other files than a site; choose a new or empty folder\n",
    )


def test_pages_of_its_runs_are_verified_one_by_one(played: Cli, write: Write) -> None:
    """Each is a site by itself; the season's own folder is none of a run."""
    write("season.yaml", SEASON)
    played("season", "season.yaml", "--output", "site", *QUICK)
    assert played("verify", "--site", "site/run-1").status == 0
    ran = played("verify", "--site", "site")
    assert ran.status == 2
    assert "the data of a season, not of a run's pages; choose one of its folders" in ran.err


def test_links_of_points_lead_to_who_won_them(played: Cli, write: Write) -> None:
    """By the row on the board of the run."""
    write("season.yaml", SEASON)
    played("season", "season.yaml", "--output", "site", *QUICK)
    told = json.loads(Path("site/data.json").read_text())
    boards = [told_of(f"site/run-{run}") for run in (1, 2)]
    emmy = next(each for each in told["entrants"] if each["name"] == "Emmy")
    assert emmy["scores"][0] is None
    row = emmy["scores"][1]["row"]
    assert boards[1]["entrants"][row - 1]["name"] == "Emmy"


def test_a_run_that_is_left_out_later_leaves_no_pages(played: Cli, write: Write) -> None:
    """A season that is written again holds what it tells now."""
    write("season.yaml", SEASON)
    played("season", "season.yaml", "--output", "site", *QUICK)
    write("season.yaml", "name: Spring\nruns: [2]\n")
    played("season", "season.yaml", "--output", "site", *QUICK)
    assert [path.name for path in Path("site").glob("run-*")] == ["run-1"]
    assert told_of("site/run-1")["run"]["name"] == "Two"


def _all_of(folder: str) -> str:
    return "\n".join(
        path.read_text()
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file() and path.parent.name != "static"
    )


NAMES = ("Ada", "ADA", "Blaise", "blaise", "Sofja", "Emmy")


@pytest.mark.parametrize("where", ["season", "option", "run"])
def test_handles_leave_no_name_anywhere(played: Cli, write: Write, where: str) -> None:
    """Whether the season says so, an option or one of its runs, beside which others would tell."""
    write("season.yaml", SEASON + ("leaderboard: {names: handles}\n" if where == "season" else ""))
    options = ["--names", "handles"] if where == "option" else []
    if where == "run":
        board = "leaderboard: {names: handles}"
        write("three.yaml", _run("Three", "strategy: simple, as: Ada", board=board))
        played("run", "three.yaml", "--workers", 1)
        write("season.yaml", SEASON.replace("[One,", "[Three, One,"))
    for codec in ("simple", "github", "csv", "json"):
        ran = played("season", "season.yaml", "--format", codec, *options)
        assert not [name for name in NAMES if name in ran.out + ran.err], codec
        assert "Player 3" in ran.out
    played("season", "season.yaml", "--output", "site", *QUICK, *options)
    found = _all_of("site")
    assert not [name for name in NAMES if name in found]


def test_a_season_takes_handles_for_names(cli: Cli, write: Write, tmp_path: Path) -> None:
    """As every command that names an entrant does; a name goes before a handle."""
    (tmp_path / "class").mkdir()
    write("class/submissions.yaml", "game: ve280\nroster: roster.csv\n")
    write(
        "class/roster.csv",
        "person,as,ids,handle\nAda,Ada,1,Moonlight\nEmmy,Emmy,2,Starlight\nLeo,Leo,3,\n",
    )
    for name, total in (("Ada", 14), ("Emmy", 15), ("Leo", 16)):
        write(f"{name}.py", PLAYER.format(total=total))
        cli("submit", f"{name}.py", "--as", name, "--author", name, "--to", "class", *TRUST)
    write("one.yaml", _run("One", "submissions: class"))
    write("two.yaml", _run("Two", "strategy: simple, as: Old Ada", "strategy: counting, as: Leo"))
    for name in ("one.yaml", "two.yaml"):
        assert cli("run", name, "--workers", 1, *TRUST).status == 0
    season = "name: Spring\nruns: [One, Two]\nentrants:\n"
    write("season.yaml", f"{season}  - {{as: Countess, names: [moonlight, Old Ada]}}\n")
    rows = _table(cli)
    assert rows.keys() == {"Countess", "Emmy", "Leo"}
    assert rows["Countess"]["runs"] == "2"
    write(
        "season.yaml",
        f"{season}  - {{as: Stars, names: [Starlight]}}\n  - {{as: E., names: [Emmy]}}\n",
    )
    assert _table(cli).keys() == {"Ada", "E.", "Leo", "Old Ada"}
    hidden = cli("season", "season.yaml", "--names", "handles").out
    assert {"Moonlight", "Starlight"} <= set(re.findall(r"\w+light", hidden))


def test_top_shows_the_first_rows_only(played: Cli, write: Write) -> None:
    """Of the table; how many there are is said."""
    write("season.yaml", "name: Spring\nruns: [1]\nleaderboard: {top: 2}\n")
    assert len(_table(played)) == 2
    assert len(_table(played, "--top", 1)) == 1
    assert len(_table(played, "--show-hidden")) == 3
    assert json.loads(played("season", "season.yaml", "--format", "json").out)["count"] == 3


def test_whom_a_run_does_not_show_has_no_points_from_it(cli: Cli, write: Write) -> None:
    """Or the total would give away what the run's own policy withholds."""
    entrants = ("strategy: simple, as: Ada", "strategy: counting, as: Blaise")
    write("one.yaml", _run("One", *entrants, board="leaderboard: {top: 1}"))
    cli("run", "one.yaml", "--workers", 1)
    write("season.yaml", "name: Spring\nruns: [1]\npoints: [5, 3]\n")
    assert [row["points"] for row in _table(cli).values()] == ["5"]
    assert [row["points"] for row in _table(cli, "--show-hidden").values()] == ["5", "3"]


def test_a_run_whose_results_are_withheld_counts_nothing_yet(cli: Cli, write: Write) -> None:
    """Nor does one that is not finished; both are told of."""
    frozen = "leaderboard: {freeze: 2001-01-01, reveal: 2999-01-01}"
    write("one.yaml", _run("One", "strategy: simple, as: Ada"))
    write("two.yaml", _run("Two", "strategy: simple, as: Ada", board=frozen))
    for name in ("one.yaml", "two.yaml"):
        cli("run", name, "--workers", 1)
    write("season.yaml", "name: Spring\nruns: [1, 2]\npoints: [5]\n")
    assert _table(cli)["Ada"]["points"] == "5"
    ran = cli("season", "season.yaml", "--output", "site", *QUICK)
    assert (
        "Two: results are hidden until 2999-01-01T00:00:00+00:00; it gives no points yet" in ran.err
    )
    assert "results hidden until 2999-01-01 00:00 UTC" in Path("site/index.html").read_text()
    assert told_of("site/run-2")["run"]["secret"] is None
    assert _table(cli, "--show-hidden")["Ada"]["points"] == "10"


def test_runs_of_several_stores_make_a_season(cli: Cli, write: Write) -> None:
    """Their paths begin from the season's folder."""
    for name in ("One", "Two"):
        write(f"{name}.yaml", _run(name, "strategy: simple, as: Ada"))
        cli("run", f"{name}.yaml", "--workers", 1, "--store", f"{name}.db")
    write(
        "season.yaml",
        "name: Spring\nstore: One.db\nruns: [1, {run: Two, store: Two.db}]\npoints: [5]\n",
    )
    assert _table(cli)["Ada"]["points"] == "10"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("runs: [1]", "1:1: 'name' is missing (title of the season)"),
        ("name: S\nruns: []", "2:7: runs: expected a list of runs, got an empty list"),
        ("name: S\nruns: [{as: One}]", "runs[0]: 'run' is missing (its number or its name)"),
        ("name: S\nruns: [0]", "runs[0]: expected the number or the name of a run, or a mapping"),
        ("name: S\nruns: [1]\npoints: []", "3:9: points: expected"),
        (
            "name: S\nruns: [1]\npoints: [10, many, 5, none]",
            "season.yaml:3:14: points[1]: expected a number from 0 to 1000000, got text 'many'\n"
            "season.yaml:3:23: points[3]: expected a number from 0 to 1000000, got text 'none'\n",
        ),
        ("name: S\nruns: [1]\nbest: 0", "best: expected a whole number from 1 to"),
        ("name: S\nruns: [1]\nby: rank", "by: expected place or ranks, got 'rank' (did you mean"),
        (
            "name: S\nruns: [1]\nentrants: [{as: A, names: [b]}, {as: C, names: [B]}]",
            "entrants[1]: 'B' already belongs to another entrant (line 3)",
        ),
        ("name: S\nruns: [1]\nleaderboard: {columns: [rank]}", "leaderboard.columns: unknown"),
        (
            "name: S\nruns:\n  - One\n  - 1",
            "season.yaml:4:5: runs[1]: 'One' is already the name of a run",
        ),
        ("name: S\nruns: [7]", "run '7' is not in tourney.db"),
        ("name: S\nruns: [1]\nstore: no.db", "no.db"),
    ],
)
def test_a_fault_is_told_with_its_place(played: Cli, write: Write, text: str, fault: str) -> None:
    """Before anything is written."""
    write("season.yaml", text + "\n")
    ran = played("season", "season.yaml", "--output", "site")
    assert ran.status == 2
    assert fault in ran.err
    assert not Path("site").exists()


def test_pages_of_runs_lead_back_to_the_season_and_it_to_the_course(
    played: Cli, write: Write
) -> None:
    """On every page, from every folder."""
    write("season.yaml", SEASON)
    options = ["--output", "site", "--home", "https://example.edu/cs101", *QUICK]
    assert played("season", "season.yaml", *options).status == 0
    link = '<li><a href="https://example.edu/cs101">Course home</a></li>'
    assert link in Path("site/index.html").read_text()
    for path in Path("site").glob("run-*/**/*.html"):
        (back,) = re.findall(r'<a href="([^"]+)">Season</a>', path.read_text())
        assert (path.parent / back).resolve() == Path("site/index.html").resolve()


SHARED = _run("Club", "strategy: simple, as: Ada", "strategy: mimic, as: Emmy", kind=TABLES)
PLANNED = """\
name: Games
tournament: club.yaml
runs:
  - {run: Week 1, as: One}
  - {run: Week 2, game: {preset: ve280, shuffle: uniform, decks: 2}, bankroll: 70, seed: 4}
"""


def test_a_season_plays_runs_of_different_games(cli: Cli, write: Write) -> None:
    """The runs share a configuration, and each may replace its game, format, bankroll and seed."""
    write("club.yaml", SHARED)
    write("season.yaml", PLANNED)
    ran = cli("season", "season.yaml", "--play", "--workers", 1, "--format", "csv")
    assert ran.status == 0, ran.err
    assert ran.lines[0] == "place,entrant,points,runs,One,Week 2"
    assert [line[:24] for line in ran.err.splitlines() if line.startswith("run ")] == [
        "run 1 in tourney.db: Wee",
        "run 2 in tourney.db: Wee",
    ]
    with Store.open(Path("tourney.db"), create=False) as kept:
        settings = plain_data(kept.run("Week 2").config)
    assert (settings["game"]["decks"], settings["bankroll"], settings["seed"]) == (2, 70, 4)
    assert settings["name"] == "Week 2"
    assert cli("verify", "--full", "Week 2").status == 0
    again = cli("season", "season.yaml", "--play", "--format", "csv")
    assert (again.out, "run 3" in again.err) == (ran.out, False)


def test_a_run_that_was_not_played_yet_does_not_count(cli: Cli, write: Write) -> None:
    """The table shows the runs so far; the command names the others."""
    write("club.yaml", SHARED)
    write("season.yaml", PLANNED)
    ran = cli("season", "season.yaml")
    assert ran.status != 0
    assert ran.err == "Games: no run of the season was played; add --play\n"
    write("first.yaml", "".join(PLANNED.splitlines(keepends=True)[:-1]))
    assert cli("season", "first.yaml", "--play", "--workers", 1).status == 0
    ran = cli("season", "season.yaml", "--format", "csv")
    assert (ran.status, ran.lines[0]) == (0, "place,entrant,points,runs,One")
    assert ran.err == "Week 2: not played yet; add --play\n"


def test_a_run_that_was_interrupted_is_resumed(
    cli: Cli, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same command goes on where it was; a run that was committed for later waits."""
    write("club.yaml", SHARED)
    write("season.yaml", f"{PLANNED}  - {{run: Final}}\n")
    write("final.yaml", SHARED.replace("name: Club", "name: Final"))
    assert cli("commit", "final.yaml", "--anchor", "anchor.json").status == 0
    draw = LiveBoard.draw

    def stop(self: LiveBoard, play: Play) -> None:
        draw(self, play)
        if play.batches_done == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patches:
        patches.setattr(LiveBoard, "draw", stop)
        assert cli("season", "season.yaml", "--play", "--workers", 1).status == 130
    ran = cli("season", "season.yaml", "--play", "--workers", 1, "--format", "csv")
    assert ran.status == 0, ran.err
    first, second, *_, withheld = ran.err.splitlines()
    assert first == "run 2 in tourney.db: Week 1, going on after 2 batches"
    assert second.startswith("run 3 in tourney.db: Week 2")
    assert withheld == "Final: not finished; it gives no points yet"
    assert cli("verify", "--full", "Week 1").status == 0


def test_all_faults_are_reported_before_the_first_run(cli: Cli, write: Write) -> None:
    """A fault names its place: that of the run in the season, or that in the shared file."""
    write("club.yaml", SHARED.replace("bankroll: 100", "bankroll: none"))
    write("season.yaml", PLANNED.replace("decks: 2", "decks: many"))
    ran = cli("season", "season.yaml", "--play")
    assert ran.status != 0
    shared, own = ran.err.splitlines()
    assert shared.startswith("club.yaml:4:11: bankroll: expected a whole number")
    assert own.startswith("season.yaml:5:5: runs[1]: game.decks: expected")
    assert not cli("runs").out.count("Week")


def test_a_run_with_settings_needs_a_configuration(cli: Cli, write: Write) -> None:
    """The other settings must come from somewhere."""
    write("season.yaml", "name: S\nruns: [{run: Week 1, game: ve280}]\n")
    ran = cli("season", "season.yaml", "--play")
    assert ran.err == (
        "season.yaml:2:28: runs[0].game: the run has no configuration; add 'tournament', the file "
        "with the other settings\n"
    )


def test_a_narrow_terminal_shows_the_latest_runs(
    played: Cli, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first runs are left out, and named; with a format all are there."""
    write("season.yaml", SEASON)
    whole = played("season", "season.yaml").out
    width = max(map(len, whole.splitlines()))
    monkeypatch.setattr("tourney.cli.season.sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", str(width - 1))
    ran = played("season", "season.yaml")
    assert ran.lines[0].split() == ["Place", "Entrant", "Points", "Runs", "Final"]
    assert ran.err == "Runs not shown: One. --format simple shows them.\n"
    assert played("season", "season.yaml", "--format", "simple").out == whole
