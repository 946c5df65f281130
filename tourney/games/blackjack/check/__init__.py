"""The check of blackjack players: questions about rare situations, and a short match."""
