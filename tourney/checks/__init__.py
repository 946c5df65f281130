"""The check of one competitor: from its files to a report, in seconds, in a sandbox.

Start with `check`, which runs every step. `remedies` adds advice to faults, and `report` holds the
result. The check does not depend on courses, runs or web pages.
"""
