"""`commit`, anchors and time stamps, as an outsider checks them from a site and an anchor."""

import json
import shutil
from base64 import b64decode, b64encode
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.support.told import text_of, told_of, write_told
from tourney.cli import main
from tourney.fairness import committed_start

from .test_commit import SHORT, WAIT

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]
Change = Callable[[dict[str, Any]], None]

VALUE = "8f2ab6c1"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, authority: Any) -> Path:
    """Commit, play, extend and publish a run once, as the how-to says; give its folder."""
    folder = tmp_path_factory.mktemp("played")
    store, anchor = ["--store", str(folder / "cup.db")], ["--anchor", str(folder / "anchor.json")]
    stamped = ["--timestamp", authority.url, "--authority", str(authority.root)]
    after = datetime.now(UTC) + WAIT
    named = f"public_value: {{source: 'beacon, round 7', after: '{after.isoformat()}'}}\n"
    (folder / "cup.yaml").write_text(SHORT + named)
    config, alone = str(folder / "cup.yaml"), ["--workers", "1"]
    assert main(["commit", config, *store, *anchor, *stamped]) == 0
    shutil.copy(folder / "anchor.json", folder / "before.json")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(committed_start, "_now", lambda: after)
        assert main(["run", config, *store, *anchor, "--public-value", VALUE, *alone]) == 0
    late = ["--tables", "8", "--add", "never-bust", "--as", "Zoe Z."]
    assert main(["extend", "1", *late, *store, *anchor, *stamped, *alone]) == 0
    site = ["--output", str(folder / "site"), "--show-tables", "1", "--samples", "0"]
    assert main(["publish", *store, *anchor, *stamped[2:], *site]) == 0
    (folder / "cup.db").rename(folder / "kept.db")
    return folder


@pytest.fixture
def outside(cli: Cli, played: Path, authority: Any) -> Path:
    """Lay what an outsider has into the folder of the test."""
    assert cli
    shutil.copytree(played / "site", "site")
    for name in ("anchor.json", "before.json"):
        shutil.copy(played / name, name)
    shutil.copy(authority.root, "root.pem")
    return Path()


def _forge(cli: Cli, change: Change) -> None:
    """Change the data, and make all pages anew, as a careful forger would."""
    told = told_of("site")
    change(told)
    write_told("site", told)
    assert cli("publish", "--data", "site/data.json", "--output", "site").status == 0


def _verify(cli: Cli, *more: str) -> Any:
    """Verify as somebody does who has seen the anchor and looked up the value."""
    known = ["--authority", "root.pem", "--public-value", VALUE]
    return cli("verify", "--site", "site", "--anchor", "anchor.json", *known, *more)


def test_an_outsider_is_told_what_was_anchored_and_when(cli: Cli, outside: Path) -> None:
    """By whose clock, and what it proves; every line is one of these."""
    assert outside
    ran = _verify(cli)
    assert (ran.status, ran.err) == (0, "")
    told = [line for line in ran.lines if line.startswith("verified: ")]
    anchored = [
        each["commitment"] for each in json.loads(Path("anchor.json").read_text())["commitments"]
    ]
    assert "2, 1 of them of extensions, which fix the configuration, the secret, 4 of 4" in ran.out
    for number, commitment in enumerate(anchored, start=1):
        what = f"verified: anchor: commitment {number}, {commitment}: "
        assert f"{what}as the site has it" in told
        assert any(line.startswith(f"{what}existed at 20") for line in told)
    assert "by the timestamp of CN=Tick Stamps" in ran.out
    assert "verified: public value: that of beacon, round 7 is mixed in" in told
    assert "the time that the configuration gives for the value" in ran.out
    assert "look up when beacon, round 7 published it" in ran.out
    assert "raised from 6 to 8 by extensions" in ran.out
    assert "that 1 entrant of extensions did not know the shoes" in ran.out
    assert "other commitments may have been stamped and not published" in ran.out
    assert "dealt from the secret and played by the published moves" in ran.out


def test_commitments_are_what_the_page_about_them_says(outside: Path) -> None:
    """Computed again from the published text and the sources, by hashlib and json alone."""
    assert outside
    fixed = told_of("site")["run"]["committed"]
    anchored = json.loads(Path("anchor.json").read_text())["commitments"]

    def name_of(text: str) -> str:
        plain = json.dumps(
            json.loads(text), sort_keys=True, ensure_ascii=False, separators=(",", ":")
        )
        assert text == plain
        return sha256(text.encode()).hexdigest()

    assert [name_of(text) for text in fixed["statements"]] == [
        each["commitment"] for each in anchored
    ]
    first, second = map(json.loads, fixed["statements"])
    assert first["before"] is None
    assert second["before"] == anchored[0]["commitment"]
    assert first["secret"] == second["secret"]
    assert first["configuration"] == name_of(fixed["configuration"])
    assert [*first["entrants"], *second["entrants"]] == list(map(name_of, fixed["entrants"]))
    assert second["tables"] == 8
    configuration = json.loads(fixed["configuration"])["configuration"]
    assert configuration.pop("public_value")["source"] == "beacon, round 7"
    assert configuration == {
        "name": "Cup",
        "game": {"preset": "ve280", "shuffle": "uniform"},
        "bankroll": 200,
        "minimum": 5,
        "format": {"kind": "duplicate", "tables": 6, "rounds": 20},
    }
    ada = json.loads(fixed["entrants"][0])
    source = Path(__file__).parents[3] / "strategies" / "simple.py"
    assert ada["files"] == {"tourney/strategies/simple.py": sha256(source.read_bytes()).hexdigest()}


