"""Formats in which entrants meet in matches, and whoever has more at the end has won.

The rules are numbered in docs/rules/matches.md and on a page for each of the formats.
"""
