"""The rules of Easy Blackjack, clause by clause: docs/rules/easybj.md.

Most are shown by what the program prints for a shoe from a file and the answers of a person.
"""

from io import BytesIO
from pathlib import Path

import pytest

from tourney import Hand
from tourney.errors import ChartError
from tourney.game.answers import read_letter
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.players import Chart, load_chart, read_chart, write_chart
from tourney.games.blackjack.players.chart import always
from tourney.games.blackjack.programs.easybj import (
    ArgumentsError,
    FileShoe,
    Streams,
    read_options,
    run,
)
from tourney.games.blackjack.programs.easybj.shoes import card_letter
from tourney.games.blackjack.records import DEALER, Dealt
from tourney.games.blackjack.round import Round
from tourney.games.blackjack.rules import EASYBJ

FILLER = " " * 30  # bytes, so that the games can begin; no cards
WIZARD = Path(__file__).parents[4] / "golden" / "easybj" / "data" / "wizard.txt"
STAND, HIT, DOUBLE, SPLIT, SURRENDER = (
    *(Action.STAND, Action.HIT, Action.DOUBLE, Action.SPLIT, Action.SURRENDER),
)


@pytest.fixture
def program(tmp_path: Path) -> "Program":
    """Give the program and a folder of its own."""
    return Program(tmp_path)


class Program:
    """Runs Easy Blackjack and keeps what it shows."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.out = self.err = ""

    def run(self, *arguments: str, answers: str = "") -> int:
        """Run it with one letter for each answer, and give its status."""
        self.out = self.err = ""
        typed = BytesIO("".join(f"{letter}\n" for letter in answers).encode())
        streams = Streams(lambda: read_letter(typed), self._say, self._complain)
        return run(
            [str(self.folder / word[1:]) if word[0] == "@" else word for word in arguments], streams
        )

    def game(self, cards: str, answers: str) -> list[str]:
        """Play one game and give the lines from the dealer's last hand to the result."""
        (self.folder / "shoe").write_text(cards + FILLER, encoding="utf-8")
        assert self.run("-f", "@shoe", answers=f"{answers}q") == 0, self.err
        games = self.out.split("Press Any Key")[0]
        *_, last = games.split("Dealer: ")
        return last.replace("Result: ", "").splitlines()[:-1]

    def by_chart(self, cards: str, chart: Chart) -> list[str]:
        """Let a chart play one game and give the same lines."""
        (self.folder / "shoe").write_text(cards + FILLER, encoding="utf-8")
        (self.folder / "chart").write_text(write_chart(chart), encoding="utf-8")
        assert self.run("-f", "@shoe", "-a", "@chart", "1") == 0, self.err
        return self.out.removeprefix("Dealer: ").replace("Result: ", "").splitlines()[:-4]

    def _say(self, text: str) -> None:
        self.out += text

    def _complain(self, text: str) -> None:
        self.err += text


def opened(cards: str) -> Round:
    """Deal the opening cards of a game, with the rest of them to come."""
    state = Round(EASYBJ, [EASYBJ.unit])
    state.deal(FileShoe(cards.encode()))
    return state


def offered(cards: str) -> str:
    """Give the capitals of what the player may do with opening cards."""
    return "".join(
        {SPLIT: "P", SURRENDER: "R"}.get(each, str(each)[0].upper())
        for each in opened(cards).legal_actions()
    )


def test_rule_1_a_wager_is_one_dollar_in_halves() -> None:
    """Payments of half a dollar are whole numbers then."""
    assert (EASYBJ.wager, EASYBJ.minimum, EASYBJ.unit) == ("minimum", 1, 2)
    assert opened("99AK").results() == (3,)


def test_rule_2_the_dealer_gets_the_first_two_cards() -> None:
    """And shows them both."""
    state = opened("9TK8")
    dealt = [
        (each.seat, card_letter(each.card)) for each in state.records if isinstance(each, Dealt)
    ]
    assert dealt == [(DEALER, "9"), (DEALER, "T"), (0, "K"), (0, "8")]
    assert all(each.is_face_up for each in state.records if isinstance(each, Dealt))
    assert [card_letter(card) for card in state.observation(0).dealer.cards] == ["9", "T"]


def test_rule_3_any_number_of_a_rank_may_be_dealt(program: Program) -> None:
    """More than a deck has of them."""
    assert EASYBJ.decks == "infinite"
    lines = program.game("99 22 2222 2222 2", "hhhhhhhs")
    assert lines == ["9 9 (18)", "Hand 1: 2 2 2 2 2 2 2 2 2 (18)", "$0.00"]


