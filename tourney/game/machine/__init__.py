"""Compiled code on arrays, for fast engines only.

Importing a module from here loads numba; a player's process never does.
"""
