"""A run, from its configuration to its standings: planned, played, stored, timed and audited."""
