"""Bookkeeper: remembers who could not play what, and so where the missing cards are.

Why it might win: who discards has none of the cards that could be played at that moment. If
nobody can hold a missing card any more, it lies face down, and all that waits for it is lost:
that is what to discard first. Other missing cards are the likelier to be played the more hands
may hold them, compared with the cards that lie face down.
Leaves out that players choose their discards: every face-down card is as likely as any other.
It gains a tenth of a point on Surveyor against opponents who discard by the order of their
hands, and nothing against those who think.
Source: own measurements; the chances as in `surveyor`, tried again in steps of 0.1.
"""

from tourney import Card, Rank, StraightsPlayer, StraightsView, Suit, hookimpl
from tourney.strategies.surveyor import Surveyor

PLAYED = 0.9
"""The chance that a card in somebody's hand is played in time, for discards."""

REACHED = 0.95
"""The same for plays, which are looked at from further away."""

SEVENS = {Card(Rank.SEVEN, suit).code for suit in Suit}


def playable_codes(view: StraightsView) -> tuple[set[int], list[set[int]]]:
    """Follow a round from its start.

    Args:
        view: What the seat sees.
    Returns: The codes that may be played now, whoever has them; and by seat the codes that
        it cannot hold, because it discarded when they might have been played.
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
    """Plays like Surveyor, by chances that follow from what was discarded when."""

    def __init__(self) -> None:
        self._hands: list[tuple[int, set[int]]] = []  # of the others: cards, codes not in it
        self._face_down = 0  # cards that the others have discarded

    def choose_play(self, view: StraightsView) -> Card:
        """Bring the books up to date, and play as far as they reach."""
        lost = self._take_stock(view)
        return self.weigh_plays(view, lost, lambda code: REACHED * self._held(code))

    def choose_discard(self, view: StraightsView) -> Card:
        """Bring the books up to date, and discard by the chance that a card is held and played."""
        lost = self._take_stock(view)
        return self.weigh_discards(view, lost, lambda code: PLAYED * self._held(code))

    def _take_stock(self, view: StraightsView) -> set[int]:
        """Work out who may hold what, and give the codes that can be played no more."""
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
        """Give the chance that a missing card is in a hand, not face down."""
        places = sum(size for size, lacking in self._hands if code not in lacking)
        return places / (places + self._face_down) if places else 0.0


@hookimpl
def tourney_strategies() -> dict[str, type[StraightsPlayer]]:
    """Offer Bookkeeper."""
    return {"bookkeeper": Bookkeeper}
