"""What is kept of a tournament: runs, their entrants and every block's result, exactly once.

The only home of sqlite3. It knows neither how blocks are played nor what results are
worth; it gives them back as they came.
"""
