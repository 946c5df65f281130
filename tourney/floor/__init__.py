"""The floor: a discrete-event simulation of tables, dealers, levels and breaks.

Open `room` first: it runs the simulation; `timetable` and `level_clock` hold the schedule of the
day, and `report` summarizes it. This is the only home of simpy, and it deals no cards.
"""
