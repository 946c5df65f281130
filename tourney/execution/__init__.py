"""Engines and workers: how blocks are played, and where.

Open `engine_selection` first: it picks the fastest engine that can play a batch; `workers.pool`
runs batches in processes, and `workers.cluster` on other machines. Every engine gives the same
results, and none of them knows why a block is played.
"""
