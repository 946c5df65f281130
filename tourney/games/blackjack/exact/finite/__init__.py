"""The best play for shoes that end, and what a chart is worth with them."""
