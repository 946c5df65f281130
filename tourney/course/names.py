"""Names that a submission may have, names that readers confuse, and the identity of students.

A mention of a student is a name, a login, an address or a number in a roster, an archive, a
gradebook or a worksheet. Names compare after Unicode normalisation, case folding and removal of
invisible marks. Numbers of different kinds are never equal: a Canvas ID is not a SIS ID.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from unicodedata import category, normalize
from unicodedata import name as unicode_name

from tourney.errors import SubmissionError
from tourney.plugins.registry import Registry

FIRST_ACCENT, LAST_ACCENT = "\u0300", "\u036f"
"""Accents of European scripts; the marks of others are letters to their readers."""

# By code, because the letters look the same in print. If a capital and a small letter look like
# different letters, the capital decides: it is the better disguise.
CYRILLIC = "\u0430a \u0432b \u0435e \u043ak \u043cm \u043dh \u043eo \u0440p \u0441c \u0442t"
CYRILLIC_TOO = "\u0443y \u0445x \u0455s \u0456i \u0458j \u04bbh \u0501d \u051bq \u051dw"
GREEK = "\u03b1a \u03b2b \u03b5e \u03b6z \u03b7h \u03b9i \u03bak \u03bcm \u03bdn \u03bfo"
GREEK_TOO = "\u03c1p \u03c4t \u03c5y \u03c7x"
ARMENIAN = "\u0570h \u0578n \u057du \u0585o"
LATIN = "0o 1l 5s \u0131i \u0237j \u0251a \u0261g \u00f8o"
PAIRS = (("rn", "m"), ("vv", "w"))


def letter_table(*lists: str) -> Mapping[int, str]:
    """Return the table that `str.translate` needs: each letter, with the letters in its place.

    >>> "Strauß".translate(letter_table("ßss aä"))
    'Sträuss'
    """
    pairs = " ".join(lists).split()
    return MappingProxyType({ord(pair[0]): pair[1:] for pair in pairs})


LOOKALIKES = letter_table(CYRILLIC, CYRILLIC_TOO, GREEK, GREEK_TOO, ARMENIAN, LATIN)
"""Small letters and digits, and the letter or digit that each is taken for."""


CAPITAL_I = str.maketrans(dict.fromkeys("I\u0406\u0399", "l"))
"""A capital I, also of Cyrillic and Greek, as the small L that it is taken for."""


@lru_cache(maxsize=10_000)
def skeletons(name: str) -> frozenset[str]:
    """Return the skeletons of a name: its form at a quick glance.

    There may be two, because a capital I looks like a small i or like a small L.

    >>> sorted(skeletons("Ada  Lovelace")), sorted(skeletons("ADA_L0VE1ACE"))
    (['adalovelace'], ['adalovelace'])
    >>> sorted(skeletons("Al1")), sorted(skeletons("AlI"))
    (['all'], ['ali', 'all'])
    """
    plain = normalize("NFKC", name)
    return frozenset({_skeleton(plain), _skeleton(plain.translate(CAPITAL_I))})


def find_alike(name: str, others: Iterable[str]) -> str | None:
    """Return the first of some names that looks like a name; a name is not like itself.

    >>> find_alike("sirnple", ["counting", "simple"])
    'simple'
    """
    own = skeletons(name)
    return next((other for other in others if other != name and skeletons(other) & own), None)


def _skeleton(name: str) -> str:
    folded = normalize("NFD", normalize("NFKC", name.casefold()))
    letters = "".join(char for char in folded if _counts(char)).translate(LOOKALIKES)
    for pair, letter in PAIRS:
        letters = letters.replace(pair, letter)
    return letters


def _counts(char: str) -> bool:
    """Return whether a character matters to a reader: no space, dash, control or accent."""
    return category(char)[0] in "LMN" and not FIRST_ACCENT <= char <= LAST_ACCENT


BUNDLED = "tourney"
"""The distribution whose strategies' names are reserved."""

