"""`feedback`: everybody of a class is answered, and nobody is told what is another's."""

import csv
import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from markdown_it import MarkdownIt

from tests.resilience.damage.crafted import seal_as_it_is
from tests.support.told import told_of

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

ROSTER = """\
person,as,ids,excluded
Ada Lovelace,Ada,lovelace,
Blaise Pascal,Blaise;Seine,pascal,
"Noether, Emmy",Seine,noether,
Carl Gauss,Carl,gauss,
Leo Euler,Leo,euler,
Sofja K.,Sofja,sofja,
Alan Turing,Alan,turing,
Kurt Gödel,Kurt,kurt,
Grace Hopper,Grace,hopper,only listens
"""
TERMS = "game: {preset: ve280, shuffle: uniform}\nroster: roster.csv\n"
CUP = """\
name: Cup <1>
seed: 3
game: {preset: ve280, shuffle: uniform}
bankroll: 200
minimum: 5
format: {kind: duplicate, tables: 40, rounds: 20, on_fault: disqualify}
entrants:
  - submissions: class
  - strategy: mimic
"""
PLAYER = """\
from tourney import Player


class Own(Player):
    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return {draw}
"""
LATE_FAULT = PLAYER.format(draw="False").replace(
    "return minimum", "return minimum // (bankroll != 190)"
)
BROKEN = "from tourney import Player\n\n\nclass Own(Player):\n    pass\n"
TWO = {"euler_1_2_a.py": BROKEN, "euler_1_3_b.py": BROKEN, "stranger_2_3_b.py": BROKEN}
ASK = ("feedback", "--submissions", "class", "--output", "answers")
MISSING = ("submissions", "class", "--missing", "--csv")
LOST_ROWS = {
    "html": r"<td>worst, lost by a fault</td><td[^>]*>0</td>",
    "md": r"\| worst, lost by a fault \| 0 \|",
}
SECRETS = {
    "Ada": ("Ada", "Lovelace", "lovelace"),
    "Blaise": ("Pascal", "pascal"),
    "Emmy": ("Noether",),
    "Carl": ("Gauss", "Carl"),
    "Leo": ("Euler",),
    "Sofja": ("Sofja",),
    "Alan": ("Turing", "Alan"),
    "Kurt": ("Kurt", "Gödel"),
    "Grace": ("Grace", "Hopper"),
}


@pytest.fixture(scope="module")
def _played(tmp_path_factory: pytest.TempPathFactory, cli_in: Callable[[Path], Cli]) -> Path:
    """Take in a class with everything that may become of somebody, and let it play, once."""
    folder = tmp_path_factory.mktemp("played")
    cli = cli_in(folder)
    (folder / "class").mkdir()
    (folder / "class" / "submissions.yaml").write_text(TERMS)
    (folder / "class" / "roster.csv").write_text(ROSTER)
    (folder / "cup.yaml").write_text(CUP)

    def hand_in(name: str, who: str, text: str, status: int = 0) -> None:
        (folder / f"{who}.py").write_text(text)
        ran = cli("submit", f"{who}.py", "--as", name, "--author", who, "--to", "class")
        assert ran.status == status, ran.err

    hand_in("Ada", "lovelace", PLAYER.format(draw="player.total < 16"))
    hand_in("Seine", "noether", PLAYER.format(draw="player.total < 14"))
    hand_in("Carl", "gauss", BROKEN, status=1)
    hand_in("Sofja", "sofja", LATE_FAULT)
    with ZipFile(folder / "download.zip", "w") as download:
        for name, text in TWO.items():
            download.writestr(name, text)
    assert cli("submit", "--zip", "download.zip", "--to", "class").status == 1
    assert cli("run", "cup.yaml").status == 1
    hand_in("Alan", "turing", PLAYER.format(draw="player.total < 12"))
    hand_in("Ada", "lovelace", BROKEN, status=1)
    return folder


@pytest.fixture
def played(copy_of: Callable[[Path], Path], _played: Path) -> Path:
    """Lay the class that has played into the folder of the test."""
    return copy_of(_played)


def pages_of(folder: Path, suffix: str) -> dict[str, str]:
    """Give pages by the last name that they are called by."""
    found = {path.name.rsplit("-", 1)[0]: path.read_text() for path in folder.glob(f"*.{suffix}")}
    words = ("lovelace", "pascal", "emmy", "gauss", "euler", "sofja", "turing", "kurt", "grace")
    return {word: text for word in words for name, text in found.items() if word in name}


