"""Results in a notebook: data frames, plots and progress bars.

`tables` converts results for pandas, polars and Arrow, `plots` draws them with matplotlib.
`progress_bar` shows progress in a terminal and in a notebook.
"""
