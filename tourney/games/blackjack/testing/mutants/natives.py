"""Where the mutants in C++ are: each file says in its remarks which bugs it has.

Source: as for those in Python.
"""

from pathlib import Path
from types import MappingProxyType

from tourney.game.mutants import NativeSource, native_mutants_in

HERE = Path(__file__).parent / "cpp"
CARD, HAND = HERE / "card.cpp", HERE / "hand.cpp"


class NativeDeck(NativeSource):
    """A correct deck, of the documents' class."""

    file = HERE / "deck.cpp"
    beside = (CARD,)


class NativeHand(NativeSource):
    """A correct hand, of the documents' class."""

    file = HAND
    beside = (CARD,)


class NativePlayers(NativeSource):
    """A correct Simple and a correct Counting, as `get_Simple` and `get_Counting` give them."""

    file = HERE / "player.cpp"
    beside = (CARD, HAND)


NATIVE = native_mutants_in(
    MappingProxyType(
        {"Deck": NativeDeck, "Hand": NativeHand, "Simple": NativePlayers, "Counting": NativePlayers}
    ),
    homes=MappingProxyType(
        {"Deck": "deck", "Hand": "hand", "Simple": "player", "Counting": "player"}
    ),
)
