"""Competitors in C++: compiled in a separate sandbox, and run as programs without Python.

Start with `compilation`, which builds the competitor's files with the platform's (`cpp`); these
answer the referee's frames. `launcher.cpp` starts programs, and `checks` inspects them before. A
process is locked down like any host before it runs the program (see `tourney.sandbox.host`). This
module imports nothing.
"""
