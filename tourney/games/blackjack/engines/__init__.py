"""The fast engines of blackjack: which blocks they can play, and how they play them.

Open `interfaces` first: it holds the engines as the platform sees them. `fit` decides whether an
engine can play a block, and `*_play` plays it. The machine code is in `kernels`.
"""
