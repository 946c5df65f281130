"""The process that answers browsers. Imports nothing that plays, confines or loads a player."""
