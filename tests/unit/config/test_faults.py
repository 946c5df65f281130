"""A configuration with faults says all of them, each with its place and remedy."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tourney.config.model import Catalog, TournamentConfig
from tourney.config.tournament import TournamentFile, loads
from tourney.config.words import joined
from tourney.errors import ConfigError

TEN_FAULTS = """\
name: Ten faults
seed: 1e9
game: {preset: ve280, shufle: uniform, natural: 3:2}
bankroll: ten
minimum: 010
format: {kind: duplicat}
entrants:
  - strategy: ramp
    options: {spread: 5.0}
  - strategy: Ramp
    as: NO
  - file: players/none.py
"""

TEN_MESSAGES = """\
ten.yaml:2:7: seed: expected a whole number from 0 to 9223372036854775807, got 1e9, \
which YAML may read as 1000000000: write 1000000000
ten.yaml:3:23: game.shufle: unknown setting 'shufle'; \
choose decks, shuffle, natural, peek, share, label or dealt (did you mean 'shuffle'?)
ten.yaml:3:49: game.natural: expected 3:2, 6:5 or 1:1; got 3:2, \
which YAML may read as 182: put it in quotes
ten.yaml:4:11: bankroll: expected a whole number from 1 to 1000000000, got text 'ten'
ten.yaml:5:10: minimum: expected a whole number from 1 to 1000000000, got 010, \
which YAML may read as 8: write 8 or 10
ten.yaml:6:16: format.kind: expected duplicate or knockout, got 'duplicat' \
(did you mean 'duplicate'?)
ten.yaml:9:23: entrants[0].options.spread: expected a whole number from 1 to 100, got 5.0: write 5
ten.yaml:10:15: entrants[1].strategy: expected chart, ramp, shaped or simple; got 'Ramp' \
(did you mean 'ramp'?)
ten.yaml:11:9: entrants[1].as: expected a name of 1 to 80 printable characters, got NO, \
which YAML may read as false: put it in quotes
ten.yaml:12:11: entrants[2].file: 'players/none.py' does not exist"""

GOOD = {
    "name": "Good",
    "game": "ve280",
    "bankroll": "1000",
    "minimum": "5",
    "format": "duplicate",
    "entrants": "[{strategy: simple}]",
}


def faults_of(text: str, catalog: Catalog, folder: Path = Path()) -> str:
    """Return what the organiser is told about this text."""
    with pytest.raises(ConfigError) as caught:
        loads(text, catalog, "it.yaml", folder)
    return str(caught.value)


def good_but(**changes: str) -> str:
    """Return a good configuration with some settings changed; each on a line of its own."""
    return "".join(f"{name}: {value}\n" for name, value in {**GOOD, **changes}.items())


def test_all_faults_are_told_at_once(catalog: Catalog, folder: Path) -> None:
    """Ten faults are ten lines, in the order of the file."""
    with pytest.raises(ConfigError) as caught:
        loads(TEN_FAULTS, catalog, "ten.yaml", folder)
    assert str(caught.value) == TEN_MESSAGES
    assert len(caught.value.faults) == 10


@pytest.mark.parametrize("value", ["2026-12-01 23:59", "2026-13-01", "yes", "1e3", "12:30"])
@pytest.mark.parametrize("name", TournamentFile.model_fields)
def test_no_fault_shows_an_object_of_the_reader(catalog: Catalog, name: str, value: str) -> None:
    """Values on which YAML versions disagree are shown as they are written."""
    said = faults_of(good_but(**{name: value}), catalog)
    assert f"{name}: " in said
    assert "Trap" not in said


SETTINGS = [
    ("name: ''", "name: expected a name of 1 to 80 printable characters, got ''"),
    (
        "name: 280",
        "name: expected a name of 1 to 80 printable characters, got 280: put it in quotes",
    ),
    ("name:", "name: expected a name of 1 to 80 printable characters, got nothing"),
    (
        "name: 2026-01-01",
        (
            "name: expected a name of 1 to 80 printable characters, got 2026-01-01, "
            "which YAML may read as a date: put it in quotes"
        ),
    ),
    ('name: "a\\u0007"', r"name: expected a name of 1 to 80 printable characters, got 'a\x07'"),
    ("bankroll: '10'", "bankroll: expected {chips}, got text '10': remove the quotes"),
    ("bankroll: true", "bankroll: expected {chips}, got true"),
    ("bankroll: 0", "bankroll: expected {chips}, got 0"),
    ("bankroll: .nan", "bankroll: expected {chips}, got .nan"),
    ("bankroll: [5]", "bankroll: expected {chips}, got a list"),
    ("bankroll: null", "bankroll: expected {chips}, got null"),
    (
        "bankroll: 1_000",
        "bankroll: expected {chips}, got 1_000, which YAML may read as 1000: write 1000",
    ),
    (
        "bankroll: 0o10",
        "bankroll: expected {chips}, got 0o10, which YAML may read as 8: write 8",
    ),
    (
        "bankroll: 1:30",
        "bankroll: expected {chips}, got 1:30, which YAML may read as 90: write 90",
    ),
    ("bankroll: on", "bankroll: expected {chips}, got on, which YAML may read as true"),
    ("bankroll: !!int 5", "bankroll: values have no tags; remove '!!int'"),
    ("minimum: 5000", "minimum: expected at most the bankroll of 1000, got 5000"),
    ("maximum: 4", "maximum: expected at least the minimum of 5, got 4"),
    ("seed: -1", "seed: expected a whole number from 0 to 9223372036854775807, got -1"),
    ("game: ve281", "game: expected easybj or ve280, got 've281' (did you mean 've280'?)"),
    (
        "game: {decks: 2}",
        "game: 'preset' is missing (name of the rules to begin with)",
    ),
    (
        "game: {prest: ve280}",
        "game.prest: unknown setting 'prest' (did you mean 'preset'?)",
    ),
    (
        "game: {preset: ve280, decks: infinite}",
        "game: shuffle: expected 'uniform' for an endless shoe, got 'riffle'",
    ),
    (
        "game: {preset: ve280, decks: 21}",
        "game.decks: expected a whole number from 1 to 20 or infinite, got 21",
    ),
    (
        "game: {preset: ve280, peek: yes}",
        "game.peek: expected true or false, got yes, which YAML may read as true: write true",
    ),
    ("game: {preset: ve280, peek: 1}", "game.peek: expected true or false, got 1"),
    (
        "game: {preset: ve280, share: 1}",
        "game.share: expected a number above 0 and below 1, got 1",
    ),
    (
        "game: {preset: ve280, share: 1e-1}",
        (
            "game.share: expected a number above 0 and below 1, got 1e-1, "
            "which YAML may read as 0.1: write 0.1"
        ),
    ),
    (
        "game: {preset: ve280, label: NO}",
        "game.label: expected text, got NO, which YAML may read as false: put it in quotes",
    ),
    (
        "game: {preset: ve280, dealt: 010}",
        "game.dealt: expected a whole number, got 010, which YAML may read as 8: write 8 or 10",
    ),
    (
        "format: knockout",
        "format: 'advance' is missing (entrants that go on from each table)",
    ),
    (
        "format: {kind: knockout, advance: 2, seats: 2}",
        "format: advance: expected fewer than 2, got 2",
    ),
    (
        "format: {kind: knockout, advance: 2, cuts: [4, 1_0]}",
        "format.cuts[1]: expected a whole number, got 1_0, which YAML may read as 10: write 10",
    ),
    ("floor: 20", "floor: expected a mapping such as {name: value}, got 20"),
    (
        "limits: {memory_mib: 64}",
        "limits.memory_mib: expected a whole number from 256 to 1000000, got 64",
    ),
    ("floor: {tables: 0}", "floor.tables: expected a whole number from 1 to 100000, got 0"),
    (
        "floor: {level_minutes: 0}",
        "floor.level_minutes: expected a number above 0 and at most 1000000, got 0",
    ),
    (
        "floor: {round_seconds: -1}",
        "floor.round_seconds: expected a number from 0 to 1000000, {exponential: 40}, "
        "{normal: 40, deviation: 10}, {lognormal: 40, deviation: 10}, {uniform: [30, 50]} or "
        "{triangular: [30, 40, 60]}; got -1",
    ),
    (
        "floor: {round_seconds: {uniform: [50, 30]}}",
        "floor.round_seconds.uniform: expected a list such as [30, 50]; got [50, 30]: "
        "write [30, 50], in rising order",
    ),
    (
        "floor: {round_seconds: {uniform: [30, 30.0]}}",
        "floor.round_seconds.uniform: expected a list such as [30, 50]; got [30, 30.0]: "
        "write a constant time as 30",
    ),
    (
        "floor: {round_seconds: {triangular: [a, 5]}}",
        "floor.round_seconds.triangular: expected a list such as [30, 40, 60]; got [a, 5]",
    ),
    (
        "floor: {round_seconds: {uniform: 5}}",
        "floor.round_seconds.uniform: expected a list such as [30, 50]; got 5",
    ),
    (
        "floor: {round_seconds: {normal: 5}}",
        "floor.round_seconds: 'deviation' is missing",
    ),
    (
        "floor: {round_seconds: {deviation: 1, lognormal: 5, foo: 1}}",
        "floor.round_seconds.foo: unknown setting 'foo'; choose lognormal or deviation",
    ),
    (
        "floor: {round_seconds: {exponentail: 5}}",
        "floor.round_seconds.exponentail: unknown setting 'exponentail'; choose exponential "
        "(did you mean 'exponential'?)",
    ),
    (
        "floor: {round_seconds: {lognorml: 40, deviation: 5}}",
        "floor.round_seconds.lognorml: unknown setting 'lognorml'; choose lognormal or deviation "
        "(did you mean 'lognormal'?)",
    ),
    (
        "floor: {round_seconds: {uniform: [010, 50]}}",
        "floor.round_seconds.uniform[0]: expected a number from 0 to 1000000, got 010, "
        "which YAML may read as 8: write 8 or 10",
    ),
    (
        "floor: {round_seconds: {deviation: 5}}",
        "floor.round_seconds: expected a number from 0 to 1000000, {exponential: 40}, "
        "{normal: 40, deviation: 10}, {lognormal: 40, deviation: 10}, {uniform: [30, 50]} or "
        "{triangular: [30, 40, 60]}; got a mapping",
    ),
    (
        "floor: {start_time: 2026-12-01 18:00}",
        'floor.start_time: expected "2026-12-01 18:00" or null, got 2026-12-01 18:00, which YAML '
        "may read as a date: put it in quotes",
    ),
    ("entrants: []", "entrants: the list is empty; add an entrant such as 'strategy: simple'"),
    (
        "entrants: simple",
        "entrants: expected a list with '- ' before each entrant, got text 'simple'",
    ),
    (
        "entrants: [simple]",
        (
            "entrants[0]: expected an entrant such as 'strategy: simple', got text 'simple': "
            "write 'strategy: simple'"
        ),
    ),
    (
        "entrants: [{as: A}]",
        "entrants[0]: the entrant has no source; add 'strategy', 'file', 'chart' or 'submissions'",
    ),
    (
        "entrants: [{strategy: simple, file: players/bold.py}]",
        "entrants[0].file: an entrant has only one of 'strategy', 'file', 'chart' and "
        "'submissions'; remove one",
    ),
    (
        "entrants: [{strategy: wong}]",
        ("entrants[0].strategy: 'wong' is in quarantine: it failed to import"),
    ),
    (
        "entrants: [{strategy: simple, options: {spread: 1}}]",
        "entrants[0].options.spread: unknown setting 'spread'; remove it",
    ),
    (
        "entrants: [{strategy: shaped, options: {spread: 1}}]",
        "entrants[0].options.spread: unknown setting 'spread'; remove it",
    ),
    (
        "entrants: [{strategy: ramp, options: {spred: 1}}]",
        (
            "entrants[0].options.spred: unknown setting 'spred'; choose spread, base or mood "
            "(did you mean 'spread'?)"
        ),
    ),
    (
        "entrants: [{strategy: ramp, options: {mood: [1]}}]",
        "entrants[0].options.mood: expected a single value, got a list",
    ),
    ("entrants: [{strategy: chart}]", "entrants[0].options: 'chart' is missing"),
    (
        "entrants: [{file: players}]",
        "entrants[0].file: 'players' is a folder, not a file",
    ),
    (
        "entrants: [{file: players/bold.py, options: [1]}]",
        "entrants[0].options: expected a mapping such as {name: value}, got a list",
    ),
    (
        "entrants: [{file: players/bold.py, options: {a: [off]}}]",
        (
            "entrants[0].options.a[0]: expected a single value, got off, "
            "which YAML may read as false: put it in quotes"
        ),
    ),
    (
        "entrants: [{strategy: simple, as: Zoe\u0301}, {strategy: ramp, as: Zo\u00e9}]",
        ("entrants[1].as: 'Zo\u00e9' is already an entrant (line 6); add 'as' with another name"),
    ),
    (
        "entrants: [{strategy: players/bold.py}]",
        (
            "entrants[0].strategy: expected chart, ramp, shaped or simple; got 'players/bold.py': "
            "write 'file: players/bold.py'"
        ),
    ),
    (
        "entrants: [{strategy: 'ramp,spread=8'}]",
        (
            "entrants[0].strategy: expected chart, ramp, shaped or simple; got 'ramp,spread=8': "
            "write 'ramp', and below it 'options: {spread: 8}'"
        ),
    ),
    (
        "format: {kind:duplicate}",
        "format: 'kind:duplicate' has no space after ':'; write 'kind: duplicate'",
    ),
    (
        "entrants: [{strategy: simple}, {strategy: ramp, as: SIMPLE}]",
        ("entrants[1].as: 'SIMPLE' is already an entrant (line 6); add 'as' with another name"),
    ),
    (
        "leaderboard: {columns: [rank, rank]}",
        "leaderboard.columns[1]: 'rank' appears twice (first on line 7); remove one",
    ),
    (
        "leaderboard: {columns: [ruins]}",
        (
            "leaderboard.columns[0]: expected entrant, mean_final_bankroll, rank or ruin; "
            "got 'ruins' (did you mean 'ruin'?)"
        ),
    ),
    (
        "leaderboard: {columns: rank}",
        "leaderboard.columns: expected a list of columns, got text 'rank'",
    ),
]


@pytest.mark.parametrize(("setting", "message"), SETTINGS)
def test_a_single_fault_says_what_was_expected_and_got(
    catalog: Catalog, folder: Path, setting: str, message: str
) -> None:
    """One fault is one line, with the words the organiser needs."""
    name, _, value = setting.partition(":")
    faults = faults_of(good_but(**{name: value.strip()}), catalog, folder)
    place, _, said = faults.partition(": ")
    assert said == message.replace("{chips}", "a whole number from 1 to 1000000000")
    assert place.startswith("it.yaml:")


def test_a_wrong_value_is_placed_at_the_value_and_a_wrong_key_at_the_key(catalog: Catalog) -> None:
    """An editor that jumps to the place finds what to change."""
    faults = faults_of(good_but(minimum="none", seat="5"), catalog)
    assert [line.split(": ")[0] for line in faults.splitlines()] == ["it.yaml:4:10", "it.yaml:7:1"]


def test_a_missing_setting_is_placed_at_the_mapping_that_lacks_it(catalog: Catalog) -> None:
    """What is not there has no place of its own."""
    text = good_but().replace("bankroll: 1000\n", "")
    expected = "it.yaml:1:1: 'bankroll' is missing (starting chips of every entrant)"
    assert faults_of(text, catalog) == expected


def test_a_misspelt_setting_is_one_fault_and_not_two(catalog: Catalog) -> None:
    """Whoever wrote `bankrol` did not forget the bankroll."""
    faults = faults_of(good_but().replace("bankroll", "bankrol"), catalog)
    assert faults.startswith(
        "it.yaml:3:1: bankrol: unknown setting 'bankrol'; choose name, seed, game, bankroll"
    )
    assert faults.endswith("(did you mean 'bankroll'?)")
    assert "\n" not in faults


def test_a_repeated_key_names_the_line_of_the_first(catalog: Catalog) -> None:
    """YAML would silently keep the last one."""
    faults = faults_of(good_but() + "minimum: 6\n", catalog)
    assert faults == "it.yaml:7:1: minimum: 'minimum' appears twice (first on line 4); remove one"


def test_keys_that_are_no_text_are_refused(catalog: Catalog) -> None:
    """A key is the name of a setting, and so is no number, list or trap."""
    text = good_but() + "yes: 1\n1: 2\n<<: {a: b}\n? [a]\n: b\n!x a: b\n~: c\n"
    assert faults_of(text, catalog).splitlines() == [
        (
            "it.yaml:7:1: expected the name of a setting, got yes, "
            "which YAML may read as true: put it in quotes"
        ),
        "it.yaml:8:1: expected the name of a setting, got 1: put it in quotes",
        "it.yaml:9:1: expected the name of a setting, got the merge key <<: write the settings out",
        "it.yaml:10:3: expected the name of a setting, got a list",
        "it.yaml:12:1: expected the name of a setting, got '!x': remove the tag",
        "it.yaml:13:1: expected the name of a setting, got ~: put it in quotes",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it.yaml: the file is empty; add settings such as 'name: Quickstart'"),
        (
            "# only words\n---\n",
            "it.yaml: the file is empty; add settings such as 'name: Quickstart'",
        ),
        ("- a", "it.yaml:1:1: expected settings such as 'name: Quickstart', got a list"),
        ("a", "it.yaml:1:1: expected settings such as 'name: Quickstart', got text 'a'"),
        (
            "!!python/object:B {}",
            "it.yaml:1:1: values have no tags; remove '!!python/object:B'",
        ),
        ("a:\n\tb: c", "it.yaml:2:1: invalid YAML: a tab; indent with spaces"),
        ("a: 'x", "it.yaml:1:4: invalid YAML: a quote that is never closed"),
        ("a: @b", "it.yaml:1:4: invalid YAML: text that begins with '@'; put it in quotes"),
        (
            "a: 1\nb",
            "it.yaml:2:1: invalid YAML: a line without ':' and a space; write 'name: value'",
        ),
        (
            "b: 2\na:1\nc: 3",
            "it.yaml:2:1: invalid YAML: a line without ':' and a space; write 'name: value'",
        ),
        ("b: 2\na:\u00a01", "it.yaml:2:1: invalid YAML: a no-break space; write plain spaces"),
        (
            'a: "C:\\Users"',
            (
                "it.yaml:1:9: invalid YAML: a backslash that begins no character; "
                "write two backslashes or use single quotes"
            ),
        ),
        (
            "a:\n  * b",
            (
                "it.yaml:2:4: invalid YAML: a '*' or '&' without a name; begin entries of a list "
                "with '- ', or put the text in quotes"
            ),
        ),
        (
            "[a]\nb=1",
            (
                "it.yaml:2:1: invalid YAML: text after the end of the settings; "
                "write 'name: value' on each line"
            ),
        ),
        ("a: [b", "it.yaml:1:6: invalid YAML: a bracket that is not closed; add ']'"),
        (
            "a: [",
            "it.yaml:1:5: invalid YAML: the file ends too early; close every bracket",
        ),
        (
            f"a: *{'b' * 2000}",
            f"it.yaml:1:4: invalid YAML: an alias without an anchor before it: '{'b' * 59}…'",
        ),
        ("a: *b", "it.yaml:1:4: invalid YAML: an alias without an anchor before it: 'b'"),
        (
            "a: 1\n---\nb: 2",
            "it.yaml:2:1: invalid YAML: a second document; keep one document in a file",
        ),
        ("a: &a [*a]", "it.yaml:1:4: a[0]: the alias contains itself"),
        ("a: \x07", "it.yaml:1:4: the character U+0007 is not printable; remove it"),
        (
            "a: " + "[\n" * 2000,
            "it.yaml:50:1: more than 50 levels of nested lists and mappings",
        ),
        (
            "a:\n" + "".join(" " * depth + "b:\n" for depth in range(1, 900)),
            "it.yaml:51:51: more than 50 levels of nested lists and mappings",
        ),
        (
            'a: "\\q"',
            (
                "it.yaml:1:6: invalid YAML: a backslash before 'q'; "
                "write two backslashes or use single quotes"
            ),
        ),
    ],
)
def test_text_that_is_no_configuration_is_one_fault(
    catalog: Catalog, text: str, message: str
) -> None:
    """Where nothing can be read, one clear reason is enough."""
    assert faults_of(text, catalog) == message


def test_aliases_that_multiply_are_refused(catalog: Catalog) -> None:
    """A few lines that stand for a thousand million values do no harm."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 10)]
    faults = faults_of("\n".join(lines), catalog)
    assert faults.endswith("more than 100000 values with all aliases followed")


