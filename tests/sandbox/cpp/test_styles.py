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


@pytest.mark.parametrize(
    "place",
    ["../player.h", "../starter/player.h", "lib/player.h", "../../p3/player.h", "..\\Player.h"],
)
def test_a_header_may_be_included_from_a_folder_beside(place: str) -> None:
    """Where a project keeps the starter files does not matter."""
    text = PLAIN.replace('"player.h"', f'"{place}"')
    assert text != PLAIN
    Cpp().build(source_of({"player.cpp": text.encode()}).files)


USER = PLAIN.replace('"player.h"', '"player.h"\n#include "util/chart.h"')
CHART = "#pragma once\nint limit();\n"
LIMIT = '#include "util/chart.h"\nint limit() { return 16; }\n'


@pytest.mark.parametrize("brackets", ['"util/chart.h"', "<util/chart.h>"])
def test_a_header_may_be_in_a_folder_beside_its_source(brackets: str) -> None:
    """As with the option -Iinclude of a Makefile; the platform's headers stay its own."""
    files = {
        "src/player.cpp": USER.replace('"util/chart.h"', brackets),
        "src/chart.cpp": LIMIT,
        "include/util/chart.h": CHART,
        "include/player.h": "#error ours\n",
        "include/string": "#error of the library\n",
    }
    built = Cpp().build(source_of({name: text.encode() for name, text in files.items()}).files)
    assert "set aside: include/player.h" in built.words


def test_a_header_that_several_folders_have_is_not_chosen() -> None:
    """The author has to say which one is meant."""
    files = {"player.cpp": USER, "a/util/chart.h": CHART, "b/util/chart.h": CHART}
    told = refused(files)
    assert told.endswith(
        "util/chart.h: No such file or directory; write the name and the folder of your "
        "a/util/chart.h or b/util/chart.h as they are"
    )


FRAMEWORK = "#define TEST_MAIN() int main() { return 0; }\n"


@pytest.mark.parametrize(
    ("header", "text"),
    [
        (FRAMEWORK, "TEST_MAIN()\n"),
        ("#ifdef WITH_MAIN\nint main() { return 0; }\n#endif\n", "int other;\n"),
    ],
)
def test_a_main_may_come_from_a_header(header: str, text: str) -> None:
    """As in frameworks for tests; a source that only includes such a header still plays."""
    test = f'#define WITH_MAIN\n#include "through.h"\n{text}'
    files = {
        "player.cpp": PLAIN.replace("(int)minimum", "minimum + more()").replace(
            "class", "int more();\nclass", 1
        ),
        "more.cpp": '#include "framework.h"\nint more() { return 0; }\n',
        "player_tests.cpp": test,
        "framework.h": header,
        "through.h": '#include "framework.h"\n',
    }
    built = Cpp().build(source_of({name: each.encode() for name, each in files.items()}).files)
    assert built.words.endswith("; ignored: player_tests.cpp, as the player works without")


def test_a_header_from_further_up_is_shown_as_it_was_written() -> None:
    """Only the platform's own places are removed from what the compiler says."""
    told = refused({"player.cpp": f'#include "../../starter/chart.h"\n{PLAIN}'})
    assert "../../starter/chart.h: No such file or directory" in told


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
    assert "`least(int)'; your blackjack.cpp is set aside, as it is no part of the player" in told


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


BET = "virtual int bet(unsigned int bankroll,\n unsigned int minimum) ;"
DECLARING = PLAIN.replace(
    "int bet(unsigned int bankroll, unsigned int minimum) override { return (int)minimum; }", BET
)


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("", "write int SimplePlayer::bet(unsigned int bankroll, unsigned int minimum) { ... }"),
        (
            "int bet(unsigned b, unsigned m) { return m; }\n",
            "begin the body in player.cpp:15 with "
            "int SimplePlayer::bet(unsigned int bankroll, unsigned int minimum)",
        ),
    ],
)
def test_a_method_without_a_body_is_named_with_its_line(text: str, fix: str) -> None:
    """The linker only says that the table of virtual functions is missing."""
    told = refused({"player.cpp": DECLARING + text})
    what = "SimplePlayer declares bet(), and no file has the body"
    assert told == f"player.cpp:4: {what}; {fix}"


