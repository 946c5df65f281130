"""The contracts of C++ players of blackjack, as in the courses' documents."""

from pathlib import Path

from tourney.game.accelerators import NativeContract, in_folder

CPP = Path(__file__).parent / "cpp"
ASKING = in_folder(CPP, "questions.h")

PLAYER = NativeContract(
    game="blackjack",
    player="Player",
    header="player.h",
    functions=("get_Competitor", "get_Counting", "get_Simple"),
    headers=in_folder(CPP, "card.h deck.h hand.h player.h rand.h"),
    parts=(*ASKING, *in_folder(CPP, "card.cpp deck.cpp hand.cpp rand.cpp draws.cpp")),
    alike=frozenset({"card.cpp", "deck.cpp", "hand.cpp", "rand.cpp"}),
    others=(
        ("get_Player", "another year of VE280"),
        ("Player_factory", "Euchre, the card game of later years of EECS 280"),
    ),
)
"""VE280 and EECS 280: `bet` and `draw`, and cards as they are shown."""

ACT_PLAYER = NativeContract(
    game="blackjack",
    player="ActPlayer",
    header="act_player.h",
    functions=("get_Competitor",),
    headers=in_folder(CPP, "card.h hand.h act_player.h"),
    parts=(*ASKING, *in_folder(CPP, "card.cpp hand.cpp acts.cpp")),
    alike=frozenset({"card.cpp", "hand.cpp"}),
)
"""Easy Blackjack and casinos: `act`, among all legal moves. The documents provide no Deck for
it."""

CSC24400 = NativeContract(
    game="blackjack",
    player="Player",
    header="csc24400.h",
    functions=("get_Competitor",),
    headers=in_folder(CPP / "csc24400", "Card.h Hand.h csc24400.h"),
    parts=(*ASKING, *in_folder(CPP / "csc24400", "csc24400_cards.cpp csc24400_draws.cpp")),
    alike=frozenset({"Card.cpp", "Hand.cpp"}),
)
"""CSC 24400: `draw`, with the cards and hands of its document, without wagers."""

CONTRACTS = (ACT_PLAYER, CSC24400, PLAYER)
"""The first with an included header applies, so those with unique headers come first."""
