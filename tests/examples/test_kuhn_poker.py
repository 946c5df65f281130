"""The example of a game: installed like anybody's package, and played without a change anywhere.

It stands in a folder of its own on the path, with the metadata that pip writes; that an example
is installed by pip into a fresh environment is tried with the competitor's.
"""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from shutil import copytree, ignore_patterns
from types import ModuleType

import pytest
from jsonschema import Draft202012Validator
from pyarrow import parquet

from tests.support.proving import with_more
from tests.support.told import text_of, told_of, write_told, wrong_of_tables
from tourney.cli.schema import answer_schema

EXAMPLE = Path(__file__).parents[2] / "examples" / "kuhn-poker"
VALUE = Fraction(-1, 18)
"""Of a round to whoever acts first, in chips; Kuhn 1950."""

CUP = """\
name: Cup
seed: 1
game: kuhn
bankroll: 1000
format: {kind: KIND}
entrants:
  - strategy: nash
  - strategy: honest
  - strategy: timid
  - {strategy: timid, as: shy}
"""
FILE = """\
from random import random

from kuhn_poker import BET, CHECK, KuhnPlayer
from tourney import Rank


class Bold(KuhnPlayer):
    def act(self, view):
        return ANSWER
"""
BROKEN = "  - {file: broken.py, as: Broken}\n"
PLAYING = {"run", "verify"}
METADATA = "Metadata-Version: 2.1\nName: tourney-kuhn-poker\nVersion: 1.0\n"
ENTRY_POINTS = "[tourney]\nkuhn-poker = kuhn_poker\nkuhn-players = kuhn_players\n"


class Place:
    """A folder in which the example is installed, and its runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.installed = folder / "installed"
        copytree(EXAMPLE, self.installed, ignore=ignore_patterns("__pycache__"))
        info = self.installed / "tourney_kuhn_poker-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(METADATA)
        (info / "entry_points.txt").write_text(ENTRY_POINTS)
        (info / "RECORD").write_text("kuhn_poker.py,,\nkuhn_players.py,,\n")

    def python(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        """Run Python where the example is installed."""
        path = {**os.environ, "PYTHONPATH": str(self.installed), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=self.folder,
            env=path,
            capture_output=True,
            text=True,
            check=False,
        )

    def tourney(self, *arguments: object) -> str:
        """Run a command that succeeds; give what it prints.

        One process plays unless the test says how many: a pool is `test_other_workers`'s, and that
        of confined players `test_kuhn_confined`'s.
        """
        one = () if "--workers" in arguments or arguments[0] not in PLAYING else ("--workers", 1)
        done = self.python("-m", "tourney", *arguments, *one)
        assert done.returncode == 0, done.stderr or done.stdout
        return done.stdout

    def cup(self, kind: str) -> Path:
        """Write a tournament."""
        file = self.folder / f"{kind.partition(',')[0]}.yaml"
        file.write_text(CUP.replace("KIND", kind))
        return file


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """Install the example."""
    return Place(tmp_path_factory.mktemp("kuhn"))


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Import the example, and forget it again."""
    monkeypatch.syspath_prepend(EXAMPLE)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    import kuhn_players  # type: ignore[import-not-found]  # it is on the path by now

    yield kuhn_players
    for name in ("kuhn_players", "kuhn_poker"):
        sys.modules.pop(name, None)


def test_the_example_is_short() -> None:
    """A game, three players and the file that installs them."""
    files = [path for path in EXAMPLE.iterdir() if path.name != "__pycache__"]
    assert {path.name for path in files} == {"pyproject.toml", "kuhn_poker.py", "kuhn_players.py"}
    assert sum(len(path.read_text().splitlines()) for path in files) <= 200


def test_the_platform_does_not_know_it() -> None:
    """No module of the platform names the game."""
    modules = (EXAMPLE.parents[1] / "tourney").rglob("*.py")
    assert not [path for path in modules if re.search("(?i)kuhn", path.read_text())]


