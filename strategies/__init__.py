"""Bundled competitors, one idea per file; each file is a plugin like anybody else's.

They import the public page of `tourney`, the standard library and each other, no more.
`options`, `stakes` and `waiting` hold what several of them share and offer no strategy.
"""
