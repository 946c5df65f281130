"""A course: rosters, downloads of learning platforms, submissions, grades and feedback.

Open `folder` and `submission_rules` first, then `plugin` and `commands`, which register
`submissions: FOLDER` and the commands by entry points. This part is optional: the core never
imports it.
"""