@pytest.mark.parametrize(("first", "second"), [("Nash", "Nash"), ("Nash", "Honest")])
def test_equilibrium_players_come_to_the_value_of_the_game(
    game: ModuleType, first: str, second: str
) -> None:
    """Exactly, over all deals and moves."""
    from kuhn_poker import BET, CHECK, RANKS, Round  # type: ignore[import-not-found]  # as above

    players = getattr(game, first)(), getattr(game, second)()

    def worth(ranks: tuple[object, ...], moves: tuple[object, ...]) -> Fraction:
        state = Round(ranks)
        for move in moves:
            state.apply_action(move)
        if state.to_act is None:
            return Fraction(state.results()[0])
        chances = players[state.to_act].chances(state.observation(state.to_act))
        bets = Fraction(chances[BET]).limit_denominator(1000)
        return bets * worth(ranks, (*moves, BET)) + (1 - bets) * worth(ranks, (*moves, CHECK))

    deals = list(permutations(RANKS, 2))
    assert sum(worth(ranks, ()) for ranks in deals) / len(deals) == VALUE


def test_so_they_do_at_a_table(game: ModuleType) -> None:
    """Within four standard errors, over rounds in which the same seat acts first."""
    from kuhn_poker import KuhnRules

    from tourney.formats.field import Field
    from tourney.game.cards.keys import Secret
    from tourney.game.ledger import BlockKey
    from tourney.game.seats import play_block

    rules, rounds, chips = KuhnRules(), 20_000, 1_000_000
    field = Field(2, rules, chips, 1, chips, Secret.from_seed(1))
    block = field.block(BlockKey(0, 0, 0, 0, 1), ((0, chips), (1, chips)), rounds)
    first, second = play_block(block, lambda entrant: (game.Nash, game.Honest)[entrant]()).seats
    assert first.net == -second.net
    assert first.rounds == rounds
    error = (first.squares / rounds) ** 0.5 / rounds**0.5
    assert abs(first.net / rounds - VALUE) < 4 * error


@pytest.mark.parametrize(
    "kind",
    with_more(
        ["match, tables: 3, rounds: 20, batch_tables: 4"],
        ["roundrobin, rounds: 20", "swiss, rounds: 20, waves: 3", "ladder, rounds: 20, waves: 3"],
    ),
)
def test_it_is_played_in_matches_of_two(place: Place, kind: str) -> None:
    """Whoever meets whom: `auto` finds an engine, and what was played is played again."""
    cup = place.cup(kind)
    store = cup.with_suffix(".db")
    board = place.tourney("run", cup, "--store", store)
    confined = place.tourney("run", cup, "--store", store.with_suffix(".2"), "--confine", "all")
    assert confined.splitlines()[:6] == board.splitlines()[:6]
    assert all(name in board for name in ("nash", "honest", "timid", "shy"))
    told = place.tourney("verify", "--full", "--store", store)
    assert re.search(r"(3 of 3|4 of 4) replayed batches give the stored digests", told)


def test_a_match_of_chips_is_told_as_it_went(place: Place) -> None:
    """More chips are better, though the lower place is, and every game begins with the bankroll."""
    cup = place.cup("match, tables: 12, rounds: 20, games: 2, batch_tables: 4")
    place.tourney("run", cup, "--store", "match.db")
    place.tourney("publish", "--store", "match.db", "--output", place.folder / "site")
    told = told_of(place.folder / "site")
    assert not wrong_of_tables(told, is_match=True, more_is_better=True)
    place.tourney("verify", "--site", "site")


def test_a_site_is_verified_where_the_game_has_no_strategies(tmp_path: Path) -> None:
    """Entrants are files of the organiser, and the run committed to its configuration."""
    place = Place(tmp_path)
    info = place.installed / "tourney_kuhn_poker-1.0.dist-info"
    (info / "entry_points.txt").write_text("[tourney]\nkuhn-poker = kuhn_poker\n")
    entrants = ""
    for move in ("CHECK", "BET"):
        (place.folder / f"{move}.py").write_text(FILE.replace("ANSWER", move))
        entrants += f"  - {{file: {move}.py, as: {move.title()}}}\n"
    cup = place.cup("roundrobin, rounds: 20")
    text = cup.read_text().replace("seed: 1\n", "")
    cup.write_text(text.partition("  - strategy")[0] + entrants)
    place.tourney("run", cup, "--store", "files.db")
    place.tourney("publish", "--store", "files.db", "--output", "files")
    for file in ("CHECK.py", "BET.py"):
        (place.folder / file).unlink()
    told = place.tourney("verify", "--site", "files")
    assert "which fix the configuration, the secret, 2 of 2 entrants and sources" in told


