"""Configurations: YAML in, frozen values out, every fault at once with line and column.

Open `tournament` first: it reads a whole file; `model` declares the settings, and `words` makes
messages and suggestions for misspelt names. This is the only home of yaml, and it knows no games,
formats, strategies or columns by itself: the caller passes a `Catalog` of the names there are.
"""
