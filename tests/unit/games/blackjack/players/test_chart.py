"""Charts: reading and writing them, and what is played by one."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.proving import tried
from tourney import Card, ChartError, ChartPlayer, Hand, Rank, Suit, chart_player
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.declaration import (
    BOTH_CARDS,
    LETTERS,
    ROWS,
    UPCARDS,
    read_cell,
)
from tourney.games.blackjack.players import Chart, load_chart, read_chart, write_chart
from tourney.games.blackjack.players.chart import always

ROOT = Path(__file__).parents[5]
DATA = ROOT / "tests/golden/easybj/data"
DOCUMENTS = load_chart(DATA / "wizard.txt")

HIT, STAND, DOUBLE, SPLIT, SURRENDER, *_ = Action
TWO_CARDS = (STAND, HIT, DOUBLE, SURRENDER)
PAIR = (STAND, HIT, DOUBLE, SPLIT, SURRENDER)
LATER = (STAND, HIT)
RANKS = dict(zip("23456789TJQKA", Rank, strict=True))


def hand(ranks: str) -> Hand:
    """Make a hand of ranks such as `AT5`."""
    return Hand(Card(RANKS[letter], Suit.CLUBS) for letter in ranks)


def with_line(number: int, line: str) -> str:
    """Give the document's chart with another line in the place of one."""
    lines = DOCUMENTS.text.splitlines()
    lines[number - 1] = line
    return "\n".join(lines)


def faults_of(text: str) -> list[str]:
    """Give the faults of a chart, without what the longer ones list."""
    with pytest.raises(ChartError) as caught:
        read_chart(text, "mine.txt")
    return str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("dealer", "player", "legal", "action"),
    [
        ("25", "T2", TWO_CARDS, HIT),
        ("24", "T2", TWO_CARDS, STAND),
        ("24", "54", TWO_CARDS, DOUBLE),
        ("24", "234", LATER, HIT),  # Dh: doubling is for two cards
        ("24", "A7", TWO_CARDS, DOUBLE),
        ("24", "A25", LATER, STAND),  # Ds
        ("24", "KQ", PAIR, STAND),
        ("67", "KQ", PAIR, SPLIT),
        ("67", "KQ", TWO_CARDS, STAND),  # enough hands: the row of hard 20
        ("24", "77", TWO_CARDS, STAND),  # hard 14
        ("24", "44", PAIR, SPLIT),
        ("24", "44", LATER, HIT),
        ("K8", "T7", TWO_CARDS, HIT),
        ("A7", "T7", TWO_CARDS, HIT),  # soft 18 is read as 18
        ("A6", "T7", TWO_CARDS, STAND),
        ("AA", "A2", TWO_CARDS, HIT),
        ("24", "AA2", LATER, HIT),  # soft 14 has row A3
        ("24", "AA", PAIR, SPLIT),
        ("24", "AA", LATER, HIT),  # row 4
        ("24", "T65", LATER, STAND),  # no row for 21
        ("AK", "T6", LATER, HIT),  # a natural that does not end the round is read as 20
    ],
)
def test_the_documents_chart_is_read_as_it_says(
    dealer: str, player: str, legal: tuple[Action, ...], action: Action
) -> None:
    """The first move permitted; pairs that stay together as their hard total."""
    assert DOCUMENTS.choose(hand(dealer), hand(player), legal) is action


def test_a_cell_without_a_permitted_move_stands() -> None:
    """Nothing is left to do, and the hand is no pair."""
    chart = DOCUMENTS.with_cell("16", "10", (SURRENDER, DOUBLE))
    assert chart.choose(hand("64"), hand("T6"), TWO_CARDS) is SURRENDER
    assert chart.choose(hand("64"), hand("T33"), LATER) is STAND
    assert chart.with_cell("88", "10", (SPLIT,)).choose(hand("64"), hand("88"), LATER) is STAND


def test_a_chart_may_go_by_the_upcard() -> None:
    """A column for each upcard; a second card that lies face up says nothing more."""
    chart = always(STAND, shows_both=False).with_cell("16", "10", (HIT,))
    assert chart.choose(hand("K"), hand("T6"), LATER) is HIT
    assert chart.choose(hand("K4"), hand("T6"), LATER) is HIT
    assert chart.choose(hand("A"), hand("T6"), LATER) is STAND
    assert read_chart(write_chart(chart), "up").columns == UPCARDS


def test_a_chart_of_both_cards_needs_both() -> None:
    """With one upcard there is no column to read."""
    with pytest.raises(
        ChartError, match=r"wizard.txt: the chart's columns are both cards of the dealer"
    ):
        DOCUMENTS.choose(hand("K"), hand("T6"), LATER)


def test_the_documents_chart_is_written_as_it_was() -> None:
    """Space for space."""
    assert write_chart(DOCUMENTS) == DOCUMENTS.text


CELLS = st.permutations(list(LETTERS.values())).flatmap(
    lambda order: st.integers(1, 5).map(lambda length: tuple(order[:length]))
)


@tried(20)
@given(st.data(), st.booleans())
def test_what_is_written_can_be_read(data: st.DataObject, shows_both: bool) -> None:
    """Any chart, of either kind."""
    width = len(BOTH_CARDS if shows_both else UPCARDS)
    some = data.draw(st.lists(CELLS, min_size=7, max_size=7))
    cells = tuple(
        tuple(some[(row * 5 + column) % 7] for column in range(width)) for row in range(len(ROWS))
    )
    chart = Chart(cells, shows_both)
    assert read_chart(write_chart(chart), "again") == chart


