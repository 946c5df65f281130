"""The original course programs, byte for byte, based on the games."""