@pytest.mark.parametrize(
    ("cards", "total", "soft"),
    [("A2", 13, True), ("A58", 14, False), ("AA", 12, True), ("AA9", 21, True), ("KJA", 21, False)],
)
def test_rule_4_an_ace_is_worth_what_helps(cards: str, total: int, soft: bool) -> None:
    """The document's examples and more."""
    hand = Hand(FileShoe(cards.encode()))
    assert (hand.total, hand.soft) == (total, soft)


@pytest.mark.parametrize(
    ("cards", "lines"),
    [
        ("AK 99", ["A K (blackjack)", "Hand 1: 9 9 (18)", "-$1.00"]),
        ("9T AK", ["9 T (19)", "Hand 1: A K (blackjack)", "+$1.50"]),
        ("AK QA", ["A K (blackjack)", "Hand 1: Q A (blackjack)", "$0.00"]),
        ("AT AA", ["A T (blackjack)", "Hand 1: A A (soft 12)", "-$1.00"]),
        ("22 AK", ["2 2 (4)", "Hand 1: A K (blackjack)", "+$1.50"]),
    ],
)
def test_rule_5_a_natural_ends_the_game_at_once(
    program: Program, cards: str, lines: list[str]
) -> None:
    """Nobody is asked, not even about a pair, and the dealer's 4 stays as it is."""
    assert program.game(cards, "") == lines
    assert "Stand" not in program.out


@pytest.mark.parametrize(
    ("cards", "halves"), [("99AK", 3), ("AK99", -2), ("AKAQ", 0), ("ATKA", 0), ("AKT9", -2)]
)
def test_rule_6_what_naturals_win(cards: str, halves: int) -> None:
    """Three to two, the wager, and nothing."""
    assert opened(cards).results() == (halves,)


def test_rule_7_a_drawn_21_is_no_natural(program: Program) -> None:
    """Of the dealer: it beats 20, ties with 21 and loses to a natural, for which none is drawn."""
    assert program.game("K6 TQ 5", "s")[::2] == ["K 6 5 (21)", "-$1.00"]
    assert program.game("K6 77 7 5", "h")[::2] == ["K 6 5 (21)", "$0.00"]
    assert program.game("K6 AK 5", "")[::2] == ["K 6 (16)", "+$1.50"]


def test_rule_7_after_a_split_there_are_no_naturals(program: Program) -> None:
    """Aces and tens that are split win even money, and tie with a dealer's 21."""
    assert program.game("96 AA KT 4", "p") == [
        *("9 6 4 (19)", "Hand 1: A K (soft 21)", "Hand 2: A T (soft 21)", "+$2.00"),
    ]
    assert program.game("96 TT AA 6", "p")[1:] == [
        *("Hand 1: T A (soft 21)", "Hand 2: T A (soft 21)", "$0.00"),
    ]


def test_rule_8_a_hand_of_21_stands_by_itself(program: Program) -> None:
    """After a hit, hard or soft, and after a split."""
    program.game("99 77 7", "h")
    assert program.out.count("Stand (S)") == 1
    program.game("99 A5 5", "h")
    assert program.out.count("Stand (S)") == 1
    lines = program.game("99 TT A 5", "ps")
    assert program.out.count("Stand (S)") == 2
    assert lines[1:3] == ["Hand 1: T A (soft 21)", "Hand 2: T 5 (15)"]


def test_rule_8_below_21_the_player_is_asked_again(program: Program) -> None:
    """Until it stands or busts."""
    assert program.game("99 22 2 2 J T", "hhhh") == [
        *("9 9 (18)", "Hand 1: 2 2 2 2 J T (bust)", "-$1.00"),
    ]


def test_rule_9_any_two_cards_may_be_doubled() -> None:
    """A hard 20 and a soft 12 as well; three cards may not."""
    assert [offered(cards) for cards in ("9922", "99TQ", "99A9", "9952")] == [
        *("SHDPR", "SHDPR", "SHDR", "SHDR"),
    ]
    state = opened("9952")
    state.apply_action(HIT)
    state.deal(FileShoe(b"2"))
    assert state.legal_actions() == (STAND, HIT)