def test_a_method_that_is_not_virtual_may_lack_its_body_too() -> None:
    """Its name is in the linker's message."""
    text = PLAIN.replace("(int)minimum", "least(minimum)").replace(
        "    void expose", "    int least(int) const;\n    void expose"
    )
    told = refused({"player.cpp": text})
    assert told == (
        "player.cpp:9: SimplePlayer declares least(), and no file has the body; "
        "write int SimplePlayer::least(int) const { ... }"
    )


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        (
            PLAIN.replace(": public Player", ": Player"),
            "write: class SimplePlayer : public Player",
        ),
        (
            "#include <algorithm>\n"
            + PLAIN.replace("(int)minimum", "std::max(minimum, bankroll * 0.1)"),
            "give it two numbers of one type, as in std::max<int>(a, b)",
        ),
        (
            PLAIN.replace("Player *get_Simple", "Player get_Simple"),
            "write a pointer, as in Player *: only classes that inherit it have objects",
        ),
        (
            f"#include <windows.h>\n{PLAIN}",
            "only the library of C++17 is available here: leave the line out",
        ),
        (
            f'#include "Table.txt"\n{PLAIN}',
            "rename it to Table.inc, here and in your folder: only sources and headers are read",
        ),
        (
            PLAIN.replace("    void shuffled", "<<<<<<< HEAD\n    void shuffled"),
            "keep one of the two versions, and delete the lines of <<<, === and >>>",
        ),
        (
            PLAIN.replace("auto [", "std::ranges::sort(player); auto ["),
            "the build is C++17, which does not have it: write it without",
        ),
        (
            f"#include <span>\n{PLAIN}std::span<int> seen;\n",
            "the build is C++17, which does not have it: write it without",
        ),
    ],
)
def test_a_fault_comes_with_the_fix_for_its_kind(text: str, fix: str) -> None:
    """Also where the compiler's words are about something else."""
    assert refused({"player.cpp": text}).endswith(f"; {fix}")


HEADER = """#include "player.h"
class Mine : public Player {
public:
    Mine();
    int bet(unsigned int bankroll, unsigned int minimum) override;
    bool draw(Card dealer, const Hand &player) override;
    void expose(Card c) override;
    void shuffled() override;
private:
    int count;
};
"""
BODIES = """#include "../include/strategy.h"
Mine::Mine() : count(0) {}
int Mine::bet(unsigned int, unsigned int minimum) { return (int)minimum; }
bool Mine::draw(Card, const Hand &) { return false; }
void Mine::expose(Card) {}
void Mine::shuffled() {}
static Mine mine;
Player *get_Competitor() { return &mine; }
"""
DRIVER = """#include "../include/strategy.h"
int main() { Player *p = get_Competitor(); Mine mine; return p->bet(100, 5); }
"""


@pytest.mark.parametrize(
    ("before", "after", "place", "fix"),
    [
        ("Mine : public", "Mine :", "src/player.cpp:8", "write: class Mine : public Player"),
        (
            "expose(Card c)",
            "exopse(Card c)",
            "include/strategy.h:7",
            "write expose instead of exopse",
        ),
        (
            "Mine::expose",
            "Mine::exopse",
            "src/player.cpp:5",
            "write Mine::expose, or declare exopse in the class",
        ),
        (
            "Mine::expose(Card)",
            "Mine::expose(int)",
            "src/player.cpp:5",
            "write it as the class declares it: void Mine::expose(Card c) { ... }",
        ),
        (
            "public:\n",
            "",
            "src/player.cpp:7",
            "write `public:` before the methods of Mine",
        ),
        (
            "/strategy.h",
            "/stratgey.h",
            "src/player.cpp:1",
            "write strategy.h instead of stratgey.h",
        ),
    ],
)
def test_a_slip_in_a_class_of_two_files_is_named(
    before: str, after: str, place: str, fix: str
) -> None:
    """With its line, and with a fix that no file which is set aside replaces."""
    texts = {"include/strategy.h": HEADER, "src/player.cpp": BODIES}
    files = {name: text.replace(before, after) for name, text in texts.items()}
    told = refused({**files, "src/main.cpp": DRIVER})
    assert told.startswith(f"{place}: ")
    assert told.endswith(f"; {fix}")