def test_very_long_numbers_are_said_briefly(catalog: Catalog) -> None:
    """A number of many digits neither stops Python nor fills the screen."""
    for digits in ("9" * 900, "9" * 9000, "0x" + "f" * 900, "1e" + "9" * 50):
        faults = faults_of(good_but(bankroll=digits), catalog)
        assert faults.startswith("it.yaml:3:11: bankroll: expected a whole number from 1 to")
        assert len(faults) < 250


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text() | st.text(alphabet="abn:-[]{}&*!<>|'\"\\%@#?,~=_ \n\t0189.exo+"))
def test_any_text_is_a_configuration_or_a_fault(catalog: Catalog, text: str) -> None:
    """Nothing that can be typed makes the reader fail in any other way."""
    for whole in (text, good_but(name=text), good_but(floor=text), good_but(entrants=f"[{text}]")):
        try:
            config = loads(whole, catalog)
        except ConfigError as error:
            str(error).encode("utf-8")  # whatever was typed, the message can be printed
        else:
            assert isinstance(config, TournamentConfig)


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        (
            "game: {preset: ve28, decks: 99, shufle: uniform}",
            ("game.preset: expected", "game.decks: expected", "game.shufle: unknown"),
        ),
        (
            "game: {prset: ve280, decks: 99}",
            ("game.prset: unknown setting 'prset'", "game.decks: expected"),
        ),
        (
            "format: {kind: duplicat, tables: 0, round: 3}",
            ("format.kind: expected", "format.tables: expected", "format.round: unknown"),
        ),
        (
            "format: {knd: knockout}",
            ("format.knd: unknown setting 'knd'", "format: 'advance' is missing"),
        ),
        (
            "stages: [{format: {kind: duplicat, tables: 0}}]",
            ("format.kind: expected", "format.tables: expected"),
        ),
    ],
)
def test_a_misspelt_name_hides_no_other_fault(
    catalog: Catalog, text: str, messages: tuple[str, ...]
) -> None:
    """What it was probably meant to be says what the rest of the mapping has to be."""
    key = text.split(":", maxsplit=1)[0]
    others = {name: value for name, value in GOOD.items() if name not in {key, "format"}}
    others |= {"format": "duplicate"} if key == "game" else {}
    found = faults_of("".join(f"{name}: {it}\n" for name, it in others.items()) + text, catalog)
    for message in messages:
        assert message in found, found


