"""How a block is played. Whatever the engine, the result is the same."""
