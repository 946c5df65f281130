"""Plugins: entry points found, checked and registered; faulty ones are quarantined.

This is the only home of pluggy. `hook_spec` lists every hook on one page, `registry` holds what
the plugins provide, and `language` is the interface of a competitor language.
"""
