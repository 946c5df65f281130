"""What engines are called and how many may play, for those who need not load them."""

MOST_WORKERS = 256
"""Processes that may be asked for."""
ENGINES = ("auto", "compiled", "lockstep", "reference")
"""All of them, as people choose them; `auto` takes whichever is best for a batch."""
