"""Plans: how long an event takes, what it needs, and how many tables rank its entrants.

Open `event_plan` first: it simulates the floor without cards; `trial_rates` measures how fast
rounds are, and `pilot` plays a few tables to estimate the number that separates the field. A plan
stores nothing and changes no run.
"""
