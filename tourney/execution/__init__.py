"""Engines and workers: how and where blocks are played.

Start with `engine_selection`, which chooses the fastest engine that can play a batch.
`workers.pool` runs batches in processes, and `workers.cluster` on other machines. All engines give
the same results.
"""
