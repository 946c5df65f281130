"""SQLite files: opened, migrated, locked, and every error explained.

Open `database` first: it holds connections and transactions; `opening` checks a file before it is
used. This is the home of sqlite3, and it knows neither runs nor portals.
"""
