"""What is asked in a line of Python: stored runs, plans, checks, and whatever stands for a game."""

import json
import pickle
import subprocess
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

import tourney
from tests.integration.cli.conftest import SMALL, Cli
from tourney import Card, Hand, Player, TourneyError
from tourney.config.games import load_game, text_of_game
from tourney.errors import ConfigError, PluginError, RunNotFoundError
from tourney.notebook import progress_bar
from tourney.plugins.loading import installed_plugins
from tourney.research.bankroll_risk import bankroll_after
from tourney.store.store import Store
from tourney.tournament.catalog import catalog_of
from tourney.tournament.loading import enter, run_record
from tourney.tournament.tournament import config_of

GAME = "ve280,shuffle=uniform"
CUP: dict[str, Any] = {
    "name": "Cup",
    "seed": 3,
    "game": {"preset": "ve280", "shuffle": "uniform"},
    "bankroll": 1000,
    "minimum": 5,
    "format": {"kind": "duplicate", "tables": 4, "rounds": 20},
    "entrants": [{"strategy": "simple"}, {"strategy": "counting"}, {"strategy": "mimic"}],
}


class Draws(Player):
    """A player of this program, with what its author gave it."""

    def __init__(self, below: int = 15) -> None:
        self.below = below
        self.asked: list[int] = []

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager the minimum."""
        return minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Draw to some total, and keep what was asked."""
        self.asked.append(player.total)
        return player.total < self.below


def test_a_player_plays_as_its_class_with_its_options() -> None:
    """A copy for every seat: what one is asked, no other knows."""
    player = Draws(16)
    found = tourney.ev(player, GAME, rounds=2_000, seed=1)
    assert found.mean == tourney.ev(Draws, GAME, options={"below": 16}, rounds=2_000, seed=1).mean
    assert found.strategy == "Draws"
    assert not player.asked
    counting = installed_plugins().strategy("counter").make(spread=4)
    counted = tourney.ev(counting, "six-decks-s17", rounds=4_000, seed=1)
    typed = tourney.ev("counter,spread=4", "six-decks-s17", rounds=4_000, seed=1)
    assert counted.mean == typed.mean
    assert counted.found.engine == typed.found.engine
    with pytest.raises(PluginError, match="a player instance takes no options"):
        tourney.ev(player, GAME, options={"below": 3})


def test_a_game_is_text_or_a_mapping_or_rules() -> None:
    """All three play the same."""
    text = "six-decks-s17,decks=2"
    rules = tourney.load_rules("six-decks-s17").changed(decks=2)
    mapping = {"preset": "six-decks-s17", "decks": 2}
    means = {tourney.ev("simple", each, rounds=500, seed=1).mean for each in (text, mapping, rules)}
    assert len(means) == 1
    assert tourney.ev("simple", rules, rounds=500, seed=1).game == text
    kept = replace(tourney.load_rules("six-decks-s17"), decks=2)
    assert tourney.ev("simple", kept, rounds=500).game == f"{text},reshuffle=78"
    with pytest.raises(ConfigError, match=r"expected a preset with overrides .* got int '6'"):
        tourney.ev("simple", 6)  # type: ignore[arg-type]  # on purpose


def test_rules_are_written_as_the_nearest_preset() -> None:
    """Whatever preset they come from, and whatever was changed, reading it gives them back."""
    catalog = catalog_of(installed_plugins())
    for name, rules in catalog.presets.items():
        assert load_game(text_of_game(rules, catalog), catalog).rules == rules, name
    for text in ("six-decks-h17,decks=8", "easybj,decks=infinite", "ve280,shuffle=uniform,decks=3"):
        rules = load_game(text, catalog).rules
        assert load_game(text_of_game(rules, catalog), catalog).rules == rules


