"""Standings: from results to a ranking and its confidence.

Start with `fold`, which adds up stored results. `rank_sets` computes the confidence sets of ranks,
and `columns` defines the columns of a board. Nothing here reads a file.
"""
