"""Whatever an entrant brings is confined, and plays as it would in the platform's own process."""

import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

import tourney.competitors.languages
from tourney import Action, play_tournament, resume_tournament
from tourney.checks.report import CheckReport
from tourney.checks.source import source_of
from tourney.course.folder import Submissions
from tourney.errors import PluginError, TourneyError
from tourney.game.asking.exchange import SeatRequest
from tourney.game.turns import Watcher
from tourney.games.blackjack.game import BLACKJACK
from tourney.games.blackjack.players import write_chart
from tourney.games.blackjack.players.chart import always
from tourney.plugins.loading import load_plugins
from tourney.sandbox.levels import Level, probe
from tourney.sandbox.memory_modules import ModuleText, write_parts
from tourney.sandbox.referee import SandboxedPool
from tourney.sandbox.wire import Submitted
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.audit import find_blocks, replay_block, verify_run
from tourney.tournament.loading import enter, enter_again, run_record
from tourney.tournament.sandbox_level import confinement_words
from tourney.tournament.tournament import Play, TournamentResult, play_run

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL, reason="this machine cannot confine players fully"
)

CUP = """
name: cup
seed: 7
game: {preset: ve280}
bankroll: 1000
minimum: 5
format: {kind: duplicate, tables: 6, rounds: 30}
entrants:
"""
FOURS = """
name: fours
seed: 7
game: {preset: straights}
format: {kind: duplicate, tables: 3, rounds: 4}
entrants:
  - strategy: bookkeeper
  - strategy: surveyor
  - strategy: first-legal
  - file: lucky.py
"""
LUCKY = """
from tourney import StraightsPlayer


class Lucky(StraightsPlayer):
    def play(self, view):
        if len(view.hand) == 3 and self.random.random() < 0.05:
            raise ValueError(len(view.history))
        return self.random.choice(view.legal_plays or view.hand)
"""
OPTIONED = """
from tourney import Player


class Optioned(Player):
    def __init__(self, spread, totals=(12,), note=None, half=0.5):
        self.told = spread, totals, note, half
        self.spread = spread * len(totals)

    def bet(self, bankroll, minimum):
        print(self.told)
        return min(bankroll, minimum * self.random.randint(1, self.spread))

    def draw(self, dealer, player):
        return player.total < self.told[1][-1]
"""
OPTIONS = "    options: {spread: 2, totals: [12, 16], note: 'ü', half: 0.25}\n"
PROJECT = """
[project]
name = "ada"
version = "1.0"

[project.entry-points.tourney]
ada = "ada.playing"
"""
PLAYING = """
from tourney import Player, hookimpl

from . import wagers
from .totals import enough


class Ada(Player):
    def bet(self, bankroll, minimum):
        return min(bankroll, wagers.of(minimum, self.random))

    def draw(self, dealer, player):
        return not enough(player.total)


class Other(Player):
    def bet(self, bankroll, minimum):
        return 0

    def draw(self, dealer, player):
        return False


@hookimpl
def tourney_strategies():
    return {"ada": Ada}
"""


def confined_and_trusted(config: Path, store: Path) -> TournamentResult:
    """Play a tournament confined, and the same in this process; they come to the same."""
    confined = play_tournament(config, store=store)
    trusted = play_tournament(config, store=store, trust_submissions=True)
    assert confined.standings == trusted.standings
    assert (confined.run.confinement, trusted.run.confinement) == ("full", "unsafe")
    with Store.open(store) as kept:
        assert kept.run_digest(confined.run.number) == kept.run_digest(trusted.run.number)
        check_again(kept, confined)
    return confined


def check_again(kept: Store, result: TournamentResult) -> None:
    """Verify a run from the store, and replay a table of everybody."""
    tournament = enter_again(result.run, load_plugins())
    assert verify_run(tournament, kept, result.run, sample=None, workers=1).differing == ()
    for number in range(len(tournament.entrants)):
        place = find_blocks(tournament, kept, result.run, number, 0)[0]
        replay_block(tournament, kept, result.run, place, Watcher())


def write(folder: Path, **files: str) -> Path:
    """Write files; give the configuration among them."""
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return folder / "cup.yaml"


def test_options_reach_a_confined_player(tmp_path: Path) -> None:
    """Whole numbers, text, fractions and lists, which nobody can change."""
    entrants = "  - strategy: simple\n  - file: opt.py\n" + OPTIONS
    result = confined_and_trusted(
        write(tmp_path, cup_yaml=CUP + entrants, opt_py=OPTIONED), tmp_path / "cups.db"
    )
    assert not any(row.faults for row in result.standings)


