"""Hostile competitors, handed in by the form: each ends as on the command line, and does no more.

Some of the corpus every day, all of it with `--prove`.
"""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.sandbox.attacks.asking import CORPUS, expected
from tests.support.proving import with_more
from tourney.cli import main
from tourney.course.folder import Submissions
from tourney.games.blackjack.check import matches
from tourney.portal import worker
from tourney.portal.jobs import get
from tourney.portal.worker import Handler

from .classes import CONFINED
from .hands import ROSTER, TERMS, add_handed_in, bold, hand_in, handlers, make_course, number_of
from .portals import Portal

pytestmark = CONFINED

ATTACKS = sorted(path.stem for path in CORPUS.glob("*.attack"))
DAILY = [*ATTACKS[5::17], "not_text"]
OF_ALL = {".lock", "refusals.jsonl"}
"""Files of a course's folder that all who hand in have part in."""
TABLES = "accounts", "members", "tokens", "courses", "invites", "overrides", "settings"


@pytest.fixture(scope="module")
def checks() -> Mapping[str, Handler]:
    """Load once what checks."""
    return handlers()


def others(portal: Portal) -> tuple[object, ...]:
    """Give what is nobody's but others', and all that lies in the portal's folder."""
    rows = [tuple(portal.database.read(iter, f"SELECT * FROM {each}")) for each in TABLES]  # noqa: S608 - names of ours
    for table in ("versions", "jobs"):
        sql = f"SELECT * FROM {table} WHERE name = 'Mate' ORDER BY id"  # noqa: S608 - likewise
        rows.append(tuple(portal.database.read(iter, sql)))
    files = sorted(
        str(path.relative_to(portal.places.root))
        for path in portal.places.root.rglob("*")
        if "student" not in str(path).lower()
        and path.parent != portal.places.inbox
        and path.name not in OF_ALL
    )
    return (*rows, files)


def on_command_line(
    source: bytes, folder: Path, said: pytest.CaptureFixture[str]
) -> tuple[str, str]:
    """Hand the same in by `tourney submit`; give what became of it, and why."""
    course = folder / "course"
    course.mkdir()
    (course / "submissions.yaml").write_text(TERMS)
    (course / "roster.csv").write_text(ROSTER)
    (folder / "attacker.py").write_bytes(source)
    main(["submit", str(folder / "attacker.py"), "--as", "Student", "--author", "Student",
          "--to", str(course)])  # fmt: skip
    versions = Submissions(course).versions("Student")
    if versions:
        return versions[0].status, cause(versions[0].reason)
    return "refused", cause(said.readouterr().err)


OF_THE_MOMENT = (
    "leave all other files and pipes alone",
    "it computed for more than",
    "of CPU time",
)
"""Who writes into pipes is found out by what has come at that moment, and who computes too much at
whatever it is asked when that is used up."""


def cause(reason: str) -> str:
    """Give what of a reason does not hang on the moment."""
    return re.sub(r"0x[0-9a-f]+|[\d.]+", "", reason)


@pytest.mark.parametrize(
    "attack", with_more(DAILY, [each for each in ATTACKS if each not in DAILY])
)
def test_an_attack_ends_as_on_the_command_line(
    portal: Portal,
    checks: Mapping[str, Handler],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    attack: str,
) -> None:
    """And leaves what is others' as it was; whoever comes after is checked as ever."""
    monkeypatch.setattr(matches, "TABLES", 20)
    make_course(portal)
    add_handed_in(portal, "mate")
    source = (CORPUS / f"{attack}.attack").read_bytes()
    before = others(portal)
    number = number_of(hand_in(portal.browser("student"), source, "attacker.py"))
    worker.do_all(portal.places, checks)
    job = get(portal.database, number)
    assert job.state == "done"
    assert job.tries == 1
    (tmp_path / "line").mkdir()
    capsys.readouterr()
    status, reason = on_command_line(source, tmp_path / "line", capsys)
    assert job.result["status"] == status
    told = job.result["reason"]
    is_of_the_moment = any(each in told and each in reason for each in OF_THE_MOMENT)
    # Whoever uses up both time and memory is found out by what is used up first.
    causes, _ = expected(source)
    assert is_of_the_moment or len(causes) > 1 or cause(told) in reason
    page = portal.browser("student").get(f"/c/cards/handed/{number}")
    assert page.status_code == 200
    assert others(portal) == before
    after = number_of(hand_in(portal.browser("mate"), bold(), "bold.py"))
    worker.do_all(portal.places, checks)
    assert get(portal.database, after).result["status"] == "accepted"
