"""Copies as a lecturer meets them: in the list, with the grades and with the feedback."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tourney.sandbox.levels import Level, probe

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

ROOT = Path(__file__).parents[3]
FENCE = re.compile(r"(?ms)^```(?:python|cpp) (?P<name>\S+)\n(?P<body>.*?)^```$")
PAGES = {
    "python": "docs/tutorial/first-competitor.md",
    "cpp": "docs/tutorial/first-competitor-in-cpp.md",
}
ORIGINAL = """\
from tourney import Player


class Mine(Player):
    def bet(self, bankroll, minimum):
        return min(bankroll, minimum * 2)

    def draw(self, dealer, player):
        total = player.total
        return total < 13 if player.soft else total < 15
"""
CPP = """\
#include "player.h"

class Mine : public Player {
  public:
    int bet(unsigned int bankroll, unsigned int minimum) override { return minimum; }
    bool draw(Card dealer, const Hand &player) override {
        int count = player.handValue().count;
        bool soft = player.handValue().soft;
        return soft ? count < 18 : count < 13;
    }
    void expose(Card c) override {}
    void shuffled() override {}
};

static Mine mine;
Player *get_Player() { return &mine; }
Player *get_Competitor() { return &mine; }
"""
pytestmark = pytest.mark.skipif(
    probe() is Level.UNSAFE, reason="submissions are checked in the sandbox"
)


def example(language: str) -> tuple[str, str]:
    """Give the first competitor of a tutorial: its file and its text."""
    found = FENCE.search((ROOT / PAGES[language]).read_text(encoding="utf-8"))
    assert found
    return found["name"], found["body"]


def submitted(cli: Cli, write: Write, files: dict[str, tuple[str, str]]) -> None:
    """Submit a file for each student."""
    for person, (name, text) in files.items():
        Path(person).mkdir()
        write(f"{person}/{name}", text)
        ran = cli(
            *("submit", f"{person}/{name}", "--as", person, "--author", person.lower()),
            *("--to", "class", "--game", "ve280,shuffle=uniform"),
        )
        assert ran.status == 0, ran.out + ran.err


def test_copies_are_mentioned_wherever_a_lecturer_decides(cli: Cli, write: Write) -> None:
    """A renamed variable does not hide a copy, in both languages; play alone is only listed."""
    renamed = ORIGINAL.replace("total =", "t =").replace("total <", "t <").replace("Mine", "Own")
    other = CPP.replace("int count", "int c").replace("? count", "? c").replace(": count", ": c")
    other = other.replace("bool soft", "bool is_soft").replace("return soft", "return is_soft")
    submitted(
        cli,
        write,
        {
            "Ann": ("a.py", ORIGINAL),
            "Bo": ("b.py", renamed),
            "Cy": ("player.cpp", CPP),
            "Di": ("player.cpp", other),
            "Ed": ("e.py", ORIGINAL.replace("total < 13", "total <= 12")),
        },
    )
    write(
        "cup.yaml",
        "name: Cup\nseed: 3\ngame: {preset: ve280, shuffle: uniform}\nbankroll: 100\nminimum: 5\n"
        "format: {kind: duplicate, tables: 4, rounds: 20}\nentrants: [{submissions: class}]\n",
    )
    assert cli("run", "cup.yaml", "--store", "cup.db").status == 0
    write("book.csv", "Student,ID,SIS Login ID,Section,Cup (1)\nAnn,1,,1,\nBo,2,,1,\n")
    lines = ["the same but for names and comments: Ann; Bo"]
    lines += ["the same but for names and comments: Cy; Di"]
    listed = cli("submissions", "class", "--copies").out
    assert "the same but for names and comments  Ann; Bo" in listed
    assert "the same but for names and comments  Cy; Di" in listed
    assert "plays exactly alike                  Ann; Bo; Ed" in listed
    graded = cli(
        *("grades", "--store", "cup.db", "--gradebook", "book.csv", "--fill-column", "Cup"),
        *("--marks-by", "place", "--roster", "class"),
    )
    answered = cli("feedback", "--store", "cup.db", "--submissions", "class", "--output", "answers")
    for ran in (graded, answered):
        assert ran.status == 0, ran.err
        assert [line for line in ran.err.splitlines() if line in lines] == lines
        assert "plays exactly alike" not in ran.err
    pages = [page.read_text(encoding="utf-8") for page in Path("answers").glob("*.md")]
    assert len(pages) == 5
    assert not any("names and comments" in page for page in pages)


def test_starter_files_and_examples_are_no_copies(cli: Cli, write: Write) -> None:
    """What `tourney new` writes and what the tutorials show, with other names too."""
    files = {}
    for name in ("Mine", "Own"):
        assert cli("new", "competitor", name, "--game", "ve280").status == 0
        files[f"New {name}"] = (f"{name.lower()}.py", Path(f"{name.lower()}.py").read_text())
    for language in PAGES:
        name, text = example(language)
        (title,) = re.findall(r"class (\w+)", text)
        files[f"{language} One"] = (name, text)
        files[f"{language} Two"] = (name, re.sub(rf"\b{title}\b", "Changed", text))
    submitted(cli, write, files)
    ran = cli("submissions", "class", "--copies")
    assert "the same" not in ran.out, ran.out


@pytest.mark.parametrize("page", sorted(PAGES.values()))
def test_every_competitor_of_a_tutorial_is_known(cli: Cli, page: str) -> None:
    """The stored examples are those of the pages."""
    from tourney.course.commands.submissions import templates_of

    Path("class").mkdir()
    known = templates_of(Path("class"))
    texts = [each["body"] for each in FENCE.finditer((ROOT / page).read_text(encoding="utf-8"))]
    assert len(texts) >= 3
    assert set(texts) <= set(known)
