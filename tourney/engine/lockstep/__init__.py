"""The lockstep engine: thousands of tables advance together, and players are asked in batches.

To import `play` loads numba; to import `desk` does not, so that players can be asked in a
process of their own.
"""