def test_nothing_is_missing_of_a_format_that_was_not_named(catalog: Catalog) -> None:
    """The nearest name may be another format's, as where a plugin is in quarantine."""
    others = "".join(f"{name}: {it}\n" for name, it in GOOD.items() if name != "format")
    found = faults_of(f"{others}format: {{kind: kickout}}", catalog)
    assert "(did you mean 'knockout'?)" in found
    assert "advance" not in found


def test_a_misspelt_game_hides_no_fault_of_the_chips(catalog: Catalog) -> None:
    """What was probably meant has chips."""
    text = "name: it\ngame: ve28\nformat: duplicate\nentrants: [{strategy: simple}]\n"
    found = faults_of(text, catalog)
    assert "'bankroll' is missing" in found


def test_a_wrong_game_hides_no_missing_name(catalog: Catalog) -> None:
    """Only what hangs on the game is not asked for."""
    found = faults_of(good_but(game="zzz").replace("name: Good\n", ""), catalog)
    assert "'name' is missing (title of the tournament)" in found
    assert found.count("\n") == 1


def test_a_name_like_no_other_leaves_the_rest_open(catalog: Catalog) -> None:
    """Nobody knows what it was to be, so nothing more is asked for."""
    text = "".join(
        f"{name}: {it}\n" for name, it in (GOOD | {"format": "{kind: zzz, x: 1}"}).items()
    )
    assert faults_of(text, catalog).count("\n") == 0


