"""Fast blackjack: compiled code on arrays. Only the engines of blackjack import it."""
