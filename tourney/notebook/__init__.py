"""Results in a notebook: data frames, plots and progress bars.

Start with `tables`, which converts results for pandas, polars and Arrow. `plots` draws them with
matplotlib. Nothing here computes a result.
"""
