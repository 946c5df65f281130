"""Cards and where they come from: decks, shoes, shuffles, generators and counts.

A sandboxed process imports `card` and nothing that needs NumPy, so this page imports nothing.
"""