def test_rule_9_a_doubled_hand_gets_one_card(program: Program) -> None:
    """However low it stays; and it may be doubled after a split."""
    assert program.game("99 52 2", "d") == ["9 9 (18)", "Hand 1: 5 2 2 (9) DOUBLE", "-$2.00"]
    assert program.game("96 88 32 T T 9", "pdd")[-1] == "+$4.00"


def test_rule_10_a_doubled_hand_that_busts_loses_two(program: Program) -> None:
    """By the document's sample: one wins, one is doubled and busts, one ties."""
    assert program.game("99 T6 T", "d") == ["9 9 (18)", "Hand 1: T 6 T (bust) DOUBLE", "-$2.00"]
    assert program.game("9T JJ AK 59 9", "ppds") == [
        "9 T (19)",
        "Hand 1: J A (soft 21)",
        "Hand 2: J 5 9 (bust) DOUBLE",
        "Hand 3: K 9 (19)",
        "-$1.00",
    ]


@pytest.mark.parametrize(
    ("cards", "halves"), [("K9 56 T", 4), ("K9 56 7", -4), ("K9 56 8", 0), ("K6 56 2 T", 4)]
)
def test_rule_10_a_double_is_for_two_dollars(program: Program, cards: str, halves: int) -> None:
    """Won, lost, tied, and won because the dealer busts."""
    state, shoe = Round(EASYBJ, [EASYBJ.unit]), FileShoe(cards.encode())
    state.deal(shoe)
    state.apply_action(DOUBLE)
    state.deal(shoe)
    assert state.results() == (halves,)


def test_rule_11_cards_of_one_value_are_a_pair() -> None:
    """A king and a queen too, but not an ace and anything else."""
    assert ["P" in offered(f"99{pair}") for pair in ("33", "KQ", "TJ", "AA", "9T", "A2")] == [
        *(True, True, True, True, False, False),
    ]


def test_rule_11_the_next_card_goes_to_the_hand_in_play(program: Program) -> None:
    """The document's 7 7 with K Q becomes 7 K and 7 Q; the king stays with the first hand."""
    assert program.game("99 77 KQ", "pss")[1:3] == ["Hand 1: 7 K (17)", "Hand 2: 7 Q (17)"]
    assert program.game("99 KQ 56", "pss")[1:3] == ["Hand 1: K 5 (15)", "Hand 2: Q 6 (16)"]


def test_rule_12_a_new_hand_is_the_last(program: Program) -> None:
    """When the first hand is split again, the third waits behind the second."""
    lines = program.game("99 88 89 23", "ppsss")
    assert lines[1:4] == ["Hand 1: 8 2 (10)", "Hand 2: 8 9 (17)", "Hand 3: 8 3 (11)"]
    asked = [line for line in program.out.splitlines() if line.startswith("Player: ")]
    assert asked == [
        *("Player: 8 8 (16)", "Player: 8 8 (16)"),
        *("Player: 8 2 (10)", "Player: 8 9 (17)", "Player: 8 3 (11)"),
    ]


def test_rule_13_four_hands_are_the_most(program: Program) -> None:
    """The fourth hand is a pair as well, and is not split; the offer does not have it."""
    lines = program.game("99 88 8888 88", "ppppssss")
    assert len([line for line in lines if line.startswith("Hand ")]) == 4
    assert program.out.count("Split (P)") == 3
    assert "Surrender (R)" not in program.out.split("Split (P)", 2)[2]


def test_rule_14_split_aces_get_one_card_each(program: Program) -> None:
    """Not even two more aces may be split, and nothing is asked any more."""
    assert program.game("96 AA A5 K", "p") == [
        *("9 6 K (bust)", "Hand 1: A A (soft 12)", "Hand 2: A 5 (soft 16)", "+$2.00"),
    ]
    assert program.out.count("Stand (S)") == 1


def test_rule_15_a_surrender_costs_half(program: Program) -> None:
    """It is on offer once, for the first two cards."""
    lines = program.game("96 T6", "r")
    assert lines == ["9 6 (15)", "Hand 1: T 6 (16) SURRENDER", "-$0.50"]
    program.game("99 52 3", "hrrs")
    assert program.out.count("Surrender (R)") == 1


def test_rule_15_a_split_hand_is_not_surrendered(program: Program) -> None:
    """Splitting is an action like a hit."""
    program.game("99 88 TT", "prrss")
    assert program.out.count("Surrender (R)") == 1


