"""What a check does with a competitor: loads it, asks it, plays it and compares it.

Everything of the competitor happens in a process of its own; see `tourney.jail`.
"""