@pytest.mark.prove
def test_other_workers_play_the_same(place: Place) -> None:
    """A game travels with its rules, and its events are planned and looked back at."""
    cup = place.cup("roundrobin, rounds: 20")
    boards = [
        place.tourney("run", cup, "--store", f"{workers}.db", "--workers", workers).splitlines()
        for workers in (1, 2)
    ]
    assert boards[0][1:-1] == boards[1][1:-1]
    assert "4 entrants" in place.tourney("plan", cup)
    assert "on the floor" in place.tourney("floor", "--store", "1.db")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("duplicate, tables: 3, rounds: 9", "several players, which duplicate does not support"),
        (
            "independent, tables: 3, rounds: 9",
            "kuhn is played by two at a table, and in independent",
        ),
        ("match, tables: 4", "tables: 4 is not a multiple of 3, which 4 entrants need"),
    ],
)
def test_a_format_for_others_says_so(place: Place, kind: str, words: str) -> None:
    """Nobody sits alone, chips are not summed up over seatings, and everybody meets everybody."""
    done = place.python("-m", "tourney", "run", place.cup(kind))
    assert done.returncode != 0
    assert words in done.stderr


def test_a_match_is_whole_games_of_pairs(game: ModuleType) -> None:
    """Everybody meets everybody as often, with the same deals from both seats, until one is broke.

    Who has more has place 1, and who have as much share places 1 and 2.
    """
    from kuhn_poker import KuhnRules

    from tourney.competitors.builtin_plugin import FORMATS
    from tourney.formats.base import scoring_of
    from tourney.formats.field import Field
    from tourney.game.cards.keys import Secret
    from tourney.game.seats import play_block
    from tourney.standings.fold import fold_blocks
    from tourney.standings.standing import EntrantLabel

    kinds = game.Nash, game.Timid, game.Timid
    match = FORMATS["match"](tables=4, games=2)
    match.check(3, KuhnRules())
    field = Field(3, KuhnRules(), 8, 1, 1000, Secret.from_seed(5))
    schedule = match.schedule(field)
    blocks = [each for wave in schedule.waves() for batch in wave for each in batch.blocks]
    seats = {block.key: [seat.entrant for seat in block.seats] for block in blocks}
    first = {key: block.shoe_key for key, block in zip(seats, blocks, strict=True)}
    for key, (one, other) in seats.items():
        mirrored = key._replace(seating=1 - key.seating)
        assert seats[mirrored] == [other, one]
        assert first[mirrored] == first[key]
    assert len(set(first.values())) == len(blocks) // 2
    pairs = Counter(frozenset(pair) for pair in seats.values())
    assert set(pairs.values()) == {2 * 2 * 2}
    assert len(pairs) == 3
    results = [play_block(block, lambda entrant: kinds[entrant]()) for block in blocks]
    assert all(min(seat.final for seat in result.seats) < 2 for result in results)
    labels = [EntrantLabel(str(number), "") for number in range(3)]
    for row in fold_blocks(results, labels, scoring_of(match, field)):
        own = [
            1 + (seat.net < 0) + (seat.net == 0) / 2
            for result in results
            for seat in result.seats
            if seat.entrant == int(row.name)
        ]
        assert float(row.mean) == sum(own) / len(own)
        assert (row.games, row.tables) == (16, 4)


