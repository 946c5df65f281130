"""What the organiser asked for: YAML in, frozen values out, every fault at once.

The only home of yaml. Knows no games, formats, strategies or columns by itself;
whoever calls hands in a `Catalog` of the names there are.
"""