def test_everybody_has_a_line_and_two_pages(cli: Cli, played: Path) -> None:
    """Whoever played, is out, failed the check, came too late, was refused, or did nothing."""
    ran = cli(*ASK)
    assert ran.status == 0
    with (played / "answers" / "feedback.csv").open(newline="") as file:
        became = {row["Name"]: row["Result"] for row in csv.DictReader(file)}
    assert became == {
        "Ada Lovelace": "played",
        "Blaise Pascal": "played",
        "Noether, Emmy": "played",
        "Carl Gauss": "not playable",
        "Leo Euler": "refused",
        "Sofja K.": "disqualified",
        "Alan Turing": "not entered",
        "Kurt Gödel": "no submission",
        "Grace Hopper": "excluded",
    }
    assert len(ran.lines) == 2 + len(became)
    assert len(pages_of(played / "answers", "html")) == len(pages_of(played / "answers", "md")) == 9
    assert ran.err.splitlines() == [
        "on no page: stranger_2_3_b.py: refused: No student on the roster is called '2' or "
        "'stranger'. Add one of these to the student's ids.",
        "answers: 3 played, 1 not playable, 1 refused, 1 disqualified, 1 not entered, "
        "1 no submission, 1 excluded",
    ]


def test_a_student_who_was_taken_off_the_board_has_a_page(cli: Cli, played: Path) -> None:
    """It does not state the reason, which may name another student."""
    reason = ("--reason", "copied from Seine")
    assert cli("exclude", "--entrant", "Ada", *reason).status == 0
    try:
        assert cli(*ASK).status == 0
        pages = pages_of(played / "answers", "md").values()
        (page,) = [each for each in pages if "taken off the board after the run" in each]
        assert "Lovelace" in page
        assert not any("copied" in each for each in pages)
    finally:
        assert cli("exclude", "--entrant", "Ada", "--undo").status == 0


def test_who_handed_in_nothing_is_told_so(cli: Cli, played: Path) -> None:
    """Who was refused is told why, and who is excluded likewise."""
    assert cli(*ASK).status == 0
    pages = pages_of(played / "answers", "html")
    assert "There is no file under any of your names." in pages["kurt"]
    assert "It has 2 competitors (a.py, b.py). Submit only the one" in pages["euler"]
    assert "The roster excludes you: only listens." in pages["grace"]


def test_a_refused_file_keeps_its_name_on_the_page(cli: Cli, write: Write, played: Path) -> None:
    """A sentence that begins with it gets no capital letter."""
    file = write("my report.pdf", "%PDF-1.4")
    ran = cli("submit", file, "--as", "Kurt", "--author", "Kurt Gödel", "--to", "class")
    assert ran.status != 0
    assert cli(*ASK).status == 0
    page = pages_of(played / "answers", "html")["kurt"]
    assert "<p>my report.pdf: expected a file" in page


def test_a_refusal_is_told_to_its_author_and_to_nobody_else(
    cli: Cli, write: Write, played: Path
) -> None:
    """Neither to another of the same name, nor to whose name somebody else wanted."""
    roster = "Ada Lovelace,Ada 2,lovelac2,\n"
    write("class/roster.csv", ROSTER + roster)
    file = write("own.py", BROKEN)
    ran = cli("submit", file, "--as", "Ada", "--author", "gauss", "--to", "class")
    assert ran.status != 0
    ran = cli("submit", file, "--as", "Ada", "--author", "lovelac2", "--to", "class")
    assert ran.status != 0
    ran = cli(*ASK)
    assert ran.status == 0
    assert "on no page: own.py" not in ran.err
    pages = [path.read_text() for path in (played / "answers").glob("ada-lovelace-*.html")]
    first, second = sorted(pages, key=len, reverse=True)
    assert "Refused submissions" not in first
    assert "Ada Lovelace plays as Ada 2 on the roster" in second
    assert "Carl Gauss plays as Carl on the roster" in pages_of(played / "answers", "html")["gauss"]
    why = {row["plays as"]: row["why"] for row in csv.DictReader(cli(*MISSING).lines)}
    assert why["Ada 2"].startswith("refused: name 'Ada': Ada Lovelace plays as Ada 2")


