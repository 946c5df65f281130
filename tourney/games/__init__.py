"""The games: blackjack and Straights, each complete in its own folder.

Open `blackjack.game` and `straights.game` first: they say what a game offers; the rules of a round
are in `round`. No game imports another, and of the other rooms only `environments` and `testing`
import a game.
"""

__all__ = ["Rules"]
