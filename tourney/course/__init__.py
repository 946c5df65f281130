"""A course: rosters, downloads of learning platforms, submissions, grades and feedback.

This part is optional: the core never imports it. It registers `submissions: FOLDER` through
`plugin` and its commands through `commands`, both by entry points.
"""
