"""What holds for any rules, any players and any number of workers."""