def test_rows_may_stand_in_any_order_and_lines_may_be_blank() -> None:
    """What counts is their labels; newlines and spaces are as editors leave them."""
    header, *rows = DOCUMENTS.text.splitlines()
    shuffled = "\r\n".join(["", header, *reversed(rows), " "])
    assert read_chart(f"\ufeff{shuffled}", "shuffled") == DOCUMENTS


def test_the_goldens_with_faults_are_refused() -> None:
    """An unknown cell and a short row, with their places."""
    for name, fault in (
        ("tab_badcell", "34:4: expected one of H"),
        ("tab_short_row", "6:51: row "),
    ):
        path = DATA / f"{name}.txt"
        with pytest.raises(ChartError) as caught:
            load_chart(path)
        assert str(caught.value).startswith(f"{path}:{fault}")


def test_every_fault_has_its_place_and_its_remedy() -> None:
    """Rows and cells that are no such, one after the other."""
    row = DOCUMENTS.text.splitlines()[13]
    assert row.startswith("16 ")
    (cell,) = faults_of(with_line(14, row.replace("16 S  S ", "16 S  Sx")))
    assert cell == (
        "mine.txt:14:7: expected one of H, S, D, P, R, optionally followed by others in lower "
        "case, such as H or Dh; got 'Sx'"
    )
    (long,) = faults_of(with_line(14, f"{row} H"))
    assert long == f"mine.txt:14:{len(row) + 2}: row 16 needs 23 cells; it has 24"
    unknown, missing = faults_of(with_line(14, row.replace("16", "61", 1)))
    assert unknown.startswith("mine.txt:14:1: expected a hand, one of 4 5 6 ")
    assert unknown.endswith("; got '61'")
    assert missing == "mine.txt:37:1: rows are missing for 16"
    repeated, missing = faults_of(with_line(14, row.replace("16", "15", 1)))
    assert repeated == "mine.txt:14:1: 15 occurs twice; its first row is line 13"


def test_a_wrong_header_is_named() -> None:
    """Of either kind, at the first word that differs."""
    header = DOCUMENTS.text.splitlines()[0]
    (wrong,) = faults_of(with_line(1, header.replace("AA", "A1")))
    assert wrong.startswith(f"mine.txt:1:{header.index('AA') + 1}: expected AA, got 'A1'; ")
    (short,) = faults_of(with_line(1, header.removesuffix(" A6")))
    assert short.startswith(f"mine.txt:1:{len(header) - 2}: expected A6, got the end of the line")
    upcards, *_ = faults_of("2 3 4 5 6 7 8 9 10 J A\n")
    assert upcards.startswith("mine.txt:1:20: expected A, got 'J'; ")
    assert faults_of("")[0].startswith("mine.txt:1:1: expected 4, got the end of the line")


def test_long_words_and_long_files_are_cut_short() -> None:
    """A message stays readable whatever is given for a chart."""
    unknown, *_ = faults_of(DOCUMENTS.text + "x" * 1000)
    assert unknown.endswith(f"got '{'x' * 20}…'")
    assert faults_of("H " * 100_000) == ["mine.txt: the chart is longer than 100,000 characters"]


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    """Not UTF-8, or not there."""
    file = tmp_path / "chart.txt"
    file.write_bytes(DOCUMENTS.text.encode() + b"\xff")
    with pytest.raises(
        ChartError, match=r"chart.txt: the chart is not in UTF-8: it has the byte 0xff"
    ):
        load_chart(file)
    with pytest.raises(ChartError, match=r"none.txt: cannot read the chart: No such file"):
        load_chart(tmp_path / "none.txt")


@pytest.mark.parametrize("word", ["", "h", "HH", "Hh", "DH", "X", "Dx", "16", "\u017f"])
def test_a_cell_is_one_capital_and_small_letters(word: str) -> None:
    """And no move twice."""
    assert read_cell(word) is None


def test_a_chart_with_gaps_is_refused() -> None:
    """Also one that was put together by a program."""
    with pytest.raises(ChartError, match="a chart needs 35 rows of 23 cells; this has 1 rows of 2"):
        Chart((((HIT,), (HIT,)),), shows_both=True)


def test_charts_of_two_kinds_are_not_compared() -> None:
    """Their columns mean different things."""
    changed = DOCUMENTS.with_cell("16", "10", (HIT,))
    assert not list(changed.differences(DOCUMENTS))
    changed = DOCUMENTS.with_cell("16", "10", (STAND,))
    assert list(changed.differences(DOCUMENTS)) == [("16", "10", (STAND,), (HIT,))]
    with pytest.raises(ChartError, match="only a chart with the columns 4 5 6"):
        list(DOCUMENTS.differences(always(HIT, shows_both=False)))


def test_a_chart_is_a_competitor() -> None:
    """It wagers the minimum, plays its chart, and keeps its text."""
    kind = chart_player(DOCUMENTS.text, "mine.txt")
    player = kind()
    assert issubclass(kind, ChartPlayer)
    assert (player.bet(1000, 5), kind.chart.source, kind.chart.text) == (
        5,
        "mine.txt",
        DOCUMENTS.text,
    )
    assert player.act(hand("25"), hand("T2"), LATER) is HIT


def test_a_chart_by_upcards_plays_where_only_draw_is_asked() -> None:
    """Its double is a hit there if its cell says so."""
    chart = always(DOUBLE, HIT, shows_both=False)
    player = chart_player(write_chart(chart), "hits.txt")()
    assert player.draw(Card(Rank.KING, Suit.CLUBS), hand("T6")) is True
