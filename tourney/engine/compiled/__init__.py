"""The compiled engine: blocks of declared players, without Python for every round.

To import `blocks` loads numba; to import `eligible` does not.
"""
