"""What a way to play blackjack is worth, worked out instead of measured; and the best way."""
