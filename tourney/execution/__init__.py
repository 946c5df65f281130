"""Engines and workers: how blocks are played, and where.

`engine_selection` picks the fastest engine that can play a batch; every engine gives the same
result. `workers` holds processes on this machine and on a cluster.
"""
