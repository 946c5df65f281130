"""Which names a reader would take for one another.

Two names look alike if they have a skeleton in common. A small table of letters, not all that
Unicode has; names that mix scripts are refused beforehand, see `names`.
Source: Unicode Technical Standard 39, section 4, whose table this shortens.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from unicodedata import category, normalize

FIRST_ACCENT, LAST_ACCENT = "\u0300", "\u036f"
"""Accents of European scripts; the marks of others are letters to their readers."""

# By code, because the whole point is that they cannot be told apart in print. Where a capital and
# a small letter look like different ones, the capital decides: it is the better disguise.
CYRILLIC = "\u0430a \u0432b \u0435e \u043ak \u043cm \u043dh \u043eo \u0440p \u0441c \u0442t"
CYRILLIC_TOO = "\u0443y \u0445x \u0455s \u0456i \u0458j \u04bbh \u0501d \u051bq \u051dw"
GREEK = "\u03b1a \u03b2b \u03b5e \u03b6z \u03b7h \u03b9i \u03bak \u03bcm \u03bdn \u03bfo"
GREEK_TOO = "\u03c1p \u03c4t \u03c5y \u03c7x"
ARMENIAN = "\u0570h \u0578n \u057du \u0585o"
LATIN = "0o 1l 5s \u0131i \u0237j \u0251a \u0261g \u00f8o"
PAIRS = (("rn", "m"), ("vv", "w"))


def _table(*lists: str) -> Mapping[int, str]:
    pairs = " ".join(lists).split()
    return MappingProxyType({ord(pair[0]): pair[1] for pair in pairs})


LOOKALIKES = _table(CYRILLIC, CYRILLIC_TOO, GREEK, GREEK_TOO, ARMENIAN, LATIN)
"""Small letters and digits, and the letter or digit that each is taken for."""


CAPITAL_I = str.maketrans(dict.fromkeys("I\u0406\u0399", "l"))
"""A capital I, also of Cyrillic and Greek, as the small L that it is taken for."""


@lru_cache(maxsize=10_000)
def skeletons(name: str) -> frozenset[str]:
    """Give what is left of a name for a reader who does not look closely.

    There are two, because a capital I may be taken for a small one or for a small L.

    >>> sorted(skeletons("Ada  Lovelace")), sorted(skeletons("ADA_L0VE1ACE"))
    (['adalovelace'], ['adalovelace'])
    >>> sorted(skeletons("Al1")), sorted(skeletons("AlI"))
    (['all'], ['ali', 'all'])
    """
    plain = normalize("NFKC", name)
    return frozenset({_skeleton(plain), _skeleton(plain.translate(CAPITAL_I))})


def find_alike(name: str, others: Iterable[str]) -> str | None:
    """Give the first of some names that a name could be taken for; a name is not like itself.

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
    """Say whether a character makes a difference to a reader: no space, dash, control or accent."""
    return category(char)[0] in "LMN" and not FIRST_ACCENT <= char <= LAST_ACCENT
