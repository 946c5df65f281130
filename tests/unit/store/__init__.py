"""Tests of what is kept: runs, batches, the file and its mishaps."""