def test_a_configuration_is_a_mapping_or_a_file(tmp_path: Path) -> None:
    """With the same results, the same faults, and a run that can be resumed from what is kept."""
    (tmp_path / "cup.yaml").write_text(json.dumps(CUP), encoding="utf-8")
    store = tmp_path / "runs.db"
    mapped = tourney.play_tournament(CUP, store=store)
    filed = tourney.play_tournament(tmp_path / "cup.yaml", store=store)
    assert mapped.standings == filed.standings
    assert tourney.resume_tournament(1, store=store).standings == filed.standings
    wrong = {**CUP, "bankrol": 3, "entrants": [{"strategy": "simpel"}]}
    (tmp_path / "wrong.yaml").write_text(json.dumps(wrong), encoding="utf-8")
    faults = []
    for config in (wrong, tmp_path / "wrong.yaml"):
        with pytest.raises(ConfigError) as caught:
            tourney.play_tournament(config, store=store)
        faults.append({(each.path, each.message) for each in caught.value.faults})
    assert faults[0] == faults[1]
    assert len(faults[0]) == 2
    with pytest.raises(ConfigError, match=r"game: expected text, numbers, .* got BlackjackRules"):
        tourney.play_tournament({**CUP, "game": tourney.load_rules("ve280")}, store=store)
    with pytest.raises(ConfigError, match=r"seed: expected text, numbers, .* got builtin"):
        tourney.play_tournament({**CUP, "seed": len}, store=store)
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(ConfigError, match=r"more than .* levels of nested lists and mappings"):
        tourney.play_tournament({**CUP, "entrants": endless}, store=store)
    strange = {**CUP, "entrants": [{"strategy": "simple", "as": each} for each in ("no", "1e3")]}
    names = tourney.play_tournament(strange, store=store).ranking
    assert sorted(names) == ["1e3", "no"]


def test_a_store_is_read_in_python(cli: Cli, tmp_path: Path) -> None:
    """Its boards, hands and decisions are what the commands print and write."""
    pandas = pytest.importorskip("pandas")
    (tmp_path / "small.yaml").write_text(SMALL, encoding="utf-8")
    cli("run", "small.yaml")
    cli("export", "--output", "data")
    with tourney.open_store("tourney.db") as runs:
        assert (len(runs), repr(runs)) == (1, "tourney.db: 1 Small")
        assert [run.name for run in runs] == list(runs.to_pandas()["name"]) == ["Small"]
        run = runs["Small"]
        assert run.rows() == json.loads(cli("leaderboard", "--format", "json").out)
        assert repr(run) == f"Small: {', '.join(f'{n} {w}' for n, w in enumerate(run.ranking, 1))}"
        assert run._repr_html_().count("<tr>") == 1 + len(run.standings)
        for what in ("hands", "decisions"):
            written = pandas.read_parquet(f"data/{what}.parquet")
            pandas.testing.assert_frame_equal(
                getattr(run, what)().to_pandas().convert_dtypes(), written.convert_dtypes()
            )
        some = run.hands(tables=2, entrant="simple").to_pandas()
        assert set(some["table"]) == {1, 2}
        assert set(some["entrant"]) == {"simple"}
        with pytest.raises(RunNotFoundError, match=r"'simpel' is not an entrant; choose .*simple"):
            run.hands(entrant="simpel")
        with pytest.raises(RunNotFoundError, match="Other"):
            runs["Other"]


@pytest.mark.parametrize("as_seen", [False, True])
def test_hands_are_told_as_the_command_tells_them(as_seen: bool, cli: Cli, tmp_path: Path) -> None:
    """Line by line, and what is not there is said."""
    (tmp_path / "small.yaml").write_text(SMALL, encoding="utf-8")
    cli("run", "small.yaml")
    words = ("--entrant", "simple", "--table", "2", "--range", "3-5")
    told = tourney.replay("simple", 2, rounds=(3, 5), as_seen=as_seen)
    assert f"{told}\n" == cli("replay", *words, *(["--as-seen"] if as_seen else [])).out
    assert told._repr_html_().startswith("<pre>")
    with pytest.raises(
        RunNotFoundError, match=r"rounds: round .* was not played; the last round is 60"
    ):
        tourney.replay("simple", 2, rounds=(70, 80))
    with pytest.raises(RunNotFoundError, match="simple has not played table 99"):
        tourney.replay("simple", 99)