def test_what_is_left_of_a_list_is_counted_as_people_do() -> None:
    """One is no others."""
    words = [f"w{number}" for number in range(12)]
    assert joined(words[:11]).endswith("w9 or 1 other")
    assert joined(words, shown_by="`list`").endswith("w9 or 2 others (`list` shows all)")
    assert joined(words[:10], shown_by="`list`").endswith("w8 or w9")


def test_more_than_ten_settings_end_with_what_shows_all(catalog: Catalog) -> None:
    """`tourney schema` has all of a tournament."""
    text = "".join(f"{name}: {it}\n" for name, it in (GOOD | {"bankrol": "5"}).items())
    assert " others (`tourney schema` shows all) (did you mean 'bankroll'?)" in faults_of(
        text, catalog
    )


@pytest.mark.parametrize(
    ("why", "said"),
    [
        (
            "ValueError: spread: expected at most the mood, got 5",
            "it.yaml:8:23: entrants[0].options.spread: expected at most the mood, got 5",
        ),
        (
            "ValueError: 5 is too much of a spread",
            "it.yaml:8:23: entrants[0].options.spread: ramp rejects the options: "
            "ValueError: 5 is too much of a spread",
        ),
        (
            "ValueError: expected less",
            "it.yaml:8:14: entrants[0].options: expected less",
        ),
        (
            "KeyError: 'spread' and 'mood'",
            "it.yaml:8:14: entrants[0].options: ramp rejects the options: "
            "KeyError: 'spread' and 'mood'",
        ),
    ],
)
def test_options_that_a_constructor_refuses_are_placed_where_it_says(
    catalog: Catalog, why: str, said: str
) -> None:
    """At the one that it names, or at all of them."""
    asked: list[Mapping[str, object]] = []

    def why_refused(_strategy: object, options: Mapping[str, object]) -> str:
        asked.append(options)
        return why

    trying = replace(catalog, why_refused=why_refused)
    entrants = "\n  - strategy: ramp\n    options: {spread: 5, mood: low}\n  - strategy: simple"
    wrong = {**GOOD, "entrants": "[{strategy: ramp, options: {spread: x}}]"}
    good = {**GOOD, "seed": "1", "entrants": entrants}
    text = "\n".join(f"{name}: {value}" for name, value in good.items())
    assert faults_of(text, trying) == said
    faults_of("\n".join(f"{name}: {value}" for name, value in wrong.items()), trying)
    assert asked == [{"spread": 5, "mood": "low"}], "asked once, and only of what fits"
    assert loads(text, catalog).entrants[0].options == (("spread", 5), ("mood", "low"))


@pytest.mark.parametrize("time", ["2026-13-01 18:00", "2026-02-30 18:00", "2026-02-28 25:00"])
def test_a_day_that_no_calendar_has_is_told_as_that(catalog: Catalog, time: str) -> None:
    """The same of an hour; in what words Python says more depends on its version."""
    told = faults_of(good_but(floor=f'{{start_time: "{time}"}}'), catalog)
    assert f"or null, got text '{time}': this day or hour does not exist (" in told
