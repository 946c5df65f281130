"""Hands of blackjack after play: written, read back, counted and compared with the best chart.

Open `hand_history` first: it says what the game offers of its hands; `hand_writer` and
`hand_reader` hold the notation, and `hand_rows` the rows of exports. Nothing here deals a card.
"""
