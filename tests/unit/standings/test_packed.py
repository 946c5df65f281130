"""The bankrolls of tables, whatever they are and in whatever order their blocks come."""

from hypothesis import given
from hypothesis import strategies as st

from tourney.standings.tallies import Finals

BLOCKS = st.lists(
    st.tuples(st.integers(0, 30), st.integers(1, 5), st.integers(0, 1 << 80)),
    unique_by=lambda block: block[:2],
)


@given(blocks=BLOCKS)
def test_the_last_block_of_a_table_decides(blocks: list[tuple[int, int, int]]) -> None:
    """Bankrolls of more than 64 bits, too."""
    finals = Finals()
    for table, first_round, final in blocks:
        finals.put(table, first_round, final)
    last = {table: final for table, _, final in sorted(blocks)}
    assert list(finals) == [(table, final, 0) for table, final in sorted(last.items())]


@given(blocks=BLOCKS, lucks=st.lists(st.integers(-(1 << 40), 1 << 40), min_size=40))
def test_luck_adds_up_over_the_blocks_of_a_table(
    blocks: list[tuple[int, int, int]], lucks: list[int]
) -> None:
    """In whatever order they come."""
    finals, sums = Finals(), dict.fromkeys((table for table, _, _ in blocks), 0)
    for (table, first_round, final), luck in zip(blocks, lucks, strict=False):
        finals.put(table, first_round, final, luck)
        sums[table] += luck
    counted = {each.table: each.luck for each in finals}
    assert counted == {table: sums[table] for table in counted}
