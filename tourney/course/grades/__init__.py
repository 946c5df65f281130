"""What a place on the board is worth in a course, and the gradebook that it goes into."""
