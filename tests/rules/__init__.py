"""Rules of games and formats, clause by clause."""
