"""When things happen: tables, dealers, levels and breaks on a simulated clock.

The only home of simpy. Knows no cards, chips or results: a block is how many
seats, rounds and shuffles it took, and its real results come from the workers.
"""
