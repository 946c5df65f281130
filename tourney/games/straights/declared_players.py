"""Players of Straights that say what cards are worth and leave the choosing to the platform.

The worths are functions of a card and of nothing else. They are asked once for every card,
written down, and never called again, so such players can be played without any Python. Leaves
out how; see `tourney.game.machine`.
"""

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from math import isfinite

from tourney.game.cards.card import CARDS, Card
from tourney.game.players import Undeclared
from tourney.games.straights.declaration import (
    DiscardWeights,
    PlayWeights,
    StraightsDeclaration,
    Worths,
)
from tourney.games.straights.lines import BEFORE, BEHIND, Line
from tourney.games.straights.player import StraightsPlayer
from tourney.games.straights.points import points_of
from tourney.games.straights.view import StraightsView

Share = Callable[[int], float]
"""What is left of a worth behind a card of this code that somebody else has."""


class PreferencePlayer(StraightsPlayer):
    """Takes the card of the highest worth; of equals the first of its hand.

    Say what a card is worth, by the card alone: no dice, no memory, no view. The highest is
    played or, if nothing can be played, discarded. Unless you say more, all cards are alike.
    """

    def play_worth(self, card: Card) -> float:
        """Say how much you like to play a card."""
        del card
        return 0

    def discard_worth(self, card: Card) -> float:
        """Say how much you like to discard a card."""
        del card
        return 0

    def play(self, view: StraightsView) -> Card:
        """Choose among legal plays if there are several, else what to discard."""
        if len(view.legal_plays) == 1:
            return view.legal_plays[0]
        return self.choose_play(view) if view.legal_plays else self.choose_discard(view)

    def choose_play(self, view: StraightsView) -> Card:
        """Play the card of the highest worth."""
        worths = self.declared().play
        return max(view.legal_plays, key=lambda card: worths[card.code])

    def choose_discard(self, view: StraightsView) -> Card:
        """Discard the card of the highest worth."""
        worths = self.declared().discard
        return max(view.hand, key=lambda card: worths[card.code])

    def declared(self) -> StraightsDeclaration:
        """Give all worths; they are asked at the first call and written down."""
        # No constructor of our own, because authors forget to call it.
        found: StraightsDeclaration | None = vars(self).get("_declared")
        if found is None:
            found = self._declared = _tabulated(self)
        return found

    @staticmethod
    def points_of(card: Card) -> int:
        """Give what a card costs as a discard: ace 1, jack 11, queen 12, king 13."""
        return points_of(card)


class WeighsPlays(PreferencePlayer):
    """Counts in what waits for a card before it plays it.

    A card is worth its `play_worth` and, for every card that waits for it and can still be
    played as far as its own discards tell, `own_worth` or `strangers_worth`; either is
    multiplied by `reach` of every card of somebody else that comes before. Nearer cards are
    added first, those below a seven before those above.
    """

    def own_worth(self, card: Card) -> float:
        """Say what it is worth to open the way for a card of your own."""
        del card
        return 0

    def strangers_worth(self, card: Card) -> float:
        """Say what it is worth to open the way for a card of somebody else."""
        del card
        return 0

    def reach(self, card: Card) -> float:
        """Say what is left of the worth of what waits for a card of somebody else."""
        del card
        return 1

    def choose_play(self, view: StraightsView) -> Card:
        """Play the card of the highest worth, all that waits counted in."""
        weights = self.declared().play_weights
        assert weights is not None
        return self.weigh_plays(view, view.lost_codes(), weights.reach.__getitem__)

    def weigh_plays(self, view: StraightsView, lost: AbstractSet[int], reach: Share) -> Card:
        """Give the card to play, for those who know more than what is declared.

        Args:
            view: What the seat sees.
            lost: Codes of the cards that cannot be played any more.
            reach: Replaces `self.reach`, by code.
        """
        declared = self.declared()
        weights = declared.play_weights
        assert weights is not None
        own = {card.code for card in view.hand}

        def worth(card: Card) -> float:
            total = declared.play[card.code]
            for line in BEHIND[card.code]:
                reached = 1.0
                for waiting in _before_lost(line, lost):
                    if waiting in own:
                        total += reached * weights.own[waiting]
                    else:
                        total += reached * weights.strangers[waiting]
                        reached *= reach(waiting)
            return total

        return max(view.legal_plays, key=worth)


