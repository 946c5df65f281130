"""Research functions: `ev`, `compare`, `solve`, `sweep`, `plan`, `check`, `replay`.

Open the module with the name of the function first (`sweep` is in `ev`, `replay` in
`stored_runs`); `inputs` reads arguments. The functions return results, and the commands of the same
names print them.
"""
