"""A tournament from its configuration to its standings: load, play, resume, extend, verify.

Start with `tournament`, which plays a run. `loading` makes a tournament from a configuration,
`progress` passes results to the format and the floor, and `audit` plays stored blocks again.
Printing and formatting a board is the task of other packages.
"""
