"""The lockstep engine: thousands of tables advance together, and players are asked in batches.

To import `play` loads numba. Players are asked by the pools of `tourney.game.asking`, which do not.
"""
