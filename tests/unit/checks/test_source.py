"""What may be handed in, and why all else is refused."""

from pathlib import Path

import pytest

from tourney.checks.source import read_handed_in, source_of
from tourney.competitors.sources import digest_of
from tourney.errors import ChartError, SubmissionError

CHART = (Path(__file__).parents[3] / "strategies" / "charts" / "mimic.txt").read_bytes()
PROJECT = b'[project]\nname = "bold"\n[project.entry-points.tourney]\nbold = "bold"\n'
PACKAGE = {"pyproject.toml": PROJECT, "bold.py": b"x = 1\n"}

REFUSED = {
    "bold.H": "got a header; submit player.cpp, or the folder with both",
    "bold.pyc": "got compiled code; submit the source",
    "bold.so": "got compiled code",
    "bold.zip": "got an archive; unpack it and submit its files",
    "bold.tar.gz": "got an archive",
    "bold.ipynb": "got a notebook; save its code as a file with .py",
    "bold.docx": "got a document; submit the competitor alone",
    "bold": "a file of C++ (.cpp), a chart (.txt) or a package's folder, got something",
    "Bold.java": "got another language",
    "bold.c": "got another language",
}


def test_a_file_of_python_is_a_competitor() -> None:
    """Nothing of it is looked at yet; its digest is that of an entrant."""
    source = source_of({"bold.py": b"\xef\xbb\xbfx = 1\r\n"})
    assert (source.kind, source.name) == ("file", "bold.py")
    assert source.files == (("bold.py", "x = 1\n"),)
    assert source.digest == digest_of((("bold.py", "x = 1\n"),), ()).hex()


def test_a_chart_is_a_competitor() -> None:
    """If it can be read as one; its faults have places."""
    assert source_of({"mimic.txt": CHART}).kind == "chart"
    with pytest.raises(ChartError, match=r"^essay\.txt:1:1: expected"):
        source_of({"essay.txt": b"Blackjack is a card game.\n"})


def test_files_of_cpp_are_a_competitor() -> None:
    """One alone, or with headers, or several with a player.cpp; what lies beside them is not."""
    player = b"Player *get_Competitor() { return 0; }"
    assert source_of({"bold.cpp": player}).kind == "cpp"
    others = {"counter.h": b"", "Makefile": b"all:", "a.out": b"\xff\0"}
    source = source_of({"bold.cpp": player, **others})
    assert (source.kind, source.name, len(source.files)) == ("cpp", "bold.cpp", 2)
    assert source.is_folder
    source = source_of({"player.cpp": player, "counter.cpp": b"", **others})
    assert (source.name, len(source.files)) == ("player.cpp", 3)
    with pytest.raises(SubmissionError, match=r"a folder with a player\.cpp or a pyproject\.toml"):
        source_of({"bold.cpp": player, "counter.cpp": b""})


def test_the_one_folder_with_a_player_is_the_project_at_any_depth() -> None:
    """With headers of other folders, and without a makefile; of two folders none is chosen."""
    player = b"Player *get_Competitor() { return 0; }"
    project = {"p/q/player.cpp": player, "p/q/main.cpp": b"", "p/lib/count.h": b"", "Makefile": b""}
    source = source_of(project)
    assert (source.kind, source.name) == ("cpp", "p/q/player.cpp")
    assert [name for name, _ in source.files] == ["p/lib/count.h", "p/q/main.cpp", "p/q/player.cpp"]
    older = {**project, "p/q/old/player.cpp": player}
    assert source_of(older).name == "p/q/player.cpp"
    several = (
        r"these are 2 competitors \(p/q/player\.cpp, p/r/Player\.cc\); submit the folder of one"
    )
    with pytest.raises(SubmissionError, match=several):
        source_of({**project, "p/r/Player.cc": player})


def test_a_package_is_read_without_the_files_of_tools() -> None:
    """Such as `uv.lock`, which uv writes beside every project."""
    beside = {"uv.lock": b"version = 1", "setup.cfg": b"", "docs/plot.PNG": b"\x89PNG\xff"}
    assert source_of({**PACKAGE, **beside}) == source_of(PACKAGE)


def test_a_package_is_a_competitor() -> None:
    """With a project file and one entry point."""
    source = source_of(PACKAGE)
    assert source.kind == "package"
    assert [name for name, _ in source.files] == ["bold.py", "pyproject.toml"]
    assert source_of({**PACKAGE, "src/bold.py": b"", "README.md": b"hello"}).kind == "package"


