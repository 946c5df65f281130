"""The check of one competitor: from its files to a report, in seconds, in a sandbox.

`check` is the entry; `remedies` turns each finding into advice, and `report` holds the result.
The command `tourney check`, the submission folder and the portal all use it.
"""
