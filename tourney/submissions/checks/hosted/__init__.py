"""What a check brings into a competitor's process; found there by its own name, without tourney's.

`tourney.submissions` needs libraries that such a process does not have.
"""
