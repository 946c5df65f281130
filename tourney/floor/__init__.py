"""The floor: a discrete-event simulation of tables, dealers, levels and breaks.

This is the only home of simpy. `room` runs the simulation, `timetable` and `level_clock` hold
the schedule of the day, and `report` summarizes it.
"""
