"""Exact values of blackjack strategies, and the best strategies."""
