"""SQLite files: connections, transactions, migrations, and explained errors.

Start with `database` (connections and transactions); `opening` checks a file before it is used.
Only this package uses sqlite3. It knows neither runs nor portals.
"""