def _statement(told: dict[str, Any], number: int, **changes: Any) -> None:
    statements = told["run"]["committed"]["statements"]
    changed = {**json.loads(statements[number]), **changes}
    statements[number] = _canonical(changed)


def _canonical(data: dict[str, Any]) -> str:
    return json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _another_secret(told: dict[str, Any]) -> None:
    from tourney.game.cards.keys import Secret

    other = Secret.from_seed(4)
    told["run"] |= {"secret": other.value.hex(), "salt": other.salt.hex()}
    told["run"]["commitment"] = other.commitment
    _statement(told, 0, secret=other.commitment)
    first = sha256(told["run"]["committed"]["statements"][0].encode()).hexdigest()
    _statement(told, 1, secret=other.commitment, before=first)


def _opened(told: dict[str, Any], **changes: Any) -> None:
    fixed = told["run"]["committed"]
    opening = {**json.loads(fixed["entrants"][1]), **changes}
    fixed["entrants"][1] = _canonical(opening)


def _configuration(told: dict[str, Any]) -> None:
    fixed = told["run"]["committed"]
    opening = json.loads(fixed["configuration"])
    opening["configuration"]["format"]["rounds"] = 21
    fixed["configuration"] = _canonical(opening)


def _result(told: dict[str, Any]) -> None:
    results = told["entrants"][0]["results"]
    results["net"][0] += 100
    results["final"][0] += 100


FORGERIES: dict[str, tuple[Change, str]] = {
    "secret": (_another_secret, "anchor: commitment 1: the anchor has "),
    "configuration": (
        _configuration,
        "configuration: its opening differs from its commitment",
    ),
    "no configuration": (
        lambda told: told["run"]["committed"].update(configuration=None),
        "configuration: its opening is missing, although all entrants are shown",
    ),
    "told rules": (
        lambda told: told["run"].update(scheduled_rounds=21),
        "run.scheduled_rounds: expected 20, by the configuration as committed, got 21",
    ),
    "told tables": (
        lambda told: told["run"].update(tables="9 tables"),
        "run.tables: expected 20 rounds at a table, by the configuration as committed",
    ),
    "versions": (
        lambda told: told["run"]["versions"].update(numpy="1.0"),
        "versions: expected {'numpy'",
    ),
    "rehearsal": (
        lambda told: told["run"].update(rehearsal=True),
        "rehearsal: expected False, as committed, got True",
    ),
    "source": (
        lambda told: _opened(told, source="00" * 16),
        "entrant Blaise W.: its opening differs from its commitment",
    ),
    "strategy": (
        lambda told: told["entrants"][0].update(strategy="edge"),
        ": strategy: expected ",
    ),
    "somebody else": (
        lambda told: told["run"]["committed"]["entrants"].pop(),
        "entrant Zoe Z.: its opening is missing",
    ),
    "left out": (
        lambda told: told["policy"].update(entrants=3),
        "entrants: expected 4, as committed, got 3",
    ),
    "result": (_result, "expected "),
    "order": (
        lambda told: told["run"]["committed"]["statements"].reverse(),
        "anchor: commitment 1: the anchor has ",
    ),
    "extension": (
        lambda told: told["run"]["committed"]["statements"].pop(),
        "anchor: commitment 2: only the anchor has it (",
    ),
    "public value": (
        lambda told: told["run"]["committed"].update(public_value="4711"),
        f"public value: expected {VALUE}, got 4711",
    ),
    "no public value": (
        lambda told: told["run"]["committed"].update(public_value=None),
        f"public value: expected {VALUE}, got no value",
    ),
    "statement": (
        lambda told: told["run"]["committed"].update(statements=["[]"]),
        "commitments: the statements do not have the documented form",
    ),
}
"""What is changed, and words of the line that tells."""


@pytest.mark.parametrize("forgery", FORGERIES)
def test_whatever_an_organiser_changes_afterwards_is_found(
    cli: Cli, outside: Path, forgery: str
) -> None:
    """Secret, configuration, source, result, order of extensions and public value."""
    assert outside
    change, words = FORGERIES[forgery]
    _forge(cli, change)
    ran = _verify(cli)
    assert ran.status == 1
    assert "Traceback" not in ran.err
    assert words in ran.err, ran.err


