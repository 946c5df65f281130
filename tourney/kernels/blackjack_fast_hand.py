"""One round of one seat, played by the rules and not by the automaton.

For rounds in which a hand is split, played or insured by a count, or in which the seat may not
have enough chips for all it would like to do. Leaves out when that is.
"""

import numpy as np

from tourney.games.blackjack.action import ACTION_CODES, Action
from tourney.games.blackjack.declaration import (
    MOVE_COLUMNS,
    MOVE_MASKS,
    NEVER,
    PAIRS_FROM,
    TOTALS,
    VALUES,
)
from tourney.games.blackjack.hand import ACE_VALUE, BEST_TOTAL
from tourney.games.blackjack.settlement import INSURANCE_ODDS
from tourney.kernels.blackjack_automaton import OPENING, SOFT_21
from tourney.kernels.blackjack_fast_rules import (
    BUST,
    DOUBLE_BIT,
    FIRST,
    HOLE,
    SECOND,
    SPLIT_BIT,
    UPCARD,
    Game,
    Numbers,
)
from tourney.kernels.blackjack_fast_seat import (
    CARDS,
    COUNT,
    FOLLOWS,
    HAND,
    IS_CLOSED,
    IS_GIVEN_UP,
    IS_PAIR,
    PLACE,
    RANK,
    SEEN,
    STAKE,
    WHO,
    follow_card,
    follow_dealer,
    follow_move,
    follow_opening,
)
from tourney.kernels.blackjack_fast_shoe import Shoe, choose_more
from tourney.kernels.blackjack_lanes import ONE, RANK_MASK, U
from tourney.kernels.blackjack_luck_rounds import Following
from tourney.kernels.blackjack_rounds import points_of
from tourney.kernels.blackjack_tables import Players
from tourney.kernels.jit import Number, Word, compiled, inlined

CODES = U(ACTION_CODES)
SHARE = TOTALS + 1
PAIR, MAY_SPLIT, UPCARDS = 2, 2, 16


@inlined
def rank_at(shoe: Shoe, place: Word) -> Word:
    """Give the rank of a card, two of 0; whatever there is behind the last."""
    choose_more(shoe, place + ONE)
    return U(shoe.deck[min(place, shoe.size)]) & RANK_MASK


@inlined
def see(shoe: Shoe, tags: Numbers, look: Numbers, place: Word) -> None:
    """Count a card."""
    look[COUNT] += tags[shoe.deck[min(place, shoe.size)]]
    look[SEEN] += 1


@compiled
def deal_to(
    game: Game,
    following: Following,
    shoe: Shoe,
    hands: Numbers,
    tags: Numbers,
    look: Numbers,
    at: int,
) -> None:
    """Deal the next card to a hand, face up."""
    place = U(look[PLACE])
    rank = rank_at(shoe, place)
    if look[FOLLOWS]:
        follow_card(following, shoe, hands, look, at, place)
    see(shoe, tags, look, place)
    look[PLACE] += 1
    value = game.values[rank]
    hands[IS_PAIR, at] = 0
    if hands[CARDS, at] == 1 and game.values[hands[RANK, at]] == value:
        is_like = hands[RANK, at] == np.int64(rank) or not game.splits_by_rank
        hands[IS_PAIR, at] = MAY_SPLIT if is_like else 1
    if hands[CARDS, at] == 0:
        hands[RANK, at] = np.int64(rank)
    hands[CARDS, at] += 1
    hands[HAND, at] = game.after[hands[HAND, at] * VALUES + value]


@inlined
def legal_of(game: Game, hands: Numbers, held: int, at: int, behind: int) -> Number:
    """Say what is legal besides to hit and to stand, as `move_cell` has it."""
    if hands[CARDS, at] != PAIR:
        return 0
    may_split = hands[IS_PAIR, at] == MAY_SPLIT
    cell = (2 * (held > 1) + may_split) * SHARE + hands[HAND, at] % TOTALS
    mask = game.masks[cell]
    if hands[STAKE, at] > behind:
        mask &= ~(DOUBLE_BIT | SPLIT_BIT)
    elif held >= game.hands:
        mask &= ~SPLIT_BIT
    return mask