@pytest.mark.parametrize(
    ("cards", "answers", "dealer"),
    [
        ("96 T6 T 5", "h", "9 6 (15)"),
        ("96 T6 T 5", "d", "9 6 (15)"),
        ("96 T6 5", "r", "9 6 (15)"),
        ("96 88 TT TT 5", "phh", "9 6 (15)"),
        ("96 88 TT T 5", "psh", "9 6 5 (20)"),
    ],
)
def test_rule_16_the_dealer_draws_for_a_hand_that_waits(
    program: Program, cards: str, answers: str, dealer: str
) -> None:
    """Not if all hands are bust or surrendered."""
    assert program.game(cards, answers)[0] == dealer


@pytest.mark.parametrize(
    ("cards", "dealer"),
    [
        ("T6 99 2", "T 6 2 (18)"),
        ("T7 99 2", "T 7 (17)"),
        ("A6 99 A", "A 6 A (soft 18)"),
        ("A6 99 TK", "A 6 T (17)"),
        ("A6 99 9 K", "A 6 9 K (bust)"),
        ("A7 99 2", "A 7 (soft 18)"),
        ("AA 99 55 8", "A A 5 5 8 (20)"),
    ],
)
def test_rule_17_the_dealer_hits_a_soft_17(program: Program, cards: str, dealer: str) -> None:
    """And stands on a hard one, also on one that was soft."""
    assert program.game(cards, "s")[0] == dealer


@pytest.mark.parametrize(
    ("cards", "answers", "won"),
    [
        ("T6 99 6", "s", "+$1.00"),
        ("T6 22 6", "s", "+$1.00"),
        ("T8 99", "s", "$0.00"),
        ("T8 TQ", "s", "+$1.00"),
        ("T8 98", "s", "-$1.00"),
        ("T6 T6 T T", "h", "-$1.00"),
        ("T6 88 TT T T", "phs", "$0.00"),
    ],
)
def test_rule_18_hands_are_compared_one_by_one(
    program: Program, cards: str, answers: str, won: str
) -> None:
    """A bust dealer pays only those that are not bust; two cards and three are alike."""
    assert program.game(cards, answers)[-1] == won


@pytest.mark.parametrize(
    ("dealer", "column"),
    [
        ("22", "4"),
        ("T6", "16"),
        ("TQ", "20"),
        ("AA", "AA"),
        ("2A", "A2"),
        ("A6", "A6"),
        ("A7", "18"),
        ("9A", "20"),
    ],
)
def test_rule_19_a_soft_18_is_read_as_a_hard_one(dealer: str, column: str) -> None:
    """The dealer does the same with both."""
    chart = always(STAND).with_cell("9", column, (HIT,))
    for other in ("22", "T6", "TQ", "AA", "A2", "A6", "A7", "A9"):
        action = chart.choose(hand(other), hand("54"), (STAND, HIT))
        is_same = chart.column_of(hand(other)) == chart.column_of(hand(dealer))
        assert action is (HIT if is_same else STAND)


def hand(cards: str) -> Hand:
    """Make a hand."""
    return Hand(FileShoe(cards.encode()))


@pytest.mark.parametrize(
    ("cards", "row"),
    [
        ("AA2", "A3"),
        ("A52", "A7"),
        ("A8", "A8"),
        ("2A", "A2"),
        ("AAA", "A2"),
        ("A5K", "16"),
        ("222", "6"),
        ("448", "16"),
        ("79", "16"),
        ("88", "88"),
        ("KQ", "TT"),
        ("TJ", "TT"),
        ("AA", "AA"),
        ("22", "22"),
        ("K55", "20"),
        ("A9", "A9"),
    ],
)
def test_rule_20_a_row_stands_for_a_total(cards: str, row: str) -> None:
    """And for a pair only while there are two cards."""
    legal = (STAND, HIT, SPLIT)
    chart = always(STAND).with_cell(row, "18", (SPLIT, HIT))
    assert chart.choose(hand("99"), hand(cards), legal) is SPLIT
    assert always(SPLIT).with_cell(row, "18", (HIT,)).choose(hand("99"), hand(cards), legal) is HIT