def test_a_plan_is_that_of_the_command(cli: Cli, tmp_path: Path) -> None:
    """Of a mapping as of a file; its waves are a table and a picture."""
    config = {**CUP, "floor": {"tables": 2, "round_seconds": 30}, "format": {"kind": "knockout"}}
    (tmp_path / "cup.yaml").write_text(json.dumps(config), encoding="utf-8")
    planned = tourney.plan(config, replications=3)
    assert json.loads(json.dumps(planned.to_data())) == json.loads(
        cli("plan", "cup.yaml", "--replications", "3", "--json").out
    )
    assert list(planned.to_pandas()["wave"]) == list(range(1, len(planned.plan.waves) + 1))
    assert repr(planned).startswith("Cup: takes ")
    assert "90th percentile" in planned._repr_html_()
    sent = pickle.loads(pickle.dumps(planned))  # noqa: S301 - our own pickle
    assert (sent.to_data(), sent.tournament.entrants) == (
        planned.to_data(),
        planned.tournament.entrants,
    )
    (axes,) = planned.plot().axes
    assert axes.lines[0].get_ydata()[0] == 3
    again = tourney.plan(config, replications=3, rates=planned.rates)
    assert (again.plan, again.pilot) == (planned.plan, None)
    with pytest.raises(TourneyError, match="pass either a run or rates, not both"):
        tourney.plan(config, run=1, rates=planned.rates)


def test_a_check_is_that_of_the_command(cli: Cli, tmp_path: Path) -> None:
    """Passed or not, with what to mend; for a game, or for a tournament that is a mapping."""
    good = "from tourney import Player\n\n\nclass Good(Player):\n"
    good += "    def bet(self, bankroll, minimum):\n        return minimum\n\n"
    (tmp_path / "good.py").write_text(
        good + "    def draw(self, dealer, player):\n        return False\n"
    )
    (tmp_path / "bad.py").write_text(good)
    passed, failed = tourney.check("good.py", GAME), tourney.check("bad.py", GAME)
    assert (passed.passed, failed.passed) == (True, False)
    told = json.loads(cli("check", "bad.py", "--game", GAME, "--json").out)
    assert failed.to_data() == told
    assert repr(failed).splitlines()[0] == f"bad.py at {GAME}: failed"
    assert repr(passed).splitlines()[0] == f"good.py at {GAME}: passed"
    assert [row["message"] for row in failed.rows()] == [each.message for each in failed.findings]
    assert "Fault" in failed._repr_html_()
    assert list(passed.to_pandas()) == list(failed.to_pandas()) == list(failed.rows()[0])
    assert passed.to_arrow().column_names == failed.to_arrow().column_names
    assert tourney.check("good.py", tournament=CUP).game == "Cup"


def test_mistakes_are_told_in_a_line(tmp_path: Path) -> None:
    """Whatever is given; nobody sees the inside."""
    store = tmp_path / "cup.db"
    tourney.play_tournament(CUP, store=store)
    with tourney.open_store(store) as runs:
        closed = runs["Cup"]
    for ask, said in (
        (lambda: tourney.ev("simple", rounds=0), "rounds: expected a whole number of at least 1"),
        (lambda: tourney.ev("simple", rounds=1.5), "rounds: .* got 1.5"),  # type: ignore[arg-type]  # the slip
        (lambda: tourney.ev("simple", workers=0), "workers: "),
        (lambda: tourney.ev("simple", minimum=0), "minimum: "),
        (lambda: tourney.ev("simple", bankroll=-5), "bankroll: "),
        (lambda: tourney.ev("simple", seed=-1), "seed: .* from 0 to"),
        (lambda: tourney.ev("simple", until=0.0), "until: expected a number above 0"),
        (
            lambda: tourney.compare("simple", "mimic", GAME, minimum=10**10),
            "minimum: expected at most 1,000,000,000 chips",
        ),
        (lambda: tourney.compare("simple", "mimic", tables=1), "tables: .* at least 2"),
        (lambda: tourney.plan(CUP, replications=1), "replications: .* at least 2"),
        (lambda: tourney.plan([1]), "expected a file or a mapping"),  # type: ignore[arg-type]  # the slip
        (lambda: tourney.replay("simple", 0, store=store), "table: "),
        (lambda: tourney.replay("simple", 1, store=store, rounds=(5, 2)), "last: .* at least 5"),
        (
            lambda: tourney.new_competitor("bold", folder=tmp_path / "no"),
            "is not a folder; make it first",
        ),
        (lambda: tourney.check(tmp_path / "none.py"), "none.py does not exist"),
        (lambda: tourney.open_store(tmp_path / "no.db"), "does not exist"),
        (closed.hands, "the store is closed"),
    ):
        with pytest.raises(TourneyError, match=said):
            ask()


