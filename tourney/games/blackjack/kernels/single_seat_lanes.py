"""Blocks of a single seat, played eight shoes at a time.

`lanes` plays the rounds. Here they are settled in order, like `tourney.game.ledger.Account`. This
works for one deck with uniform shuffles before the cards could run out, and for hands that do not
depend on a count.
"""

import numpy as np

from tourney.game.cards.card import DECK_SIZE
from tourney.game.machine.jit import Number, Word, compiled, inlined, subroutine
from tourney.games.blackjack.kernels.accounts import (
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
    MAXIMUM,
    MINIMUM,
    NET_U,
    PLAYED,
    SQUARES,
    STAYED,
    WAGER_U,
    WHO,
    Tables,
    points_of,
    wager_of,
)
from tourney.games.blackjack.kernels.automaton import ACTION_WORDS, IS_HIDDEN, OPENING, SIGNS, Kind
from tourney.games.blackjack.kernels.compiled_rules import CompiledRules, Players
from tourney.games.blackjack.kernels.lanes import (
    DRAWS,
    KIND,
    LANES_U,
    MOST_ROUNDS,
    PLACES,
    ROW,
    STOOD,
    Arrows,
    Lanes,
    play_lanes,
)
from tourney.games.blackjack.kernels.shoes import FACES, ONE, ZERO, Numbers, U, Words, cards_word
from tourney.games.blackjack.kernels.single_seat_luck import Following, luck_of_lanes

KINDS = 8
MOST, SHUFFLES, CARDS, IS_OVER = range(4)
"""Indices in the progress of a block: most rounds, shoes begun, cards dealt, whether it is over."""
STOOD_BIT, DRAWS_BIT, KIND_BIT = U(STOOD), U(DRAWS), U(KIND)
KIND_MASK, DRAWS_MASK, FOUR = U(7), U(15), U(OPENING)
NATURAL = U(Kind.NATURAL)
IS_NATURAL = np.array([kind == Kind.NATURAL for kind in range(KINDS)], np.int64)
IS_NATURAL.setflags(write=False)


