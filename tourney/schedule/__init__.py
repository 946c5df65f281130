"""Who meets whom: blocks, batches and the formats that draw them up. Pure."""
