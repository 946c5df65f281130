"""Cards, decks, shoes, shuffles and random number generators.

A sandboxed process imports `card` but nothing that needs NumPy, so this package imports nothing.
"""
