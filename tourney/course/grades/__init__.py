"""Marks for places on the board, and gradebooks that they are written to."""
