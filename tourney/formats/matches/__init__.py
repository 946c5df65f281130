"""Formats of matches, in which the entrant with more chips or points at the end wins.

docs/rules/matches.md and a page for each format number the rules.
"""