@pytest.mark.parametrize(("name", "said"), REFUSED.items(), ids=REFUSED)
def test_all_else_is_refused_with_a_reason(name: str, said: str) -> None:
    """And what to do instead."""
    with pytest.raises(SubmissionError) as caught:
        source_of({name: b"..."})
    assert str(caught.value).startswith(f"{name}: expected a file of Python")
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "there is no readable file"),
        (
            {"a.py": b"", "b.py": b""},
            "2 files (a.py, b.py); submit one file, or a folder with a player.cpp or a pyproj",
        ),
        ({"a.py": b"x = '\xff'"}, "a.py:1: the byte 0xff is not UTF-8 text; save"),
        ({"a.py": b"\n\nx\0"}, "a.py:3: the file has a zero byte"),
        ({"a.py": b"#" * 1_000_001}, "a.py has more than 1,000,000 bytes; shorten it"),
        (
            {".a.py": b""},
            "the name of a file must consist of printable characters, must not be hidden",
        ),
        ({"..\\a.py": b""}, "the name of a file must"),
        ({"a\x1b.py": b""}, "the name of a file must"),
        ({**PACKAGE, "x.so": b""}, "x.so: a package of pure Python cannot contain .so files"),
        ({**PACKAGE, "a/../x.py": b""}, "the name of a file must"),
        ({**PACKAGE, "/x.py": b""}, "the name of a file must"),
        (
            {**PACKAGE, **{f"m{n}.py": b"" for n in range(100)}},
            "102 files are too many; at most 100",
        ),
        ({"pyproject.toml": b"[project", "bold.py": b""}, "pyproject.toml: not valid TOML:"),
        (
            {"pyproject.toml": b"", "bold.py": b""},
            "[project.entry-points.tourney] must have one entry, not 0",
        ),
        ({"pyproject.toml": b"project = 3"}, "must have one entry, not 0"),
        ({"pyproject.toml": PROJECT}, "entry point 'bold': 'bold' is not a module of the package"),
        (
            {"pyproject.toml": PROJECT + b'b = "bold"\n', "bold.py": b""},
            "] must have one entry, not 2",
        ),
        (
            {
                **PACKAGE,
                "pyproject.toml": b"[project]\n"
                b'dependencies = ["Tourney_Cards>=1", "tourney", "torch[x]"]\n'
                + PROJECT.removeprefix(b"[project]\n"),
            },
            "these dependencies are not available: torch, tourney; remove them; only numpy, scipy, "
            "tourney-cards are installed",
        ),
        (
            {**PACKAGE, "random.py": b""},
            "module random would hide an installed one of the same name; rename it",
        ),
        ({**PACKAGE, "tourney/__init__.py": b""}, "module tourney would hide an installed one"),
    ],
)
def test_a_fault_is_named_with_its_remedy(files: dict[str, bytes], said: str) -> None:
    """Before anything runs."""
    with pytest.raises(SubmissionError) as caught:
        source_of(files)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "note",
    [
        *("README.md", "requirements.txt", "mine.ipynb", "pyvenv.cfg", "test_bold.py"),
        *("tests/test_all.py", "__init__.py", "Makefile", "weights.json", "bold.py~"),
    ],
)
def test_notes_and_tests_beside_a_file_are_left_out(note: str) -> None:
    """As in the download of a class; two programs are still refused."""
    program = b"x = 1\n"
    content = b"" if note == "__init__.py" else b"words"
    for name in ("bold.py", "player.py"):
        source = source_of({name: program, note: content})
        assert source.files == ((name, "x = 1\n"),)
    assert source_of({"work/bold.py": program, note: content}).name == "bold.py"
    with pytest.raises(SubmissionError, match=r"these are 2 files \(bold\.py, bolder\.py\)"):
        source_of({"bold.py": program, "bolder.py": program, note: content})


@pytest.mark.parametrize(
    ("text", "title", "name"),
    [
        (b"from tourney import Player\n", "Python", "mine.py"),
        (b"class Bold(Player):\n", "Python", "mine.py"),
        (b'#include "player.h"\nclass Bold : public Player {\n', "C++", "mine.cpp"),
    ],
)
def test_a_program_with_the_name_of_a_chart_is_renamed(text: bytes, title: str, name: str) -> None:
    """The faults of a chart would not help."""
    with pytest.raises(SubmissionError) as caught:
        source_of({"mine.txt": text})
    wanted = f"mine.txt: this looks like {title}, not like a chart; rename it to {name}"
    assert str(caught.value) == wanted


def test_the_remedy_for_an_archive_holds_on_the_portal_too() -> None:
    """There is no command line."""
    with pytest.raises(SubmissionError) as caught:
        source_of({"bold.rar": b"..."})
    assert str(caught.value).endswith("got an archive; unpack it and submit its files")


def test_a_folder_is_read_without_what_tools_make(tmp_path: Path) -> None:
    """A student hands in the folder as it lies there."""
    for name, content in PACKAGE.items():
        (tmp_path / name).write_bytes(content)
    for name in ("__pycache__/bold.pyc", ".git/config", "bold.egg-info/PKG-INFO", ".venv/x.py"):
        path = tmp_path / name
        path.parent.mkdir()
        path.write_bytes(b"\0")
    assert read_handed_in(tmp_path) == source_of(PACKAGE)


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    """It could lead to somebody's secrets."""
    secret = tmp_path / "secret.txt"
    secret.write_text("secret\n", "utf-8")
    package = tmp_path / "package"
    package.mkdir()
    for name, content in PACKAGE.items():
        (package / name).write_bytes(content)
    (package / "notes.txt").symlink_to(secret)
    with pytest.raises(SubmissionError, match="is a link or a special file"):
        read_handed_in(package)


def test_a_huge_folder_is_not_read_to_its_end(tmp_path: Path) -> None:
    """Neither by number nor by size."""
    (tmp_path / "big.py").write_bytes(b"#" * 1_000_001)
    with pytest.raises(SubmissionError, match="has more than 1,000,000 bytes"):
        read_handed_in(tmp_path)
    (tmp_path / "big.py").unlink()
    for number in range(101):
        (tmp_path / f"m{number}.py").touch()
    with pytest.raises(SubmissionError, match="has more than 100 files"):
        read_handed_in(tmp_path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """As everywhere."""
    with pytest.raises(SubmissionError, match=r"does not exist; check the spelling$"):
        read_handed_in(tmp_path / "bold.py")
    (tmp_path / "fifteen.py").touch()
    with pytest.raises(SubmissionError, match=r"spelling \(did you mean 'fifteen\.py'\?\)$"):
        read_handed_in(tmp_path / "fiften.py")


def test_a_byte_that_is_no_text_is_named_with_its_line() -> None:
    """Also where a mark stands at the beginning, which editors of another system write."""
    for mark in (b"", b"\xef\xbb\xbf"):
        with pytest.raises(SubmissionError, match=r"^bold\.py:2: the byte 0xe9 is not UTF-8 text;"):
            source_of({"bold.py": mark + b"x = 1\n# caf\xe9 noir\n"})