LONGEST_NAME = 40  # characters
LONGEST_PERSON = 200  # as the portal allows for accounts; a board shows fewer
BETWEEN = " .-_'"
"""Characters that may separate letters and digits, one or two at a time."""

FORMULAS = "=+-@"
"""Characters that begin a formula in a spreadsheet."""

SCRIPTS = ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN")
"""Scripts whose letters are taken for each other's."""

DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10)))
)
"""Names that Windows keeps for itself, with any suffix."""

WHAT_NAMES_HAVE = (
    f"1 to {LONGEST_NAME} letters and digits, with single spaces, '.', '-', '_' or an "
    "apostrophe between them"
)


def check_name(name: str, others: Iterable[str] = (), reserved: Iterable[str] = ()) -> None:
    """Reject a name that no competitor may have.

    Args:
        name: As its author wrote it.
        others: Names in use; an equal one is ignored, because it may be the author's own.
        reserved: Names that only the organiser may use, such as those of bundled strategies.
    Raises: SubmissionError, with the problem and a fix.

    >>> check_name("Ada's 2nd")
    >>> check_name("=1+1")
    Traceback (most recent call last):
    tourney.errors.SubmissionError: name '=1+1': it begins with '=', and a spreadsheet would take \
it for a formula; leave it out
    """
    fault = (
        _fault_of_length(name)
        or _fault_of_characters(name)
        or _fault_of_shape(name)
        or _fault_of_scripts(name)
        or _fault_of_likeness(name, tuple(others), tuple(reserved))
    )
    if fault:
        raise SubmissionError(f"name {_shown(name)}: {fault}")


def reserved_names(registry: Registry) -> tuple[str, ...]:
    """Return the names of bundled strategies."""
    strategies = registry.strategies
    return tuple(name for name, each in strategies.items() if each.distribution == BUNDLED)


def check_person(person: str) -> None:
    """Reject a text that cannot be shown as a person's name.

    Raises: SubmissionError, with the problem.
    """
    if not person.strip() or not person.isprintable() or len(person) > LONGEST_PERSON:
        raise SubmissionError(
            f"author {_shown(person)}: expected a name of 1 to {LONGEST_PERSON} printable "
            "characters; give yours with --author"
        )


def _fault_of_length(name: str) -> str:
    """Describe why a name is too short or too long; empty if it is not."""
    if not name.strip():
        return f"a name has {WHAT_NAMES_HAVE}; choose one"
    if len(name) > LONGEST_NAME:
        return f"expected up to {LONGEST_NAME} characters, got {len(name)}; choose a shorter name"
    return ""


def _fault_of_characters(name: str) -> str:
    """Describe the first character that a name must not have."""
    for char in name:
        if category(char)[0] == "C" or category(char) in {"Zl", "Zp"}:
            return (
                f"it has the unprintable character U+{ord(char):04X}; "
                "type the name again, without copying it"
            )
    plain = normalize("NFKC", name)
    if plain != name:
        return f"it has characters that look like plain ones; write {_shown(plain)}"
    if name[0] in FORMULAS:
        return (
            f"it begins with '{name[0]}', and a spreadsheet would take it for a formula; "
            "leave it out"
        )
    for char in name:
        if not is_letter(char) and char not in BETWEEN:
            return f"{_shown(char)} is not allowed; a name has {WHAT_NAMES_HAVE}"
    return ""


def _fault_of_shape(name: str) -> str:
    """Describe a problem with the order of a name's characters."""
    for word, char in (("first", name[0]), ("last", name[-1])):
        if not is_letter(char) or (word == "first" and category(char)[0] == "M"):
            return f"the {word} character is {_shown(char)}, not a letter or a digit; leave it out"
    if "  " in name:
        return f"it has several spaces in a row; write {_shown(' '.join(name.split()))}"
    if name.partition(".")[0].strip().casefold() in DEVICES:
        return "Windows reserves this name for a device; choose another"
    return ""


