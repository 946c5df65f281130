"""The English of docs, docstrings, messages and templates gets plainer, never odder."""

from tests.support.prose import Text, listed, of_module, texts

TOTALS = {"page": 1.1, "docstrings": 0.9, "messages": 1.1, "template": 1.4}
"""Markers per 1,000 words that all texts of a kind together may hold; the aim is 4 of each."""


def test_no_text_holds_more_markers_than_it_may() -> None:
    """A new file may hold a few; a listed one as many as the list states, and no more."""
    may = listed()
    over = [
        f"{text.path}: {text.kind}: {text.markers} markers, {most} allowed"
        for text in texts()
        if text.markers > (most := may.get((text.path, text.kind), text.allowed))
    ]
    assert not over, "\n".join(over)


def test_the_list_is_as_low_as_it_can_be() -> None:
    """A text that got plainer is listed with its new number: python -m tests.support.prose."""
    found = {(text.path, text.kind): text for text in texts()}
    stale = [
        f"{path}: {kind}: {most} listed"
        for (path, kind), most in listed().items()
        if (path, kind) not in found
        or found[path, kind].markers != most
        or most <= found[path, kind].allowed
    ]
    assert not stale, "\n".join(stale)


def test_all_texts_of_a_kind_are_plain() -> None:
    """Rates of everything that a person reads, by kind."""
    every = list(texts())
    for kind, most in TOTALS.items():
        parts = [text for text in every if text.kind == kind]
        rate = 1000 * sum(each.markers for each in parts) / sum(each.words for each in parts)
        assert rate <= most, f"{kind}: {rate:.1f} markers per 1,000 words"


def test_a_marker_is_counted() -> None:
    """In docstrings and messages, but not in code."""
    source = 'def f():\n    """Say `what` it is.\n\n    >>> said\n    """\n    raise E("got one")\n'
    docstrings, messages = of_module("a.py", source)
    assert (docstrings.markers, messages.markers) == (1, 1)
    assert Text("a.md", "page", "Who plays alone, and whoever watches.").markers == 2
