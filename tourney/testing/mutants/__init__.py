"""Trying tests on the mutants of a game, in processes of their own."""
