"""SQLite files: connections, transactions, migrations, and explained errors.

Start with `database`: it checks and opens a file, and has the connections and transactions. Only
this package uses sqlite3. It knows neither runs nor portals.
"""
