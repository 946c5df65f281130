"""Players of blackjack in C++, as the courses' documents have them written."""

from pathlib import Path

from tourney.game.native import NativeContract, in_folder

CPP = Path(__file__).parent / "cpp"

PLAYER = NativeContract(
    game="blackjack",
    player="Player",
    header="player.h",
    functions=("get_Competitor", "get_Counting", "get_Simple"),
    headers=in_folder(CPP, "card.h deck.h hand.h player.h rand.h"),
    parts=in_folder(CPP, "cards.cpp draws.cpp questions.h"),
    alike=frozenset({"card.cpp", "deck.cpp", "hand.cpp", "rand.cpp"}),
)
"""VE280 and EECS 280: `bet` and `draw`, and cards as they are shown."""

CONTRACTS = (PLAYER,)
