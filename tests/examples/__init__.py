"""Tests of what readers are told to copy."""
