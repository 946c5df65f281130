"""Results for readers: boards as text, CSV and JSON, and the published site.

Open `text` first: it formats boards; `disclosure` decides which names and results are shown, `site`
makes pages, and `publish` collects and verifies their data. Nothing here plays a tournament; blocks
are only dealt again to show or verify their hands.
"""
