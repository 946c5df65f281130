"""The contract of C++ players of Straights: `play`, with a view of the round."""

from pathlib import Path

from tourney.game.native import NativeContract, in_folder

CPP = Path(__file__).parent / "cpp"

STRAIGHTS_PLAYER = NativeContract(
    game="straights",
    player="StraightsPlayer",
    header="straights_player.h",
    functions=("get_Competitor",),
    headers=in_folder(CPP, "straights_player.h"),
    parts=in_folder(CPP, "plays.cpp"),
)
