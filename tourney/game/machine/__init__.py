"""Rounds at speed: compiled code on arrays, which nobody else needs to see.

Importing a module from here loads numba; a player's process never does.
"""
