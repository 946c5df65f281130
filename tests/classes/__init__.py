"""Whole generated classes, from what a platform exports to what it takes back."""
