"""Players of Straights that declare the worth of cards and let the platform choose.

A worth depends only on a card. Each is computed once and stored, so that such players can be played
without Python; see `tourney.game.machine`.
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
from tourney.games.straights.player import StraightsPlayer, StraightsView
from tourney.games.straights.suits import BEFORE, BEHIND, Line, points_of

Share = Callable[[int], float]
"""Factor for a worth behind a card of another seat, by the code of the card."""


class PreferencePlayer(StraightsPlayer):
    """Takes the card of the highest worth; ties go to the first in the hand.

    Define the worth of a card by the card alone: no dice, no memory, no view. The player plays the
    card of the highest worth or, if no card can be played, discards it. By default all worths are
    equal.
    """

    def play_worth(self, card: Card) -> float:
        """Return how good it is to play a card."""
        del card
        return 0

    def discard_worth(self, card: Card) -> float:
        """Return how good it is to discard a card."""
        del card
        return 0

    def play(self, view: StraightsView) -> Card:
        """Choose a legal play or, if there is no legal play, a discard."""
        if len(view.legal_plays) == 1:
            return view.legal_plays[0]
        return self.choose_play(view) if view.legal_plays else self.choose_discard(view)

    def choose_play(self, view: StraightsView) -> Card:
        """Return the legal play of the highest worth."""
        worths = self.declared().play
        return max(view.legal_plays, key=lambda card: worths[card.code])

    def choose_discard(self, view: StraightsView) -> Card:
        """Return the discard of the highest worth."""
        worths = self.declared().discard
        return max(view.hand, key=lambda card: worths[card.code])

    def declared(self) -> StraightsDeclaration:
        """Return all worths; they are computed at the first call and stored."""
        # There is no constructor, because authors forget to call it.
        found: StraightsDeclaration | None = vars(self).get("_declared")
        if found is None:
            found = self._declared = _tabulated(self)
        return found

    @staticmethod
    def points_of(card: Card) -> int:
        """Return the points of a card as a discard: ace 1, jack 11, queen 12, king 13."""
        return points_of(card)


class WeighsPlays(PreferencePlayer):
    """Also values the cards that wait for a play.

    The worth of a card is its `play_worth`, plus `own_worth` or `strangers_worth` of each card that
    waits for it and can still be played as far as the player's discards show. Each addition is
    multiplied by `reach` of all cards of other seats that come before. Nearer cards are added
    first, those below a seven before those above.
    """

    def own_worth(self, card: Card) -> float:
        """Return the worth of opening the way for a card in your hand."""
        del card
        return 0

    def strangers_worth(self, card: Card) -> float:
        """Return the worth of opening the way for a card of another seat."""
        del card
        return 0

    def reach(self, card: Card) -> float:
        """Return the factor for cards that wait behind a card of another seat."""
        del card
        return 1

    def choose_play(self, view: StraightsView) -> Card:
        """Return the legal play of the highest worth, including waiting cards."""
        weights = self.declared().play_weights
        assert weights is not None
        return self.weigh_plays(view, view.lost_codes(), weights.reach.__getitem__)

    def weigh_plays(self, view: StraightsView, lost: AbstractSet[int], reach: Share) -> Card:
        """Return the card to play, for players that know more than they declare.

        Args:
            view: The seat's view.
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
    """Also values the cards that wait for a discard, and its chance to be played.

    A card that cannot be played any more, as far as the player's discards show, is worth 0 as a
    discard. Any other is worth its `discard_worth` plus `waiting_worth` of each card in the hand
    that waits for it, multiplied by `chance` of each card of another seat that must be played
    before.
    """

    def waiting_worth(self, card: Card) -> float:
        """Return the addition of a card in your hand to the discard that it waits for."""
        del card
        return 0

    def chance(self, card: Card) -> float:
        """Return the factor for cards behind an unplayed card of another seat."""
        del card
        return 1

    def choose_discard(self, view: StraightsView) -> Card:
        """Return the discard of the highest worth, including waiting cards."""
        weights = self.declared().discard_weights
        assert weights is not None
        return self.weigh_discards(view, view.lost_codes(), weights.chance.__getitem__)

    def weigh_discards(self, view: StraightsView, lost: AbstractSet[int], chance: Share) -> Card:
        """Return the card to discard, for players that know more than they declare.

        Args:
            view: The seat's view.
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
    """Return a player's declaration, or the reason why it has no declaration.

    Args:
        player: A new player; it need not sit at a table.

    >>> straights_declaration_of(PreferencePlayer()).play[:3]
    (0.0, 0.0, 0.0)
    """
    name = type(player).__name__
    if not isinstance(player, PreferencePlayer):
        return Undeclared(f"{name} is not a PreferencePlayer, so only its code can decide")
    for method in _CHOOSING:
        found = getattr(player, method, None)
        if found is not None and getattr(found, "__module__", "") != __name__:
            return Undeclared(f"{name} overrides {method}(), which only Python can call")
    try:
        first, again = _tabulated(player), _tabulated(player)
    except Exception as error:  # noqa: BLE001 - whatever an author's function raises is its answer
        return Undeclared(f"{name} fails to value a card: {type(error).__name__}: {error}")
    if first != again:
        return Undeclared(
            f"{name} values a card differently at two calls; a worth must depend on the card alone"
        )
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
    """Return the codes of a line before the first lost card."""
    codes = []
    for card in line:
        if card.code in lost:
            break
        codes.append(card.code)
    return codes


def _tabulated(player: PreferencePlayer) -> StraightsDeclaration:
    """Compute the worths of all cards."""
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
    """Tabulate a function of a card.

    Raises: ValueError, if it returns a value that is not a finite number.
    """
    worths = tuple(float(worth(card)) for card in CARDS)
    for card, each in zip(CARDS, worths, strict=True):
        if not isfinite(each):
            raise ValueError(f"{worth.__name__}({card}): expected a finite number, got {each}")
    return worths
