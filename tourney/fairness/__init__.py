"""Proofs of fairness: commitments before play, anchors that publish them, and timestamps.

Open `commitments` first: it hashes what a run depends on; `anchors` reads and writes the files that
others keep. `timestamps` is the only home of rfc3161-client, and nothing here plays a block.
"""
