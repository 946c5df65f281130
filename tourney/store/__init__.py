"""The store of runs: configurations, entrants and every block's result, exactly once.

`store` is the entry, `integrity` and `checksums` detect damage, `recovery` saves the rest.
It knows neither how blocks are played nor how results are ranked.
"""
