"""Blocks of a single seat, played round by round with the automaton, from any shoe.

`single_seat_hand` plays the rounds that are not in the automaton. A block whose shoe runs out
during a round is not played here.
"""

import numpy as np

from tourney.game.machine.jit import Number, Word, compiled, inlined, subroutine
from tourney.games.blackjack.kernels.accounts import (
    ACTIONS_U,
    AT_MOST,
    BEGINS,
    FINAL,
    FIRST_SEAT,
    FOLLOWS_LUCK,
    GOLDEN_U,
    HANDLE,
    HIGHEST,
    LEFT,
    LOWEST,
    LUCK,
    MINIMUM,
    NET_U,
    PLAYED,
    SQUARES,
    STAYED,
    WAGER_U,
    WHO,
    Tables,
    wager_of,
)
from tourney.games.blackjack.kernels.automaton import (
    ACTION_WORDS,
    ARROWS,
    DECLINED,
    DRAWS,
    ENDING,
    ENDINGS,
    ENDS,
    IS_HIDDEN,
    KIND,
    KINDS,
    NEXT,
    OPENING,
    SIGNS,
    STAKES,
    Kind,
)
from tourney.games.blackjack.kernels.compiled_rules import HOLE
from tourney.games.blackjack.kernels.lanes import Arrows
from tourney.games.blackjack.kernels.luck import fill
from tourney.games.blackjack.kernels.shoes import (
    CHOSEN,
    DECK,
    FACES,
    ONE,
    RANK_MASK,
    ZERO,
    Codes,
    Numbers,
    Shoe,
    U,
    Words,
    begin,
    cards_word,
    choose_more,
    choose_until,
    open_shoe,
)
from tourney.games.blackjack.kernels.single_seat_hand import (
    COUNT,
    FOLLOWS,
    LUCK_SUM,
    PLACE,
    SEEN,
    SingleSeat,
    play_round,
    points_seen,
)
from tourney.games.blackjack.kernels.single_seat_hand import WHO as LOOKER
from tourney.games.blackjack.kernels.single_seat_luck import Following, luck_of_round

NATURAL, SURRENDER = int(Kind.NATURAL), int(Kind.SURRENDER)
END_BIT, KIND_BITS, ENDING_BITS = U(1 << ENDS), U(KIND), U(ENDING)
DRAWS_BITS, FIRST_ARROW_BITS, ROWS = U(DRAWS), U(NEXT - 4), U((1 << 32) - ARROWS)
KIND_MASK, ENDING_MASK, DRAWS_MASK = U(15), U(ENDINGS - 1), U(15)
LAST_MASK = U(DECLINED - 1)
"""Bits of an ending for the seat's last action."""
NEW_ROUND, OTHER = U(OPENING), U(Kind.OTHER)
SHORT, LONG = U(8), U(40)
"""Least number of cards chosen before a round, and the number to choose if there are fewer."""