@inlined
def move_of(
    game: Game, players: Players, hands: Numbers, look: Numbers, at: int, mask: int, dealer: int
) -> Number:
    """Give what the seat does with a hand.

    Args:
        game: The rules and the declaration.
        players: What is declared.
        hands: Of the seat.
        look: What the seat has seen.
        at: Which hand.
        mask: What is legal.
        dealer: Value of the upcard, and what the dealer shows as `move_cell` has it, times UPCARDS.
    """
    hand = hands[HAND, at]
    row = hand
    if hands[IS_PAIR, at]:
        row = PAIRS_FROM + game.values[hands[RANK, at]]
    move = np.int64(game.moves[(row * MOVE_COLUMNS + dealer // UPCARDS) * MOVE_MASKS + mask])
    if move:
        return move
    stand_from = game.stand_from[hand * VALUES + dealer % UPCARDS]
    hits = stand_from > 0
    if abs(stand_from) < NEVER:
        hits = points_of(players, look[WHO], look[COUNT], look[SEEN]) < stand_from
    return Action.HIT.value if hits else Action.STAND.value


@inlined
def split(
    game: Game,
    following: Following,
    shoe: Shoe,
    hands: Numbers,
    tags: Numbers,
    look: Numbers,
    at: int,
    held: int,
) -> None:
    """Make two hands of a pair and deal a card to each.

    Args:
        game: The rules.
        following: What it takes to follow luck.
        shoe: Where cards come from.
        hands: Of the seat; one more is written.
        tags: What seen cards add to the count.
        look: What the seat has seen.
        at: The pair.
        held: Hands before the split.
    """
    first = hands[RANK, at]
    # Cards of a pair may differ in rank, but only their value matters from here on.
    is_over = game.values[first] == ACE_VALUE and not game.plays_split_aces
    for one in (at, held):
        hands[RANK, one] = first
        hands[HAND, one] = game.after[game.values[first]]
        hands[CARDS, one] = 1
        hands[IS_CLOSED, one] = is_over
        hands[IS_GIVEN_UP, one] = 0
        hands[STAKE, one] = hands[STAKE, at]
    deal_to(game, following, shoe, hands, tags, look, at)
    deal_to(game, following, shoe, hands, tags, look, held)


@inlined
def play_hands(
    game: Game,
    players: Players,
    following: Following,
    shoe: Shoe,
    hands: Numbers,
    tags: Numbers,
    look: Numbers,
    dealer: int,
    behind: int,
    actions: Word,
) -> tuple[Number, Word, Number]:
    """Let a seat play until it has nothing more to decide.

    Args:
        game: The rules and the declaration.
        players: What is declared.
        following: What it takes to follow luck.
        shoe: Where cards come from.
        hands: Of the seat, of which the first is dealt. Updated.
        tags: What seen cards add to the count.
        look: What the seat has seen. Updated.
        dealer: As for `move_of`.
        behind: Chips that it can stake yet.
        actions: What it has done, packed.
    Returns: Hands it holds, its actions, and chips that it has left.
    """
    held, at = 1, 0
    while at < held:
        hand = hands[HAND, at]
        rests = game.stands_on_21 and hand % TOTALS == BEST_TOTAL
        if hand == BUST or rests or hands[IS_CLOSED, at]:
            at += 1
            continue
        mask = legal_of(game, hands, held, at, behind)
        move = move_of(game, players, hands, look, at, mask, dealer)
        actions = actions * CODES + U(move)
        if look[FOLLOWS]:
            follow_move(hands, at, move, held)
        stake = hands[STAKE, at]
        if move == Action.HIT.value:
            deal_to(game, following, shoe, hands, tags, look, at)
        elif move == Action.DOUBLE.value:
            behind -= stake
            hands[STAKE, at] += stake
            hands[IS_CLOSED, at] = 1
            deal_to(game, following, shoe, hands, tags, look, at)
        elif move == Action.SPLIT.value:
            behind -= stake
            split(game, following, shoe, hands, tags, look, at, held)
            held += 1
        else:
            hands[IS_CLOSED, at] = 1
            hands[IS_GIVEN_UP, at] = move == Action.SURRENDER.value
    return held, actions, behind


@inlined
def play_dealer(
    game: Game,
    following: Following,
    shoe: Shoe,
    hands: Numbers,
    held: Number,
    tags: Numbers,
    look: Numbers,
    hand: Number,
) -> Number:
    """Draw the dealer's cards, and give the hand they make.

    Args:
        game: The rules.
        following: What it takes to follow luck.
        shoe: Where cards come from.
        hands: Of the seat.
        held: How many.
        tags: What seen cards add to the count.
        look: What the seat has seen. Updated.
        hand: Of the dealer, before it draws.
    """
    while game.draws[hand]:
        place = U(look[PLACE])
        hand = game.after[hand * VALUES + game.values[rank_at(shoe, place)]]
        if look[FOLLOWS]:  # now that the card is chosen
            follow_dealer(following, shoe, hands, look, held, place)
        see(shoe, tags, look, place)
        look[PLACE] += 1
    return hand


@inlined
def open_round(
    game: Game, shoe: Shoe, hands: Numbers, tags: Numbers, look: Numbers, wager: int
) -> tuple[Number, Number]:
    """Deal the opening cards.

    Args:
        game: The rules.
        shoe: Where cards come from.
        hands: Of the seat; the first is written.
        tags: What seen cards add to the count.
        look: What the seat has seen. Updated, but for the place of the next card.
        wager: Chips on the hand.
    Returns: Values of the upcard and of the hole card.
    """
    places, start = game.places, U(look[PLACE])
    choose_more(shoe, start + U(OPENING))
    for place in range(OPENING):
        if game.shows_both or place != places[HOLE]:
            see(shoe, tags, look, start + U(place))
    first = np.int64(rank_at(shoe, start + U(places[FIRST])))
    second = np.int64(rank_at(shoe, start + U(places[SECOND])))
    value = game.values[first]
    is_pair = np.int64(value == game.values[second])
    is_like = np.int64(first == second or not game.splits_by_rank)
    hands[RANK, 0], hands[CARDS, 0], hands[IS_PAIR, 0] = first, PAIR, is_pair + is_pair * is_like
    hands[HAND, 0] = game.after[game.after[value] * VALUES + game.values[second]]
    hands[STAKE, 0], hands[IS_CLOSED, 0], hands[IS_GIVEN_UP, 0] = wager, 0, 0
    upcard = game.values[rank_at(shoe, start + U(places[UPCARD]))]
    return upcard, game.values[rank_at(shoe, start + U(places[HOLE]))]


@inlined
def insure(
    game: Game, players: Players, look: Numbers, upcard: int, wager: int, behind: int
) -> tuple[Number, Word]:
    """Offer insurance, and give the chips staked on it and the action, if any."""
    if not game.offers_insurance or upcard != ACE_VALUE or behind < wager // 2:
        return 0, U(0)
    if points_of(players, look[WHO], look[COUNT], look[SEEN]) >= game.insure_from:
        return wager // 2, U(Action.INSURE.value)
    return 0, U(Action.DECLINE.value)


@inlined
def settle_hands(game: Game, hands: Numbers, held: int, dealer: int) -> Number:
    """Give what all hands of a seat won."""
    net = 0
    for at in range(held):
        stake = hands[STAKE, at]
        if hands[IS_GIVEN_UP, at]:
            net -= stake // 2
        else:
            net += stake * game.signs[hands[HAND, at], dealer]
    return net


@inlined
def is_any_waiting(hands: Numbers, held: int) -> Number:
    """Say whether any hand is to be compared with the dealer's."""
    waits = False
    for at in range(held):
        waits |= hands[HAND, at] != BUST and not hands[IS_GIVEN_UP, at]
    return waits


@compiled
def play_round(
    game: Game,
    players: Players,
    following: Following,
    shoe: Shoe,
    hands: Numbers,
    tags: Numbers,
    look: Numbers,
    bankroll: int,
    wager: int,
) -> tuple[Number, Number, Word]:
    """Play a round.

    Args:
        game: The rules and the declaration.
        players: What is declared.
        following: What it takes to follow luck.
        shoe: Where cards come from.
        hands: Room for the hands of the seat.
        tags: What seen cards add to the count, by face; shape (64,).
        look: What the seat has seen, see PLACE and the following. Updated.
        bankroll: Of the seat, the wager included.
        wager: Chips.
    Returns: What it won, what it staked in all, and its actions.
    """
    after, start = game.after, U(look[PLACE])
    upcard, hole = open_round(game, shoe, hands, tags, look, wager)
    if look[FOLLOWS] and start + U(OPENING) <= shoe.size:
        follow_opening(following, shoe, hands, look, start)
    look[PLACE] += OPENING
    dealer = after[after[upcard] * VALUES + hole]
    insured, actions = insure(game, players, look, upcard, wager, bankroll - wager)
    behind, is_turned = bankroll - wager - insured, game.always_turned
    if game.ends_at_once and dealer == SOFT_21:
        is_turned = True
        net = INSURANCE_ODDS * insured - (0 if hands[HAND, 0] == SOFT_21 else wager)
    elif hands[HAND, 0] == SOFT_21:
        net = wager * game.odds // game.odds_to - insured
    else:
        shown = UPCARDS * (dealer if game.shows_both else after[upcard]) + upcard
        held, actions, behind = play_hands(
            game, players, following, shoe, hands, tags, look, shown, behind, actions
        )
        if is_any_waiting(hands, held):
            is_turned = True
            dealer = play_dealer(game, following, shoe, hands, held, tags, look, dealer)
        net = settle_hands(game, hands, held, dealer) - insured
    if is_turned and not game.shows_both:
        see(shoe, tags, look, start + U(game.places[HOLE]))
    return net, bankroll - behind, actions
