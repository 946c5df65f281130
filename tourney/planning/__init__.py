"""Plans: how long an event takes, its resources, and the number of tables that rank its entrants.

Start with `event_plan`, which simulates the floor without cards. `trial_rates` measures rates of
play, and `pilot` plays a few tables to estimate the number that separates the field. A plan stores
nothing and changes no run.
"""
