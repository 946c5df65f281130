"""Plans: how long an event takes, what it needs, and how many tables rank its entrants.

`event_plan` simulates the floor without cards, `trial_rates` measures how fast rounds are.
`pilot` plays a few tables beforehand and estimates the number that separates the field.
"""
