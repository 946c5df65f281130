"""What a competitor in C++ is written to: found before anything is compiled, and told if amiss."""

from typing import Any

import pytest

from tests.sandbox.cpp import game_twins
from tests.sandbox.cpp.tables import CONTRACTS
from tests.sandbox.cpp.written import COUNTING, one
from tests.support.cpp_build import build
from tourney.errors import BuildError
from tourney.game import Game
from tourney.game.accelerators import NativeContract
from tourney.games.blackjack.game import BLACKJACK
from tourney.games.straights.game import STRAIGHTS
from tourney.sandbox.native.source_selection import contract_of


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
        "player.cpp: players of this game cannot be written in C++: it has no header; write the "
        "player in Python"
    )


def test_a_file_that_includes_nothing_is_taken_for_the_usual_one() -> None:
    """And what it lacks is said when it is looked for."""
    files = (("player.cpp", "int x;\n"),)
    assert contract_of(files, BLACKJACK.native_contracts()).header == "player.h"
    with pytest.raises(BuildError, match="gives your player, got none; begin with #include"):
        build(files)


def test_the_header_is_found_in_any_file_and_not_in_a_remark() -> None:
    """A project's player may include it by way of a header of its own."""
    player = next(each for each in CONTRACTS if each.header == "player.h")
    remarks = '// #include "player.h"\n#include "other.h"\n'
    files = (("mine.h", "#  include <player.h>\n"), ("player.cpp", remarks + '#include "mine.h"'))
    assert contract_of(files, (player,)) is player
    assert 'player.cpp:2: expected #include "player.h", as' in misfit(remarks, (player,))


@pytest.mark.parametrize(
    ("text", "game", "expected"),
    [
        (
            COUNTING,
            STRAIGHTS,
            'player.cpp:3: expected #include "straights_player.h", as players of straights begin, '
            'got #include "player.h"; enter it where its game is played, or begin it so',
        ),
        (
            game_twins.PLAYS,
            BLACKJACK,
            'player.cpp:2: expected #include "act_player.h", #include "csc24400.h" or '
            '#include "player.h", as players of blackjack begin, got '
            '#include "straights_player.h"; enter it where its game is played, or begin it so',
        ),
    ],
)
def test_a_player_of_another_game_is_told_so(
    text: str, game: Game[Any, Any, Any], expected: str
) -> None:
    """In one line, before it is compiled, by the header that it is written to."""
    assert misfit(text, game.native_contracts()) == expected


def test_of_all_games_the_header_says_which_one_is_played() -> None:
    """So who takes files in need not be told the game."""
    assert len({each.header for each in CONTRACTS}) == len(CONTRACTS)
    found = [
        contract_of((("a.cpp", text),), CONTRACTS).game for text in (COUNTING, game_twins.PLAYS)
    ]
    assert found == ["blackjack", "straights"]
    told = misfit('#include "whist.h"\n', CONTRACTS)
    assert 'as players of blackjack or straights begin, got #include "whist.h"' in told


def test_each_header_leads_to_its_own_contract() -> None:
    """Though a project may have a file of its own that is called like another one's header."""
    mine = ("player.h", '#include "card.h"\n'), ("player.cpp", '#include "player.h"\n')
    contracts = BLACKJACK.native_contracts()
    assert contract_of(mine, contracts).header == "player.h"
    for header in ("act_player.h", "csc24400.h"):
        files = (*mine, ("one.h", f'#include "{header}"\n'))
        assert contract_of(files, contracts).header == header


def test_a_program_has_one_contract() -> None:
    """What the headers of two contracts call alike would not be one thing."""
    told = misfit('#include "act_player.h"\n#include "player.h"\n', BLACKJACK.native_contracts())
    assert told == (
        'player.cpp:1: #include "act_player.h" and #include "player.h" belong to different '
        "contracts; include only one of them"
    )


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
