"""Every word of a class's or a module's name is one that a newcomer knows.

It is either a term of docs/glossary.md or stands in `plain_words.txt`, a list of words that mean in
names what a dictionary says. Who needs another word explains it in the glossary, adds it to that
list, or takes one that is there.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GLOSSARY = ROOT / "docs/glossary.md"
PLAIN = Path(__file__).with_name("plain_words.txt")
WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
ENDINGS = re.compile(r"(?:ies|ied|ing|ers?|ed|es|s|e|y)$")


def stem(word: str) -> str:
    """Take an ending off, so that "deals", "dealing" and "dealer" are one word."""
    cut = ENDINGS.sub("", word) if len(word) > 3 else word
    return cut[:-1] if len(cut) > 3 and cut[-1] == cut[-2] else cut


def words(name: str) -> list[str]:
    """Divide a name of a class or module into its words."""
    return [word.lower() for word in WORDS.findall(name)]


def terms() -> set[str]:
    """Read the words of the glossary's terms, from the first column of its tables."""
    rows = GLOSSARY.read_text(encoding="utf-8").splitlines()
    first = [row.split("|")[1] for row in rows if row.startswith("|")]
    return {stem(word) for term in first for word in words(term)}


def plain() -> list[str]:
    """Read the plain words."""
    return PLAIN.read_text(encoding="utf-8").split()


def names() -> Iterator[tuple[str, str]]:
    """Find the name of every module and class, each with its file."""
    for path in sorted((ROOT / "tourney").rglob("*.py")):
        place = str(path.relative_to(ROOT))
        yield path.parent.name if path.stem == "__init__" else path.stem, place
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                yield node.name, place


def test_every_word_of_a_name_is_known() -> None:
    """No name needs a word that neither the glossary nor a dictionary explains."""
    known = terms() | {stem(word) for word in plain()}
    unknown = {
        f"{place}: {name}: {word!r}"
        for name, place in names()
        for word in words(name)
        if stem(word) not in known
    }
    assert not unknown, "explain these in docs/glossary.md, or take a known word:\n" + "\n".join(
        sorted(unknown)
    )


def test_plain_words_are_used_and_sorted() -> None:
    """The list holds no word twice, none that the glossary has, and none that no name uses."""
    listed = plain()
    assert listed == sorted(listed)
    stems = [stem(word) for word in listed]
    assert len(stems) == len(set(stems)), "a word stands there in two forms"
    assert not terms() & set(stems), "the glossary has it"
    used = {stem(word) for name, _ in names() for word in words(name)}
    assert set(stems) <= used, "no name uses it"


@pytest.mark.parametrize(
    "word", ["desk", "felt", "chair", "mother", "nursery", "zoo", "guests", "aim"]
)
def test_riddles_stay_away(word: str) -> None:
    """Words that stood for something which has a name of its own in the field."""
    assert stem(word) not in terms() | {stem(each) for each in plain()}


POINTERS = re.compile(r"(?:\bsee\s+`|`(?=tourney\.))([A-Za-z_][\w.]*)`")
"""What a text sends its reader to: `see` before a name, or the whole path of one."""


def test_what_texts_point_to_is_there() -> None:
    """No docstring or comment names a module, class or function that has moved on."""
    texts = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted((ROOT / "tourney").rglob("*.py"))
    }
    known = {part for path in texts for part in path.removesuffix(".py").split("/")}
    for text in texts.values():
        for node in ast.walk(ast.parse(text)):
            for field in ("name", "id", "attr", "arg"):
                known.update(str(getattr(node, field, "")).split("."))
    lost = [
        f"{path}: {name}"
        for path, text in texts.items()
        # A database keeps the comments of its SQL, so these stay as they were.
        for name in POINTERS.findall(re.sub(" -- .*", "", text))
        if not known.issuperset(name.removesuffix(".").split("."))
    ]
    assert not lost, "\n".join(lost)
