"""Tests of taking in."""
