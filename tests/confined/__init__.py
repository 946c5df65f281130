"""Whole tournaments of files that nobody has read."""
