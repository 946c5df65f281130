"""The best play with finite shoes, and the values of charts."""
