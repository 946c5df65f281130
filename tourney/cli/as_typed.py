"""Commands whose arguments belong to somebody else's program."""

import click


class AsTyped(click.Command):
    """A command that gets its arguments as they were typed, dashes and `--help` included."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep all arguments for the program."""
        super().parse_args(ctx, [])
        ctx.args = args
        return args
