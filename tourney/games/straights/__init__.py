"""Straights: four seats build the suits up and down from their sevens.

A player's process imports `view` and nothing that needs more, so this page imports nothing.
"""
