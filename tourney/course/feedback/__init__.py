"""Feedback: each student of a class gets a private page about their submission.

A page shows all about the student's own competitor, even if `names` and `top` hide it from the
public, but no results before these are public. Of others it shows only the neighbours on the board,
by their public names, with the distance.
"""
