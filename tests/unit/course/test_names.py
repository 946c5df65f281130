"""Names that may play, and names that pretend to be something else."""
# ruff: noqa: RUF001 - letters that look like others are what is tested here

from unicodedata import category, normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.course.names import LONGEST_NAME, LOOKALIKES, check_name, find_alike, skeletons
from tourney.errors import SubmissionError

NAMES = st.from_regex(r"[A-Za-z0-9]([ ._'-]?[A-Za-z0-9]){0,19}", fullmatch=True)
ANY_TEXT = st.text(max_size=60)


def refusal(name: str, *others: str) -> str:
    """Give the reason why a name is refused; empty if it is taken."""
    try:
        check_name(name, others)
    except SubmissionError as error:
        return str(error)
    return ""


GOOD = [
    "Ada",
    "ada2",
    "Ada Lovelace",
    "O'Neill",
    "card-shark_2.1",
    "José",
    "Żółw",
    "Ада",
    "博士",
    "नमस्ते",
]

BAD = {
    "": "a name has 1 to 40 letters and digits",
    "   ": "between them; choose one",
    "A" * 41: "expected up to 40 characters, got 41; choose a shorter name",
    "Ada\n": "it has the unprintable character U+000A",
    "\x1b[2JAda": "character U+001B",
    "Ada\u202eadA": "character U+202E; type the name again, without copying it",
    "A\u200bda": "character U+200B",
    "A\u00adda": "character U+00AD",
    "\ue000": "character U+E000",
    "\uff21da": "it has characters that look like plain ones; write 'Ada'",
    "A\u0308da": "write 'Äda'",
    "=1+1": "it begins with '=', and a spreadsheet would take it for a formula; leave it out",
    "+1": "it begins with '+', and",
    "-Ada": "it begins with '-', and",
    "@Ada": "it begins with '@', and",
    "Ada|x": "'|' is not allowed",
    "../Ada": "'/' is not allowed",
    "a/b": "'/' is not allowed",
    "a\\b": " is not allowed; a name has",
    "Ada*": "'*' is not allowed",
    "<b>Ada": "'<' is not allowed",
    "Ada,1": "',' is not allowed",
    'Ada"': "'\"' is not allowed",
    "😀": " is not allowed; a name has",
    ".hidden": "the first character is '.', not a letter or a digit",
    "Ada.": "the last character is '.', not a letter or a digit",
    " Ada": "the first character is ' ', not a letter or a digit",
    "Ada  Lovelace": "it has several spaces in a row; write 'Ada Lovelace'",
    "nul": "Windows reserves this name for a device; choose another",
    "COM1.txt": "reserves this name for a device",
    "Adа": "it mixes two scripts, Latin 'd' and Cyrillic",
    "Αda": "Latin 'a' and Greek",
}


@pytest.mark.parametrize("name", GOOD)
def test_people_of_any_script_have_names(name: str) -> None:
    """Letters, digits, and what stands between them."""
    check_name(name)


@pytest.mark.parametrize(("name", "said"), BAD.items(), ids=map(ascii, BAD))
def test_a_name_that_hides_something_is_refused(name: str, said: str) -> None:
    """With what was found and how to mend it, in one line that works on no terminal."""
    with pytest.raises(SubmissionError) as caught:
        check_name(name)
    assert said in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    "name",
    [
        *("ada lovelace", "ADA LOVELACE", "AdaLovelace", "Ada-Lovelace", "Ada_Lovelace"),
        *("Ada Love1ace", "Ada L0velace", "Adá Lovelace", "Ada LoveIace"),
    ],
)
def test_a_name_that_imitates_another_is_refused(name: str) -> None:
    """By case, spacing, accents, or letters that look alike."""
    with pytest.raises(SubmissionError, match="it is too much like 'Ada Lovelace', which is taken"):
        check_name(name, others=["Bob", "Ada Lovelace"])


@pytest.mark.parametrize("name", ["Аda".replace("da", "ԁа"), "АԀА", "ΑΒΒΑ", "ΚΑΤΕ", "МАХ"])
def test_a_name_in_another_script_imitates_too(name: str) -> None:
    """Whole words of Cyrillic or Greek letters that look Latin."""
    with pytest.raises(SubmissionError, match=r"it is too much like .*, which is taken"):
        check_name(name, others=["Ada", "ABBA", "KATE", "MAX"])


@pytest.mark.parametrize("name", ["simple", "Simple", "SIMPLE", "sirnple", "simp1e", "s-imple"])
def test_names_of_the_platform_are_reserved(name: str) -> None:
    """Also in another spelling."""
    with pytest.raises(
        SubmissionError, match="it is too much like 'simple', a strategy of the platform"
    ):
        check_name(name, reserved=["counting", "simple"])


def test_ones_own_name_is_no_imitation() -> None:
    """The next version of Ada's comes under the same name."""
    check_name("Ada", others=["Ada", "Bob"])


@given(ANY_TEXT)
def test_a_name_is_taken_or_refused_with_a_reason(name: str) -> None:
    """Whatever is typed; what is taken can be a folder, a cell and a line of a board."""
    reason = refusal(name)
    assert reason.isprintable()
    if not reason:
        assert 0 < len(name) <= LONGEST_NAME
        assert name.isprintable()
        assert name == normalize("NFKC", name) == name.strip()
        assert name[0] not in "=+-@.\t\r"
        assert not set(name) & set('/\\:*?"<>|\0,;')
        assert not any(category(char).startswith("C") for char in name)


@given(NAMES, st.data())
def test_a_disguise_is_seen_through(name: str, data: st.DataObject) -> None:
    """Case, spacing, accents and letters that look alike, all at once."""
    disguises: dict[str, list[str]] = {}
    for code, letter in LOOKALIKES.items():
        disguises.setdefault(letter, []).append(chr(code))
    changed = ""
    for char in name:
        choices = [char, char.upper(), char.lower(), *disguises.get(char.lower(), [])]
        changed += data.draw(st.sampled_from(choices))
        changed += data.draw(st.sampled_from(["", "", " ", "-", "\u0301", "\u200b"]))
    assert changed == name or find_alike(changed, ["another", name]) == name


@pytest.mark.parametrize(("one", "other"), [("Kai", "Kal"), ("Ann", "Anna"), ("Max", "Mex")])
def test_names_of_different_people_are_told_apart(one: str, other: str) -> None:
    """Small letters that differ are no disguise."""
    assert find_alike(one, [other]) is None


@given(NAMES, NAMES)
def test_names_that_look_alike_cannot_both_be_taken(one: str, other: str) -> None:
    """Whichever comes first."""
    alike = one != other and bool(skeletons(one) & skeletons(other))
    for name, before in ((one, other), (other, one)):
        if not refusal(name):  # else it is a name of a device
            assert ("which is taken" in refusal(name, before)) == alike
