"""Blackjack: one game, many variants, all of them data.

A jail imports `hand` and nothing that needs more, so this page imports nothing.
"""
