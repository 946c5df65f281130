"""Shell completion of runs, strategies and games.

Click completes commands, options and files by itself.
"""

from collections.abc import Iterable
from shlex import quote

import click
from click.shell_completion import CompletionItem

from tourney.errors import TourneyError


def runs(context: click.Context, _: click.Parameter, begun: str) -> list[CompletionItem]:
    """Complete the runs of the store by number, latest first, and by name.

    An unreadable store gives no completions, because a shell shows no messages; the command reports
    the problem later.
    """
    from tourney.store.store import Store  # noqa: PLC0415 - few commands complete anything

    try:
        with Store.open(context.params["store"], create=False) as store:
            kept = store.runs()[::-1]
    except TourneyError:
        return []
    numbers = [CompletionItem(str(each.number), help=each.name) for each in kept]
    names = dict.fromkeys(each.name for each in kept)
    return [each for each in (*numbers, *_plain(names)) if each.value.startswith(begun)]


def strategies(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Complete installed strategies, or files."""
    from tourney.plugins.loading import load_plugins  # noqa: PLC0415 - few commands complete anything

    found = [each for each in _plain(load_plugins().strategies) if each.value.startswith(begun)]
    return found or [CompletionItem(begun, type="file")]


def games(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Complete installed presets."""
    from tourney.plugins.loading import load_plugins  # noqa: PLC0415 - few commands complete anything

    return [each for each in _plain(load_plugins().games) if each.value.startswith(begun)]


def _plain(names: Iterable[str]) -> list[CompletionItem]:
    """Drop names that a shell would split."""
    return [CompletionItem(name) for name in names if quote(name) == name]
