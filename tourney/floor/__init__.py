"""The floor: a discrete-event simulation of tables, dealers, levels and breaks.

Start with `room`, which runs the simulation. `level_clock` holds the levels of the day, and
`utilization` reports the schedule and the use of the floor. Only this package uses simpy; it deals
no cards.
"""
