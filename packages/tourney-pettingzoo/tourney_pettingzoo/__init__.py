"""The classic games of PettingZoo (pettingzoo.farama.org) as games of tourney."""
