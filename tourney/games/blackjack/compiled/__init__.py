"""Blocks of declared players of blackjack, without Python for every round."""