def _fault_of_scripts(name: str) -> str:
    """Describe the scripts that a name mixes."""
    letters = [char for char in name if category(char)[0] == "L"]
    found = {unicode_name(char, "").partition(" ")[0]: char for char in letters}
    mixed = [script for script in SCRIPTS if script in found]
    if len(mixed) < 2:  # noqa: PLR2004 - one script, or one of the many that are not confused
        return ""
    one, other = mixed[:2]
    return (
        f"it mixes two scripts, {one.title()} {_shown(found[one])} and "
        f"{other.title()} {_shown(found[other])}; type the name again"
    )


def _fault_of_likeness(name: str, others: tuple[str, ...], reserved: tuple[str, ...]) -> str:
    """Describe the name that this one looks like."""
    alike = name if name in reserved else find_alike(name, reserved)
    if alike:
        return f"it is too much like {_shown(alike)}, a strategy of the platform; choose another"
    alike = find_alike(name, others)
    if not alike:
        return ""
    return (
        f"it is too much like {_shown(alike)}, which is taken; "
        f"choose another, or write {_shown(alike)} if that one is yours"
    )


def is_letter(char: str) -> bool:
    """Return whether a character is a letter, a mark on one, or a decimal digit."""
    return category(char)[0] in "LM" or category(char) == "Nd"


def _shown(text: str) -> str:
    r"""Quote a text so that it has no effect on a terminal.

    >>> _shown("Ada\u202e")
    "'Ada\\u202e'"
    """
    return repr(text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME]}…")


KINDS = ("canvas", "sis", "login", "integration", "participant")
"""Kinds of ids. A roster may write one before an id, as in `sis:0042`."""
PARTICIPANT = "participant"
"""The kind of a number that Moodle gives a student in one assignment only."""

