"""Standings: results to a ranking, and the confidence of that ranking.

Open `fold` first: it adds up stored results; `rank_sets` computes the confidence sets of ranks, and
`columns` holds what a board can show. Nothing here reads a file.
"""
