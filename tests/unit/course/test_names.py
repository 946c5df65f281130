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
    "": "expected 1 to 40 letters and digits",
    "   ": "got nothing; choose a name",
    "A" * 41: "expected up to 40 characters, got 41; choose a shorter name",
    "Ada\n": "expected characters that can be seen, got U+000A",
    "\x1b[2JAda": "got U+001B",
    "Ada\u202eadA": "got U+202E; type the name anew, without copying it",
    "A\u200bda": "got U+200B",
    "A\u00adda": "got U+00AD",
    "\ue000": "got U+E000",
    "\uff21da": "expected plain characters, got others that look like them; write 'Ada'",
    "A\u0308da": "write 'Äda'",
    "=1+1": "got '=', which would make a spreadsheet calculate; leave it out",
    "+1": "got '+', which would",
    "-Ada": "got '-', which would",
    "@Ada": "got '@', which would",
    "Ada|x": "got '|'; leave it out",
    "../Ada": "got '/'; leave it out",
    "a/b": "got '/'; leave it out",
    "a\\b": "; leave it out",
    "Ada*": "got '*'; leave it out",
    "<b>Ada": "got '<'; leave it out",
    "Ada,1": "got ','; leave it out",
    'Ada"': "got '\"'; leave it out",
    "😀": "; leave it out",
    ".hidden": "expected a letter or digit first, got '.'",
    "Ada.": "expected a letter or digit last, got '.'",
    " Ada": "expected a letter or digit first, got ' '",
    "Ada  Lovelace": "expected single spaces, got several; write 'Ada Lovelace'",
    "nul": "expected a name that can be a folder's, got one of a device; choose another",
    "COM1.txt": "got one of a device",
    "Adа": "expected letters of one script, got Latin 'd' beside Cyrillic",
    "Αda": "got Latin 'a' beside Greek",
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
    with pytest.raises(SubmissionError, match="expected a name that nobody takes for another's"):
        check_name(name, others=["Bob", "Ada Lovelace"])


@pytest.mark.parametrize("name", ["Аda".replace("da", "ԁа"), "АԀА", "ΑΒΒΑ", "ΚΑΤΕ", "МАХ"])
def test_a_name_in_another_script_imitates_too(name: str) -> None:
    """Whole words of Cyrillic or Greek letters that look Latin."""
    with pytest.raises(SubmissionError, match="got one like"):
        check_name(name, others=["Ada", "ABBA", "KATE", "MAX"])


@pytest.mark.parametrize("name", ["simple", "Simple", "SIMPLE", "sirnple", "simp1e", "s-imple"])
def test_names_of_the_platform_are_reserved(name: str) -> None:
    """Also in another spelling."""
    with pytest.raises(SubmissionError, match="expected a name of your own, got that of 'simple'"):
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
            assert ("nobody takes" in refusal(name, before)) == alike
