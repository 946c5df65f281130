"""Tests of what a confined player cannot be without, and no process."""
