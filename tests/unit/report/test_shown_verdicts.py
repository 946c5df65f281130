"""A verdict is shown without harm, whoever wrote the store that it comes from."""

import sys

from tests.unit.game.asking.test_printable import HOSTILE, is_fit
from tourney.cli.run_warnings import fault_words
from tourney.game.ledger import Verdict
from tourney.report.redaction import shown_verdict


def test_a_verdict_of_a_strange_store_is_shown_in_its_own_lines() -> None:
    """No field writes a line in another name, and none has a path or an address."""
    text = f"x\nhonest: raised {''.join(HOSTILE)} {sys.prefix}/lib ada@uni.example"
    shown = shown_verdict(Verdict("raised", text, 1, 0, text, text, text, text))
    for each in (shown.call, shown.message, shown.place, shown.seen):
        assert is_fit(each)
    assert is_fit(shown.traceback, keep="\n")
    for each in (shown.call, shown.message, shown.place, shown.seen, shown.traceback):
        assert sys.prefix not in each
        assert "uni.example" not in each
    assert is_fit(fault_words(Verdict("raised", "bet", 1, 0, text, text, "", "")))


def test_an_honest_verdict_is_shown_as_it_is() -> None:
    """Word for word."""
    verdict = Verdict("raised", "bet", 1, 0, "bet: größer", "a.py:3", "  File\n", "9 gegen A")
    assert shown_verdict(verdict) == verdict
