"""The format `multi-table`: many tables that are merged until one entrant is left.

docs/rules/multi_table.md numbers the rules. Start with `schedule`.
"""
