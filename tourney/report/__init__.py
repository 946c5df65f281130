"""How standings are shown. Returns text, prints nothing."""