@pytest.mark.prove
def test_a_match_is_won_by_who_plays_better(place: Place) -> None:
    """With the place on the board, and in the records of who failed the worst one."""
    (place.folder / "broken.py").write_text(FILE.replace("ANSWER", "1 / 0"))
    cup = place.cup("match, tables: 32, games: 20, rounds: 100")
    cup.write_text(cup.read_text().replace("honest\n", "timid\n    as: meek\n") + BROKEN)
    done = place.python("-m", "tourney", "run", cup, "--store", "won.db")
    assert done.returncode == 1, done.stderr  # somebody failed
    rows = place.tourney("leaderboard", "--store", "won.db", "--format", "csv").splitlines()
    head, *found = (row.split(",") for row in rows)
    assert [row[head.index("entrant")] for row in found][::4] == ["nash", "Broken"]
    assert float(found[-1][head.index("mean_place")]) == 2


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (("ev", "nash", "--rounds", "10", "--game"), "--rounds has no effect with the exploit"),
        (("ev", "nash", "--exact", "--game"), "--exact has no effect with the exploitability"),
        (("solve", "--no-surrender"), "--no-surrender applies only to charts, not to kuhn"),
    ],
)
def test_options_of_other_games_are_rejected(
    place: Place, command: tuple[str, ...], expected: str
) -> None:
    """With the reason, before anything is computed."""
    done = place.python("-m", "tourney", *command, "kuhn")
    assert done.returncode == 2
    assert expected in done.stderr


def test_its_equilibrium_and_the_distance_to_it_are_commands(place: Place) -> None:
    """The value is Kuhn's, and a player that never bluffs can be exploited."""
    solved = place.python("-m", "tourney", "solve", "kuhn", "--json")
    assert solved.returncode == 0, solved.stderr
    found = json.loads(solved.stdout)
    assert found["values"] == pytest.approx([float(VALUE), -float(VALUE)])
    assert len({row["view"] for row in found["situations"]}) == 12
    shown = place.python("-m", "tourney", "solve", "kuhn")
    assert "seat 2: king after Move.BET_OR_CALL: Move.CHECK_OR_FOLD 0.0000, " in shown.stdout
    assert "seat 1: -0.055555556 minimums a round if both play optimally" in shown.stderr
    timid = place.tourney("ev", "timid", "--game", "kuhn").splitlines()
    assert timid[0].startswith("exploitability 0.25")
    nash = json.loads(place.tourney("ev", "nash", "--game", "kuhn", "--json"))
    assert nash["samples"] == 0
    assert nash["exploitability"] == pytest.approx(0, abs=1e-9)
    for what, answer in (("equilibrium", found), ("exploitability", nash)):
        schema = answer_schema(what)
        assert not list(Draft202012Validator(schema).iter_errors(answer))
        assert not Draft202012Validator(schema).is_valid({**answer, "another": 1})


def test_the_name_of_the_game_leads_to_its_preset(place: Place) -> None:
    """A user may guess `kuhn-poker`, which is the name of the folder."""
    done = place.python("-m", "tourney", "solve", "kuhn-poker")
    assert done.returncode == 2
    assert "(did you mean 'kuhn'?)" in done.stderr


@pytest.mark.prove
def test_another_version_of_the_game_plays_nothing_on(place: Place) -> None:
    """Neither resumed nor verified: the same moves may come to something else."""
    cup = place.cup("roundrobin, rounds: 20")
    place.tourney("run", cup, "--store", "old.db")
    module = place.installed / "kuhn_poker.py"
    text = module.read_text()
    module.write_text(text.replace("version = 1", "version = 2"))
    try:
        for command in ("verify", "resume"):
            done = place.python("-m", "tourney", command, "--store", "old.db")
            assert done.returncode != 0
            assert (
                "is not the one that it began with (kuhn 1 of tourney-kuhn-poker 1.0, source"
                in (done.stderr)
            )
            assert "install that version again" in done.stderr
        assert "nash" in place.tourney("leaderboard", "--store", "old.db")
    finally:
        module.write_text(text)


@pytest.mark.prove
def test_a_match_is_published(place: Place) -> None:
    """With all places counted again from its pages, and its hands dealt again."""
    place.tourney("run", place.cup("match, tables: 3, rounds: 20"), "--store", "match.db")
    place.tourney("publish", "--output", "match", "--store", "match.db")
    again = place.tourney("verify", "--site", "match")
    assert "cells of 4 rows follow from 12 published tables" in again
    assert "dealt from the secret and played by the published moves, come out as published" in again


