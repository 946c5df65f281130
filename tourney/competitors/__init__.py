"""Competitors in every language: how their files are recognized, read and made into players.

Open `languages` first: it holds Python, charts and packages; `cpp` holds the courses' C++, and
`sources` finds the code that a strategy's behaviour depends on. Nothing here plays a game.
"""
