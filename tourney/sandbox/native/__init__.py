"""Competitors in C++: built in a jail of their own, and played as programs without Python.

A program is the competitor's files linked with ours (`cpp`), which answer the referee's frames. Its
process is shut in like any host, and only then becomes the program: see `tourney.sandbox.host`.
Nothing is imported here. Leaves out who hands in what.
"""
