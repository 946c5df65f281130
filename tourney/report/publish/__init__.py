"""From a stored run to the data of its published leaderboard, and from there to what it proves.

The pages are those of `leaderboard.site`.
"""
