"""C++ beside Python by the contracts of other courses and games: the results of twins are alike."""

import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.sandbox.attacks.asking import questions
from tests.sandbox.cpp import game_twins as twins
from tests.sandbox.cpp.tables import blackjack, pool, straights
from tests.sandbox.cpp.written import COUNTING
from tests.support.proving import with_more
from tourney import Card, Rank, StraightsPlayer, StraightsView, Suit
from tourney.execution.engine_selection import play_batch
from tourney.game.asking.exchange import SeatRequest
from tourney.game.blocks import Batch, Block
from tourney.game.ledger import BlockResult
from tourney.game.lineup import lineup_of
from tourney.game.players import BasePlayer
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.game import BLACKJACK
from tourney.games.blackjack.players.questions import Call
from tourney.games.blackjack.rules import CSC24400, EASYBJ, EUROPEAN, SIX_DECKS_H17, VE280
from tourney.sandbox.levels import Level, probe
from tourney.strategies.counting import Counting
from tourney.strategies.first_legal import FirstLegal
from tourney.strategies.thrifty import Thrifty

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL or not shutil.which("g++"), reason="nothing can be compiled here"
)

CASINO = replace(SIX_DECKS_H17, split_aces="resplit")

AT_BLACKJACK: dict[str, tuple[str, type, Any]] = {
    "act, Easy Blackjack": (twins.ACTS, twins.Acts, EASYBJ),
    "act, a casino": (twins.ACTS, twins.Acts, CASINO),
    "act, no hole card": (twins.ACTS, twins.Acts, EUROPEAN),
    "act, VE280": (twins.ACTS, twins.Acts, VE280),
    "act without watching, a casino": (twins.QUIET_ACTS, twins.QuietActs, CASINO),
    "draw, CSC 24400": (twins.CSC24400, twins.Csc24400, CSC24400),
    "draw with CSC's hands, a casino": (twins.CSC24400, twins.Csc24400, CASINO),
    "draw with CSC's hands, VE280": (twins.CSC24400, twins.Csc24400, VE280),
    "VE280's draw, a casino": (COUNTING, Counting, CASINO),
    "VE280's draw, Easy Blackjack": (COUNTING, Counting, EASYBJ),
    "VE280's draw, CSC 24400": (COUNTING, Counting, CSC24400),
}
NAME = r"\w+ of \w+"
"""A card, as a verdict names it."""

AT_STRAIGHTS: dict[str, tuple[str, type]] = {
    "everything": (twins.PLAYS, twins.Plays),
    "first-legal": (twins.FIRST, FirstLegal),
    "thrifty": (twins.THRIFTY, Thrifty),
}


def played(
    blocks: Sequence[Block], text: str, twin: type[BasePlayer]
) -> tuple[Sequence[BlockResult], Sequence[BlockResult]]:
    """Play blocks with a twin in all seats, and with the program in those of entrant 0."""
    batch, game = Batch(0, 0, tuple(blocks)), blocks[0].rules.game
    here = lineup_of(lambda _: twin())
    there = replace(here, confined=lambda entrant: None if entrant else pool(game, text))
    return play_batch(batch, here).results, play_batch(batch, there).results


def assert_alike(here: Sequence[BlockResult], there: Sequence[BlockResult]) -> None:
    """Compare results, and see that nobody was at fault."""
    assert [each.digest for each in there] == [each.digest for each in here]
    assert there == here
    assert not any(seat.verdict for each in there for seat in each.seats)


@pytest.mark.prove
@pytest.mark.parametrize("tables", with_more([40], [2_000]))
@pytest.mark.parametrize("name", AT_BLACKJACK)
def test_twins_at_blackjack_have_the_same_results(name: str, tables: int) -> None:
    """Whatever the rules leave to them: insurance, doubles, splits and surrender, too."""
    text, twin, rules = AT_BLACKJACK[name]
    assert_alike(*played(blackjack(rules, tables), text, twin))


@pytest.mark.parametrize("tables", with_more([20], [500]))
@pytest.mark.parametrize("name", AT_STRAIGHTS)
def test_twins_at_straights_have_the_same_results(name: str, tables: int) -> None:
    """By all that a view shows, round after round."""
    text, twin = AT_STRAIGHTS[name]
    assert_alike(*played(straights(tables), text, twin))


def act(body: str) -> str:
    """Write a player that acts; `body` stands in line 5."""
    return (
        '#include "act_player.h"\n'
        "#include <stdexcept>\n"
        "class One : public ActPlayer {\n"
        "    Action act(const SeenHand &, const SeenHand &, const std::vector<Action> &legal) {\n"
        f"        {body}\n"
        "    }\n"
        "};\n"
        "static One one;\n"
        "ActPlayer *get_Competitor() { return &one; }\n"
    )


def test_a_deck_of_the_authors_own_stays_its_own() -> None:
    """Where the contract has none: the linker would take ours without a word."""
    own = (
        "struct Deck { int kinds[99]; Deck() { kinds[98] = 1; } int deal() { return kinds[98]; } };"
        "static Deck deck; int get_cut() { return 1; }\n"
    )
    text = own + act("return deck.deal() + get_cut() == 2 ? STAND : SPLIT;")
    with pool(BLACKJACK, text) as asked:
        asked.sit([SeatRequest(1, bytes(16))])
        assert asked.decide(questions(Call.ACT, 1, [0])).answers.tolist() == [Action.STAND]


