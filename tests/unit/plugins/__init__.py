"""Tests of tourney.entrants."""
