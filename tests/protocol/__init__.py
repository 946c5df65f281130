"""The published protocol, spoken by programs in other languages."""