def test_a_public_value_is_not_called_mixed_in_where_no_hands_show_it(
    cli: Cli, played: Path, outside: Path
) -> None:
    """Its text alone was taken for a proof."""
    assert outside
    where = (
        "--store",
        played / "kept.db",
        "--output",
        "site",
        "--show-tables",
        "0",
        "--samples",
        "0",
    )
    assert cli("publish", *where).status == 0
    ran = _verify(cli)
    assert ran.status == 0
    assert "verified: hands" not in ran.out
    assert "verified: public value: that of" not in ran.out
    words = "that the public value of beacon, round 7 is mixed into the shoes: no hands show it"
    assert f"not verified: {words}" in ran.lines


def test_shoes_of_another_public_value_are_other_shoes(cli: Cli, outside: Path) -> None:
    """Even who has not looked up the value finds that it was exchanged."""
    assert outside
    _forge(cli, lambda told: told["run"]["committed"].update(public_value="4711"))
    ran = cli("verify", "--site", "site")
    assert ran.status == 1
    assert "as card 1 by its shoe, got" in ran.err


def test_the_anchor_of_another_run_is_told(cli: Cli, outside: Path, write: Write) -> None:
    """Whoever committed to several runs cannot show the anchor of another one."""
    assert outside
    write("other.yaml", SHORT)
    assert cli("commit", "other.yaml", "--anchor", "other.json").status == 0
    ran = cli("verify", "--site", "site", "--anchor", "other.json")
    assert ran.status == 1
    assert "anchor: commitment 1: the anchor has " in ran.err


def test_an_anchor_from_before_the_extension_says_what_it_lacks(cli: Cli, outside: Path) -> None:
    """What was seen first still counts."""
    assert outside
    ran = cli("verify", "--site", "site", "--anchor", "before.json", "--authority", "root.pem")
    assert (ran.status, ran.err) == (0, "")
    assert "not verified: the last 1 of 2 commitments: the anchor lacks them" in ran.out
    assert "look up the value of beacon, round 7, and pass it with --public-value" in ran.out


def test_without_the_certificate_a_stamp_is_only_quoted(cli: Cli, outside: Path) -> None:
    """No authority is trusted by default."""
    assert outside
    ran = cli("verify", "--site", "site", "--anchor", "anchor.json")
    assert (ran.status, ran.err) == (0, "")
    assert "pass the root certificate of that authority with --authority" in ran.out
    assert "existed at" not in ran.out


def test_a_stamp_of_an_unknown_authority_is_told(
    cli: Cli, outside: Path, tmp_path: Path, make_authority: Any
) -> None:
    """Another root does not stand for it."""
    assert outside
    other = make_authority(tmp_path / "other-authority")
    files = ("--anchor", "anchor.json", "--authority", str(other.root))
    ran = cli("verify", "--site", "site", *files)
    assert ran.status == 1
    assert "the signature of CN=Tick Stamps cannot be verified with " in ran.err
    assert "(an unknown authority)" in ran.err


def _with_another_signature(stamp: str) -> str:
    answer = bytearray(b64decode(stamp))
    answer[-10] ^= 1  # the signature comes last
    return b64encode(answer).decode()


def _change_stamp(change: Callable[[list[Any]], None]) -> None:
    told = json.loads(Path("anchor.json").read_text())
    change(told["commitments"])
    Path("anchor.json").write_text(json.dumps(told))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda each: each[0].update(stamp=each[1]["stamp"]),
            "but of another hash",
        ),
        (
            lambda each: each[0].update(stamp=_with_another_signature(each[0]["stamp"])),
            "cannot be verified with ",
        ),
        (lambda each: each[0].update(stamp="AAAA"), "this is not a timestamp by RFC 3161"),
        (
            lambda each: each[0].update(stamp="!"),
            "this is not a timestamp by RFC 3161",
        ),
        (lambda each: each[0].update(written="noon"), "this is not an anchor of `tourney commit`"),
        (lambda each: each.clear(), "this is not an anchor of `tourney commit` ("),
    ],
    ids=["other", "signature", "noise", "text", "time", "empty"],
)
def test_a_wrong_stamp_or_anchor_is_told(
    cli: Cli, outside: Path, change: Callable[[list[Any]], None], words: str
) -> None:
    """Of another commitment, with another signature, or none at all."""
    assert outside
    _change_stamp(change)
    ran = _verify(cli)
    assert ran.status in {1, 2}
    assert "Traceback" not in ran.err
    assert words in ran.err


