"""Straights: four seats build the suits up and down from their sevens.

This package imports nothing, because the process of a player needs only a part of it.
"""
