"""Confined players in real processes."""
