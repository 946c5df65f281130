"""The games: blackjack and Straights, each complete in its own folder.

Start with `blackjack.game` and `straights.game`, which list the features of a game; the rules of a
round are in `round`. No game imports another, and of the other rooms only `environments` and
`testing` import a game.
"""

__all__ = ["Rules"]
