"""What a check asks of a player of blackjack: rare situations, and a short match."""
