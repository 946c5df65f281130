"""Whatever people are called and write, it is text on their pages and in cells, and never more."""

import csv
import io
from collections import Counter
from datetime import UTC, datetime
from html.parser import HTMLParser

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.support.proving import tried
from tourney.checks.report import CheckReport, Finding, Measurement
from tourney.course.feedback.model import Answer, Fault, Played, TableSeen
from tourney.course.feedback.pages import (
    as_code,
    as_comments,
    as_html,
    as_markdown,
    escaped,
    file_name,
    in_one_line,
)
from tourney.course.grades.book import FORMULA_STARTS
from tourney.course.records import Submission
from tourney.course.roster import Person
from tourney.course.submission_status import HandedIn
from tourney.plugins.fault_text import printable

MARKUP = "<>&\"'`*_[]()!|#~=+-@;,:\\/\n\r\t ab1.é\u202e"
WORDS = st.text(st.one_of(st.sampled_from(MARKUP), st.characters(codec="utf-8")), max_size=30)
EXAMPLES = (
    "</style><script>alert(1)</script>",
    "[x](javascript:1) ![y](z) <b> `c` **d** | e",
    "=1+1",
    'x";=HYPERLINK("http://a.b")',
    "\n\n# heading\n\n- item\n\n```\n",
    "&lt;i&gt; www.example.org a@b.c https://x.y",
    "1. one\t=2",
)


class Tags(HTMLParser):
    """The tags of a page, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: Counter[tuple[str, int]] = Counter()
        self.words: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Count a tag with the number of its attributes."""
        self.tags[tag, len(attrs)] += 1

    def handle_data(self, data: str) -> None:
        """Note text."""
        self.words.append(data)


def answer_with(words: str) -> Answer:
    """Give somebody all of whose words are the same."""
    finding = Finding(words, words, words)
    version = Submission(
        name="Ada",
        author=words,
        times=(datetime(2026, 5, 1, 12, tzinfo=UTC),),
        kind="file",
        digest="ab" * 16,
        status="rejected",
        reason=words,
        report=CheckReport(
            passed=False, findings=(finding,), measured=(Measurement(words, words),)
        ),
    )
    played = Played(
        name=words,
        called=f"{words}!",
        digest="ab" * 16,
        version=version,
        standing="place 1 of 2.",
        place=1,
        facts=((words, words),),
        beside=(words,),
        faults=(Fault("raised", words, finding, words or "nothing", 1),),
        cost="nothing",
        result_title="Chips won",
        tables=(TableSeen("best", "1", 2.0, ("../site/hands/1-1-1.html",)),),
        page="../site/entrants/1.html",
    )
    handed_in = HandedIn(Person(words, ("Ada",), (words,)), (version,), (words,))
    return Answer(handed_in, "played", words, (played,))


PLAIN = answer_with("Ada")


def _shown(words: str) -> bool:
    return bool(words.strip())


@given(words=WORDS.filter(_shown))
@example(words=EXAMPLES[0])
@example(words=EXAMPLES[1])
@example(words=EXAMPLES[5])
@tried(500)
def test_a_page_has_the_same_tags_whatever_is_said(words: str) -> None:
    """And its text is what was said."""
    page = Tags(as_html(answer_with(words), words))
    assert page.tags == Tags(as_html(PLAIN, "Ada")).tags
    assert words.replace("\r\n", "\n").replace("\r", "\n").strip() in "".join(page.words).replace(
        "\r\n", "\n"
    ).replace("\r", "\n")


@given(words=WORDS.filter(_shown))
@example(words=EXAMPLES[1])
@example(words=EXAMPLES[4])
@example(words=EXAMPLES[5])
@example(words="-")
@example(words="1. ---")
@tried(500)
def test_markdown_has_the_same_parts_whatever_is_said(words: str) -> None:
    """No heading, list, link, image, code or HTML comes of somebody's words."""
    assert _parts(as_markdown(answer_with(words), words)) == _parts(as_markdown(PLAIN, "Ada"))


@given(words=WORDS.filter(_shown))
@example(words=EXAMPLES[1])
@example(words="a `` b` ")
@tried(500)
def test_escaped_words_are_read_as_they_were_said(words: str) -> None:
    """As text and as code."""
    parser = MarkdownIt("commonmark").enable("table")
    line = printable(words, 2000)
    (text,) = [each for each in parser.parse(f"x {escaped(words)} x") if each.type == "inline"]
    assert "".join(each.content for each in text.children or ()) == f"x {line} x"
    (code,) = [each for each in parser.parse(f"x {as_code(words)} x") if each.type == "inline"]
    assert [each.content for each in code.children or () if each.type == "code_inline"] == [line]


@given(words=WORDS)
@example(words=EXAMPLES[2])
@example(words=EXAMPLES[3])
@example(words=EXAMPLES[6])
@example(words="\r")
@example(words='"=')
@example(words='so; "=')
@tried(500)
def test_no_cell_is_a_formula_whatever_parts_cells(words: str) -> None:
    """A spreadsheet that parts lines at other signs than commas finds none either."""
    text = as_comments([answer_with(words)], file_name)
    for separator in ",;\t|":
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
            for cell in row:
                inner = cell.lstrip(' "')
                assert not inner.startswith(FORMULA_STARTS), (separator, cell)
    (row,) = list(csv.reader(io.StringIO(text, newline="")))[1:]
    assert not any(cell.startswith(FORMULA_STARTS) for cell in row)
    assert "\n" not in in_one_line(words)


@given(words=WORDS, other=WORDS)
@tried(500)
def test_files_have_harmless_names_of_their_own(words: str, other: str) -> None:
    """No name leads out of the folder, and two people never share one."""
    names = [file_name(answer_with(each)) for each in (words, other)]
    assert all(each.isascii() and each.replace("-", "a").isalnum() for each in names)
    assert (names[0] == names[1]) == (words == other)


def test_letters_with_strokes_stay_in_the_name_of_a_file() -> None:
    """Whoever looks through the folder finds people by their names."""
    names = ("Łukasiewicz", "Søren Kierkegaard", "Đặng Æneas", "Weiß")
    slugs = [file_name(answer_with(each)).rpartition("-")[0] for each in names]
    assert slugs == ["lukasiewicz", "soren-kierkegaard", "dang-aeneas", "weiss"]


def _parts(text: str) -> Counter[str]:
    parser = MarkdownIt("commonmark").enable("table")
    tokens = parser.parse(text)
    inline = (child for token in tokens for child in token.children or ())
    kinds = [*(each.type for each in tokens), *(each.type for each in inline)]
    return Counter(each for each in kinds if each not in {"text", "text_special"})
