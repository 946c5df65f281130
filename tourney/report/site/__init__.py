"""A leaderboard as a static site: pages that work from disk, made of one JSON file."""
