"""Results in a notebook: data frames, plots and progress bars.

Open `tables` first: it converts results for pandas, polars and Arrow; `plots` draws them with
matplotlib. Nothing here computes a result.
"""
