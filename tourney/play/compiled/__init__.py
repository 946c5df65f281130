"""The compiled engine: blocks of declared players, without Python for every round.

To import `play` or `straights` loads numba, which most processes never need; to import `blocks`
does not.
"""
