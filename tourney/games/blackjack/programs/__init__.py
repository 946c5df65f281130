"""The original course programs, byte for byte, thin over the games."""