def test_what_is_no_argument_is_told_in_a_line(tmp_path: Path, cli: Cli) -> None:
    """Whatever stands where a number, a path, a name or a mapping should: nothing is begun."""
    ask: Any = tourney  # the slips are on purpose
    number = "expected a whole number"
    for slip, said in (
        (
            lambda: ask.ev("blocker", GAME),
            "expected a strategy for blackjack, got one for straight",
        ),
        (lambda: ask.ev(None), "strategy: expected a name with options, .* got None"),
        (lambda: ask.sweep(None), "strategy: expected a name with options, .* got None"),
        (lambda: ask.ev("counter", options="spread=3"), "options: expected a mapping such as"),
        (lambda: ask.ev("counter", options=["spread=3"]), "options: expected a mapping such as"),
        (lambda: ask.ev("counter", options={3: 4}), "options: expected a mapping .* got {3: 4}"),
        (lambda: ask.sweep("counter", options=[("spread", 3)]), "options: expected a mapping"),
        (lambda: ask.sweep("counter", vary=[1, 2]), r"vary: expected a mapping .* got \[1, 2\]"),
        (lambda: ask.sweep("counter", vary={3: [4]}), "options: expected a mapping .* got {3: 4}"),
        (lambda: ask.ev(""), "strategy: expected a name with options, .* got ''"),
        (lambda: ask.ev("simple", {"decks": 2}), "a mapping such as {'preset': 've280', 'decks'"),
        (lambda: ask.ev("simple", tell=3), "tell: expected a function such as print, got 3"),
        (lambda: ask.compare("simple", "mimic", on_look=3), "on_look: expected a function"),
        (lambda: ask.ev("simple", until="5"), "until: expected a number above 0, got '5'"),
        (lambda: ask.ev("simple", bankroll=9, hour=None), f"hour: {number}.* got None"),
        (lambda: ask.ev("simple", rounds=True), f"rounds: {number}.* got True"),
        (lambda: ask.ev("simple", workers=None), f"workers: {number} from 1 to 256, got None"),
        (lambda: ask.ev("simple", workers=10**20), f"workers: {number} from 1 to 256"),
        (lambda: ask.compare("simple", "mimic", margin="5"), "margin: expected a number above 0"),
        (lambda: ask.compare("simple", "mimic", tables=None), f"tables: {number}"),
        (lambda: ask.compare("simple", "mimic", rounds="9"), f"rounds: {number}"),
        (lambda: ask.plan(CUP, workers=0), f"workers: {number}"),
        (lambda: ask.plan(CUP, rates=5), "rates: expected a path, got 5"),
        (lambda: ask.play_tournament(CUP, workers=1.5), f"workers: {number}"),
        (lambda: ask.play_tournament(CUP, store=None), "store: expected a path, got None"),
        (lambda: ask.resume_tournament(workers=0), f"workers: {number}"),
        (lambda: ask.open_store(None), "store: expected a path, got None"),
        (lambda: ask.open_store(""), "store: expected a path, got ''"),
        (lambda: ask.check(None), "file: expected a path, got None"),
        (lambda: ask.new_competitor(None), "name: expected words such as 'bold', got None"),
        (lambda: ask.new_competitor("x" * 300), "cannot be written .File name too long.; choose"),
        (lambda: ask.deviations("csc24400", 5), "tags: expected a number for each card"),
        (lambda: ask.ev("simple", by_count=True, tags=5), "tags: expected a number for each card"),
    ):
        with pytest.raises(TourneyError, match=said):
            slip()
    assert not list(tmp_path.iterdir())


