"""Blackjack: one game, many variants, all of them data.

A sandboxed process imports `hand` and nothing that needs more, so this page imports nothing.
"""
