"""Oracles stand beside the tests that use them."""
