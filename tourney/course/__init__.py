"""Taking in what others hand in: read, checked, kept in every version, chosen for a tournament.

A folder of submissions is plain files that can be looked at and backed up. Nothing in here runs
or parses a competitor's Python but the check, which whoever takes in brings along.
"""
