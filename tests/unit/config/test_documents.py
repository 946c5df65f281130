"""Documents: what PyYAML reads, we read, and every value is where we say."""

from typing import Any

import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from tourney.config.documents import Faults, KeyPath, as_yaml, parse

TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=9)
DATA = st.dictionaries(
    TEXTS,
    st.recursive(
        st.none() | st.booleans() | st.integers() | TEXTS,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
        max_leaves=12,
    ),
    min_size=1,
    max_size=4,
)


def places(node: yaml.Node, path: KeyPath = ()) -> dict[KeyPath, tuple[int, int]]:
    """Find every value by PyYAML's own nodes, one by one."""
    mark = node.start_mark
    assert mark
    found = {path: (mark.line + 1, mark.column + 1)}
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            found |= places(value, (*path, key.value))
    elif isinstance(node, yaml.SequenceNode):
        for at, value in enumerate(node.value):
            found |= places(value, (*path, at))
    return found


@given(data=DATA)
@example({"\N{NO-BREAK SPACE}x": None})
def test_data_come_back_with_their_places(data: dict[str, Any]) -> None:
    """As written by us, and read by PyYAML as well."""
    text, faults = as_yaml(data), Faults("it")
    assert parse(text, faults) == data == yaml.safe_load(text)
    assert not faults.count
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    assert node
    assert {path: spot.place for path, spot in faults.spots.items()} == places(node)


def test_a_value_is_given_as_it_was_written() -> None:
    """Numbers, traps and words alike; nulls on request."""
    faults = Faults("it")
    data = parse("a: [007, 1.50, yes, x, 'y', ~]\nb:\n", faults)
    written = faults.written((), data)
    assert written == {"a": ["007", "1.50", "yes", "x", "y", "~"], "b": None}
    assert faults.written((), data, keeps_null=True)["a"][-1] is None
