"""What a researcher asks in a line of Python; commands of the same names say what these give.

A strategy is what is typed on the command line, or a class or a player of the program that asks,
which then plays in that program: it is trusted, and not confined. A game is a preset with
overrides, a mapping as in a configuration, or rules. A configuration is a file, what was read from
one, or a mapping with the same settings.
"""
