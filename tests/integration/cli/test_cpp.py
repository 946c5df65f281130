"""A student's player.cpp at every command: checked, handed in, played, verified and shown."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.cpp_build import build
from tourney.checks.pools import pool_for
from tourney.checks.source import source_of
from tourney.errors import ConfinementError
from tourney.games.blackjack.game import BLACKJACK
from tourney.sandbox.levels import Level, probe
from tourney.sandbox.native import compilation

from .conftest import Cli

Write = Callable[[str, str], Path]

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL or not shutil.which("g++"), reason="nothing can be compiled here"
)

PLAYER = """\
#include "player.h"
{top}
class {name} : public Player {{
    int seen = 0;
 public:
    int bet(unsigned int bankroll, unsigned int minimum) {{
        {bet}
    }}
    bool draw(Card dealer, const Hand &player) {{
        return player.handValue().count < 15;
    }}
    void expose(Card c) {{ seen++; }}
    void shuffled() {{ seen = 0; }}
}};

static {name} competitor;
Player *get_Competitor() {{ return &competitor; }}
"""
CUP = """\
name: cup
seed: 7
game: {preset: ve280, shuffle: uniform}
bankroll: 1000
minimum: 5
format: {kind: duplicate, tables: 4, rounds: 20, batch_tables: 2}
entrants:
  - strategy: simple
"""
STRAIGHTS = """\
name: cup
seed: 7
game: straights
format: {kind: duplicate, tables: 2, rounds: 2}
entrants:
  - {strategy: blocker, count: 3}
