"""The games of OpenSpiel (github.com/google-deepmind/open_spiel) as games of tourney."""
