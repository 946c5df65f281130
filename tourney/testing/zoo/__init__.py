"""A zoo of Decks, Hands and Players: each with one bug that a class's tests should find.

What is wrong with each, and what catches it, stands in the docstring of its class. Next to
them live implementations without a bug, of which no good test may complain: they do what the
course documents leave open in another way.

Leaves out how tests are tried on them; see `trial`, and `tourney.testing.grading`.
Source: VE280 project 4, section VI; EECS 280 (winter 2008) project 4, section IV.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from inspect import cleandoc
from types import MappingProxyType

from tourney.game.cards.deck import Deck
from tourney.games.blackjack.hand import Hand
from tourney.testing.zoo import countings, decks, hands, shuffles, simples, tags
from tourney.testing.zoo.players import Counting, Simple

CAUGHT_BY = "\n\nCaught by: "

HOMES: Mapping[str, str] = MappingProxyType(
    {
        "Deck": "tourney",
        "Hand": "tourney",
        "Simple": "strategies.simple",
        "Counting": "strategies.counting",
    }
)
"""What tests are about, and the modules from which a file of tests imports it."""


@dataclass(frozen=True, slots=True)
class Implementation:
    """A class that a test may meet under the name of a Deck, Hand or Player."""

    name: str  # such as `deck-07`, which gives nothing away
    of: str  # a name of HOMES
    kind: type

    @property
    def story(self) -> str:
        """What is wrong with it, or what is allowed about it."""
        return " ".join(self._parts[0].split())

    @property
    def caught_by(self) -> str:
        """What a test must do to notice; empty where nothing is wrong."""
        return " ".join(self._parts[2].split())

    @property
    def _parts(self) -> tuple[str, str, str]:
        return cleandoc(self.kind.__doc__ or "").partition(CAUGHT_BY)


def _numbered(of: str, kinds: Iterable[type], prefix: str = "") -> tuple[Implementation, ...]:
    return tuple(
        Implementation(f"{prefix}{of.lower()}-{number:02}", of, kind)
        for number, kind in enumerate(kinds, 1)
    )


CORRECT: Mapping[str, type] = MappingProxyType(
    {"Deck": Deck, "Hand": Hand, "Simple": Simple, "Counting": Counting}
)
"""The implementations that stand beside the one under test."""

ALLOWED = (
    *_numbered("Deck", decks.ALLOWED, "correct-"),
    *_numbered("Hand", hands.ALLOWED, "correct-"),
)
"""Implementations without a bug that differ where the documents let them."""

BUGS = (
    *_numbered("Deck", (*decks.BUGGY, *shuffles.BUGGY)),
    *_numbered("Hand", hands.BUGGY),
    *_numbered("Simple", simples.BUGGY),
    *_numbered("Counting", (*countings.BUGGY, *tags.BUGGY)),
)
"""Implementations with one bug each."""
