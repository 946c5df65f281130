"""Options over all commands: one name has one meaning."""

from collections.abc import Iterator

import click

from tourney.cli.commands import tourney


def _options(command: click.Command, name: str) -> Iterator[tuple[str, str, str]]:
    """Give the options of a command and of those below it: option, help text, command."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for each in command.list_commands(context):
            inner = command.get_command(context, each)
            assert inner
            yield from _options(inner, f"{name} {each}")
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            for option in (*parameter.opts, *parameter.secondary_opts):
                yield option, parameter.help or "", name


def _help_texts() -> dict[str, dict[str, list[str]]]:
    """Give the commands of every option by its help text."""
    found: dict[str, dict[str, list[str]]] = {}
    for option, text, command in _options(tourney, "tourney"):
        found.setdefault(option, {}).setdefault(text, []).append(command)
    return found


def test_an_option_has_one_help_text_in_all_commands() -> None:
    """Defaults and metavars may differ between commands, the meaning may not."""
    assert {option: texts for option, texts in _help_texts().items() if len(texts) > 1} == {}


def test_every_option_has_a_help_text() -> None:
    """The help text is a sentence, before its default if that is written out."""
    texts = {option: next(iter(texts)) for option, texts in _help_texts().items()}
    sentences = {option: text.partition("  [default: ")[0] for option, text in texts.items()}
    assert [option for option, text in sentences.items() if not text.endswith(".")] == []
