"""Silent games in machine code print what the same games print one by one."""

from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from tests.support.proving import tried
from tourney.games.blackjack.kernels import easybj_rounds as blackjack_endless
from tourney.games.blackjack.players import write_chart
from tourney.games.blackjack.programs.easybj import Streams, program, run

from .any_declared import any_chart

SUMMARY = 3  # lines


def printed(chart: Path, *options: object) -> str:
    """Give the summary that the program prints, and make sure that it complains of nothing."""
    said: list[str] = []
    complaints: list[str] = []
    streams = Streams(lambda: None, said.append, complaints.append)
    words = [*map(str, options[:-1]), "-a", str(chart), str(options[-1])]
    assert run(words, streams) == 0, complaints
    assert not complaints
    return "".join("".join(said).splitlines(keepends=True)[-SUMMARY:])


@tried(15)
@given(
    st.integers(0, (1 << 63) - 1),
    st.integers(0, 1 << 16),
    st.integers(1, 600),
    st.sampled_from((152, 1_000, 1 << 20)),
)
def test_any_chart_and_seed_give_the_same_bytes(
    rng_seed: int, chart_seed: int, hands: int, ahead: int
) -> None:
    """Wherever rounds cross the end of the cards that were dealt ahead."""
    with TemporaryDirectory() as folder:
        chart = Path(folder, "chart")
        chart.write_text(write_chart(any_chart(chart_seed, shows_both=True)), encoding="utf-8")
        one_by_one = printed(chart, "-i", rng_seed, hands)
        with (
            patch.object(program, "ROUNDS_WORTH_LOADING", 1),
            patch.object(blackjack_endless, "CARDS_AHEAD", ahead),
        ):
            assert printed(chart, "-s", "-i", rng_seed, hands) == one_by_one
