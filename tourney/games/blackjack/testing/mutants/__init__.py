"""Decks, Hands and players with one bug each, which the tests of a class should find.

There are also correct implementations, which no good test may reject: they differ where the course
documents allow it. Comments in each file in C++ describe its bugs.

Source: VE280 project 4, section VI; EECS 280 (winter 2008) project 4, section IV.
"""

from pathlib import Path
from types import MappingProxyType

from tourney.game.cards.deck import Deck
from tourney.game.mutants import Mutants, NativeSource, mutants_in, native_mutants_in, numbered
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.native import CPP, PLAYER
from tourney.games.blackjack.testing.mutants import countings, decks, hands, simples
from tourney.games.blackjack.testing.mutants.players import Counting, Simple

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


MUTANTS = Mutants(
    homes=MappingProxyType(
        {
            "Deck": "tourney",
            "Hand": "tourney",
            "Simple": "tourney.strategies.simple",
            "Counting": "tourney.strategies.counting",
        }
    ),
    correct=MappingProxyType({"Deck": Deck, "Hand": Hand, "Simple": Simple, "Counting": Counting}),
    allowed=(
        *numbered("Deck", decks.TwoPiles, prefix="correct-"),
        *numbered("Hand", hands.Overdrawn, prefix="correct-"),
    ),
    buggy=(
        *mutants_in("Deck", decks),
        *mutants_in("Hand", hands),
        *mutants_in("Simple", simples),
        *mutants_in("Counting", countings),
    ),
    native=NATIVE,
)