def test_a_header_that_was_not_handed_in_is_named() -> None:
    """With the line of the player that includes it, not with that of a driver."""
    told = refused({"src/main.cpp": DRIVER, "src/player.cpp": BODIES})
    assert told == (
        "src/player.cpp:1: strategy.h, which src/player.cpp includes, is not in the folder; "
        "hand that file in, too"
    )


def test_a_test_that_cannot_be_compiled_may_be_left_out() -> None:
    """The player does not need it."""
    told = refused({"player.cpp": PLAIN, "player_test.cpp": "#include <gtest/gtest.h>\n"})
    assert told.startswith("player_test.cpp:1: ")
    assert told.endswith("; if your player does not need player_test.cpp, leave that file out")


def test_too_large_globals_are_named() -> None:
    """The largest of them."""
    told = refused({"player.cpp": f"{PLAIN}int table[100000];\n"})
    assert "got 400,0" in told
    assert ", most in table; every seat has" in told


def test_a_keyboard_and_files_are_remarked_on() -> None:
    """They compile and do nothing; the driver, which is set aside, may use them."""
    text = PLAIN.replace("class", "#include <iostream>\n#include <fstream>\nclass", 1)
    text = text.replace("auto [", 'int x; std::cin >> x; std::ifstream in("a"); auto [')
    driver = "#include <cstdio>\nint main() { return getchar(); }\n"
    files = {"player.cpp": text.encode(), "main.cpp": driver.encode()}
    remarks = Cpp().build(source_of(files).files).remarks
    assert [place for place, _, _ in remarks] == ["player.cpp:8"] * 2
    assert Cpp().build(source_of({"player.cpp": PLAIN.encode()}).files).remarks == ()


def test_a_giver_without_a_body_is_no_player() -> None:
    """Although its name is there."""
    told = refused({"player.cpp": PLAIN.replace("{ return &simplePlayer; }", ";")})
    assert told.startswith("expected a function that gives your player, got none with a body; beg")


def test_a_fault_has_its_line_whatever_the_file_is_called() -> None:
    """As browsers name what is downloaded twice."""
    told = refused({"player (1).cpp": PLAIN.replace("soft ?", "sof ?")})
    assert told.startswith("player (1).cpp:7: expected C++ that compiles, got: 'sof' was not")


def test_what_is_no_source_may_be_large(tmp_path: Path) -> None:
    """Only sources and headers count in the folder of a project."""
    (tmp_path / "player.cpp").write_text(PLAIN)
    (tmp_path / "blackjack").write_bytes(bytes(1_000_001))
    assert [name for name, _ in read_handed_in(tmp_path).files] == ["player.cpp"]
    (tmp_path / "chart.h").write_bytes(b" " * 1_000_001)
    with pytest.raises(SubmissionError, match=r"chart\.h has more than 1,000,000 bytes"):
        read_handed_in(tmp_path)


def test_a_folder_is_read_with_all_its_sources(tmp_path: Path) -> None:
    """Those with a capital suffix, too."""
    (tmp_path / "player.C").write_text(PLAIN)
    assert read_handed_in(tmp_path).name == "player.C"
    assert read_handed_in(tmp_path / "player.C").kind == "cpp"
