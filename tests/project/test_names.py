"""Names of modules and exceptions: noun phrases, and exceptions that end in Error."""

import ast
import re
from pathlib import Path

import pytest

import tourney

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "tourney").rglob("*.py"))
_FUNCTION_WORDS = (
    "about above after again ahead along anew apart aside away before behind below beside besides "
    "between beyond both each either else ever every few for from here him how if in instead into "
    "it its less likewise many more most much nobody none nothing of off on one other others our "
    "out over own same several she so some somebody soon such that their them then there these "
    "they this those thus to together toward under until upon us very we what when where which "
    "while who whoever whom whose why with within without you"
)
NO_NOUNS = frozenset(_FUNCTION_WORDS.split())
"""Pronouns, prepositions, conjunctions and adverbs."""
_IRREGULAR = (
    "begun bound brought built chosen come done drawn given gone grown heard held kept known laid "
    "left lent lost made meant met paid put read said seen sent set shown sold spent stood taken "
    "told thought understood won written"
)
PARTICIPLES = frozenset(_IRREGULAR.split())
"""Irregular participles; regular ones end in -ed."""
NOUNS_IN_ED = frozenset({"seed"})
_GERUNDS = "asking authoring counting dealing grading loading opening pairing planning seating"
NOUNS_IN_ING = frozenset((_GERUNDS + " standing stopping testing training wording").split())
"""Nouns of the field; other words in -ing are participles."""
DOCUMENTED = {"DeckEmpty"}
"""Exceptions that a course's document names."""


def fault_of_stem(stem: str) -> str:
    """Describe why a module's name is no noun phrase; empty if it is one."""
    if stem in NO_NOUNS:
        return "a pronoun, preposition, conjunction or adverb stands alone"
    if stem in PARTICIPLES or (re.fullmatch(r"[a-z]+ed", stem) and stem not in NOUNS_IN_ED):
        return "a participle stands alone"
    if re.fullmatch(r"[a-z]+ing", stem) and stem not in NOUNS_IN_ING:
        return "a participle stands alone"
    return ""


def test_a_module_is_named_by_a_noun_phrase() -> None:
    """A participle, preposition, pronoun or adverb does not say what a module holds."""
    assert len(MODULES) > 300
    stems = [(path, path.parent.name if path.stem == "__init__" else path.stem) for path in MODULES]
    odd = [f"{path.relative_to(ROOT)}: {fault}" for path, s in stems if (fault := fault_of_stem(s))]
    assert not odd, "\n".join(odd)


def test_no_room_hides_a_public_name() -> None:
    """A room becomes an attribute of the package when it is imported, in place of a function."""
    package = ROOT / "tourney"
    rooms = {path.parent.name for path in package.glob("*/__init__.py")}
    rooms |= {path.stem for path in package.glob("*.py")}
    assert not rooms & set(tourney.__all__)


def test_an_exception_ends_in_error() -> None:
    """A reader of `except X` sees that X is an exception."""
    odd = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
        and any(re.search(r"(Error|Exception)$", ast.unparse(base)) for base in node.bases)
        and not node.name.endswith("Error")
        and node.name not in DOCUMENTED
    ]
    assert not odd, "\n".join(odd)


@pytest.mark.parametrize(
    "stem", ["told", "working", "ahead", "beside", "these", "measured", "whoever"]
)
def test_the_rule_refuses_other_words(stem: str) -> None:
    """The rule finds participles, adverbs, prepositions and pronouns."""
    assert fault_of_stem(stem)


@pytest.mark.parametrize(
    "stem", ["queue", "cache", "sandbox", "checksums", "roster_import", "seed"]
)
def test_the_rule_accepts_standard_terms(stem: str) -> None:
    """Terms of the field need no permission."""
    assert not fault_of_stem(stem)
