"""What a competitor in C++ is written to: found before anything is compiled, and told if amiss."""

import pytest

from tests.native.written import COUNTING, one
from tourney.game.native import NativeContract
from tourney.games.blackjack.game import BLACKJACK
from tourney.games.straights.game import STRAIGHTS
from tourney.jail.native.building import BuildError, contract_of

GAMES = (BLACKJACK, STRAIGHTS)
CONTRACTS = [each for game in GAMES for each in game.native_contracts()]


def misfit(text: str, contracts: tuple[NativeContract, ...]) -> str:
    """Give what is said of a file that is written to none of some contracts."""
    with pytest.raises(BuildError) as caught:
        contract_of((("player.cpp", text),), contracts)
    told = str(caught.value)
    assert "\n" not in told
    return told


def test_a_game_without_headers_says_so() -> None:
    """As any game that is brought by a plugin and has none yet."""
    assert misfit(COUNTING, ()) == (
        "player.cpp: expected a game whose players can be written in C++, got one that has no "
        "header; write the player in Python"
    )


def test_a_file_that_includes_nothing_says_what_to_include() -> None:
    """Rather than what the compiler makes of it."""
    told = misfit("int x;\n", BLACKJACK.native_contracts())
    assert told.startswith("player.cpp:1: expected #include ")
    assert 'as players of blackjack begin, got none; begin with #include "player.h"' in told


def test_the_header_is_found_in_any_file_and_not_in_a_remark() -> None:
    """A project's player may include it by way of a header of its own."""
    player = next(each for each in CONTRACTS if each.header == "player.h")
    remarks = '// #include "player.h"\n'
    files = (("mine.h", "#  include <player.h>\n"), ("player.cpp", remarks + '#include "mine.h"'))
    assert contract_of(files, (player,)) is player
    assert "got none" in misfit(remarks, (player,))


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda each: each.header)
def test_files_that_belong_to_a_contract_are_there(contract: NativeContract) -> None:
    """Each by a name of its own, with the header that authors include among them."""
    names = [path.name for path in (*contract.headers, *contract.parts)]
    assert len(set(names)) == len(names)
    assert contract.texts().keys() == set(names)
    assert contract.header in {path.name for path in contract.headers}
    assert all(path.suffix == ".h" for path in contract.headers)
    assert contract_of((("player.cpp", f'#include "{contract.header}"\n'),), (contract,))


def test_whoever_names_no_game_writes_to_the_course_documents() -> None:
    """As the tests of building and of attacks do."""
    assert contract_of((("player.cpp", one()),), BLACKJACK.native_contracts()).player == "Player"
