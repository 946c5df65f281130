"""SQLite files: opened, migrated, locked, and every error explained.

This is the home of sqlite3, and knows neither runs nor portals. `database` holds connections and
transactions, `opening` the checks of a file before it is used.
"""