def test_a_stored_run_is_asked_for_what_it_has(tmp_path: Path) -> None:
    """Also of a run of which nothing has been played, and where nothing can be written."""
    store, registry = tmp_path / "cup.db", installed_plugins()
    entered = enter(config_of(CUP, registry), registry)
    with Store.open(store) as kept:
        kept.create_run(run_record(entered))
    with tourney.open_store(store) as runs:
        assert repr(runs["Cup"]) == "Cup: no batch played yet"
        assert all(each in runs for each in (1, "1", "Cup", runs.latest))
        assert not any(each in runs for each in (2, "Cap", True, None, 1.0, [1]))
        with pytest.raises(TourneyError, match="Cup: no batch has been played yet"):
            runs["Cup"].plot()
    played = tourney.resume_tournament(store=store)
    with tourney.open_store(store) as runs:
        run: Any = runs["Cup"]
        for slip, said in (
            (lambda: runs[1.0], "run 1.0 is not in .*; its runs are 1 'Cup'"),  # type: ignore[index]  # the slip
            (lambda: runs[True], "run True is not in"),
            (lambda: tourney.resume_tournament(1.5, store=store), "run 1.5 is not in"),  # type: ignore[arg-type]  # the slip
            (lambda: tourney.plan(CUP, run=1.0, store=store), "run 1.0 is not in"),  # type: ignore[arg-type]  # the slip
            (lambda: tourney.replay("simple", 1, 1.5, store=store), "run 1.5 is not in"),  # type: ignore[arg-type]  # the slip
            (lambda: run.replay("simple", None), "table: expected a whole number"),
            (lambda: run.replay(None, 1), "None is not an entrant; choose simple, "),
            (lambda: run.replay("simple", 1, rounds=3), "rounds: expected the first and the last"),
            (lambda: run.hands(entrant=["simple"]), r"\['simple'\] is not an entrant"),
            (lambda: played.write_csv(tmp_path), "cannot be written"),
            (lambda: run.write_csv(tmp_path / "no" / "a.csv"), "choose another file in an"),
        ):
            with pytest.raises(TourneyError, match=said):
                slip()


def test_a_count_is_given_in_any_form() -> None:
    """As it is typed, as a list, a tuple or an array."""
    points = [1, 1, 1, 1, 1, 0, 0, 0, -1, -1]
    forms = ("1 1 1 1 1 0 0 0 -1 -1", points, tuple(points), np.array(points), iter(points))
    told = {
        str(
            tourney.ev(
                "simple", "six-decks-s17", rounds=300, seed=1, by_count=True, tags=tags
            ).by_count
        )
        for tags in forms
    }
    assert len(told) == 1
    assert repr(tourney.deviations("csc24400", np.array(points))) == repr(
        tourney.deviations("csc24400", points)
    )


def test_numbers_may_be_those_of_numpy(tmp_path: Path) -> None:
    """In options, games, configurations and wherever a whole number is asked for."""
    whole = np.int64
    game = {"preset": "ve280", "shuffle": "uniform", "decks": whole(2)}
    how: Any = {name: whole(30) for name in ("rounds", "minimum", "seed", "bankroll")}
    found = tourney.ev("counter", game, options={"spread": whole(3)}, workers=whole(1), **how)
    assert repr(found).startswith("counter,spread=3 at ve280,shuffle=uniform,decks=2: ")
    plain = tourney.ev("counter,spread=3", f"{GAME},decks=2", rounds=30, minimum=30, seed=30)
    assert found.mean == plain.mean
    json.dumps(found.to_data())
    store = tmp_path / "cup.db"
    shape = {"kind": "duplicate", "tables": whole(4), "rounds": 20}
    config = {**CUP, "seed": whole(3), "format": shape, "bankroll": np.array(1000)}
    played = tourney.play_tournament(config, store=store, workers=whole(2))
    assert played.standings == tourney.play_tournament(CUP, store=store).standings
    with tourney.open_store(store) as runs:
        assert runs[whole(1)].standings == played.standings


@pytest.mark.parametrize("seed", [1.0, -1, float("nan"), "abc", [1], True, 2**63])
def test_a_seed_is_the_same_everywhere(seed: Any, tmp_path: Path) -> None:
    """What a configuration refuses a line of Python does, before anything is kept or played."""
    store = tmp_path / "cup.db"
    for ask in (
        lambda: tourney.play_tournament(CUP, store=store, seed=seed),
        lambda: tourney.plan(CUP, seed=seed),
        lambda: tourney.ev("simple", seed=seed),
        lambda: tourney.compare("simple", "mimic", seed=seed),
    ):
        with pytest.raises(TourneyError, match=r"^seed: expected a whole number from 0 to"):
            ask()
    assert not store.exists()