@pytest.mark.parametrize(
    ("body", "cause", "message", "place"),
    [
        ("return SPLIT;", "illegal", "act: expected one of STAND, HIT, got SPLIT", ""),
        ("return Action(99);", "illegal", "act: expected one of STAND, HIT, got 99", ""),
        (
            "return legal.at(7);",
            "raised",
            "act: expected an answer, got std::out_of_range: vector",
            "player.cpp:5",
        ),
        ("throw 3;", "raised", "act: expected an answer, got a thrown int", "player.cpp:5"),
    ],
)
def test_a_fault_of_a_move_is_named(body: str, cause: str, message: str, place: str) -> None:
    """In the author's words: the names of the header, and its line."""
    with pool(BLACKJACK, act(body)) as asked:
        (seating,) = asked.sit([SeatRequest(1, bytes(16))])
        assert (seating.acts, seating.watches, seating.verdict) == (True, True, None)
        (verdict,) = asked.decide(questions(Call.ACT, 1, [0])).faults.values()
    assert (verdict.cause, verdict.call, verdict.place) == (cause, "act", place)
    assert message in verdict.message


@pytest.mark.parametrize(
    ("body", "cause", "message", "place"),
    [
        (
            "return Card{1, CLUBS};",
            "illegal",
            f"play: expected to (play|discard) one of ({NAME}, )*{NAME}, got Ace of Clubs",
            "",
        ),
        (
            "return Card{};",
            "illegal",
            f"play: expected to (play|discard) one of ({NAME}, )*{NAME}, got no card",
            "",
        ),
        (
            "if (!view.mustDiscard()) return view.legalPlays[0]; return Card{7, SPADES};",
            "illegal",
            f"play: expected to discard one of ({NAME}, )*{NAME}, got Seven of Spades",
            "",
        ),
        ("throw 3;", "raised", "play: expected an answer, got a thrown int", "player.cpp:3"),
    ],
)
def test_a_fault_of_a_play_is_named(body: str, cause: str, message: str, place: str) -> None:
    """As a player in Python is told."""
    text = (
        '#include "straights_player.h"\n'
        "struct One : StraightsPlayer { Card play(const StraightsView &view) {\n"
        f"    {body}\n"
        "} };\n"
        "static One one;\n"
        "StraightsPlayer *get_Competitor() { return &one; }\n"
    )
    _, results = played(straights(4), text, FirstLegal)
    found = [seat.verdict for each in results for seat in each.seats if seat.verdict]
    assert found
    for verdict in found:
        assert (verdict.cause, verdict.call, verdict.place) == (cause, "play", place)
        assert re.fullmatch(message, verdict.message)


class Stubborn(StraightsPlayer):
    """Has one card in mind."""

    def play(self, view: StraightsView) -> Card:
        """Play it."""
        return Card(Rank.ACE, Suit.CLUBS)


def test_an_illegal_play_is_told_in_the_words_of_python() -> None:
    """Result by result, with everything that a verdict says but the author's place."""
    text = twins.FIRST.replace("return view.mustDiscard()", "return Card{1, CLUBS}; return true")
    here, there = played(straights(4), text, Stubborn)
    assert [verdicts(each) for each in there] == [verdicts(each) for each in here]
    assert any(map(verdicts, here))


def verdicts(result: BlockResult) -> list[tuple[str, str, int, int, str, str]]:
    """Give what verdicts say, with what lay before the seats."""
    found = [seat.verdict for seat in result.seats if seat.verdict]
    return [(v.cause, v.call, v.round, v.decision, v.message, v.seen) for v in found]


def test_cards_and_hands_of_csc_24400_are_as_its_document_shows() -> None:
    """Printed with three characters, and counted as in blackjack or in poker."""
    body = """
        player.Display();
        player.DisplayNoHole();
        dealer.Display();
        Card mine("A", "C");
        std::cout << mine.getValue();
        mine.setCardPoker("K", "D");
        std::cout << mine.getValue() << mine.getFace() << mine.getSuit();
        mine.setFace("10");
        mine.setSuit("H");
        mine.Display();
        mine.setCardBlackJack("A", "C");
        player.Append(mine);
        player.Append(mine);
        std::cout << player.ComputeBJsum() << ' ' << player.getSize() << std::endl;
        return false;
    """
    text = twins.CSC24400.replace("expose(dealer);", body, 1)
    text = text.replace("#include <cstdlib>", "#include <iostream>\n#include <cstdlib>")
    with pool(BLACKJACK, text) as asked:
        asked.sit([SeatRequest(1, bytes(16))])
        assert asked.decide(questions(Call.DRAW, 1, [0])).answers.tolist() == [Action.STAND]
    assert asked.printed == " 5S  JS\n 5S  XX\n 9H1113KD10H17 4\n"
