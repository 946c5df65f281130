"""A tournament from its configuration to its standings: load, play, resume, extend, verify.

Open `tournament` first: it plays a run on one page; `loading` makes a tournament from a
configuration, `progress` feeds results to the format and the floor, and `audit` plays stored blocks
again. Nothing here prints or formats a board.
"""
