"""A sample of what `benchmarks/store_fuzz.py` does to stores: nothing wrong is shown in silence."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tourney.sandbox.levels import Level
from tourney.store.checksums import CONFINEMENTS

from .crafted import STATEMENTS, change, craft, seal_as_it_is
from .trying import COMMANDS, Damage, cut, flip, plugins_looked_for_once


@pytest.fixture(scope="module")
def damage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Damage]:
    """Give a store that was played, to be damaged."""
    with plugins_looked_for_once():
        yield Damage(tmp_path_factory.mktemp("damage"))


@pytest.mark.parametrize("kind", [flip, cut, craft], ids=lambda kind: kind.__name__)
def test_a_damaged_store_shows_the_truth_or_says_what_is_wrong(
    damage: Damage, kind: object
) -> None:
    """Every command, on four stores of each kind."""
    for seed in range(4):
        _, wrong, _ = damage.faults(kind, seed)  # type: ignore[arg-type]  # one of those above
        assert not wrong


@pytest.mark.parametrize(
    "statement", [each for each in STATEMENTS if "final" in each or "VIEW" in each]
)
def test_a_false_board_is_never_shown(damage: Damage, statement: str) -> None:
    """Neither by results that were edited, nor by views and triggers of somebody else's."""
    _, wrong, _ = damage.faults(lambda path, _: change(path, statement, is_sealed=False), 0)
    assert not wrong


def test_a_board_that_was_sealed_again_is_found_by_playing_again(damage: Damage) -> None:
    """Digests taken anew of false results are not those of the play."""
    statement = "UPDATE seats SET final = final + 500 WHERE entrant = 1; DELETE FROM standings"
    _, ran = damage.attempt(lambda path, _: change(path, statement, is_sealed=True), 0)
    given = dict(ran)
    assert given["leaderboard"].status == 0
    verified = next(each for command, each in ran if command.startswith("verify"))
    assert verified.status == 1
    assert "its digest differs from the stored one" in verified.err


CONTRADICTIONS = {
    "UPDATE runs SET expected_batches = 3": "has 12 batches but finished with 3",
    "UPDATE runs SET expected_batches = 13": "has 12 batches but finished with 13",
    "UPDATE runs SET expected_batches = -1": "the number of batches is wrong: -1",
    "UPDATE runs SET expected_batches = 'x'": "the number of batches is wrong: 'x'",
    "UPDATE runs SET finished = NULL": "the finish time is wrong: None",
    "UPDATE runs SET created = 'x'": "the start time is wrong: 'x'",
    "UPDATE runs SET status = 'running'": "the finish time of an unfinished run is wrong",
    "UPDATE runs SET rehearsal = 7": "the rehearsal mark is wrong: 7",
    "UPDATE runs SET confinement = 'total'": "the sandbox level is wrong: 'total'",
    "UPDATE runs SET commitment = 'abc'": "the commitment to its secret is wrong: 'abc'",
    "UPDATE runs SET salt = zeroblob(16)": "the commitment to its secret is wrong: '",
    "DELETE FROM entrants WHERE number = 2": "the number of an entrant is wrong: 2",
}
"""What a run says of itself that cannot be, though it was sealed again with its digest."""

ABOUT_ONE_RUN = {
    "UPDATE runs SET rehearsal = 0": "its configuration has a seed but the run is not marked",
}
"""The same, but a list of runs does not show it."""

OTHERS = (
    "resume 1 --workers 1 --no-sandbox",
    "export 1 --output export --no-sandbox",
    "watch 1 --no-wait",
    "floor 1",
    "season season.yaml",
    "season season.yaml --output season",
    "grades 1 --gradebook roster.csv --fill-column Points --marks-by place",
)
"""Commands that read a store besides those that damaged ones are tried with."""


FILES = {
    "season.yaml": "name: Spring\nruns: [1]\n",
    "roster.csv": "Student,ID,SIS User ID,SIS Login ID,Section,Points (1)\n"
    "    Points Possible,,,,,100\nsimple,1,1,simple,A,\n",
}
"""What some of these need."""


def _in_folder(damage: Damage, command: str) -> str:
    """Give a command with its files in the folder of the store."""
    names = (*FILES, "export", "season")
    head, *words = command.split()
    return " ".join(
        [head, *(str(damage.folder / each) if each in names else each for each in words)]
    )


@pytest.mark.parametrize(("statement", "words"), [*CONTRADICTIONS.items(), *ABOUT_ONE_RUN.items()])
def test_every_command_refuses_a_run_that_contradicts_itself(
    damage: Damage, statement: str, words: str
) -> None:
    """With one answer, whichever command is asked."""

    def sealed(path: Path, _: object) -> str:
        how = change(path, statement, is_sealed=False)
        seal_as_it_is(path)
        return how

    _, ran = damage.attempt(sealed, 0)
    for name, text in FILES.items():
        (damage.folder / name).write_text(text, encoding="utf-8")
    ran += [(command, damage.run(_in_folder(damage, command))) for command in OTHERS]
    for command, got in ran:
        if command != "runs" or statement in CONTRADICTIONS:
            assert got.status in {1, 2}, (command, got)
            assert words in got.err, (command, got.err)
            assert not got.out, (command, got.out)


@pytest.mark.parametrize(
    "statement", ["UPDATE runs SET digest = NULL", "UPDATE runs SET digest = zeroblob(16)"]
)
def test_every_command_refuses_a_run_without_its_digest(damage: Damage, statement: str) -> None:
    """Also the one that only lists runs."""

    def sealed(path: Path, _: object) -> str:
        how = change(path, statement, is_sealed=False)
        seal_as_it_is(path, keeps_digest=True)
        return how

    for command, got in damage.attempt(sealed, 0)[1]:
        assert got.status in {1, 2}, (command, got)
        words = (
            "batches are missing or were added, or the digest was changed"
            if command.startswith("verify")
            else "its batches give the digest"
        )
        assert words in got.err, (command, got.err)


def test_a_false_number_of_batches_is_mended(damage: Damage) -> None:
    """By playing what is missing, which is nothing here."""

    def sealed(path: Path, _: object) -> str:
        how = change(path, "UPDATE runs SET expected_batches = 3", is_sealed=False)
        seal_as_it_is(path)
        return how

    damage.attempt(sealed, 0)
    assert damage.run("verify --repair --full --workers 1 --no-sandbox").status == 0
    board = dict(zip(COMMANDS, damage.truth, strict=True))["leaderboard"]
    assert damage.run("leaderboard").out == board.out


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE seats SET final = final + 1 WHERE table_number = 2 AND entrant = 1",
        "DELETE FROM batches WHERE number = 7; DELETE FROM standings",
    ],
)
def test_a_batch_that_is_mended_is_remarked(damage: Damage, statement: str) -> None:
    """Its first results are lost, so that it was played again is what is left to tell."""
    damage.attempt(lambda path, _: change(path, statement, is_sealed=False), 0)
    assert damage.run("verify --repair --full --workers 1 --no-sandbox").status == 0
    told = damage.run("verdicts").out
    assert "counting: played again in 1 batch: the results of an earlier play of this batch" in told
    assert told.count("played again in") == 1


def test_the_store_knows_all_levels_of_confinement() -> None:
    """It names them itself, since who reads a store need not load what confines players."""
    assert {"", *Level} == CONFINEMENTS


def test_a_sound_store_is_no_cause_for_alarm(damage: Damage) -> None:
    """The board, its exports, its pages and its replays come without a word of damage."""
    assert not [each.err for each in damage.truth if "damaged" in each.err]
    assert Path(damage.folder / "sound.db").exists()
