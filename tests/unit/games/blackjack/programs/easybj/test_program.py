"""Easy Blackjack from its arguments to its status, without a process."""

from io import BytesIO
from pathlib import Path

import pytest

from tourney.game.answers import read_letter
from tourney.games.blackjack.declaration import BOTH_CARDS, ROWS, UPCARDS
from tourney.games.blackjack.programs.easybj import USAGE, Streams, run
from tourney.games.blackjack.programs.easybj import program as module

NO_PLAYER = f"Error: cannot instantiate Player. (bad file?)\n{USAGE}"
NO_SHOE = f"Error: cannot instantiate Shoe. (bad file?)\n{USAGE}"
CHART = "\n".join(
    [" ".join(BOTH_CARDS), *(" ".join([row, *["S"] * len(BOTH_CARDS)]) for row in ROWS)]
)


class Screen:
    """Runs the program and keeps what it shows."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.out = self.err = ""

    def file(self, name: str, content: str | bytes) -> str:
        """Write a file and give its path."""
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def run(self, *arguments: object, typed: bytes = b"") -> int:
        """Run the program; its clock stands at 7 seconds."""
        self.out = self.err = ""
        stream = BytesIO(typed)
        streams = Streams(lambda: read_letter(stream), self._say, self._complain)
        return run([str(argument) for argument in arguments], streams, clock=lambda: 7)

    def _say(self, text: str) -> None:
        self.out += text

    def _complain(self, text: str) -> None:
        self.err += text


@pytest.fixture
def screen(tmp_path: Path) -> Screen:
    """Give a screen and an empty folder."""
    return Screen(tmp_path)


def test_without_a_seed_the_clock_gives_it(screen: Screen) -> None:
    """In whole seconds."""
    chart = screen.file("chart", CHART)
    assert screen.run("-a", chart, 20) == 0
    by_clock = screen.out
    screen.run("-i", 7, "-a", chart, 20)
    assert screen.out == by_clock
    assert module.seconds() > 1_700_000_000


def header(line: str) -> str:
    """Give a chart with another first line."""
    return "\n".join([line, *CHART.splitlines()[1:]])


@pytest.mark.parametrize(
    "chart",
    [
        "",
        "no chart",
        b"\xff\xfe\x00",
        "\x00" * 5000,
        CHART.rpartition("\n")[0],
        CHART.replace("\n12 S", "\n12"),
        CHART.replace("\n12 S", "\n12 S S"),
        CHART.replace("\n12 S", "\n12 X"),
        CHART.replace("\n12 S", "\n12 Sx"),
        CHART.replace("\n12 S", "\n12 s"),
        CHART.replace("\n12 S", "\n21 S"),
        CHART.replace("\n12 S", "\n11 S"),
        header(" ".join(BOTH_CARDS[1:])),
        header(" ".join(UPCARDS)),
        "\n".join([" ".join(UPCARDS), *(" ".join([row, *["S"] * len(UPCARDS)]) for row in ROWS)]),
        CHART + " S" * 100_000,
    ],
    ids=[
        *("empty", "words", "binary", "nulls", "no last row", "short row", "long row"),
        *("unknown cell", "unknown rest", "lower case", "unknown row", "row twice"),
        *("short header", "other header", "upcards", "endless"),
    ],
)
def test_a_bad_chart_is_refused_in_the_original_s_words(screen: Screen, chart: str | bytes) -> None:
    """Nothing is played and nothing recorded."""
    record = screen.folder / "record"
    assert screen.run("-r", record, "-a", screen.file("chart", chart), 5) == 1
    assert (screen.out, screen.err) == ("", NO_PLAYER)
    assert not record.exists()


def test_the_player_is_made_before_the_shoe(screen: Screen) -> None:
    """Where both are bad, the chart is told; a folder is neither."""
    folder = screen.folder
    assert screen.run("-f", folder, "-a", folder, 5) == 1
    assert screen.err == NO_PLAYER
    assert screen.run("-f", folder, "-a", screen.file("chart", CHART), 5) == 1
    assert screen.err == NO_SHOE
    assert screen.run("-f", folder / "none") == 1
    assert (screen.out, screen.err) == ("", NO_SHOE)
    assert screen.run("-f", "") == 1
    assert screen.err == NO_SHOE


def test_a_shoe_that_is_short_from_the_start_plays_nothing(screen: Screen) -> None:
    """As one that is over after some games."""
    for content in (b"", b"A" * 25):
        assert screen.run("-f", screen.file("shoe", content)) == 0
        assert (screen.out, screen.err) == ("Hands Played: 0\n", "")


@pytest.mark.parametrize("content", [b"#" * 30, b"T9" + b"." * 30, b"22228888222222" + b" " * 30])
def test_a_shoe_that_ends_in_a_game_stops_the_program(screen: Screen, content: bytes) -> None:
    """Bytes are left but no cards: no summary, one clear line and status 1."""
    assert screen.run("-f", screen.file("shoe", content), typed=b"p\n" * 9 + b"h\n" * 99) == 1
    assert "Hands Played" not in screen.out
    assert screen.err == "Error: the shoe ran out in the middle of a game.\n"


@pytest.mark.parametrize(
    ("typed", "games"), [(b"", 0), (b"x\n", 0), (b"h\n", 1), (b"s\n", 1), (b"s\n\n", 1)]
)
def test_the_end_of_the_input_ends_the_program(screen: Screen, typed: bytes, games: int) -> None:
    """With status 0 and the summary of the games that came to their end."""
    shoe = screen.file("shoe", b"T9K9 96229 " + b"2" * 40)
    assert screen.run("-f", shoe, typed=typed) == 0
    assert f": Hands Played: {games}\n" in screen.out
    assert screen.err == ""


def test_a_game_cut_short_is_recorded_too(screen: Screen) -> None:
    """Its cards were dealt, and the file is whole."""
    record = screen.folder / "record"
    assert screen.run("-i", 7, "-r", record, typed=b"") == 0
    assert screen.err == f"Recording shoe to {record}.\n"
    assert record.read_bytes() == b"KK7KTT68A5KK685Q552674JA82849T"
    assert list(screen.folder.iterdir()) == [record]


def test_where_no_recording_can_be_written_nothing_is_played(screen: Screen) -> None:
    """One line says why."""
    record = screen.folder / "nowhere" / "record"
    assert screen.run("-r", record, typed=b"s\nq\n") == 1
    assert (screen.out, screen.err) == (
        "",
        f"Error: cannot record shoe to {record}: No such file or directory.\n",
    )
    assert screen.run("-r", "", typed=b"q\n") == 1
    assert screen.err == "Error: cannot record shoe to : Is a directory.\n"


def test_a_recording_that_fails_in_the_end_is_told(
    screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the summary, instead of the word that it was recorded."""

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "write_record", fail)
    assert screen.run("-i", 7, "-r", screen.folder / "record") == 1
    assert screen.out.endswith("Hands Played: 0\n")
    assert screen.err.endswith("record: No space left on device.\n")


def test_an_interrupt_leaves_no_recording(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor anything else in the folder."""

    def interrupt(stream: BytesIO) -> str:
        raise KeyboardInterrupt

    monkeypatch.setitem(globals(), "read_letter", interrupt)
    with pytest.raises(KeyboardInterrupt):
        screen.run("-i", 7, "-r", screen.folder / "record")
    assert not list(screen.folder.iterdir())


def test_silence_leaves_the_summary(screen: Screen) -> None:
    """And hides every game."""
    chart = screen.file("chart", CHART)
    assert screen.run("-i", 1, "-s", "-a", chart, 50) == 0
    silent = screen.out
    assert silent.count("\n") == 3
    screen.run("-i", 1, "-a", chart, 50)
    assert screen.out.endswith(f"\n{silent}")
    assert screen.out.count("Current Balance") == 50
