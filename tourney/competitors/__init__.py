"""Competitors in every language: how their files are recognized, read and made into players.

`languages` holds Python, charts and packages, `cpp` the courses' C++, `programs` other languages.
`sources` finds the code that a strategy's behaviour depends on, for the archive and the digest.
"""