FILLERS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Characters that are invisible although Unicode does not count them among the format marks."""
MARKS = frozenset(("Cf", "Cn", "Co"))
"""Format marks, and characters that this Python does not know: newer ones and private ones."""


def shown(text: str) -> str:
    r"""Return a text with composed accents and single spaces, without unprintable marks.

    >>> shown("  Jose\u0301\u200f   Pe\u0301rez\ue000 ") == "José Pérez"
    True
    """
    kept = "".join(char for char in text if category(char) not in MARKS)
    return " ".join(normalize("NFC", FILLERS.sub("", kept)).split())


def has_marks(text: str) -> bool:
    """Report whether a text has unprintable marks, other than control characters."""
    return bool(FILLERS.search(text)) or any(category(char) in MARKS for char in text)


SIGNS = "£¥§¯³¹¼¾¿‡\u02c6"
MISREAD = re.compile(
    rf"\ufffd|\?(?=\w)|^\s*\?[?\s]*$|[{SIGNS}](?=[^\W\d_])|(?<=[^\W\d_])[{SIGNS}]"
    r"|(?<=[a-zß-öø-ÿ])[ŠŽŸŒ]|(?<=[^\W\d_])[ŠŽŸŒ](?=[a-z])|\b[À-ÖØ-öø-ÿ]{4,}\b"
)
"""Letters that were lost, or are those of other countries or of old Macs, read as Western ones."""


SHORTENED = re.compile(r"\d[.,]\d+E\+\d+", re.IGNORECASE)
"""A long number as Excel saves it, such as `2.0213E+12`."""


def is_misread(name: str) -> bool:
    """Report whether the letters of a name were read in the wrong encoding.

    >>> [is_misread(each) for each in ("£ukasz", "Èâàí", "JosŽ", "JosÃ©", "?ukasz", "José Łoś")]
    [True, True, True, True, True, False]
    """
    return bool(MISREAD.search(name)) or any(
        _is_utf_8(name, page) for page in ("cp1252", "cp1250", "cp1251")
    )


def _is_utf_8(name: str, page: str) -> bool:
    """Report whether a name beyond ASCII is one in UTF-8 that was read in a code page."""
    try:
        return not name.isascii() and bool(name.encode(page).decode())
    except UnicodeError:
        return False


def folded(text: str) -> str:
    r"""Return a text in the form that is compared.

    >>> folded("JOSE\u0301 \ufb01sh") == folded("José fish")
    True
    """
    plain = normalize("NFKC", shown(normalize("NFKC", text)).casefold())
    return " ".join(plain.split())


def squeezed(name: str) -> str:
    """Return the letters and digits of a name, as platforms write it into the names of files.

    >>> squeezed("O'Brien, Seán"), squeezed("Smith_Jones, Bo")
    ('obrienseán', 'smithjonesbo')
    """
    return "".join(char for char in folded(name) if char.isalnum() or category(char)[0] == "M")


def same_name(one: str, other: str) -> bool:
    """Report whether two spellings are of one name, in the same order of its words."""
    return (squeezed(one) or folded(one)) == (squeezed(other) or folded(other))


def name_keys(name: str) -> frozenset[str]:
    """Return the keys of a name; its words may be in any rotation, such as family name first."""
    words = folded(name).split()
    turned = (squeezed(" ".join([*words[at:], *words[:at]])) for at in range(len(words)))
    return frozenset(filter(None, [" ".join(words), *turned]))


def is_stripped(written: str, name: str) -> bool:
    """Report whether a text is a name whose letters beyond ASCII are gone, or without accents.

    >>> is_stripped("stersren", "Søren Øster"), is_stripped("oneilzoe", "Zoë O'Neil")
    (True, True)
    >>> is_stripped("sterbo", "Søren Øster")
    False
    """
    patterns = ("".join(map(_stripped, key)) for key in name_keys(name))
    return any(re.fullmatch(each, squeezed(written)) for each in patterns)


def _stripped(char: str) -> str:
    """Return a pattern for a letter of a name, which may be gone if it is not ASCII."""
    if char.isascii():
        return re.escape(char)
    bare = "".join(each for each in normalize("NFKD", char) if each.isascii())
    return f"(?:{re.escape(char)}|{re.escape(bare)})?"


def kind_and_id(text: str) -> tuple[str, str]:
    """Split an id from its kind; the kind may be empty.

    >>> kind_and_id("sis:0042"), kind_and_id("0042"), kind_and_id("Participant:7")
    (('sis', '0042'), ('', '0042'), ('participant', '7'))
    """
    kind, colon, rest = text.partition(":")
    kind = kind.strip().casefold()
    return (kind, rest.strip()) if colon and kind in KINDS else ("", text.strip())


def id_key(text: str) -> str:
    """Return an id with its kind, in the form that is compared.

    >>> id_key("SIS: Ab1"), id_key("ADA@Example.org")
    ('sis:ab1', 'ada@example.org')
    """
    kind, value = kind_and_id(text)
    return f"{kind}:{folded(value)}" if kind else folded(value)


def same_id(one: str, other: str) -> bool:
    """Report whether two ids are one, with the zeros before a number or without.

    >>> same_id("0042", "sis:42"), same_id("canvas:42", "sis:42")
    (True, False)
    """
    (kind, value), (other_kind, other_value) = kind_and_id(one), kind_and_id(other)
    return may_be_one(kind, other_kind) and not {*id_keys(value)}.isdisjoint(id_keys(other_value))


def id_keys(value: str) -> tuple[str, ...]:
    """Return the keys of an id: as it is, and without the zeros that a spreadsheet removes."""
    key = folded(value)
    bare = key.lstrip("0")
    return (key, f"#{bare}") if key.isdecimal() and bare else (key,)


def may_be_one(one: str, other: str) -> bool:
    """Report whether ids of two kinds may be one; an id without a kind may be of any kind."""
    if PARTICIPANT in {one, other}:
        return one == other
    return one == other or not one or not other