"""
PROJECT = {
    "player.cpp": PLAYER.format(
        name="Grace",
        top='#include "counter.h"',
        bet="return bankroll > 99 ? minimum + counted(seen) : minimum;",
    ),
    "counter.h": "int counted(int seen);\n",
    "counter.cpp": '#include "counter.h"\nint counted(int seen) { return seen % 3; }\n',
    "deck.cpp": '#include "deck.h"\nDeck::Deck() { }\n',
    "blackjack.cpp": '#include "player.h"\nint main() { return 0; }\n',
    "Makefile": "all:\n",
}
CAREFUL = "return bankroll > 99 ? minimum + seen % 2 : minimum;"


def player(bet: str = "return minimum;", top: str = "", name: str = "Ada") -> str:
    """Write a player of which only the wager matters."""
    return PLAYER.format(bet=bet, top=top, name=name)


def forget_programs() -> None:
    """Forget what was built in this process."""
    for kept in (compilation.build, compilation._ours):
        kept.cache_clear()


def project(folder: Path) -> Path:
    """Write a project as a student has it, with what a compiler left."""
    folder.mkdir()
    for name, text in PROJECT.items():
        (folder / name).write_text(text)
    (folder / "a.out").write_bytes(bytes(range(256)))
    return folder


def test_a_file_is_checked(cli: Cli, write: Write) -> None:
    """As one of Python is, and with what compiled it."""
    ran = cli("check", write("player.cpp", player()))
    assert ran.status == 0, ran.out + ran.err
    told = " ".join(ran.out.split())
    assert "player.cpp at ve280: passed" in told
    assert "Compiling g++ " in told
    assert "Repeatable 200 tables played again, every answer the same" in told


def test_a_project_is_checked_without_what_the_platform_has(cli: Cli, tmp_path: Path) -> None:
    """Its own deck, its driver, and what was compiled before."""
    ran = cli("check", "--json", project(tmp_path / "grace"))
    assert ran.status == 0, ran.out + ran.err
    measured = {each["what"]: each["told"] for each in json.loads(ran.out)["measured"]}
    aside = "set aside: deck.cpp, as the platform plays with files of its own"
    ignored = "ignored: blackjack.cpp, as the player works without"
    assert measured["Compiling"].endswith(f"; {aside}; {ignored}")


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        (player("return nothing;"), 7, "expected C++ that compiles, got: 'nothing' was not decl"),
        (player("return bankroll + 1;"), 6, "bet: your bet must be exactly 5 here; you bet 6"),
        (player("throw 3;"), 7, "bet: expected an answer, got a thrown int"),
        (
            player("assert(bankroll > 9); return minimum;", "#include <cassert>"),
            7,
            "abort(), as after a failed assert",
        ),
        (player("int *p = 0; return *p;"), 7, "its process ended: a pointer that leads"),
        (player("return minimum / seen;"), 7, "a division by zero"),
        (player("for (;;) { }"), 6, "it computed for more than "),
        (player().replace("&competitor;", "0;"), 0, "got a null pointer from the function that g"),
    ],
)
def test_a_fault_is_told_with_its_line(
    cli: Cli, write: Write, text: str, place: int, said: str
) -> None:
    """And with what to do about it."""
    ran = cli("check", "--json", write("player.cpp", text))
    assert ran.status == 1, ran.out + ran.err
    finding = json.loads(ran.out)["findings"][0]
    assert finding["place"] == f"player.cpp:{place}" if place else "player.cpp"
    assert said in finding["message"]
    assert finding["remedy"]


@pytest.mark.parametrize(
    ("text", "place", "said", "remedy"),
    [
        (
            player().replace("shuffled", "shufled"),
            3,
            "got Ada without void shuffled(), or with another spelling of it",
            "write its name and its parameters as the header has them",
        ),
        (player().replace("};", "}"), 16, "expected initializer", "a class ends with };"),
        (player("vector<int> v; return 0;"), 7, "'vector' was not declared", "begin with std::"),
        (player("return minimum; } int bet2() { return minimum;"), 7, "'minimum'", "declare it"),
        (player(top='#include "strategy.h"'), 2, "strategy.h: No such file", "hand that file in"),
        (player().replace("count < 15", "total < 15"), 10, "no member named 'total'", "course's"),
        (player().replace("get_C", "get_c"), 17, "got none but get_competitor", "get_Competitor"),
        (
            player().replace(" public:\n", " public:\n    int wins = 0\n"),
            7,
            "expected ';' before 'int'",
            "end the statement before it with ;",
        ),
        (player("seen++ return 0;"), 7, "expected ';'", "end the statement before it with ;"),
        (
            player().replace("handValue().count", "handValue()"),
            10,
            "no match for 'operator<'",
            "use a member that is a number, not the whole object",
        ),
        (player("return minimun;"), 7, "'minimun' was not declared", "check its spelling"),
        (player("return;"), 7, "return-statement with no value", "return a value"),
        (player('return "many";'), 7, "invalid conversion", "use a value of the expected type"),
        (
            player(top='#include "playr.h"').replace('#include "player.h"\n', ""),
            1,
            "playr.h",
            "begin",
        ),
    ],
)
def test_what_the_compiler_says_comes_with_a_remedy(
    cli: Cli, write: Write, text: str, place: int, said: str, remedy: str
) -> None:
    """The mistakes that beginners make, in a report of the check."""
    ran = cli("check", write("player.cpp", text))
    assert (ran.status, ran.err) == (1, "")
    assert f"player.cpp:{place}: fault: " in ran.out
    assert said in ran.out
    assert remedy in ran.out


def test_advice_that_says_nothing_is_left_out(cli: Cli, write: Write) -> None:
    """The compiler's words for a rare fault have to do."""
    ran = cli("check", write("player.cpp", player(top="static_assert(sizeof(int) == 3);")))
    assert (
        "player.cpp:2: fault: expected C++ that compiles, got: static assertion failed" in ran.out
    )
    assert "to fix it" not in ran.out


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("static Ada mine;", "&mine"),
        ("static Ada mine(3), other;", "&competitor"),
        ("int mine; // Ada mine;", "&competitor"),
        ("namespace { struct Eve : Ada { } one; }\nAda mine{};", "&mine"),
    ],
)
def test_a_missing_function_is_told_with_the_faults_of_the_compiler(
    cli: Cli, write: Write, text: str, given: str
) -> None:
    """And with the object that the file has, if there is one."""
    rest = player("return minimum").partition("static")[0]
    ran = cli("check", "--json", write("player.cpp", rest + text + "\n"))
    assert ran.status == 1, ran.out + ran.err
    first, last = json.loads(ran.out)["findings"]
    assert (first["place"], last["place"]) == ("player.cpp:8", "player.cpp:1")
    assert "expected ';'" in first["message"]
    assert last["message"] == "expected a function that gives your player, got none"
    assert last["remedy"].endswith(f"Player *get_Competitor() {{ return {given}; }}")
    ran = cli("check", "--json", write("player.cpp", player().partition("Player *get")[0]))
    assert ran.status == 1
    (only,) = json.loads(ran.out)["findings"]
    assert only["message"] == last["message"]


