"""Answers for everybody of a class: what became of what they handed in, told to them alone.

The rule: whoever asks is told all about their own competitor, whatever `names` and `top` withhold
from the public, but nothing of results before these may be told at all. Of others stands there
what the board tells: what those beside one on it are called there, and how far away they are.
"""
