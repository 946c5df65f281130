"""The process that answers browsers. Imports no code that plays, sandboxes or loads a player."""
