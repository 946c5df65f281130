"""Where batches run: in this process, in a pool or on a cluster."""
