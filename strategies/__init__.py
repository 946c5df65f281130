"""Bundled competitors, one idea per file. Each file is a plugin, like those of other packages.

They import only `tourney`, the standard library, NumPy and each other. `options`, `rivals` and
`stakes` are shared helpers without a strategy.
"""
