"""Any state of a tournament at a table, for hypothesis to choose from."""

from hypothesis import strategies as st

from tourney.game.blocks import TableState


@st.composite
def any_state(draw: st.DrawFn, first_round: int) -> TableState:
    """Draw what a table knows of its tournament; some rounds are secret, some of them not played.

    Args:
        draw: Chooses.
        first_round: Of the block.
    """
    near = st.integers(max(1, first_round - 2), first_round + 12)
    return TableState(
        level=draw(st.integers(1, 30)),
        rounds_after=draw(st.sampled_from([0, 0, 7, 1_000])),
        advance=draw(st.integers(0, 3)),
        moves_button=draw(st.booleans()),
        secret_rounds=tuple(sorted(draw(st.sets(near, max_size=4)))),
    )