def test_a_page_says_which_version_played_and_what_the_board_says(cli: Cli, played: Path) -> None:
    """Digest, time, place, ranks, luck, tables, and every figure as on the board."""
    assert cli(*ASK).status == 0
    board = json.loads(cli("leaderboard", "--format", "json").out)
    row = next(each for each in board if each["entrant"] == "Ada")
    versions = json.loads(cli("submissions", "class", "--json").out)
    first = next(each for each in versions if each["name"] == "Ada" and each["plays"])
    for kind in ("html", "md"):
        page = pages_of(played / "answers", kind)["lovelace"]
        assert first["digest"] in page
        assert first["times"][0][:16].replace("T", " ") in page
        assert re.search(rf"lace {row['rank']} of 4; luck aside, with 95 % confidence, it", page)
        assert f"{row['adjusted_profit']:+,.4f}".replace("-", "\N{MINUS SIGN}") in page
        assert "Luck a round" in page
        assert "Luck (standard errors)" in page
        assert re.search(r"which is a significant difference|is not significant: ", page)
        assert page.count("not published") == 6  # of its tables
        assert "rejected" in page  # what came later


def test_tables_that_a_fault_lost_are_among_the_worst(cli: Cli, write: Write, played: Path) -> None:
    """As the mean counts them: no table that is listed is worse than one that is left out."""
    write(
        "cup.yaml", CUP.replace("on_fault: disqualify", "on_fault: zero").replace("Cup <1>", "Lost")
    )
    assert cli("run", "cup.yaml").status == 1
    assert cli(*ASK).status == 0
    for kind, row in LOST_ROWS.items():
        pages = pages_of(played / "answers", kind)
        assert len(re.findall(row, pages["sofja"])) == 3
        assert "lost by a fault" not in pages["lovelace"]


def test_verdicts_have_their_line_and_remedy(cli: Cli, played: Path) -> None:
    """Of the check, and of the run."""
    assert cli(*ASK).status == 0
    for kind in ("html", "md"):
        pages = pages_of(played / "answers", kind)
        assert "sofja.py:6" in pages["sofja"]
        assert "check that the divisor is not 0" in pages["sofja"]
        assert "ut of the standings" in pages["sofja"]
        assert "gauss.py:4" in pages["gauss"]
        assert "define bet" in pages["gauss"]
    with (played / "answers" / "feedback.csv").open(newline="") as file:
        told = {row["Name"]: row["Feedback comments"] for row in csv.DictReader(file)}
    assert "Raised at " in told["Sofja K."]
    assert "check that the divisor is not 0" in told["Sofja K."]
    assert "gauss.py:4" in told["Carl Gauss"]


def test_links_lead_to_the_hands_of_the_published_site(cli: Cli, played: Path) -> None:
    """Every address is a file of the site, or stands below the URL that was said."""
    assert cli("publish", "--output", "site").status == 0
    assert cli(*ASK, "--site", "site").status == 0
    page = pages_of(played / "answers", "html")["lovelace"]
    links = re.findall(r'href="([^"#]*\.html)"', page)
    assert len(links) == 8  # the board, a page and hands
    assert all((played / "answers" / link).resolve().is_file() for link in links)
    assert "More:" not in (played / "answers" / "feedback.csv").read_text()
    url = "https://example.org/cup"
    assert cli(*ASK, "--site", "site", "--site-url", url).status == 0
    page = pages_of(played / "answers", "md")["lovelace"]
    found = re.findall(r"\]\(<([^>]*)>\)", page)
    assert [each.replace(url, "../site") for each in found if "#" not in each] == links
    assert f"More: {url}/entrants/" in (played / "answers" / "feedback.csv").read_text()


def test_costly_decisions_are_those_of_the_published_page(cli: Cli, played: Path) -> None:
    """With links to the same hands; a page without a site has none."""
    assert cli("publish", "--output", "site").status == 0
    assert cli(*ASK, "--site", "site").status == 0
    told = told_of("site")["entrants"]
    found = next(each["mistakes"]["listed"] for each in told if each["name"] == "Ada")
    for kind in ("html", "md"):
        page = pages_of(played / "answers", kind)["lovelace"]
        section = page.partition("Costliest decisions")[2].partition("Verdicts")[0]
        assert re.findall(r"(?:hard|soft|pair of) \w+ against \w+", section) == [
            each["situation"] for each in found
        ]
        links = re.findall(r"\.\./site/(hands/[\w.-]+)#(\d+)", section)
        assert links
        assert {int(number) for _, number in links} <= {each["round"] for each in found}
        assert all((played / "site" / path).is_file() for path, _ in links)
    assert cli(*ASK).status == 0
    assert "Costliest" not in pages_of(played / "answers", "html")["lovelace"]


