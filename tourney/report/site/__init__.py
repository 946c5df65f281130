"""A leaderboard as a static site: pages that work from disk, made from JSON files."""
