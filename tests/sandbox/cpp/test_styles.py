"""Projects in the styles of students, written from the two course documents without our headers."""

import shutil
from pathlib import Path

import pytest

from tests.sandbox.cpp.written import play_files
from tests.support.proving import with_more
from tourney.checks.source import read_handed_in, source_of
from tourney.competitors.cpp import Cpp
from tourney.errors import SubmissionError
from tourney.sandbox.levels import Level, probe

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL or not shutil.which("g++"), reason="nothing can be compiled here"
)

PROJECTS = Path(__file__).with_name("projects.txt").read_text("utf-8")
"""All projects: `=== name` begins one, and `--- file` begins a file of it."""
QUICK = ["macros", "main_under_ifdef", "helper_files", "trailing_returns", "old_copy_beside"]
"""Those that `make test` builds."""


def projects() -> dict[str, dict[str, bytes]]:
    """Read the projects."""
    found: dict[str, dict[str, bytes]] = {}
    for part in PROJECTS.split("=== ")[1:]:
        name, _, rest = part.partition("\n")
        texts = (each.partition("\n") for each in rest.split("--- ")[1:])
        found[name] = {file: text.encode() for file, _, text in texts}
    return found


ALL = projects()


@pytest.mark.parametrize("name", with_more(QUICK, [each for each in ALL if each not in QUICK]))
def test_a_project_in_the_style_of_a_student_is_accepted(name: str) -> None:
    """And places legal wagers."""
    source = source_of(ALL[name])
    assert source.kind == "cpp"
    came = play_files(source.files)
    assert not came.verdicts, came.verdicts
    assert len(came.answers) == 3


def test_there_are_thirty_projects() -> None:
    """As many as the styles that were found."""
    assert len(ALL) >= 30


PLAIN = ALL["bodies_in_classes"]["player.cpp"].decode()
REMARK = "// größer als zwölf: ziehen\r\n"
CHINESE = "// 玩家类 记牌\n/* 测试 \\ */\n"


@pytest.mark.parametrize(
    "text",
    [
        (REMARK + PLAIN).encode("latin-1"),
        b"\xef\xbb\xbf" + (REMARK + PLAIN).encode("cp1252"),
        (CHINESE + PLAIN).encode("gbk"),
        (REMARK + PLAIN).replace("\n", "\r\n").encode("utf-8-sig"),
    ],
    ids=["latin-1", "a mark before latin-1", "gbk", "a mark and windows"],
)
def test_remarks_may_be_in_any_encoding(text: bytes) -> None:
    """As compilers have it; the code itself is in ASCII."""
    source = source_of({"player.cpp": text})
    Cpp().build(source.files)
    assert source.text.endswith(PLAIN)


@pytest.mark.parametrize("place", ["../player.h", "../starter/player.h", "lib/player.h"])
def test_a_header_may_be_included_from_a_folder_beside(place: str) -> None:
    """Where a project keeps the starter files does not matter."""
    text = PLAIN.replace('"player.h"', f'"{place}"')
    assert text != PLAIN
    Cpp().build(source_of({"player.cpp": text.encode()}).files)


def test_a_header_from_further_up_is_shown_as_it_was_written() -> None:
    """Only the platform's own places are removed from what the compiler says."""
    told = refused({"player.cpp": PLAIN.replace('"player.h"', '"../../starter/player.h"')})
    assert "../../starter/player.h: No such file or directory" in told


def refused(files: dict[str, str]) -> str:
    """Give the reason why a project is refused."""
    with pytest.raises(SubmissionError) as caught:
        Cpp().build(source_of({name: text.encode() for name, text in files.items()}).files)
    return str(caught.value)


@pytest.mark.parametrize("header", ["player.h", "Player.h", "hand.h"])
def test_a_header_that_is_set_aside_is_named_where_it_is_missed(header: str) -> None:
    """With what to do, since the documents forbid to change it."""
    player = '#include "player.h"\nstatic Mine mine;\nPlayer *get_Simple() { return &mine; }\n'
    told = refused({"player.cpp": player, header: "class Mine : public Player { };\n"})
    assert told == (
        "player.cpp:2: expected C++ that compiles, got: 'Mine' does not name a type; your "
        f"{header} is set aside, as the platform plays with files of its own: move your parts of "
        "it to another file"
    )


def test_a_function_that_stayed_in_the_driver_is_found_there() -> None:
    """The driver is set aside, because it has a main."""
    player = PLAIN.replace("(int)minimum", "least(minimum)").replace(
        "class", "int least(int);\nclass"
    )
    driver = "int least(int minimum) { return minimum; }\nint main() { return 0; }\n"
    told = refused({"player.cpp": player, "blackjack.cpp": driver})
    assert "undefined reference to `least(int)'; your blackjack.cpp is set aside, as" in told


@pytest.mark.parametrize(
    ("function", "whose"),
    [
        ("Player *get_Player(std::string &kind)", "another year of VE280"),
        ("Player *get_Player(string &side, string &type, int &ID)", "another year of VE280"),
        ("Player * Player_factory(const std::string &name, const std::string &strategy)", "Euchre"),
    ],
)
def test_the_interface_of_another_year_is_named(function: str, whose: str) -> None:
    """With its function and its line, and before missing headers are."""
    text = PLAIN.replace("Player *get_Simple()", f"using namespace std;\n{function}")
    for header in ("player.h", "Player.hpp"):
        told = refused({"player.cpp": text.replace("player.h", header)})
        name, _, _ = function.removeprefix("Player").lstrip(" *").partition("(")
        assert told.startswith(f"player.cpp:14: {name}(")
        assert f" is the interface of {whose}" in told
        assert "; here it is get_Competitor(), get_Counting() or get_Simple(); " in told


def test_a_giver_without_a_body_is_no_player() -> None:
    """Although its name is there."""
    told = refused({"player.cpp": PLAIN.replace("{ return &simplePlayer; }", ";")})
    assert told.startswith("expected a function that gives your player, got none with a body; beg")


def test_a_fault_has_its_line_whatever_the_file_is_called() -> None:
    """As browsers name what is downloaded twice."""
    told = refused({"player (1).cpp": PLAIN.replace("soft ?", "sof ?")})
    assert told.startswith("player (1).cpp:7: expected C++ that compiles, got: 'sof' was not")


def test_a_folder_is_read_with_all_its_sources(tmp_path: Path) -> None:
    """Those with a capital suffix, too."""
    (tmp_path / "player.C").write_text(PLAIN)
    assert read_handed_in(tmp_path).name == "player.C"
    assert read_handed_in(tmp_path / "player.C").kind == "cpp"
