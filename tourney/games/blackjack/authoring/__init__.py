"""Files that a new competitor in blackjack starts from: templates and learned policies.

Open `templates` first; `policy_export` turns saved arrays into a chart or a class. Nothing here
learns or plays.
"""