def test_a_function_in_two_files_is_told_with_both(cli: Cli, tmp_path: Path) -> None:
    """As the linker knows."""
    folder = project(tmp_path / "grace")
    for name in ("player.cpp", "counter.cpp"):
        with (folder / name).open("a") as file:
            file.write("int twice() { return 2; }\n")
    ran = cli("check", folder)
    assert "player.cpp:18: fault: " in ran.out
    assert "multiple definition of `twice()', which is in counter.cpp:3, too" in ran.out
    assert "define it in one file, and declare it in a header" in ran.out


def test_what_cannot_play_is_refused_in_a_line(cli: Cli, write: Write) -> None:
    """Without a player, at another game, with all rights of whoever checks it, as a header."""
    for words, said in (
        (
            (write("none.cpp", "int x;\n"),),
            "none.cpp:1: expected a function that gives your player",
        ),
        ((write("card.h", "int x;\n"),), "got a header; submit player.cpp, or the folder with"),
        ((write("ada.cpp", player()), "--game", "straights"), "got one that includes player.h"),
        ((write("ada.cpp", player()), "--no-sandbox"), "programs always run in a sandbox"),
    ):
        ran = cli("check", *words)
        assert ran.status in {1, 2}
        assert said in ran.out + ran.err
        assert "Traceback" not in ran.err


def test_a_tournament_is_played_verified_and_shown(cli: Cli, write: Write, tmp_path: Path) -> None:
    """A file, a folder and a pattern of none; the store says what they were built with."""
    write("ada.cpp", player(CAREFUL))
    project(tmp_path / "grace")
    write("cup.yaml", f"{CUP}  - cpp: ada.cpp\n  - cpp: grace\n    group: lab 2\n")
    ran = cli("run", "cup.yaml")
    assert ran.status == 0, ran.err
    assert "the code of 2 entrants ran in sandboxed processes" in ran.err
    assert cli("verify").status == 0
    told = cli("runs", "1").out
    assert "ada: ada.cpp (g++ " in told
    assert "-O2" in told
    shown = cli("replay", "--entrant", "ada", "--table", "2", "--as-seen", "--range", "1-2")
    assert "bet: bankroll 1000, wager from 5 to 1000 -> 5" in shown.out
    assert cli("publish", "--output", "site").status == 0
    assert cli("verify", "--site", "site").status == 0