@pytest.mark.parametrize(
    ("cell", "two", "three"),
    [
        ("Dh", DOUBLE, HIT),
        ("Ds", DOUBLE, STAND),
        ("Rh", SURRENDER, HIT),
        ("Rds", SURRENDER, STAND),
        ("Prh", SURRENDER, HIT),
        ("H", HIT, HIT),
        ("D", DOUBLE, STAND),
    ],
)
def test_rule_21_the_first_permitted_action_counts(cell: str, two: Action, three: Action) -> None:
    """From left to right; a lone D stands where nothing may be doubled."""
    text = (
        write_chart(always(STAND))
        .replace("\n18 S", f"\n18 {cell}")
        .replace("\nA7 S", f"\nA7 {cell}")
    )
    chart = read_chart(text, "chart")
    for first, more in (("T8", "T62"), ("A7", "A52")):
        assert chart.choose(hand("22"), hand(first), (STAND, HIT, DOUBLE, SURRENDER)) is two
        assert chart.choose(hand("22"), hand(more), (STAND, HIT)) is three


def test_rule_21_a_soft_18_that_may_not_be_doubled_stands(program: Program) -> None:
    """The document's Ds for A7: doubled with two cards, and stood on with three."""
    wizard = load_chart(WIZARD)
    assert program.by_chart("22 A7 3 T 5", wizard)[1] == "Hand 1: A 7 3 (soft 21) DOUBLE"
    assert program.by_chart("22 A4 3 T 5", wizard)[1] == "Hand 1: A 4 3 (soft 18)"


def test_rule_22_a_pair_that_may_not_be_split_is_a_total(program: Program) -> None:
    """At the limit 7 7 reads row 14; 7 7 before reads its own."""
    chart = always(STAND).with_cell("77", "18", (SPLIT,)).with_cell("14", "18", (DOUBLE, HIT))
    lines = program.by_chart("99 77 7777 77 2345", chart)
    assert lines[1:5] == [
        *("Hand 1: 7 7 2 (16) DOUBLE", "Hand 2: 7 7 3 (17) DOUBLE"),
        *("Hand 3: 7 7 4 (18) DOUBLE", "Hand 4: 7 7 5 (19) DOUBLE"),
    ]


def test_rule_22_an_alternative_comes_before_the_total(program: Program) -> None:
    """Ph hits at the limit, whatever row 14 says."""
    chart = always(STAND).with_cell("77", "18", (SPLIT, HIT))
    lines = program.by_chart("99 77 7777 77 2345", chart)
    assert lines[1] == "Hand 1: 7 7 2 (16)"


def test_rule_22_what_permits_nothing_stands(program: Program) -> None:
    """A P for a hand that is no pair, and a pair whose total says P as well."""
    assert program.by_chart("99 52 T", always(SPLIT))[1] == "Hand 1: 5 2 (7)"
    lines = program.by_chart("99 77 7777 77 2345", always(SPLIT))
    assert lines[1:5] == [f"Hand {number}: 7 7 (14)" for number in range(1, 5)]
    for pair in ("AA", "TT"):
        chart = always(STAND).with_cell(pair, "18", (SPLIT,))
        assert chart.choose(hand("99"), hand(pair), (STAND, HIT)) is STAND


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n12 S", ""),
        ("\n12 S", "\n12"),
        ("\n12 S", "\n12 S S"),
        ("\n12 S", "\n12 X"),
        ("\n12 S", "\n12 DH"),
        ("\n12 S", "\n13 S"),
        ("5", ""),
    ],
    ids=["missing", "short", "long", "letter", "capitals", "doubled", "first line"],
)
def test_rule_23_a_bad_chart_is_refused(program: Program, old: str, new: str) -> None:
    """As a whole, before anything is played."""
    text = WIZARD.read_text(encoding="utf-8")
    assert text.count(old)
    if not new and old.startswith("\n"):
        start = text.index(old)
        text = text[:start] + text[text.index("\n", start + 1) :]
    else:
        text = text.replace(old, new, 1)
    with pytest.raises(ChartError):
        read_chart(text, "chart")
    (program.folder / "chart").write_text(text, encoding="utf-8")
    assert program.run("-i", "1", "-a", "@chart", "5") == 1
    assert program.err.startswith("Error: cannot instantiate Player. (bad file?)\nusage: ")
    assert not program.out


def test_rule_24_options_are_read_as_getopt_does() -> None:
    """Joined, in any order; NUM right behind the chart's file."""
    assert read_options(["-sa", "F", "5"]) == read_options(["-a", "F", "5", "-s"])
    assert read_options(["-f", "-i"]).shoe_file == "-i"
    assert read_options(["-i", "1", "-i", str((1 << 63) - 1)]).rng_seed == (1 << 63) - 1
    for refused in (["-a", "F", "-s", "5"], ["-a", "F", "5", "6"], ["-i", str(1 << 63)]):
        with pytest.raises(ArgumentsError):
            read_options(refused)
    for helped in (["-h", "-x"], ["-i", "1", "-h", "-i"]):
        with pytest.raises(ArgumentsError, match=r"^usage: "):
            read_options(helped)


