"""Blackjack hands after play: written, read, counted and compared with the best chart.

Open `hand_history` first, the game's interface to its hands; it defines their notation. `hand_rows`
defines the rows of exports.
"""
