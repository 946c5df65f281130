"""Blackjack at speed: compiled code on arrays, which nobody else needs to see."""
