"""Blackjack in lockstep: thousands of tables advance together, and players are asked in batches."""