def test_straights_is_played_confined(tmp_path: Path) -> None:
    """Faults and all, and replayed by what was answered."""
    config = write(tmp_path, cup_yaml=FOURS, lucky_py=LUCKY)
    result = confined_and_trusted(config, tmp_path / "cups.db")
    assert {row.name for row in result.standings if row.faults} == {"lucky"}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Hand in a package of three modules; give the folder of submissions."""
    texts = {
        "pyproject.toml": PROJECT,
        "src/ada/__init__.py": "",
        "src/ada/playing.py": PLAYING,
        "src/ada/totals.py": "def enough(total):\n    return total > 15\n",
        "src/ada/wagers.py": "def of(minimum, dice):\n    return minimum * dice.randint(1, 3)\n",
    }
    source = source_of({name: text.encode() for name, text in texts.items()})
    Submissions(tmp_path / "class").take(
        source,
        "Ada",
        author="ada",
        now=datetime(2026, 11, 20, 12, tzinfo=UTC),
        check=lambda _: CheckReport(passed=True),
    )
    return tmp_path / "class"


def test_a_package_is_played_confined(tmp_path: Path, package: Path) -> None:
    """Its modules find each other although there are no files."""
    entrants = f"  - strategy: simple\n  - submissions: {package.name}\n"
    result = confined_and_trusted(write(tmp_path, cup_yaml=CUP + entrants), tmp_path / "cups.db")
    assert not any(row.faults for row in result.standings)


def test_a_fault_of_a_package_names_the_module_and_its_line(tmp_path: Path) -> None:
    """Be it that of the entry point or another."""
    parts = [
        ModuleText("ada", "ada.py", "import odds\n"),
        ModuleText("odds", "odds.py", "x = 1\nx.y\n"),
    ]
    with SandboxedPool(BLACKJACK, Submitted("Ada", write_parts(parts), entry="ada")) as pool:
        (seating,) = pool.sit([SeatRequest(1, bytes(16))])
    assert seating.verdict
    assert seating.verdict.place == "odds.py:2"
    assert "ada.py" in seating.verdict.traceback


ALL = """\
  - strategy: counter
  - strategy: counting-batch
  - strategy: ramp
    options: {spread: 3}
  - strategy: basic-single-deck
  - chart: mine.txt
  - file: opt.py
"""


def class_of_all(folder: Path) -> Path:
    """Write a tournament of every kind of entrant."""
    return write(
        folder,
        cup_yaml=CUP + ALL + OPTIONS,
        opt_py=OPTIONED,
        mine_txt=write_chart(always(Action.STAND, shows_both=False)),
    )


def test_all_are_confined_if_the_organiser_says_so(tmp_path: Path) -> None:
    """Installed strategies with their modules and charts, to the same results; a chart is none."""
    config, path = class_of_all(tmp_path), tmp_path / "cups.db"
    confined = play_tournament(config, store=path, confine_all=True)
    usual = play_tournament(config, store=path)
    assert confined.standings == usual.standings
    assert not any(row.faults for row in usual.standings)
    assert confirmed(confined.run) == "the code of 5 entrants ran in sandboxed processes"
    assert confirmed(usual.run).startswith("the code of 1 entrant ran")
    with Store.open(path) as kept:
        check_again(kept, confined)
        tournament = enter_again(confined.run, load_plugins())
        confinements = [spec.confinement for spec in tournament.entrants]
        assert confinements == [Level.FULL] * 4 + [None, Level.FULL]


def confirmed(run: RunRecord) -> str:
    """Give what a leaderboard says of a run."""
    return confinement_words(run, was_seen=True).removeprefix("sandbox full: ")


def test_a_run_goes_on_with_all_confined(tmp_path: Path) -> None:
    """From the sources that it began with; to the end that it would have had."""
    config, path = class_of_all(tmp_path), tmp_path / "cups.db"
    expected = play_tournament(config, store=path, confine_all=True)
    tournament = enter(config, load_plugins(), confines_all=True)

    def stop(play: Play) -> None:
        if play.batches_done == 3:
            raise KeyboardInterrupt

    with Store.open(path) as kept:
        run = kept.create_run(run_record(tournament))
        with pytest.raises(KeyboardInterrupt):
            play_run(tournament, kept, run, on_batch=stop)
    again = resume_tournament(store=path)
    assert again.standings == expected.standings
    assert again.run.confines_all


def test_what_cannot_be_confined_is_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the reason: here a module that no confined player has."""
    text = Path(sys.modules["tourney.strategies.simple"].__file__ or "").read_text(encoding="utf-8")
    sources = (("tourney/strategies/simple.py", f"import sqlite3\n{text}"),)
    monkeypatch.setattr(tourney.competitors.languages, "sources_of", lambda _: sources)
    config = write(tmp_path, cup_yaml=f"{CUP}  - strategy: simple\n")
    with pytest.raises(
        PluginError,
        match=r"1 strategies do not load in the sandbox:\n  simple: import: .*'sqlite3'",
    ):
        enter(config, load_plugins(), confines_all=True)
    assert enter(config, load_plugins()).confinement is None


def test_to_confine_all_and_to_trust_files_is_a_contradiction(tmp_path: Path) -> None:
    """Nobody can mean both."""
    config = write(tmp_path, cup_yaml=f"{CUP}  - strategy: simple\n")
    with pytest.raises(TourneyError, match="--confine all and --no-sandbox contradict"):
        enter(config, load_plugins(), trusts_files=True, confines_all=True)
