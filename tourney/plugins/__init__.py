"""Plugins: entry points found, checked and registered; faulty ones are quarantined.

Open `hook_spec` first: it lists every hook; `registry` holds what the plugins provide, and
`language` is the interface of a competitor language. This is the only home of pluggy, and it
offers no strategy, format or game of its own.
"""
