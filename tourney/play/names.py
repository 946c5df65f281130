"""What engines are called, for those who choose one by name and need not load it."""

ENGINES = ("auto", "compiled", "lockstep", "reference")
"""All of them, as people choose them; `auto` takes whichever is best for a batch."""