def test_an_anchor_written_after_the_value_was_told_is_told(cli: Cli, outside: Path) -> None:
    """Even by the organiser's own clock it is too late."""
    assert outside

    def change(each: list[Any]) -> None:
        del each[0]["stamp"]
        each[0]["written"] = "2999-01-01T00:00:00+00:00"

    _change_stamp(change)
    ran = _verify(cli)
    assert ran.status == 1
    assert "anchor: the public value was published at " in ran.err


def test_pages_claim_what_was_anchored_and_no_more(cli: Cli, outside: Path) -> None:
    """Nothing, a file, or a time stamp."""
    assert outside
    page = Path("site/index.html").read_text()
    assert "CN=Tick Stamps confirms by a timestamp that the commitment existed at 20" in page
    assert "A public value from a third party was mixed into the shoes." in page

    def unstamped(told: dict[str, Any]) -> None:
        for each in told["run"]["committed"]["anchors"]:
            each |= {"stamped": None, "authority": ""}

    _forge(cli, unstamped)
    page = Path("site/index.html").read_text()
    assert "by the organiser’s clock; no timestamp of a third party was verified" in page  # noqa: RUF001 - as on the page
    assert "confirms by a timestamp" not in page
    _forge(cli, lambda told: told["run"]["committed"].update(anchors=[]))
    page = Path("site/index.html").read_text()
    assert "compare it with the one you received before play" in page
    _forge(cli, lambda told: told["run"].pop("committed"))
    page = Path("site/index.html").read_text()
    assert "The run fixed its secret by a commitment." in page


def test_handles_open_no_name(cli: Cli, outside: Path) -> None:
    """The commitments hold all the same, and what names nobody stays open."""
    assert outside
    cli("publish", "--data", "site/data.json", "--output", "masked", "--names", "handles")
    told = text_of(told_of("masked"))
    assert "Blaise" not in told
    ran = cli("verify", "--site", "masked", "--anchor", "anchor.json", "--public-value", VALUE)
    assert (ran.status, ran.err) == (0, "")
    assert "which fix the configuration, the secret, 0 of 4 entrants and sources" in ran.out


def test_while_results_are_sealed_the_commitment_is_told(cli: Cli, outside: Path) -> None:
    """It can be compared with the anchor before anything else is known."""
    assert outside
    sealed = ("--freeze", "2001-01-01", "--reveal", "2999-01-01")
    cli("publish", "--data", "site/data.json", "--output", "sealed", *sealed)
    ran = cli("verify", "--site", "sealed", "--anchor", "anchor.json", "--public-value", VALUE)
    assert (ran.status, ran.err) == (0, "")
    assert "which fix the configuration, the secret, 4 of 4 entrants and sources" in ran.out


def test_a_board_of_the_first_opens_theirs_only(cli: Cli, outside: Path) -> None:
    """Who is not shown is not opened."""
    assert outside
    cli("publish", "--data", "site/data.json", "--output", "top", "--top", "2")
    shown = {each["name"] for each in told_of("top")["entrants"]}
    opened = told_of("top")["run"]["committed"]["entrants"]
    assert {json.loads(each)["name"] for each in opened} == shown
    ran = cli("verify", "--site", "top", "--anchor", "anchor.json")
    assert (ran.status, ran.err) == (0, "")


def test_a_stamp_from_after_the_value_was_told_is_told(
    cli: Cli, write: Write, authority: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever sets back the own clock cannot set back that of the authority."""
    after = datetime.now(UTC) - WAIT
    write("cup.yaml", SHORT + f"public_value: {{source: beacon, after: '{after.isoformat()}'}}\n")
    with monkeypatch.context() as patch:
        patch.setattr(committed_start, "_now", lambda: after - WAIT)
        stamped = ("--timestamp", authority.url)
        assert cli("commit", "cup.yaml", "--anchor", "anchor.json", *stamped).status == 0
    _change_stamp(lambda each: each[0].update(written=(after - WAIT).isoformat()))
    known = ("--anchor", "anchor.json", "--public-value", VALUE)
    assert cli("run", "cup.yaml", *known, "--workers", "1").status == 0
    assert cli("publish", "--output", "site", "--show-tables", "0", "--samples", "0").status == 0
    ran = cli("verify", "--site", "site", *known)
    assert (ran.status, ran.err) == (0, "")
    ran = cli("verify", "--site", "site", *known, "--authority", authority.root)
    assert ran.status == 1
    assert "anchor: the public value was published at " in ran.err
    assert "before the commitment at 20" in ran.err


def test_without_the_library_a_stamp_is_not_verified(
    cli: Cli, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That is no difference; the rest is verified all the same."""
    assert outside
    monkeypatch.setattr("tourney.fairness.timestamps.find_spec", lambda name: None)
    ran = _verify(cli)
    assert (ran.status, ran.err) == (0, "")
    assert "its timestamp: rfc3161-client is not installed" in ran.out
    assert "existed at" not in ran.out
