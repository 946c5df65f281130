"""The options of Easy Blackjack, as `getopt` reads them."""

import pytest

from tourney.games.blackjack.programs.easybj import USAGE, ArgumentsError, Options, read_options

NO_NUM = "Error: must specify number of hands when playing automatically.\n"
BAD_NUM = "Error: NUM must be a natural number.\n"
BAD_SEED = "Error: SEED must be a non-negative integer.\n"
SILENT = "Error: silent mode is only available when playing automatically.\n"
RECORD = "Error: recording is only available for random-based shoe.\n"
BOTH = "Error: cannot choose both file and random-based shoe.\n"
CHART = Options(chart_file="F", hands=5)
SILENT_CHART = Options(chart_file="F", hands=5, silent=True)


@pytest.mark.parametrize(
    ("typed", "options"),
    [
        ("", Options()),
        ("-i 0", Options(rng_seed=0)),
        ("-i 007", Options(rng_seed=7)),
        ("-i4294967296", Options(rng_seed=1 << 32)),
        ("-i 9223372036854775807", Options(rng_seed=(1 << 63) - 1)),
        ("-i 1 -i 2", Options(rng_seed=2)),
        ("-f shoe", Options(shoe_file="shoe")),
        ("-fshoe", Options(shoe_file="shoe")),
        ("-f -i", Options(shoe_file="-i")),
        ("-f --", Options(shoe_file="--")),
        ("-r out", Options(record="out")),
        ("-rout -i3", Options(rng_seed=3, record="out")),
        ("-a F 5", CHART),
        ("-aF 5", CHART),
        ("-a F 0005", CHART),
        ("-s -a F 5", SILENT_CHART),
        ("-sa F 5", SILENT_CHART),
        ("-saF 5", SILENT_CHART),
        ("-a F 5 -s", SILENT_CHART),
        ("-ssa F 5 -s", SILENT_CHART),
        ("-a F 5 --", CHART),
        ("-a G 6 -a F 5", CHART),
        ("-a -h 5", Options(chart_file="-h", hands=5)),
        ("-i 2 -a F 5 -r out", Options(rng_seed=2, record="out", chart_file="F", hands=5)),
    ],
)
def test_correct_options_are_accepted(typed: str, options: Options) -> None:
    """Joined or apart, in any order; the last of two alike counts."""
    assert read_options(typed.split()) == options


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("-h", USAGE),
        ("-sh", USAGE),
        ("-h -x", USAGE),
        ("-s -f shoe -i 1 -h", USAGE),
        ("-x -h", "./asst1: invalid option -- 'x'\n"),
        ("-sx", "./asst1: invalid option -- 'x'\n"),
        ("--help", "./asst1: invalid option -- '-'\n"),
        ("-:", "./asst1: invalid option -- ':'\n"),
        ("-f", "./asst1: option requires an argument -- 'f'\n"),
        ("-i", "./asst1: option requires an argument -- 'i'\n"),
        ("-r", "./asst1: option requires an argument -- 'r'\n"),
        ("-sa", "./asst1: option requires an argument -- 'a'\n"),
        ("-i abc", BAD_SEED),
        ("-i -5", BAD_SEED),
        ("-i +5", BAD_SEED),
        ("-i 1.5", BAD_SEED),
        ("-i 5x", BAD_SEED),
        ("-i ٣", BAD_SEED),
        ("-i 9223372036854775808", BAD_SEED),
        ("-i abc -h", BAD_SEED),
        (f"-i {'9' * 5000}", BAD_SEED),
        ("-a F", NO_NUM),
        ("-a F -s 5", NO_NUM),
        ("5 -a F", NO_NUM),
        ("-a F -x", NO_NUM),
        ("-a F 0", BAD_NUM),
        ("-a F -5", BAD_NUM),
        ("-a F 5.0", BAD_NUM),
        ("-a F five", BAD_NUM),
        ("-a F --", BAD_NUM),
        (f"-a F {'9' * 5000}", BAD_NUM),
        ("-s", SILENT),
        ("-s -f shoe -r out", SILENT),
        ("-f shoe -r out", RECORD),
        ("-f shoe -i 1 -r out", RECORD),
        ("-i 1 -f shoe", BOTH),
        ("5", "./asst1: unexpected argument -- '5'\n"),
        ("-", "./asst1: unexpected argument -- '-'\n"),
        ("-a F 5 6", "./asst1: unexpected argument -- '6'\n"),
        ("-- -h", "./asst1: unexpected argument -- '-h'\n"),
        ("extra -h", USAGE),
    ],
)
def test_everything_else_is_refused_in_the_program_s_words(typed: str, said: str) -> None:
    """The first mistake from the left, then what does not fit together."""
    with pytest.raises(ArgumentsError) as refused:
        read_options(typed.split())
    assert str(refused.value) == said


def test_an_empty_argument_is_an_argument() -> None:
    """It names no file that could be read, which is told later."""
    assert read_options(["-f", ""]) == Options(shoe_file="")
    with pytest.raises(ArgumentsError, match="SEED"):
        read_options(["-i", ""])
