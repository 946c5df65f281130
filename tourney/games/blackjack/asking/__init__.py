"""Asking players of blackjack: what they are shown, what they may answer, and who is at fault."""
