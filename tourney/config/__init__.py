"""Configurations: frozen values from YAML, or all faults with line and column.

Open `tournament` first: it reads a whole file. `model` declares the settings, and `words` makes
messages and suggestions. Only this room uses yaml. The caller passes a `Catalog` with the names of
games, formats, strategies and columns.
"""
