"""Competitors in C++: compiled in a sandbox of their own, and run as programs without Python.

Open `compilation` first: it builds the competitor's files with ours (`cpp`), which answer the
referee's frames; `launcher` starts programs, and `checks` inspects them before. A process is
confined like any host before it becomes the program (`tourney.sandbox.host`), and nothing is
imported on this page.
"""
