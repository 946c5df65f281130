"""Who is ahead, and how sure that is."""
