"""Selection of blocks that play faster than the general table: those of a single seat.

`single_seat_rounds` plays them, or `single_seat_lanes` for one deck.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tourney.game.cards.card import DECK_SIZE
from tourney.game.machine.compile_cache import CodeUnit
from tourney.games.blackjack.declaration import Declaration
from tourney.games.blackjack.kernels import LANES, PARTS, SINGLE_SEATS, TABLES
from tourney.games.blackjack.kernels.accounts import AT_MOST, FIRST_SEAT, LAST_SEAT, WHO, Tables
from tourney.games.blackjack.kernels.automaton import Automaton
from tourney.games.blackjack.kernels.compiled_rules import players_of, tables_of
from tourney.games.blackjack.kernels.lanes import EARLY, Arrows, narrow, new_lanes
from tourney.games.blackjack.kernels.luck import Worths
from tourney.games.blackjack.kernels.shoes import new_shoe
from tourney.games.blackjack.kernels.single_seat_hand import new_single_seat, watches
from tourney.games.blackjack.kernels.single_seat_lanes import new_room, play_alone_blocks
from tourney.games.blackjack.kernels.single_seat_luck import new_following
from tourney.games.blackjack.kernels.single_seat_rounds import play_fast_blocks
from tourney.games.blackjack.rules import CARDS_IN_A_DECK, BlackjackRules

LEAST_TO_PLAY_ALONE = 16
"""With fewer cards left, a round would need another shoe too often for fast play to pay."""
ALWAYS = 1 << 50
"""More cards than a shoe ever has left: every round begins a new shoe."""
WORTH_ARROWS = 300_000
"""Number of rounds that take as long without arrows as computing the arrows does."""
LEAST_FOR_LANES = DECK_SIZE - int(EARLY) + 1
"""With fewer cards left, several rounds could begin after the cards that lanes choose."""


def play_alone(
    rules: BlackjackRules,
    declarations: Sequence[Declaration],
    tables: Tables,
    worths: Worths | None = None,
    ways: Collection[CodeUnit] = PARTS,
) -> set[int]:
    """Play the tables that can be played fast; return their numbers.

    Args:
        rules: The rules of all tables.
        declarations: The declarations of the players.
        tables: The tables; only played tables are updated.
        worths: Values of positions, if any table measures luck.
        ways: The code units to use.
    """
    least = _least_left(rules)
    if least < LEAST_TO_PLAY_ALONE:
        return set()
    house, players = tables_of(rules, worths), players_of(declarations)
    shoe = new_shoe(house.decks, is_riffled=house.is_riffled)
    played: set[int] = set()
    for who, numbers in _alone(tables).items():
        declaration = declarations[who]
        rounds = int(tables.blocks[numbers, AT_MOST].sum())
        # If the general table is not available, arrows are always worth their cost.
        is_worth = _wish_for(rules, declaration).is_worth(rounds) or TABLES not in ways
        if not is_fast(rules, declaration) or not is_worth:
            continue
        arrows, narrow_arrows = arrows_of(rules, declaration)
        lane_arrows = narrow_arrows if is_for_lanes(rules, least) else None
        if (SINGLE_SEATS if lane_arrows is None else LANES) not in ways:
            continue
        chosen = numbers.copy()
        if lane_arrows is not None:
            lanes, nets = new_lanes(players.units.shape[1]), new_room()
            following = new_following(house)
            play_alone_blocks(house, players, lanes, lane_arrows, following, chosen, tables, nets)
        else:
            alone = new_single_seat(rules, declaration, house, players, arrows, shoe)
            play_fast_blocks(alone, least, chosen, tables)
        played.update(numbers[chosen < 0].tolist())
    return played


def is_fast(rules: BlackjackRules, declaration: Declaration) -> bool:
    """Return whether a single seat can be played fast.

    Args:
        rules: The rules of the table.
        declaration: The declaration of its only player.
    """
    if rules.hole_card == "none" or rules.dealer_natural == "beats-all":
        return False
    if rules.insurance == "offered" and rules.dealer_natural != "wins-at-once":
        return False
    if rules.split_aces == "resplit" and rules.split != "never":
        return False
    has_choices = (rules.double, rules.split, rules.surrender) != ("never",) * 3
    return bool(declaration.moves) or not has_choices


def is_for_lanes(rules: BlackjackRules, least: int) -> bool:
    """Return whether shoes of a game can be dealt in lanes.

    Args:
        rules: The rules of the game.
        least: Least number of cards for a round in a used shoe.
    """
    is_one_deck = (rules.decks, rules.shuffle) == (1, "uniform")
    return is_one_deck and not rules.deals_fresh and least >= LEAST_FOR_LANES


class _Wish:
    """Counts the rounds of a game that fast play would have served."""

    def __init__(self) -> None:
        self._rounds = 0

    def is_worth(self, rounds: int) -> bool:
        """Add rounds; return whether computing the arrows is worth it now."""
        self._rounds += rounds
        return self._rounds >= WORTH_ARROWS


@lru_cache(maxsize=1024)
def _wish_for(_rules: BlackjackRules, _declaration: Declaration) -> _Wish:
    return _Wish()


@lru_cache(maxsize=64)
def arrows_of(rules: BlackjackRules, declaration: Declaration) -> tuple[Arrows, Arrows | None]:
    """Return the arrows of rules and a player, and those for lanes if they fit."""
    table = Automaton(rules, declaration).table()
    narrow_arrows = None if watches(declaration) else narrow(table)
    table.setflags(write=False)
    return table, narrow_arrows


def _least_left(rules: BlackjackRules) -> int:
    if rules.deals_fresh:
        return ALWAYS
    assert isinstance(rules.decks, int)
    assert isinstance(rules.reshuffle, int)
    share = -(-rules.reshuffle_percent * rules.decks * CARDS_IN_A_DECK // 100)
    return max(rules.reshuffle, share)


def _alone(tables: Tables) -> dict[int, NDArray[np.int64]]:
    """Return the numbers of tables with a single declared seat, by declaration."""
    starts, stops = tables.blocks[:, FIRST_SEAT], tables.blocks[:, LAST_SEAT]
    single = np.flatnonzero(stops - starts == 1)
    who = tables.seats[starts[single], WHO]
    return {int(each): single[who == each] for each in np.unique(who[who >= 0])}
