"""Blackjack: one game whose variants are all data.

This package imports nothing, because a sandboxed process needs only `hand`.
"""
