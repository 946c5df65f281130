"""Questions in one line of Python: `ev`, `compare`, `solve`, `sweep`, `plan`, `check`, `replay`.

Each function has a module of its name, and the command of that name prints its answer.
Strategies are names, files or classes; classes of the calling program run without a sandbox.
"""