def test_its_players_are_told_apart_by_their_own_source(place: Place) -> None:
    """The game is not part of it, nor is it loaded anew with them."""
    program = """
from tourney.plugins.loading import load_plugins
from tourney.competitors.sources import reload
from tourney.competitors.sources import sources_of
registry = load_plugins()
nash = registry.strategy("nash")
anew = reload(nash.make)
print(nash.game, [name for name, _ in sources_of(nash.make)])
print(anew is not nash.make, anew.__mro__[1] is nash.make.__mro__[1])
"""
    told = place.python("-c", program)
    assert told.stdout.splitlines() == ["kuhn ['kuhn_players.py']", "True True"], told.stderr


@pytest.fixture(scope="module")
def played(place: Place) -> Path:
    """Play a tournament of few rounds; give its store."""
    store = place.folder / "played.db"
    place.tourney("run", place.cup("roundrobin, rounds: 6"), "--store", store)
    return store


@pytest.mark.prove
def test_its_rounds_are_told(place: Place, played: Path) -> None:
    """Turn by turn to the organiser, and to a player as its seat saw them."""
    shown = "replay", "--entrant", "nash", "--table", "2", "--store", played, "--range", "1-1"
    told = place.tourney(*shown)
    first, second, act = told.splitlines()[:3]
    assert re.fullmatch(r".*table 2.*: seat 1 (\w+), seat 2 (\w+)", first)
    assert re.fullmatch(r"Round 1: seat \d \w+ 1000, seat \d \w+ 1000", second)
    assert re.fullmatch(r"  seat \d \w+: \w+ after nothing -> Move\.\w+", act)
    seen = place.tourney(*shown, "--as-seen")
    (seat,) = re.findall(r"(seat \d) nash", first)
    own = re.findall(rf"  {seat} nash: (.*)", told)
    assert re.findall("  act: (.*)", seen) == own


@pytest.mark.prove
def test_its_decisions_are_data(place: Place, played: Path) -> None:
    """Without a word of its own: what was legal by name, and the chips before the round."""
    place.tourney("export", "--store", played, "--output", "data", "--limit", 1)
    rows = parquet.read_table(place.folder / "data" / "decisions.parquet").to_pylist()
    assert rows
    assert {tuple(row["legal"]) for row in rows} == {("Move.CHECK_OR_FOLD", "Move.BET_OR_CALL")}
    assert all(row["answer"] in row["legal"] for row in rows)
    assert {row["bankroll"] for row in rows if row["round"] == 1} == {rows[0]["bankroll"]}


@pytest.mark.prove
def test_its_published_hands_are_dealt_again(place: Place, played: Path) -> None:
    """From the secret and the moves; who writes another move or card is found out."""
    place.tourney("publish", "--output", "site", "--store", played)
    again = place.tourney("verify", "--site", "site")
    assert "dealt from the secret and played by the published moves, come out as published" in again
    page = next((place.folder / "site" / "hands").glob("*.html")).read_text()
    assert "after nothing" in page
    text = text_of(told_of(place.folder / "site"))
    for old, new in (("queen after", "king after"), ("[0,1,", "[0,0,"), ("[0,", "[-9,")):
        assert old in text
        write_told(place.folder / "site", json.loads(text.replace(old, new)))
        done = place.python("-m", "tourney", "verify", "--site", "site")
        assert done.returncode == 1
        assert re.search("data.json: hands of .*: (seating 1, )?round", done.stdout + done.stderr)
        assert "Traceback" not in done.stderr
    write_told(place.folder / "site", json.loads(text))


