"""Proofs of fairness: commitments before play, published anchors, and timestamps.

Start with `commitments`, which hashes the inputs of a run. `anchors` reads and writes files that
others keep. Only `timestamps` uses rfc3161-client; nothing here plays a block.
"""
