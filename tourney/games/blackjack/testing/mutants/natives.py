"""Paths of the mutants in C++; comments in each file describe its bugs.

Source: as for those in Python.
"""

from pathlib import Path
from types import MappingProxyType

from tourney.game.mutants import NativeSource, native_mutants_in
from tourney.games.blackjack.native import CPP, PLAYER

HERE = Path(__file__).parent / "cpp"
GIVEN = (CPP / "card.cpp", CPP / "rand.cpp")
"""Files that the documents provide."""
HAND = HERE / "hand.cpp"


class _OfTheDocuments(NativeSource):
    headers = PLAYER.headers


class NativeDeck(_OfTheDocuments):
    """A correct deck, of the documents' class."""

    file = HERE / "deck.cpp"
    beside = GIVEN


class NativeHand(_OfTheDocuments):
    """A correct hand, of the documents' class."""

    file = HAND
    beside = GIVEN


class NativePlayers(_OfTheDocuments):
    """A correct Simple and a correct Counting, as `get_Simple` and `get_Counting` give them."""

    file = HERE / "player.cpp"
    beside = (*GIVEN, HAND)


NATIVE = native_mutants_in(
    MappingProxyType(
        {"Deck": NativeDeck, "Hand": NativeHand, "Simple": NativePlayers, "Counting": NativePlayers}
    ),
    homes=MappingProxyType(
        {"Deck": "deck", "Hand": "hand", "Simple": "player", "Counting": "player"}
    ),
)
