"""Names of the engines and the largest number of workers, in a module that loads fast."""

MOST_WORKERS = 256
"""Largest number of worker processes."""
ENGINES = ("auto", "compiled", "lockstep", "reference")
"""Names of the engines for users; `auto` chooses the best one for each batch."""
