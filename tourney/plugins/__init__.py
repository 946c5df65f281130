"""Plugins: entry points are found, checked and registered; faulty plugins are quarantined.

Start with `hook_spec`, which lists every hook. `registry` holds the things that plugins provide,
and `language` is the interface of a competitor language. Only this package uses pluggy.
"""