@inlined
def write_nets(alone: SingleSeat, wager: int) -> None:
    """Write the net results and stakes of a wager, by kind of ending."""
    nets, staked, house = alone.nets, alone.staked, alone.house
    for kind in range(KINDS):
        nets[kind], staked[kind] = wager * SIGNS[kind], wager * STAKES[kind]
    nets[NATURAL] = wager * house.odds // house.odds_to
    nets[SURRENDER] = -(wager // 2)


@inlined
def next_wager(alone: SingleSeat, bankroll: int, block: Numbers) -> Number:
    """Return a wager that follows a count; write its net results and stakes."""
    who, points = alone.look[LOOKER], points_seen(alone)
    wager = wager_of(alone.house, alone.players, who, points, bankroll, block)
    if wager != alone.nets[Kind.WIN.value]:
        write_nets(alone, wager)
    return wager


@inlined
def count_round(alone: SingleSeat, start: Word, stop: Word, is_hidden: Number) -> None:
    """Count the cards of a round that the automaton played."""
    house, deck, look, tags = alone.house, alone.shoe.deck, alone.look, alone.tags
    for place in range(start, stop):
        look[COUNT] += tags[deck[place]]
    look[SEEN] += np.int64(stop - start)
    if is_hidden and not house.is_shown and not house.is_always_turned:
        look[COUNT] -= tags[deck[start + U(house.places[1, HOLE])]]
        look[SEEN] -= 1


@inlined
def walk(arrows: Arrows, shoe: Shoe, place: Word) -> tuple[Word, Word]:
    """Follow the arrows of a round's cards; return the last arrow and the place after its card."""
    deck, chosen, row = shoe.deck, shoe.state[CHOSEN], ZERO
    while True:
        if place >= chosen:
            choose_more(shoe, place + ONE)
        arrow = U(arrows[row + (U(deck[place]) & RANK_MASK)])
        place += ONE
        if arrow & END_BIT:
            return arrow, place
        row = (arrow >> FIRST_ARROW_BITS) & ROWS


@subroutine
def luck_of_walk(following: Following, deck: Codes, start: Word, stop: Word, arrow: Word) -> Number:
    """Return the luck per chip of a round that the automaton played."""
    draws, ending = (arrow >> DRAWS_BITS) & DRAWS_MASK, (arrow >> ENDING_BITS) & LAST_MASK
    return luck_of_round(following, deck, start, stop, draws, ending)


@inlined
def next_round(
    alone: SingleSeat, at: tuple[Word, Number, Number, bool, bool]
) -> tuple[Number, Number, Word, Word]:
    """Play a round, with the automaton if possible.

    Args:
        alone: The seat, and a shoe with some chosen cards.
        at: Place of the first card, bankroll, wager, and whether to count cards and to measure
            luck.
    Returns: The net result, the stake, the part of the round's hash word for its actions, and the
        place after its last card.
    """
    shoe, look = alone.shoe, alone.look
    start, bankroll, wager, has_to_count, follows = at
    if bankroll >= alone.most_stakes * wager:
        arrow, stop = walk(alone.arrows, shoe, start)
        kind = (arrow >> KIND_BITS) & KIND_MASK
        if kind != OTHER:
            hits = stop - start - NEW_ROUND - ((arrow >> DRAWS_BITS) & DRAWS_MASK)
            word = ACTION_WORDS[(hits << U(3)) + ((arrow >> ENDING_BITS) & ENDING_MASK)]
            if has_to_count:
                count_round(alone, start, stop, IS_HIDDEN[kind])
            if follows and stop <= shoe.size:
                luck = luck_of_walk(alone.following, shoe.deck, start, stop, arrow)
                look[LUCK_SUM] = wager * luck
            return alone.nets[kind], alone.staked[kind], word, stop
    look[PLACE] = np.int64(start)
    net, staked, actions = play_round(alone, bankroll, wager)
    return net, staked, actions * ACTIONS_U, U(look[PLACE])


@inlined
def begin_followed(shoe: Shoe, following: Following, number: Word) -> None:
    """Begin a shoe, and reset the cards left for luck."""
    begin(shoe, number)
    fill(following.left, following.decks)


@compiled
def play_block(
    alone: SingleSeat, least_left: Word, seat: Numbers, mixes: Words, block: Numbers
) -> bool:
    """Play a block; False if a shoe ran out during a round, and the block must be played again.

    Args:
        alone: The seat, and a shoe with the key of the block's shoe.
        least_left: Least number of cards for a round in a used shoe.
        seat: A row with the declaration and the bankroll; shape (11,). Updated.
        mixes: The hash of the seat; shape (1,). Updated.
        block: The block's row of `Tables`; overwritten by rounds, shuffles and cards.
    """
    players, following, shoe, look = alone.players, alone.following, alone.shoe, alone.look
    house, minimum, who, size = alone.house, block[MINIMUM], seat[WHO], shoe.size
    least, most = minimum + house.spare, block[AT_MOST]
    is_flat = house.is_fixed or (players.last[who] == 0 and players.units[who, 0] == 1)
    wager = minimum if house.is_fixed else minimum // house.unit * house.unit
    write_nets(alone, wager)
    has_to_count = not is_flat or alone.watches
    bankroll = lowest = highest = seat[FINAL]
    mix = start = ZERO
    rounds: Number = 0
    handle: Number = 0
    squares: Number = 0
    cards: Number = 0
    shuffles = 1
    look[COUNT], look[SEEN], look[LOOKER], look[FOLLOWS] = 0, 0, who, block[FOLLOWS_LUCK]
    follows = block[FOLLOWS_LUCK] != 0
    luck: Number = 0
    begin_followed(shoe, following, ZERO)
    while rounds < most and bankroll >= least:
        if start and size - start < least_left:
            mix = (mix + cards_word(shoe.words, ZERO, start)) * GOLDEN_U
            cards += np.int64(start)
            begin_followed(shoe, following, U(shuffles))
            shuffles += 1
            start, look[COUNT], look[SEEN] = ZERO, 0, 0
        if not is_flat:
            wager = next_wager(alone, bankroll, block)
        if shoe.state[CHOSEN] < start + SHORT:
            choose_until(shoe, start + (SHORT if house.is_fresh else LONG))
        net, staked, word, stop = next_round(alone, (start, bankroll, wager, has_to_count, follows))
        if stop > size:
            return False
        start = stop
        bankroll += net
        lowest, highest = min(lowest, bankroll), max(highest, bankroll)
        squares += net * net
        handle += staked
        if follows:
            luck += look[LUCK_SUM]
        rounds += 1
        mix = (mix + U(staked) * WAGER_U + U(net) * NET_U + word + start) * GOLDEN_U
    if start:
        mix = (mix + cards_word(shoe.words, ZERO, start)) * GOLDEN_U
        cards += np.int64(start)
    mixes[0] = mix
    seat[FINAL], seat[LOWEST], seat[HIGHEST], seat[PLAYED] = bankroll, lowest, highest, rounds
    seat[HANDLE], seat[SQUARES], seat[LUCK] = handle, squares, luck
    seat[LEFT] = block[BEGINS] + rounds - 1 if bankroll < least else STAYED
    block[0], block[1], block[2] = rounds, shuffles, cards
    return True


@compiled
def play_fast_blocks(alone: SingleSeat, least_left: int, chosen: Numbers, tables: Tables) -> None:
    """Play many blocks of one player; blocks whose shoe ran out during a round stay unchanged.

    Args:
        alone: The seat.
        least_left: Least number of cards for a round in a used shoe.
        chosen: Numbers of the blocks; overwritten by -1 for each played block.
        tables: The blocks.
    """
    shoe = alone.shoe
    for place in range(len(chosen)):
        number = chosen[place]
        block, key = tables.blocks[number], tables.keys[number]
        start = block[FIRST_SEAT]
        seat, mix = tables.seats[start], tables.mixes[start : start + 1]
        shoe.key[0], shoe.key[1] = key[0], key[1]
        open_shoe(shoe)
        for card in range(ZERO, DECK):
            alone.tags[FACES[card]] = alone.players.tags[seat[WHO], card]
        if play_block(alone, U(least_left), seat, mix, block):
            chosen[place] = -1
