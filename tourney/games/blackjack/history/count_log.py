"""Rounds of blackjack beside the count of the cards that were seen before them.

A true count is the points of the cards seen since the shuffle for every 52 cards not seen, rounded
down. Cards are seen as players see them: a hole card when it is turned.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tourney.errors import RulesError
from tourney.game.cards.card import CARDS
from tourney.game.cards.shoe import Shoe
from tourney.game.counting import NO_COUNT, CountedRounds, tags_of
from tourney.games.blackjack.declaration import Declaration
from tourney.games.blackjack.exact.deviations import HIGH_LOW
from tourney.games.blackjack.position import VALUES
from tourney.games.blackjack.records import Dealt, Revealed
from tourney.games.blackjack.rules import CARDS_IN_A_DECK, BlackjackRules

if TYPE_CHECKING:
    from tourney.game.arrays import NDArray, np
    from tourney.game.blocks import Block

HI_LO, OWN = "hi-lo", "its own"
"""Names of counts: the one that most players use, and that of who is counted for."""
MOST_POINTS = 1_000
"""Of a card, so that sums stay within what numbers can hold."""


class _CountedRounds(CountedRounds):
    def __init__(self, tags: tuple[int, ...], decks: int) -> None:
        super().__init__()
        self._tags, self._cards = tags, decks * CARDS_IN_A_DECK
        self._count = self._seen = 0

    @property
    def points(self) -> int:
        return self._count * CARDS_IN_A_DECK // max(self._cards - self._seen, 1)

    def shuffled(self, shoe: Shoe) -> None:
        del shoe
        self._count = self._seen = 0

    def happened(self, record: Any) -> None:
        if isinstance(record, Revealed) or (isinstance(record, Dealt) and record.is_face_up):
            self._count += self._tags[record.card.code]
            self._seen += 1


@dataclass(frozen=True, slots=True)
class BlackjackCounting:
    """What the cards of a shoe count."""

    name: str
    tags: tuple[int, ...]  # by code
    rules: BlackjackRules

    def watcher(self) -> CountedRounds:
        """Give what counts the cards of a block that it watches."""
        decks = self.rules.decks
        return _CountedRounds(self.tags, decks if isinstance(decks, int) else 0)

    def logged(self, block: "Block", declared: object) -> "NDArray[np.int64]":
        """Play a block by the machine code that plays any table."""
        from tourney.games.blackjack.engines.compiled_play import log_block  # noqa: PLC0415 - loads numba

        assert isinstance(declared, Declaration)
        return log_block(block, declared, self.tags)


def counting_of(rules: BlackjackRules, text: str, declared: object) -> BlackjackCounting:
    """Give a count.

    Args:
        rules: Of the game.
        text: What it is: "hi-lo", or the points of ten cards from 2 to ace; or nothing, for that
            of who plays.
        declared: By who plays; who has declared no count is seen by hi-lo.
    Raises: RulesError, if there is none, or it says nothing of this game.
    """
    if text == NO_COUNT:
        return BlackjackCounting(text, (0,) * len(CARDS), rules)
    if rules.decks == "infinite":
        raise RulesError(
            "decks: expected a number for a true count, got infinite: such a shoe is always the "
            "same; add decks=6"
        )
    if not text and isinstance(declared, Declaration) and declared.counts:
        return BlackjackCounting(OWN, declared.tags, rules)
    values = HIGH_LOW if text in {"", HI_LO} else tags_of(text, len(VALUES))
    if not any(values) or max(map(abs, values)) > MOST_POINTS:
        raise RulesError(
            f"tags: expected {HI_LO} or what ten cards count, from 2 to ace, such as "
            f"'{' '.join(map(str, HIGH_LOW))}'; got {text[:40]!r}"
        )
    by_value = dict(zip(VALUES, values, strict=True))
    tags = tuple(by_value[card.value] for card in CARDS)
    return BlackjackCounting(text or HI_LO, tags, rules)
