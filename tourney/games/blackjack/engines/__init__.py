"""The fast engines of blackjack: which blocks they can play, and how they play them.

Open `compiled_engine` and `lockstep_engine` first, the interfaces to the platform. `fit` decides
whether an engine can play a block, and `*_play` plays it. The machine code is in `kernels`.
"""
