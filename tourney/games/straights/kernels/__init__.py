"""Compiled play of Straights on arrays."""
