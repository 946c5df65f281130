"""Calling players: views, legal answers and faults.

These modules can run in a player's process, next to untrusted code. That process must start
quickly, so this package imports nothing.
"""