def test_another_compiler_is_told(cli: Cli, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it makes may play otherwise, so nothing is played on or compared in silence."""
    write("ada.cpp", player())
    write("cup.yaml", f"{CUP}  - cpp: ada.cpp\n")
    assert cli("run", "cup.yaml").status == 0
    flags = tuple(each.replace("-O2", "-O1") for each in compilation.FLAGS)
    monkeypatch.setattr(compilation, "FLAGS", flags)
    forget_programs()
    for order in ("verify", "resume"):
        ran = cli(order)
        assert ran.status == 2
        assert "entrant ada: its program is built differently here (g++ " in ran.err
        assert "play where that compiler is, or start a new run" in ran.err
    forget_programs()


def test_a_program_does_not_depend_on_when_it_was_built() -> None:
    """Or one player could keep a run from being exported, published and verified for everybody."""
    used = "\nextern const char built_at[];\nconst char built_at[] = __TIMESTAMP__;\n"
    built = build((("ada.cpp", player() + used),))
    assert b"00:00:00 1970" in built.program


def test_code_that_shall_run_here_is_refused(cli: Cli, write: Write) -> None:
    """Trust does not make a program one of this process."""
    write("ada.cpp", player())
    write("cup.yaml", f"{CUP}  - cpp: ada.cpp\n")
    ran = cli("run", "cup.yaml", "--no-sandbox")
    assert ran.status == 2
    assert "leave out --no-sandbox" in ran.err
    with pytest.raises(ConfinementError, match="programs always run in a sandbox"):
        pool_for(source_of({"ada.cpp": player().encode()}), BLACKJACK, Level.UNSAFE)


def test_faults_of_files_are_told_before_anybody_plays(cli: Cli, write: Write) -> None:
    """With the name of the entrant."""
    write("ada.cpp", player("return nothing;"))
    write("cup.yaml", f"{CUP}  - cpp: ada.cpp\n")
    ran = cli("run", "cup.yaml")
    assert ran.status == 2
    assert "entrant ada: ada.cpp:7: expected C++ that compiles, got: 'nothing'" in ran.err
    write("cup.yaml", f"{STRAIGHTS}  - cpp: ada.cpp\n")
    assert (
        "expected a player of straights, got one that includes player.h"
        in cli("run", "cup.yaml").err
    )


def test_files_are_handed_in_and_enter(cli: Cli, write: Write, tmp_path: Path) -> None:
    """A file and a folder; copies but for names and comments are found."""
    write("ada.cpp", player(CAREFUL))
    other = player(f"{CAREFUL} // mine", name="Eve").replace("seen", "noted")
    write("eve.cpp", other)
    project(tmp_path / "grace")
    for file, name in (("ada.cpp", "Ada"), ("eve.cpp", "Eve"), ("grace", "Grace")):
        ran = cli("submit", file, "--as", name, "--to", "submissions", "--game", "ve280")
        assert ran.status == 0, ran.out + ran.err
    write("cup.yaml", f"{CUP}  - submissions: submissions\n")
    assert cli("run", "cup.yaml").status == 0
    told: Any = cli("runs", "1").out
    assert "Ada: ada.cpp (g++ " in told
    assert "Grace: Grace (g++ " in told
    found = cli("submissions", "submissions", "--copies").out
    assert "the same but for names and comments  Ada; Eve" in found


def test_warnings_are_shown_or_refused_as_the_terms_say(
    cli: Cli, write: Write, tmp_path: Path
) -> None:
    """With their lines; refusing is what -Werror does."""
    write("ada.cpp", player("int unused; return minimum;"))
    ran = cli("check", "ada.cpp")
    assert ran.status == 0
    said = "the compiler warns: unused variable 'unused'"
    assert f"ada.cpp:7: warning: {said}" in ran.out
    write("odd.cpp", player('\n#line 7 "honest.py"\nint unused; return minimum;'))
    odd = cli("check", "odd.cpp").out
    assert f"odd.cpp: warning: {said}" in odd
    assert "honest.py" not in odd
    (tmp_path / "class").mkdir()
    write("class/submissions.yaml", "game: ve280\nwarnings: refused\n")
    ran = cli("submit", "ada.cpp", "--as", "Ada", "--to", "class")
    assert ran.status == 1
    assert f"ada.cpp:7: {said}" in ran.out + ran.err
    write("class/submissions.yaml", "game: ve280\nwarnings: shown\n")
    assert cli("submit", "ada.cpp", "--as", "Eve", "--to", "class").status == 0


def test_other_games_have_headers_of_their_own(cli: Cli, write: Write) -> None:
    """One that acts at Easy Blackjack, and one of Straights."""
    acts = """\
        #include "act_player.h"
        class Stander : public ActPlayer {
         public:
            Action act(const SeenHand &, const SeenHand &, const std::vector<Action> &legal) {
                for (Action each : legal) if (each == DECLINE) return DECLINE;
                return STAND;
            }
        };
        static Stander stander;
        ActPlayer *get_Competitor() { return &stander; }
    """
    ran = cli("check", write("stander.cpp", acts), "--game", "easybj")
    assert ran.status == 0, ran.out + ran.err
    plays = """\
        #include "straights_player.h"
        class First : public StraightsPlayer {
         public:
            Card play(const StraightsView &view) {
                return view.mustDiscard() ? view.hand[0] : view.legalPlays[0];
            }
        };
        static First first;
        StraightsPlayer *get_Competitor() { return &first; }
    """
    ran = cli("check", write("first.cpp", plays), "--game", "straights")
    assert ran.status == 0, ran.out + ran.err
    write("cup.yaml", f"{STRAIGHTS}  - cpp: first.cpp\n")
    assert cli("run", "cup.yaml").status == 0
    assert cli("verify").status == 0
