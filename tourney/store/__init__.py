"""The store of runs: configurations, entrants and results, in one SQLite file.

Start with `store`. `integrity` and `checksums` detect damage, `recovery` repairs it, and `leases`
lets only one process play a run. The store knows neither how blocks are played nor how results
are ranked.
"""
