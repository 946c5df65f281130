"""The check of one competitor: from its files to a report, in seconds, in a sandbox.

Open `check` first: it runs every step; `remedies` turns findings into advice, and `report` holds
the result. The check knows no course, run or web page.
"""
