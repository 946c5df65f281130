"""Questions in one line of Python: `ev`, `compare`, `solve`, `sweep`, `plan`, `check`, `replay`.

Open the module with the name of the function first (`sweep` is in `ev`, `replay` in
`stored_runs`); `inputs` reads what callers pass. Results are returned: the command of the same name
prints them.
"""
