"""Decks, Hands and players with one bug each, which the tests of a class should find.

There are also correct implementations, which no good test may reject: they differ where the course
documents allow it.

Source: VE280 project 4, section VI; EECS 280 (winter 2008) project 4, section IV.
"""

from types import MappingProxyType

from tourney.game.cards.deck import Deck
from tourney.game.mutants import Mutants, mutants_in, numbered
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.testing.mutants import countings, decks, hands, shuffles, simples
from tourney.games.blackjack.testing.mutants.natives import NATIVE
from tourney.games.blackjack.testing.mutants.players import Counting, Simple

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
        *mutants_in("Deck", decks, shuffles),
        *mutants_in("Hand", hands),
        *mutants_in("Simple", simples),
        *mutants_in("Counting", countings),
    ),
    native=NATIVE,
)
