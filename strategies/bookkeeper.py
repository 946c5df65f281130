"""Bookkeeper: remembers discards, and so deduces where the missing cards are.

Why it might win: a player that discards holds no card that was playable at that moment. If no
player can hold a missing card, the card is face down, and all cards that wait for it are lost. It
discards those first. Another missing card is more likely to be played if more hands may hold it,
relative to the number of face-down cards.
Limits: it treats every face-down card as equally likely, although players choose their discards.
It gains a tenth of a point on Surveyor against opponents that discard by the order of their hands,
and nothing against better opponents.
Source: own measurements; probabilities as in `surveyor`, tuned in steps of 0.1.
"""

from tourney import Card, Rank, StraightsPlayer, StraightsView, Suit, hookimpl
from tourney.strategies.surveyor import Surveyor

PLAYED = 0.9
"""Probability that a card in an opponent's hand is played in time, for discards."""

REACHED = 0.95
"""The same probability for plays, which are further from the end of the round."""

SEVENS = {Card(Rank.SEVEN, suit).code for suit in Suit}


def playable_codes(view: StraightsView) -> tuple[set[int], list[set[int]]]:
    """Replay a round from its start.

    Returns: The codes that are playable now, in any hand; and by seat, the codes that it cannot
        hold, because it discarded when they were playable.
    """
    playable = {Card(Rank.SEVEN, Suit.SPADES).code}
    lacking: list[set[int]] = [set() for _ in view.hand_sizes]
    for event in view.history:
        if event.card is None:
            lacking[event.seat] |= playable
            continue
        if event is view.history[0]:
            playable |= SEVENS
        playable.discard(event.card.code)
        playable.update(line[0].code for line in StraightsView.behind(event.card))
    return playable, lacking


class Bookkeeper(Surveyor):
    """Plays like Surveyor, with probabilities deduced from all discards."""

    def __init__(self) -> None:
        self._hands: list[tuple[int, set[int]]] = []  # opponents: hand size, codes not in it
        self._face_down = 0  # cards that the opponents have discarded

    def choose_play(self, view: StraightsView) -> Card:
        """Update the deductions, and play by the probability that a card is held."""
        lost = self._take_stock(view)
        return self.weigh_plays(view, lost, lambda code: REACHED * self._held(code))

    def choose_discard(self, view: StraightsView) -> Card:
        """Update the deductions, and discard by the probability that a card is played."""
        lost = self._take_stock(view)
        return self.weigh_discards(view, lost, lambda code: PLAYED * self._held(code))

    def _take_stock(self, view: StraightsView) -> set[int]:
        """Deduce which hands may hold which cards; return the codes that are lost."""
        playable, lacking = playable_codes(view)
        others = [seat for seat in range(len(lacking)) if seat != view.seat]
        self._hands = [(view.hand_sizes[seat], lacking[seat]) for seat in others]
        self._face_down = sum(view.discard_counts[seat] for seat in others)
        lost = view.lost_codes()
        for code in playable - {card.code for card in view.hand}:
            if not self._held(code):
                lost |= view.lost_with(code)
        return lost

    def _held(self, code: int) -> float:
        """Return the probability that a missing card is in a hand, not face down."""
        places = sum(size for size, lacking in self._hands if code not in lacking)
        return places / (places + self._face_down) if places else 0.0


@hookimpl
def tourney_strategies() -> dict[str, type[StraightsPlayer]]:
    """Offer Bookkeeper."""
    return {"bookkeeper": Bookkeeper}