def test_rule_25_what_is_refused_has_status_1(program: Program) -> None:
    """The usage message too; the chart is read before the shoe."""
    for arguments in (["-h"], ["-s"], ["-f", "@none"]):
        assert program.run(*arguments) == 1
        assert program.err
        assert not program.out
    program.run("-f", "@none", "-a", "@none", "1")
    assert program.err.startswith("Error: cannot instantiate Player.")


def test_rule_26_cards_come_from_the_c_library(program: Program) -> None:
    """The document's session of one game."""
    program.run("-i", "1567263509", answers="phsq")
    assert program.out.endswith(
        "Dealer: A 4 T Q (bust)\nHand 1: 6 4 8 (18)\nResult: +$1.00\nCurrent Balance: +$1.00\n"
        "Press Any Key to Continue, (Q to Quit): "
        "Hands Played: 1\nFinal Balance: +$1.00\nPlayer Advantage: 100%\n"
    )


def test_rule_27_bytes_that_are_no_cards_are_skipped(program: Program) -> None:
    """Lower case, 1, 0 and comments; but they count as bytes that are left."""
    assert program.game("dealer: 9 10 8, player K0a1 7", "s")[:2] == [
        "9 8 (17)",
        "Hand 1: K 7 (17)",
    ]
    shoe = program.folder / "shoe"
    for spare, games in ((25, 1), (26, 2)):
        shoe.write_bytes(b"98K7" + b"98K7".ljust(spare))
        program.run("-f", "@shoe", answers="sxsx")
        assert f"Hands Played: {games}\n" in program.out
    shoe.write_bytes(b"98K".ljust(26))
    assert program.run("-f", "@shoe") == 1
    assert "Hands Played" not in program.out


def test_rule_28_a_recording_plays_the_same_games(program: Program) -> None:
    """Also where the input ends in the middle of one."""
    for answers in ("", "s", "sxhxhsssshhhhsx", "sssssssq"):
        assert program.run("-i", "99", "-r", "@record", answers=answers) == 0
        assert program.err == f"Recording shoe to {program.folder / 'record'}.\n"
        played = program.out
        program.run("-f", "@record", answers=answers)
        assert program.out == played


def test_rule_29_only_the_offer_is_shown_again(program: Program) -> None:
    """After a first character that means nothing, or nothing that is allowed."""
    program.game("99 52 3", "pP?x HRs")
    assert program.out.count("Dealer: 9 9") == 3
    assert program.out.count("Stand (S) Hit (H) Double (D) Surrender (R): ") == 6
    assert program.out.count("Stand (S) Hit (H): ") == 2


@pytest.mark.parametrize(
    ("answers", "games"), [("sq", 1), ("sQ", 1), ("sxs", 2), ("s s", 2), ("sxh", 1)]
)
def test_rule_30_any_answer_but_q_goes_on(program: Program, answers: str, games: int) -> None:
    """And the end of the input stops, in the middle of a game too."""
    (program.folder / "shoe").write_text(f"99KT 9952 2{FILLER}", encoding="utf-8")
    assert program.run("-f", "@shoe", answers=answers) == 0
    assert f": Hands Played: {games}\n" in program.out


def test_rule_31_a_chart_plays_so_many_games(program: Program) -> None:
    """And silence hides them."""
    (program.folder / "chart").write_text(write_chart(always(STAND)), encoding="utf-8")
    program.run("-i", "5", "-a", "@chart", "3")
    assert program.out.count("Result: ") == 3
    shown = program.out
    program.run("-i", "5", "-s", "-a", "@chart", "3")
    assert program.out.startswith("Hands Played: 3\n")
    assert shown.endswith(program.out)


def test_rule_32_the_summary_has_four_digits(program: Program) -> None:
    """And one line if nothing was played."""
    program.game("99 AK", "")
    assert program.out.endswith("Final Balance: +$1.50\nPlayer Advantage: 150%\n")
    (program.folder / "shoe").write_bytes(b"")
    program.run("-f", "@shoe")
    assert program.out == "Hands Played: 0\n"
