"""Blackjack hands after play: written, read, counted and compared with the best chart.

Open `hand_history` first, the game's interface to its hands. `hand_writer` defines the notation,
and `hand_rows` the rows of exports.
"""