def test_pages_that_lose_their_links_are_told_of(cli: Cli, played: Path) -> None:
    """Every page is written anew, so another call without the site takes them away."""
    del played
    lost = "answers: pages linked to hands and no longer do; to keep the links, add --site DIR"
    assert cli("publish", "--output", "site").status == 0
    assert lost not in cli(*ASK, "--site", "site").err.splitlines()
    assert lost in cli(*ASK).err.splitlines()
    assert lost not in cli(*ASK).err.splitlines()


def test_a_site_of_another_run_is_refused(cli: Cli, write: Write, played: Path) -> None:
    """Links would lead to somebody else's hands."""
    del played
    other = CUP.replace("seed: 3", "seed: 4")
    assert cli("run", write("other.yaml", other), "--store", "other.db").status == 1
    assert cli("publish", "--store", "other.db", "--output", "site").status == 0
    ran = cli(*ASK, "--site", "site")
    assert (ran.status, ran.out) == (2, "")
    assert "site does not have the present results of run 1, Cup <1>, but others, of" in ran.err


def test_nobody_elses_name_is_on_a_page_but_as_the_board_calls_them(cli: Cli, played: Path) -> None:
    """With handles and `top` the board calls nobody by name, and so does no page."""
    quiet = ("--names", "handles", "--top", "1")
    assert cli(*ASK, *quiet).status == 0
    words = {
        "lovelace": "Ada",
        "gauss": "Carl",
        "euler": "Leo",
        "sofja": "Sofja",
        "turing": "Alan",
        "kurt": "Kurt",
        "grace": "Grace",
    }
    for kind in ("html", "md"):
        for who, page in pages_of(played / "answers", kind).items():
            for other, secrets in SECRETS.items():
                is_team = who in {"pascal", "emmy"} and other in {"Blaise", "Emmy"}
                if words.get(who) != other and not is_team:
                    assert not any(word in page for word in secrets), (who, other)
            assert "mimic" not in page


def test_sealed_results_are_told_to_nobody(cli: Cli, played: Path) -> None:
    """Only what was handed in is, and that it takes part; a fault in the run is a result, too."""
    sealed = ("--freeze", "2001-01-01", "--reveal", "2999-01-01")
    ran = cli(*ASK, *sealed)
    assert ran.status == 0
    for kind in ("html", "md"):
        pages = pages_of(played / "answers", kind)
        for who in ("lovelace", "sofja"):
            assert "Results are withheld until 2999-01-01 00:00 UTC." in pages[who]
            shown = pages[who].rpartition("</style>")[2]
            assert not re.search("[Pp]lace|Ranks|Verdicts|disqualified|standings", shown)
        assert "define bet" in pages["gauss"]
    text = (played / "answers" / "feedback.csv").read_text() + ran.out
    assert "disqualified" not in text
    assert not re.search(r"place \d", text)


def test_pages_of_who_left_the_roster_are_removed(cli: Cli, write: Write, played: Path) -> None:
    """Nothing old stays in the folder; other folders are left alone."""
    assert cli(*ASK).status == 0
    write("class/roster.csv", ROSTER.replace("Leo Euler,Leo,euler,\n", ""))
    assert cli(*ASK).status == 0
    assert "euler" not in pages_of(played / "answers", "html")
    # Before the store is looked at, since results take a while to gather.
    ran = cli("feedback", "--submissions", "class", "--output", "class", "--store", "none.db")
    assert ran.status == 2
    assert "class has other files than feedback; choose a new or an empty folder" in ran.err


@pytest.mark.parametrize(
    "export",
    [
        # Canvas, a gradebook
        'Student,ID,SIS Login ID,Section,Cup (1)\r\n"Lovelace, Ada",7,lovelace,001,\r\n'
        '"Nobody, Ann",8,ann,001,\r\n',
        # Moodle, a grading worksheet
        '\ufeffIdentifier,"Full name","Email address",Grade,"Last modified (grade)",'
        '"Feedback comments"\n"Participant 12","Ada Lovelace",a@example.org,,-,""\n'
        '"Participant 13","Ann Nobody",n@example.org,,-,"keep, this"\n',
        # Gradescope, its scores
        "First Name,Last Name,SID,Email,Total Score\nAda,Lovelace,7,a@example.org,3\n"
        "Ann,Nobody,8,n@example.org,\n",
        # as some spreadsheets save it
        "Name;Email\rAda Lovelace;a@example.org\rAnn Nobody;n@example.org",
    ],
    ids=["canvas", "moodle", "gradescope", "semicolons"],
)
def test_comments_go_into_what_a_platform_exports(
    cli: Cli, write: Write, played: Path, export: str
) -> None:
    """One column is filled or added, and every other byte stays."""
    (played / "export.csv").write_bytes(export.encode())
    ran = cli(*ASK, "--comments", "export.csv")
    assert ran.status == 0, ran.err
    assert "export-feedback.csv: comments for the platform; unknown: " in ran.err
    data = (played / "answers" / "export-feedback.csv").read_bytes().decode()
    comment = re.search(r'"(Played: [^"]*)"', data)
    assert comment
    assert "Version " in comment[1]
    left = data.replace(f'"{comment[1]}"', '""', 1)
    if "Feedback comments" not in export:
        separator = ";" if ";" in export else ","
        left = left.replace(f"{separator}Feedback comments", "", 1).replace(f'{separator}""', "", 1)
        left = re.sub(rf"(Nobody[^\r\n]*){separator}(?=[\r\n]|$)", r"\1", left)
    assert left == export


