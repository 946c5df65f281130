"""A tournament from its configuration to its standings: load, play, resume, extend, verify.

`tournament` is the whole program on one page, `loading` reads a configuration, `progress` feeds
results to the format and the floor. `audit` plays stored blocks again.
"""