@pytest.mark.prove
@pytest.mark.parametrize(
    ("answer", "status", "words"),
    [
        ("CHECK if view.rank is Rank.JACK else BET", 0, r"\+0\.\d ± 0\.\d chips better in a round"),
        ("'bet'", 1, r"bold.py:8: fault: act: expected one of .*, got 'bet'"),
        ("1 / 0", 1, r"bold.py:9: fault: .*ZeroDivisionError"),
        ("BET if random() < 0.5 else CHECK", 1, "the chips changed when the same tables were"),
    ],
)
def test_its_players_are_checked(place: Place, answer: str, status: int, words: str) -> None:
    """In confinement: they answer legally, play the same twice, and are compared."""
    (place.folder / "bold.py").write_text(FILE.replace("ANSWER", answer))
    done = place.python("-m", "tourney", "check", "bold.py", "--game", "kuhn")
    assert done.returncode == status, done.stderr
    assert "Sandbox               full" in done.stdout
    assert re.search(words, done.stdout)


@pytest.mark.prove
def test_the_game_is_checked_by_itself_and_blamed_by_verify(place: Place) -> None:
    """With luck of its own no player is at fault, whoever looks: `check` says so and `verify`."""
    place.tourney("check", "--game", "kuhn")
    module = place.installed / "kuhn_poker.py"
    text = module.read_text()
    module.write_text(
        text.replace("rank = next(cards).rank", "rank = __import__('random').choice(RANKS)")
    )
    try:
        done = place.python("-m", "tourney", "check", "--game", "kuhn", "--json")
        assert done.returncode == 1
        (finding,) = json.loads(done.stdout)["findings"]
        assert "differs when it is played again with the same cards" in finding["message"]
        assert "take all chance from the cards" in finding["remedy"]
        place.tourney("run", place.cup("roundrobin, rounds: 20"), "--store", "lucky.db")
        done = place.python("-m", "tourney", "verify", "--store", "lucky.db", "--workers", 1)
        assert done.returncode == 1
        assert "game kuhn is never the same twice, and no player is to blame: the same cards" in (
            done.stderr
        )
        assert "tourney check --game kuhn" in done.stderr
        assert not re.search("(nash|honest|timid|shy) is never the same", done.stderr)
        done = place.python("-m", "tourney", "publish", "--store", "lucky.db", "--output", "lucky")
        assert "another player at the table, the game or the installed version" in done.stderr
        assert (place.folder / "lucky" / "index.html").exists()
        (place.folder / "sound.py").write_text(FILE.replace("ANSWER", "CHECK"))
        done = place.python("-m", "tourney", "check", "sound.py", "--game", "kuhn")
        assert done.returncode == 1
        assert "the game itself does not repeat" in done.stdout
    finally:
        module.write_text(text)


def test_a_file_without_a_player_is_told_what_to_write(place: Place) -> None:
    """The contract, its method and its home."""
    (place.folder / "none.py").write_text("from kuhn_poker import KuhnPlayer\n")
    done = place.python("-m", "tourney", "check", "none.py", "--game", "kuhn")
    remedy = "write `class Name(KuhnPlayer):` with `act`, after `from kuhn_poker import …`"
    assert done.returncode == 1
    assert remedy in done.stdout


def test_a_new_player_passes_its_tests_and_the_check(place: Place) -> None:
    """Nobody wrote templates for the game: they follow from its contract."""
    place.tourney("new", "competitor", "card shark", "--game", "kuhn")
    text = (place.folder / "card_shark.py").read_text()
    assert "class CardShark(KuhnPlayer):" in text
    done = place.python("test_card_shark.py")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(" passed\n")
    place.tourney("check", "card_shark.py", "--game", "kuhn")
    (place.folder / "card_shark.py").write_text(text.replace("return Move", "return 1 or Move"))
    done = place.python("test_card_shark.py")
    assert done.returncode == 1
    assert "expected one of Move.CHECK_OR_FOLD, Move.BET_OR_CALL, got 1" in done.stdout


def test_two_are_compared_in_both_orders(place: Place) -> None:
    """The same cards for each order: 20 tables of 10 rounds, by two players, twice."""
    few = ("--max-tables", 20, "--seed", 1, "--workers", 1)
    told = place.tourney("compare", "timid", "honest", "--game", "kuhn", *few)
    assert "minimums of 1 a round (1 look, 20 tables of each, 800 rounds in all)" in told
