"""The store of runs: configurations, entrants and every block's result, exactly once.

Open `store` first; `integrity` and `checksums` detect damage, `recovery` saves the rest, and
`leases` lets one process play a run. It knows neither how blocks are played nor how results are
ranked.
"""
