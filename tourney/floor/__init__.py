"""The floor: a discrete-event simulation of tables, dealers, levels and breaks.

Start with `room`, which runs the simulation. `timetable` and `level_clock` hold the schedule of the
day, and `report` summarises it. Only this package uses simpy; it deals no cards.
"""
