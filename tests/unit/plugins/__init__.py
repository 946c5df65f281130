"""Tests of tourney.plugins."""