@inlined
def close_shoe(
    lanes: Lanes, lane: Word, seat: Numbers, progress: Numbers, dealt: Word, mix: Word
) -> Word:
    """Add the cards of a shoe to the hash, and count the next shoe if there are rounds left."""
    progress[CARDS] += np.int64(dealt)
    progress[IS_OVER] |= seat[PLAYED] == progress[MOST]
    progress[SHUFFLES] += 1 - progress[IS_OVER]
    return (mix + cards_word(lanes.words, lane * U(ROW // 8), dealt)) * GOLDEN_U


@subroutine
def settle_flat(
    lanes: Lanes, nets: Numbers, seat: Numbers, progress: Numbers, least: int, mix: Word
) -> Word:
    """Settle the rounds of eight shoes at a constant wager; return the hash.

    Args:
        lanes: The lanes, played.
        nets: The net results by kind of ending, then the wager; shape (9,).
        seat: The account. Updated.
        progress: The progress of the block. Updated.
        least: Least bankroll to continue.
        mix: The hash of the seat.
    """
    ends, wager = lanes.ends, nets[KINDS]
    wager_word = U(wager) * WAGER_U
    for lane in range(ZERO, LANES_U):
        bankroll, lowest, highest = seat[FINAL], seat[LOWEST], seat[HIGHEST]
        squares, rounds = seat[SQUARES], 0
        row, start = lane * U(MOST_ROUNDS) + ONE, ZERO
        for number in range(ZERO, rounds_of(lanes, lane, seat, progress)):
            end = U(ends[row + number])
            stop = end & PLACES
            hits = stop - start - FOUR - ((end >> DRAWS_BIT) & DRAWS_MASK)
            actions = ACTION_WORDS[(hits << U(3)) + ((end >> STOOD_BIT) & ONE)]
            net = nets[(end >> KIND_BIT) & KIND_MASK]
            bankroll += net
            lowest, highest = min(lowest, bankroll), max(highest, bankroll)
            squares += net * net
            rounds += 1
            mix = (mix + wager_word + U(net) * NET_U + actions + stop) * GOLDEN_U
            start = stop
            if bankroll < least:
                progress[IS_OVER] = 1
                break
        seat[FINAL], seat[LOWEST], seat[HIGHEST] = bankroll, lowest, highest
        seat[SQUARES] = squares
        seat[PLAYED] += rounds
        seat[HANDLE] += rounds * wager
        mix = close_shoe(lanes, lane, seat, progress, start, mix)
        if progress[IS_OVER]:
            break
    return mix


@inlined
def rounds_of(lanes: Lanes, lane: Word, seat: Numbers, progress: Numbers) -> Word:
    """Return the most rounds of a shoe to settle."""
    notes = lanes.notes[lane] - lane * U(MOST_ROUNDS) - ONE
    return min(notes, U(progress[MOST] - seat[PLAYED]))


@inlined
def sum_tags(lanes: Lanes, lane: Word, dealt: Word) -> None:
    """Write the running count after each of the first cards of a lane."""
    row, count = lane * U(ROW), 0
    for place in range(ZERO, dealt):
        count += lanes.tags[lanes.deck[row + place]]
        lanes.counts[place + ONE] = count


@subroutine
def settle_counting(
    house: CompiledRules,
    players: Players,
    lanes: Lanes,
    block: Numbers,
    seat: Numbers,
    progress: Numbers,
    hole: Word,
    mix: Word,
) -> Word:
    """Settle the rounds of eight shoes at wagers that follow a count; return the hash.

    Args:
        house: The rules.
        players: The declarations.
        lanes: The lanes, played.
        block: The block's row of `Tables`.
        seat: The account. Updated.
        progress: The progress of the block. Updated.
        hole: Index of the hole card among the opening cards.
        mix: The hash of the seat.
    """
    ends, counts, tags, who = lanes.ends, lanes.counts, lanes.tags, seat[WHO]
    least, first, last = block[MINIMUM] + house.spare, players.first[who], players.last[who]
    can_hide = not house.is_shown and not house.is_always_turned
    for lane in range(ZERO, LANES_U):
        row, cards = lane * U(MOST_ROUNDS) + ONE, lane * U(ROW)
        bankroll, lowest, highest = seat[FINAL], seat[LOWEST], seat[HIGHEST]
        squares, handle, rounds = seat[SQUARES], seat[HANDLE], 0
        notes = rounds_of(lanes, lane, seat, progress)
        sum_tags(lanes, lane, U(ends[row + notes - ONE]) & PLACES)
        start, hidden, unseen = ZERO, 0, 0
        for number in range(ZERO, notes):
            points = points_of(players, who, counts[start] - hidden, np.int64(start) - unseen)
            step = U(min(max(points - first, 0), last))
            wager, natural = lanes.wagers[step], lanes.naturals[step]
            if wager > bankroll or wager > block[MAXIMUM]:
                wager = wager_of(house, players, who, points, bankroll, block)
                natural = wager * house.odds // house.odds_to
            lanes.placed[row + number] = wager
            end = U(ends[row + number])
            stop = end & PLACES
            kind = (end >> KIND_BIT) & KIND_MASK
            hits = stop - start - FOUR - ((end >> DRAWS_BIT) & DRAWS_MASK)
            actions = ACTION_WORDS[(hits << U(3)) + ((end >> STOOD_BIT) & ONE)]
            is_hidden = IS_HIDDEN[kind] & can_hide
            hidden += is_hidden * tags[lanes.deck[cards + start + hole]]
            unseen += is_hidden
            net = wager * SIGNS[kind] + natural * IS_NATURAL[kind]
            bankroll += net
            lowest, highest = min(lowest, bankroll), max(highest, bankroll)
            squares += net * net
            handle += wager
            rounds += 1
            mix = (mix + U(wager) * WAGER_U + U(net) * NET_U + actions + stop) * GOLDEN_U
            start = stop
            if bankroll < least:
                progress[IS_OVER] = 1
                break
        seat[FINAL], seat[LOWEST], seat[HIGHEST] = bankroll, lowest, highest
        seat[SQUARES], seat[HANDLE] = squares, handle
        seat[PLAYED] += rounds
        mix = close_shoe(lanes, lane, seat, progress, start, mix)
        if progress[IS_OVER]:
            break
    return mix


@inlined
def least_left(house: CompiledRules) -> Number:
    """Return the least number of cards for a round in a used shoe."""
    if house.is_fresh:
        return DECK_SIZE
    return max(house.reshuffle, -(-house.percent * DECK_SIZE // 100))


@inlined
def write_wagers(
    house: CompiledRules, players: Players, lanes: Lanes, nets: Numbers, who: int, least: int
) -> bool:
    """Write the wagers of a table and their results; return whether the wager is constant."""
    minimum = least // house.unit * house.unit
    for step in range(players.last[who] + 1):
        wager = players.units[who, step] * minimum
        lanes.wagers[step] = wager
        lanes.naturals[step] = wager * house.odds // house.odds_to
    for code in range(DECK_SIZE):
        lanes.tags[FACES[code]] = players.tags[who, code]
    flat = least if house.is_fixed else minimum
    for kind in range(KINDS):
        nets[kind] = flat * SIGNS[kind]
    nets[NATURAL] = flat * house.odds // house.odds_to
    nets[KINDS] = flat
    return house.is_fixed or (players.last[who] == 0 and players.units[who, 0] == 1)


@subroutine
def play_alone(
    house: CompiledRules,
    players: Players,
    lanes: Lanes,
    arrows: Arrows,
    following: Following,
    key: Words,
    seat: Numbers,
    mixes: Words,
    block: Numbers,
    room: tuple[Numbers, Numbers],
) -> bool:
    """Play a block; False if a shoe ran out during a round, and the block must be played again.

    Args:
        house: The rules.
        players: The declarations.
        lanes: Memory for shoes.
        arrows: The arrows of the rules and the player.
        following: The data to compute luck.
        key: The key of the shoes; shape (2,), low word first.
        seat: A row with the declaration and the bankroll; shape (11,). Updated.
        mixes: The hash of the seat; shape (1,). Updated.
        block: The block's row of `Tables`; overwritten by rounds, shuffles and cards.
        room: Memory for net results, shape (9,), and for the progress, shape (4,).
    """
    nets, progress = room
    least = block[MINIMUM] + house.spare
    is_flat = write_wagers(house, players, lanes, nets, seat[WHO], block[MINIMUM])
    seat[LOWEST] = seat[HIGHEST] = seat[FINAL]
    progress[MOST], progress[SHUFFLES], progress[CARDS] = block[AT_MOST], 1, 0
    progress[IS_OVER] = seat[FINAL] < least or not block[AT_MOST]
    starts = U(min(DECK_SIZE, DECK_SIZE - least_left(house) + 1))
    mix = stream = ZERO
    while not progress[IS_OVER]:
        if not play_lanes(lanes, arrows, key[0], key[1], stream, starts):
            return False
        played = seat[PLAYED]
        if is_flat:
            mix = settle_flat(lanes, nets, seat, progress, least, mix)
        else:
            hole = following.hole
            mix = settle_counting(house, players, lanes, block, seat, progress, hole, mix)
        if block[FOLLOWS_LUCK]:
            rounds = seat[PLAYED] - played
            seat[LUCK] += luck_of_lanes(following, lanes, rounds, nets[KINDS], is_flat)
        stream += LANES_U
    mixes[0] = mix
    seat[LEFT] = block[BEGINS] + seat[PLAYED] - 1 if seat[FINAL] < least else STAYED
    block[0], block[1], block[2] = seat[PLAYED], progress[SHUFFLES], progress[CARDS]
    return True


@compiled
def play_alone_blocks(
    house: CompiledRules,
    players: Players,
    lanes: Lanes,
    arrows: Arrows,
    following: Following,
    chosen: Numbers,
    tables: Tables,
    room: tuple[Numbers, Numbers],
) -> None:
    """Play many blocks of one player; blocks whose shoe ran out during a round stay unchanged.

    Args:
        house: The rules.
        players: The declarations.
        lanes: Memory for shoes.
        arrows: The arrows of the rules and the player.
        following: The data to compute luck.
        chosen: Numbers of the blocks; overwritten by -1 for each played block.
        tables: The blocks.
        room: As for `play_alone`.
    """
    for place in range(len(chosen)):
        number = chosen[place]
        block, key = tables.blocks[number], tables.keys[number]
        start = block[FIRST_SEAT]
        seat, mix = tables.seats[start], tables.mixes[start : start + 1]
        bankroll = seat[FINAL]
        if play_alone(house, players, lanes, arrows, following, key, seat, mix, block, room):
            chosen[place] = -1
        else:
            for each in (LOWEST, HIGHEST, PLAYED, HANDLE, SQUARES, LUCK):
                seat[each] = 0
            seat[FINAL] = bankroll


def new_room() -> tuple[Numbers, Numbers]:
    """Allocate memory for net results and for the progress of a block."""
    return np.zeros(KINDS + 1, np.int64), np.zeros(4, np.int64)
