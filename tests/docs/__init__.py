"""Tests of what readers are told: every command, file and link of the documentation."""
