"""The data of a published leaderboard: collected from a store, and verified from a site."""