def test_deviations_are_those_of_the_command(cli: Cli) -> None:
    """Those that are worth most first."""
    found = tourney.deviations("csc24400")
    told = json.loads(cli("solve", "csc24400", "--deviations", "4", "--json").out)
    assert told["deviations"] == list(found.first(4).rows())
    assert told["worth"] == found.worth
    assert not found.first(0).rows()
    for most in (-1, None, 1.5):
        with pytest.raises(TourneyError, match="most: expected a whole number of at least 0"):
            found.first(most)  # type: ignore[arg-type]  # the slip
    assert "<caption>Deviations at csc24400</caption>" in found._repr_html_()


def test_a_bankroll_is_drawn_as_a_fan() -> None:
    """Its lines end where so many bankrolls lie below; they begin at the bankroll."""
    found = tourney.ev("simple", GAME, rounds=3_000, seed=1, bankroll=2_000, minimum=10)
    (axes,) = found.plot(hours=10).axes
    median = axes.lines[2].get_ydata()
    assert median[0] == 2_000
    expected = bankroll_after(found.mean, found.found.sd, 200, 1_000, 0.5)
    assert median[-1] == pytest.approx(10 * expected)
    for hours in (float("nan"), 0, "10"):
        with pytest.raises(TourneyError, match="hours: expected a number above 0"):
            found.plot(hours=hours)  # type: ignore[arg-type]  # the slip
    plain = tourney.ev("simple", GAME, rounds=1_000, seed=1).plot()
    assert [each.get_text() for each in plain.axes[0].get_yticklabels()] == ["simple"]


def test_a_comparison_is_drawn_look_by_look() -> None:
    """The last one is the answer."""
    seen: list[int] = []
    found = tourney.compare(
        "mimic",
        "simple",
        GAME,
        rounds=60,
        tables=200,
        seed=2,
        on_look=lambda e: seen.append(e.number),
    )
    assert seen == [look.number for look in found.looks]
    (axes,) = found.plot().axes
    assert list(axes.containers[0].lines[0].get_ydata()) == [e.difference for e in found.looks]


def test_a_script_is_run_once_whatever_plays(tmp_path: Path) -> None:
    """Workers do not begin it again, and so it needs no guard of its start."""
    (tmp_path / "asks.py").write_text(
        "import tourney\n"
        "print('begins', flush=True)\n"
        f"cup = {CUP!r}\n"
        "print(tourney.play_tournament(cup, store='cup.db', workers=2).ranking)\n"
        "few = {'rounds': 20, 'workers': 2, 'seed': 1}\n"
        f"print(tourney.ev('simple', {GAME!r}, **few))\n"
        f"print(tourney.compare('simple', 'simple', {GAME!r}, tables=2, **few).last.relation)\n"
        "print(len(tourney.plan(cup, replications=2, workers=2).plan.waves))\n"
        "print(tourney.open_store('cup.db'))\n"
    )
    ran = subprocess.run(
        [sys.executable, "asks.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    lines = ran.stdout.splitlines()
    assert (ran.returncode, ran.stderr, len(lines)) == (0, "", 6)
    assert (lines[0], lines[3], lines[5]) == ("begins", "equal", "cup.db: 1 Cup")


def test_a_bar_is_shown_where_somebody_watches(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """On a terminal, if it is asked for; a file of what was said stays as it is."""
    for watched, progress in ((False, True), (True, False), (True, True)):
        seen = StringIO()
        console = Console(file=seen, force_terminal=watched, color_system=None, width=100)
        monkeypatch.setattr(progress_bar, "Console", lambda console=console, **_: console)
        tourney.ev("simple", GAME, rounds=2_000, seed=1, progress=progress)
        tourney.play_tournament(CUP, store=tmp_path / "runs.db", progress=progress)
        said = seen.getvalue()
        assert ("2000/2000 rounds" in said and "batches" in said) == (watched and progress)
        assert bool(said) == (watched and progress)
