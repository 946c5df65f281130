"""Configurations: YAML in, frozen values out, every fault at once with line and column.

This is the only home of yaml. It knows no games, formats, strategies or columns by itself:
the caller passes a `Catalog` of the names there are.
"""
