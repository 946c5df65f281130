"""Trials of tests on the mutants of a game, in separate processes."""
