"""Asking blackjack players: their views, legal answers, and faults."""
