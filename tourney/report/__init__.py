"""Results for readers: boards as text, CSV and JSON, and the published site.

`disclosure` decides which names and results are shown, `text` formats boards, `site` makes pages.
`publish` collects the data of a site and verifies a site from its files alone.
"""