def test_comments_keep_the_encoding_of_a_file(cli: Cli, write: Write, played: Path) -> None:
    """Also with tabs and Latin-1; what it has no letters for is written by number."""
    write("class/roster.csv", ROSTER + "Δ Zoë,Zoe,zoe,Δ\n")
    export = "LastName\tFirstName\tID\n    Points Possible\t\t\nZoë\t\tzoe\nA. Noël\t\t8\n"
    (played / "export.csv").write_bytes(export.encode("latin-1"))
    ran = cli(*ASK, "--comments", "export.csv")
    assert ran.status == 0, ran.err
    assert "unknown: A. Noël" in ran.err
    data = (played / "answers" / "export-feedback.csv").read_bytes().decode("latin-1")
    heading, points, zoe, noel = data.splitlines()
    assert [heading, points, noel] == [
        "LastName\tFirstName\tID\tFeedback comments",
        "    Points Possible\t\t\t",
        "A. Noël\t\t8\t",
    ]
    assert zoe == "Zoë\t\tzoe\tExcluded: the roster excludes you: \\u0394."


def test_a_file_without_people_is_refused(cli: Cli, write: Write, played: Path) -> None:
    """In a sentence."""
    del played
    write("export.csv", "a,b\n1,2\n")
    ran = cli(*ASK, "--comments", "export.csv")
    assert (ran.status, ran.out) == (2, "")
    assert "export.csv:1: expected a heading of Canvas (Student, ID, Section), Moodle" in ran.err
    write("export.csv", "")
    ran = cli(*ASK, "--comments", "export.csv")
    assert (ran.status, ran.out) == (2, "")
    assert "export.csv:1: expected a heading of Canvas (Student, ID, Section), Moodle" in ran.err


def test_a_run_that_goes_on_answers_nobody(cli: Cli, write: Write, played: Path) -> None:
    """What stands so far is no answer."""
    with closing(sqlite3.connect(played / "tourney.db")) as connection, connection:
        connection.execute("UPDATE runs SET status = 'running', finished = NULL, digest = NULL")
    connection.close()
    seal_as_it_is(played / "tourney.db")
    del write
    ran = cli(*ASK)
    assert ran.status != 0
    assert not (played / "answers").exists()


def test_markdown_is_read_as_it_was_meant(cli: Cli, played: Path) -> None:
    """Headings, lists and tables, and no HTML."""
    assert cli(*ASK).status == 0
    parser = MarkdownIt("commonmark").enable("table")
    for text in pages_of(played / "answers", "md").values():
        tokens = parser.parse(text)
        inline = [each.type for token in tokens for each in token.children or ()]
        assert "html_block" not in [token.type for token in tokens]
        assert "html_inline" not in inline
    page = parser.render(pages_of(played / "answers", "md")["lovelace"])
    assert page.count("<tr>") == 7
    assert "Cup &lt;1&gt;" in page


def test_pages_lead_back_to_the_board_and_to_the_course(cli: Cli, played: Path) -> None:
    """In HTML and Markdown, where the site is named; without a site there is nothing to lead to."""
    home = "https://example.edu/cs101"
    assert cli("publish", "--output", "site", "--home", home).status == 0
    assert cli(*ASK, "--site", "site").status == 0
    page = next(Path("answers").glob("ada-*.html")).read_text()
    assert f'<li><a href="{home}">Course home</a></li>' in page
    assert '<li><a href="../site/index.html">Board</a></li>' in page
    text = next(Path("answers").glob("ada-*.md")).read_text()
    assert f"[Course home](<{home}>) · [Board](<../site/index.html>)" in text
    assert cli(*ASK).status == 0
    assert "<nav" not in next(Path("answers").glob("ada-*.html")).read_text()
