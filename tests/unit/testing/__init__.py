"""Tests of what authors and classes test with."""
