"""One round of one seat, played by the rules and not by the automaton.

For rounds in which a hand is split, played or insured by a count, or in which the seat may not
have enough chips for all it would like to do. Leaves out when that is.
"""

from typing import NamedTuple

import numpy as np

from tourney.game.machine.jit import Number, Word, inlined, subroutine
from tourney.games.blackjack.action import ACTION_CODES, Action
from tourney.games.blackjack.declaration import VALUES
from tourney.games.blackjack.hand import ACE_VALUE
from tourney.games.blackjack.kernels.automaton import OPENING
from tourney.games.blackjack.kernels.lanes import Arrows
from tourney.games.blackjack.kernels.positions import (
    AT_NATURAL,
    AT_SURRENDERED,
    IS_WAITING,
    NO_OWN,
    after_card,
    after_move,
    moves_of,
)
from tourney.games.blackjack.kernels.rounds import HIT, declared_move, points_of
from tourney.games.blackjack.kernels.rule_tables import Players
from tourney.games.blackjack.kernels.shoes import ONE, RANK_MASK, Shoe, U, choose_more
from tourney.games.blackjack.kernels.single_seat_endings import KINDS
from tourney.games.blackjack.kernels.single_seat_luck import (
    Following,
    follow_dealer,
    follow_opening,
    luck_of_card,
)
from tourney.games.blackjack.kernels.single_seat_rules import (
    COUNT,
    DEALER_AT,
    FIRST,
    FOLLOWS,
    HOLE,
    LUCK_SUM,
    MOST_HANDS,
    PLACE,
    POSITION,
    SECOND,
    SEEN,
    STAKE,
    UPCARD,
    WHO,
    Game,
    Numbers,
)
from tourney.games.blackjack.position import SOFT_21
from tourney.games.blackjack.settlement import INSURANCE_ODDS

CODES = U(ACTION_CODES)
DOUBLE, SPLIT = int(Action.DOUBLE), int(Action.SPLIT)
FACES_ROOM = 64


class SingleSeat(NamedTuple):
    """A seat that plays alone, and what it plays with."""

    players: Players
    game: Game
    arrows: Arrows  # of the automaton of the game and the player
    following: Following
    shoe: Shoe
    nets: Numbers  # (16,) what the wager wins, by kind of ending
    staked: Numbers  # (16,) what is staked, by kind of ending
    hands: Numbers  # (2, 8) its hands; see `single_seat_rules`, as for the following
    look: Numbers  # (7,) what it has seen
    tags: Numbers  # (64,) what a seen card adds to the count, by face


def new_single_seat(
    players: Players, game: Game, arrows: Arrows, following: Following, shoe: Shoe
) -> SingleSeat:
    """Make room for what a seat needs while it plays."""
    return SingleSeat(
        *(players, game, arrows, following, shoe),
        nets=np.zeros(KINDS, np.int64),
        staked=np.zeros(KINDS, np.int64),
        hands=np.zeros((STAKE + 1, MOST_HANDS), np.int64),
        look=np.zeros(DEALER_AT + 1, np.int64),
        tags=np.zeros(FACES_ROOM, np.int64),
    )


@inlined
def rank_at(shoe: Shoe, place: Word) -> Word:
    """Give the rank of a card, two of 0; whatever there is behind the last."""
    choose_more(shoe, place + ONE)
    return U(shoe.deck[min(place, shoe.size)]) & RANK_MASK


@inlined
def see(alone: SingleSeat, place: Word) -> None:
    """Count a card."""
    shoe, look = alone.shoe, alone.look
    look[COUNT] += alone.tags[shoe.deck[min(place, shoe.size)]]
    look[SEEN] += 1


@subroutine
def deal_to(alone: SingleSeat, at: int) -> None:
    """Deal the next card to a hand, face up; whatever there is behind the last has no luck."""
    shoe, hands, look = alone.shoe, alone.hands, alone.look
    place, own = U(look[PLACE]), U(hands[POSITION, at])
    rank = rank_at(shoe, place)
    if look[FOLLOWS] and place < shoe.size:
        _, luck = luck_of_card(alone.following, shoe.deck, place, own, U(look[DEALER_AT]))
        look[LUCK_SUM] += hands[STAKE, at] * luck
    see(alone, place)
    look[PLACE] += 1
    hands[POSITION, at] = after_card(own, rank)


@inlined
def points_seen(alone: SingleSeat) -> Number:
    """Read the seat's count."""
    look = alone.look
    return points_of(alone.players, look[WHO], look[COUNT], look[SEEN])