class WeighsDiscards(PreferencePlayer):
    """Counts in what waits for a card, and its chance to be played, before it discards it.

    A card that cannot be played any more, as far as its own discards tell, is worth 0 as a
    discard. Any other is worth its `discard_worth`, with `waiting_worth` of every card of its
    own that waits for it added, multiplied by `chance` of every card of somebody else that must
    be played before.
    """

    def waiting_worth(self, card: Card) -> float:
        """Say what a card of your own adds to the worth of discarding one that it waits for."""
        del card
        return 0

    def chance(self, card: Card) -> float:
        """Say what is left of the worth behind an unplayed card of somebody else."""
        del card
        return 1

    def choose_discard(self, view: StraightsView) -> Card:
        """Discard the card of the highest worth, all that waits counted in."""
        weights = self.declared().discard_weights
        assert weights is not None
        return self.weigh_discards(view, view.lost_codes(), weights.chance.__getitem__)

    def weigh_discards(self, view: StraightsView, lost: AbstractSet[int], chance: Share) -> Card:
        """Give the card to discard, for those who know more than what is declared.

        Args:
            view: What the seat sees.
            lost: Codes of the cards that cannot be played any more.
            chance: Replaces `self.chance`, by code.
        """
        declared = self.declared()
        weights = declared.discard_weights
        assert weights is not None
        own = {card.code for card in view.hand}

        def worth(card: Card) -> float:
            if card.code in lost:
                return 0.0
            total = declared.discard[card.code]
            for line in BEHIND[card.code]:
                for waiting in _before_lost(line, lost):
                    if waiting in own:
                        total += weights.waiting[waiting]
            pile = view.table[card.suit]
            for other in BEFORE[card.code]:
                if pile.low <= points_of(other) <= pile.high:
                    break
                if other.code not in own:
                    total *= chance(other.code)
            return total

        return max(view.hand, key=worth)


def straights_declaration_of(player: StraightsPlayer) -> StraightsDeclaration | Undeclared:
    """Give what a player declares, or why it cannot be played by it.

    Args:
        player: A new one, which need not sit at a table.

    >>> straights_declaration_of(PreferencePlayer()).play[:3]
    (0.0, 0.0, 0.0)
    """
    name = type(player).__name__
    if not isinstance(player, PreferencePlayer):
        return Undeclared(f"{name} is no PreferencePlayer, so only its own code can decide")
    for method in _CHOOSING:
        found = getattr(player, method, None)
        if found is not None and getattr(found, "__module__", "") != __name__:
            return Undeclared(f"{name} has a {method}() of its own, which only Python can call")
    try:
        first, again = _tabulated(player), _tabulated(player)
    except Exception as error:  # noqa: BLE001 - whatever an author's function raises is its answer
        return Undeclared(
            f"{name} does not say what every card is worth: {type(error).__name__}: {error}"
        )
    if first != again:
        return Undeclared(f"{name} gives one card two worths; they must depend on the card alone")
    return first


_CHOOSING = (
    "play",
    "choose_play",
    "choose_discard",
    "weigh_plays",
    "weigh_discards",
    "declared",
)  # fmt: skip - a list of names


def _before_lost(line: Line, lost: AbstractSet[int]) -> list[int]:
    """Give the codes of a line up to where it is cut by a card that is lost."""
    codes = []
    for card in line:
        if card.code in lost:
            break
        codes.append(card.code)
    return codes


def _tabulated(player: PreferencePlayer) -> StraightsDeclaration:
    """Ask for the worths of every card."""
    plays = discards = None
    if isinstance(player, WeighsPlays):
        plays = PlayWeights(
            _worths(player.own_worth), _worths(player.strangers_worth), _worths(player.reach)
        )
    if isinstance(player, WeighsDiscards):
        discards = DiscardWeights(_worths(player.waiting_worth), _worths(player.chance))
    play, discard = _worths(player.play_worth), _worths(player.discard_worth)
    return StraightsDeclaration(play, discard, plays, discards)


def _worths(worth: Callable[[Card], float]) -> Worths:
    """Write down a function of a card.

    Raises: ValueError, if it gives something that is not more or less than another number.
    """
    worths = tuple(float(worth(card)) for card in CARDS)
    for card, each in zip(CARDS, worths, strict=True):
        if not isfinite(each):
            raise ValueError(f"{worth.__name__}({card}): expected a finite number, got {each}")
    return worths
