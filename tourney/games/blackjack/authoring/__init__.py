"""The first files of a new blackjack competitor: templates, and exports of learned policies.

Open `templates` first. `policy_export` converts saved arrays to a chart or a class.
"""
