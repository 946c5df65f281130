"""Damaged and crafted stores."""
