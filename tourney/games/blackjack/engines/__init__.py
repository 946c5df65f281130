"""The fast engines of blackjack: which blocks they can play, and how they play them.

Open `compiled_engine` and `lockstep_engine` first: they tell the platform what they play; `*_fit`
decides, and `*_play` plays. The machine code itself is in `kernels`.
"""