@inlined
def play_hands(
    alone: SingleSeat, dealer: tuple[Number, Number], behind: int, actions: Word
) -> tuple[Number, Word, Number]:
    """Let a seat play until it has nothing more to decide.

    Args:
        alone: The seat, whose first hand is dealt. Updated.
        dealer: As for `declared_move`.
        behind: Chips that it can stake yet.
        actions: What it has done, packed.
    Returns: Hands it holds, its actions, and chips that it has left.
    """
    house, hands, look = alone.game.house, alone.hands, alone.look
    held, at = 1, 0
    while at < held:
        own, stake = hands[POSITION, at], hands[STAKE, at]
        legal = moves_of(house.legal, house.most_hands, own, stake <= behind, held)
        if not legal:
            at += 1
            continue
        counted = look[COUNT], look[SEEN]
        move = declared_move(house, alone.players, look[WHO], own, legal, dealer, counted)
        actions = actions * CODES + U(move)
        hands[POSITION, at] = after_move(own, move)
        if move == SPLIT:
            hands[POSITION, held], hands[STAKE, held] = hands[POSITION, at], stake
            deal_to(alone, at)
            deal_to(alone, held)
            held += 1
        elif move == DOUBLE:
            hands[STAKE, at] += stake
        if move == SPLIT or move == DOUBLE:  # noqa: PLR1714, SIM109 - no tuples
            behind -= stake
        if move == HIT or move == DOUBLE:  # noqa: PLR1714, SIM109 - no tuples
            deal_to(alone, at)
    return held, actions, behind


@inlined
def play_dealer(alone: SingleSeat, held: Number, hand: Number) -> Number:
    """Draw the dealer's cards to a hand, and give the hand they make."""
    game, shoe, look = alone.game, alone.shoe, alone.look
    while game.house.draws[hand]:
        place = U(look[PLACE])
        hand = game.house.after[hand * VALUES + game.values[rank_at(shoe, place)]]
        if look[FOLLOWS] and place < shoe.size:  # now that the card is chosen
            follow_dealer(alone.following, shoe.deck, alone.hands, look, held, place)
        see(alone, place)
        look[PLACE] += 1
    return hand


@inlined
def open_round(alone: SingleSeat, wager: int) -> tuple[Number, Number]:
    """Deal the opening cards, and give the values of the upcard and of the hole card.

    All that is seen is counted, but the place of the next card stays.
    """
    game, shoe, hands = alone.game, alone.shoe, alone.hands
    places, start = game.places, U(alone.look[PLACE])
    choose_more(shoe, start + U(OPENING))
    for place in range(OPENING):
        if game.house.is_shown or place != places[HOLE]:
            see(alone, start + U(place))
    first = after_card(NO_OWN, rank_at(shoe, start + U(places[FIRST])))
    hands[POSITION, 0] = after_card(first, rank_at(shoe, start + U(places[SECOND])))
    hands[STAKE, 0] = wager
    upcard = game.values[rank_at(shoe, start + U(places[UPCARD]))]
    return upcard, game.values[rank_at(shoe, start + U(places[HOLE]))]


@inlined
def insure(alone: SingleSeat, upcard: int, wager: int, behind: int) -> tuple[Number, Word]:
    """Offer insurance, and give the chips staked on it and the action, if any."""
    game = alone.game
    if not game.house.insures or upcard != ACE_VALUE or behind < wager // 2:
        return 0, U(0)
    if points_seen(alone) >= game.insure_from:
        return wager // 2, U(Action.INSURE.value)
    return 0, U(Action.DECLINE.value)


@inlined
def settle_hands(alone: SingleSeat, held: int, dealer: int) -> Number:
    """Give what all hands of a seat won."""
    hands, net = alone.hands, 0
    for at in range(held):
        own, stake = hands[POSITION, at], hands[STAKE, at]
        net += (
            -(stake // 2) if own == AT_SURRENDERED else stake * alone.game.house.signs[own, dealer]
        )
    return net


@inlined
def is_any_waiting(hands: Numbers, held: int) -> Number:
    """Say whether any hand is to be compared with the dealer's."""
    waits = False
    for at in range(held):
        waits |= IS_WAITING[hands[POSITION, at]]
    return waits


@subroutine
def play_round(alone: SingleSeat, bankroll: int, wager: int) -> tuple[Number, Number, Word]:
    """Play a round.

    Args:
        alone: The seat; what it has seen is updated, see PLACE and the following.
        bankroll: Of the seat, the wager included.
        wager: Chips.
    Returns: What it won, what it staked in all, and its actions.
    """
    game, shoe, hands, look = alone.game, alone.shoe, alone.hands, alone.look
    house, after, start = game.house, game.house.after, U(look[PLACE])
    upcard, hole = open_round(alone, wager)
    if look[FOLLOWS] and start + U(OPENING) <= shoe.size:
        follow_opening(alone.following, shoe.deck, hands, look, start)
    look[PLACE] += OPENING
    dealer = after[after[upcard] * VALUES + hole]
    insured, actions = insure(alone, upcard, wager, bankroll - wager)
    behind, is_turned = bankroll - wager - insured, house.is_always_turned
    if house.ends_at_once and dealer == SOFT_21:
        is_turned = True
        net = INSURANCE_ODDS * insured - (0 if hands[POSITION, 0] == AT_NATURAL else wager)
    elif hands[POSITION, 0] == AT_NATURAL:
        net = wager * house.odds // house.odds_to - insured
    else:
        shown = dealer if house.is_shown else after[upcard], upcard
        held, actions, behind = play_hands(alone, shown, behind, actions)
        if is_any_waiting(hands, held):
            is_turned = True
            dealer = play_dealer(alone, held, dealer)
        net = settle_hands(alone, held, dealer) - insured
    if is_turned and not house.is_shown:
        see(alone, start + U(game.places[HOLE]))
    return net, bankroll - behind, actions
