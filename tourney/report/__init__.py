"""Results for readers: boards as text, CSV and JSON, and the published site.

Open `text` first: it formats boards; `redaction` decides which names and results are shown, `site`
makes pages, and `publish` collects and verifies their data. This room plays no tournaments; it
deals blocks again only to show or verify their hands.
"""
