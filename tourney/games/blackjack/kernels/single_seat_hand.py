"""One round of one seat, played by the rules instead of the automaton.

It is for rounds in which a hand is split, or played or insured by a count, or in which the seat
may have too few chips for its moves.
"""

from typing import NamedTuple

import numpy as np

from tourney.game.machine.jit import Number, Word, inlined, subroutine
from tourney.games.blackjack.action import ACTION_CODES, Action
from tourney.games.blackjack.declaration import NEVER, VALUES, Declaration
from tourney.games.blackjack.hand import ACE_VALUE
from tourney.games.blackjack.kernels.accounts import HIT, declared_move, net_of, points_of
from tourney.games.blackjack.kernels.automaton import KINDS, OPENING
from tourney.games.blackjack.kernels.compiled_rules import HOLE, UPCARD, CompiledRules, Players
from tourney.games.blackjack.kernels.lanes import Arrows
from tourney.games.blackjack.kernels.positions import (
    IS_WAITING,
    MOST_HANDS,
    NO_OWN,
    POSITION,
    STAKE,
    VALUE_OF_RANK,
    after_card,
    after_move,
    moves_of,
)
from tourney.games.blackjack.kernels.shoes import ONE, RANK_MASK, Numbers, Shoe, U, choose_more
from tourney.games.blackjack.kernels.single_seat_luck import (
    Following,
    follow_dealer,
    follow_opening,
    luck_of_card,
    new_following,
)
from tourney.games.blackjack.position import INSURANCE_PAYS, SOFT_21
from tourney.games.blackjack.records import DEALER
from tourney.games.blackjack.rules import BlackjackRules

CODES = U(ACTION_CODES)
DOUBLE, SPLIT = int(Action.DOUBLE), int(Action.SPLIT)
FACES_ROOM = 64
PLACE, COUNT, SEEN, WHO, FOLLOWS, LUCK_SUM, DEALER_AT = range(7)
"""Indices in `look`: the place of the next card, the running count, the number of cards seen, the
declaration; whether luck is measured, the luck of the round, and the dealer's position."""


class SingleSeat(NamedTuple):
    """A seat that plays alone, with its rules, shoe and memory."""

    players: Players
    house: CompiledRules
    arrows: Arrows  # of the automaton of the rules and the player
    following: Following
    shoe: Shoe
    nets: Numbers  # (16,) net result of the wager, by kind of ending
    staked: Numbers  # (16,) chips staked, by kind of ending
    hands: Numbers  # (8, 2) its hands; see `positions.POSITION`
    look: Numbers  # (7,) its state; see PLACE
    tags: Numbers  # (64,) count of a seen card, by face
    most_stakes: int  # number of wagers that is enough for all moves except a second split
    watches: bool  # whether anything but wagers depends on a count


def new_single_seat(
    rules: BlackjackRules,
    declaration: Declaration,
    house: CompiledRules,
    players: Players,
    arrows: Arrows,
    shoe: Shoe,
) -> SingleSeat:
    """Allocate the memory of a seat.

    Args:
        rules: Rules that are `is_fast` with the declaration.
        declaration: The declaration of the seat.
        house: The rules as arrays.
        players: The declarations, including this one.
        arrows: The arrows of their automaton.
        shoe: Memory for a shoe.
    """
    return SingleSeat(
        *(players, house, arrows, new_following(house), shoe),
        nets=np.zeros(KINDS, np.int64),
        staked=np.zeros(KINDS, np.int64),
        hands=np.zeros((MOST_HANDS, STAKE + 1), np.int64),
        look=np.zeros(DEALER_AT + 1, np.int64),
        tags=np.zeros(FACES_ROOM, np.int64),
        most_stakes=1 if rules.is_hit_or_stand else 2,
        watches=watches(declaration),
    )


def watches(declaration: Declaration) -> bool:
    """Return whether moves or insurance depend on a count."""
    return declaration.deviates or declaration.insure_from < NEVER


@inlined
def rank_at(shoe: Shoe, place: Word) -> Word:
    """Return the rank of a card, 0 for a two; arbitrary after the last card."""
    choose_more(shoe, place + ONE)
    return U(shoe.deck[min(place, shoe.size)]) & RANK_MASK


@inlined
def see(alone: SingleSeat, place: Word) -> None:
    """Add a card to the count."""
    shoe, look = alone.shoe, alone.look
    look[COUNT] += alone.tags[shoe.deck[min(place, shoe.size)]]
    look[SEEN] += 1


@subroutine
def deal_to(alone: SingleSeat, at: int) -> None:
    """Deal the next card to a hand, face up; after the last card, luck is not measured."""
    shoe, hand, look = alone.shoe, alone.hands[at], alone.look
    place, own = U(look[PLACE]), U(hand[POSITION])
    rank = rank_at(shoe, place)
    if look[FOLLOWS] and place < shoe.size:
        _, luck = luck_of_card(alone.following, shoe.deck, place, own, U(look[DEALER_AT]))
        look[LUCK_SUM] += hand[STAKE] * luck
    see(alone, place)
    look[PLACE] += 1
    hand[POSITION] = after_card(own, rank)


@inlined
def points_seen(alone: SingleSeat) -> Number:
    """Return the points of the seat's count."""
    look = alone.look
    return points_of(alone.players, look[WHO], look[COUNT], look[SEEN])


@inlined
def play_hands(
    alone: SingleSeat, dealer: tuple[Number, Number], behind: int, actions: Word
) -> tuple[Number, Word, Number, Number]:
    """Play the hands of a seat until it has no more decisions.

    Args:
        alone: The seat, with a dealt first hand. Updated.
        dealer: As for `declared_move`.
        behind: Chips that it can still stake.
        actions: Its previous actions, packed.
    Returns: Number of hands, its actions, chips left, and whether a hand waits for the dealer.
    """
    house, hands, look = alone.house, alone.hands, alone.look
    held, at, waits = 1, 0, False
    while at < held:
        own, stake = hands[at, POSITION], hands[at, STAKE]
        legal = moves_of(house.legal, house.most_hands, own, stake <= behind, held)
        if not legal:
            waits |= IS_WAITING[own]
            at += 1
            continue
        counted = look[COUNT], look[SEEN]
        move = declared_move(house, alone.players, look[WHO], own, legal, dealer, counted)
        actions = actions * CODES + U(move)
        hands[at, POSITION] = after_move(own, move)
        if move == SPLIT:
            hands[held, POSITION], hands[held, STAKE] = hands[at, POSITION], stake
            deal_to(alone, at)
            deal_to(alone, held)
            held += 1
        elif move == DOUBLE:
            hands[at, STAKE] += stake
        if move == SPLIT or move == DOUBLE:  # noqa: PLR1714, SIM109 - no tuples
            behind -= stake
        if move == HIT or move == DOUBLE:  # noqa: PLR1714, SIM109 - no tuples
            deal_to(alone, at)
    return held, actions, behind, waits


@inlined
def play_dealer(alone: SingleSeat, held: Number, hand: Number) -> Number:
    """Draw the dealer's cards; return the final hand."""
    house, shoe, look = alone.house, alone.shoe, alone.look
    while house.draws[hand]:
        place = U(look[PLACE])
        hand = house.after[hand * VALUES + VALUE_OF_RANK[rank_at(shoe, place)]]
        if look[FOLLOWS] and place < shoe.size:  # the card is chosen by now
            shown, hands = U(look[DEALER_AT]), alone.hands[:held]
            shown, luck = follow_dealer(alone.following, shoe.deck, place, hands, shown)
            look[DEALER_AT] = shown
            look[LUCK_SUM] += luck
        see(alone, place)
        look[PLACE] += 1
    return hand


@inlined
def open_round(alone: SingleSeat, wager: int) -> tuple[Number, Number]:
    """Deal the opening cards; return the value of the upcard and the dealer's hand.

    Visible cards are counted. The place of the next card does not change.
    """
    house, shoe, hand = alone.house, alone.shoe, alone.hands[0]
    places, order, start = house.places[1], house.order[1], U(alone.look[PLACE])
    choose_more(shoe, start + U(OPENING))
    own, dealer = NO_OWN, np.int64(0)
    for place in range(OPENING):
        at = start + U(place)
        if house.is_shown or place != places[HOLE]:
            see(alone, at)
        rank = rank_at(shoe, at)
        if order[place] == DEALER:
            dealer = house.after[dealer * VALUES + VALUE_OF_RANK[rank]]
        else:
            own = after_card(own, rank)
    hand[POSITION], hand[STAKE] = own, wager
    return VALUE_OF_RANK[rank_at(shoe, start + U(places[UPCARD]))], dealer


@inlined
def insure(alone: SingleSeat, upcard: int, wager: int, behind: int) -> tuple[Number, Word]:
    """Offer insurance; return the chips staked on it and the action, or zeros if not offered."""
    if not alone.house.insures or upcard != ACE_VALUE or behind < wager // 2:
        return 0, U(0)
    if points_seen(alone) >= alone.players.insure_from[alone.look[WHO]]:
        return wager // 2, U(Action.INSURE.value)
    return 0, U(Action.DECLINE.value)


@subroutine
def play_round(alone: SingleSeat, bankroll: int, wager: int) -> tuple[Number, Number, Word]:
    """Play a round.

    Args:
        alone: The seat. `look` is updated.
        bankroll: The bankroll of the seat, including the wager.
        wager: Chips.
    Returns: The net result, the total stake, and the actions.
    """
    house, shoe, look = alone.house, alone.shoe, alone.look
    start = U(look[PLACE])
    upcard, dealer = open_round(alone, wager)
    if look[FOLLOWS] and start + U(OPENING) <= shoe.size:
        shown, luck = follow_opening(alone.following, shoe.deck, start)
        look[DEALER_AT], look[LUCK_SUM] = shown, wager * luck
    look[PLACE] += OPENING
    insured, actions = insure(alone, upcard, wager, bankroll - wager)
    behind = bankroll - wager - insured
    has_ended = house.ends_at_once and dealer == SOFT_21
    held, waits = 1, False
    if not has_ended:
        face_up = dealer if house.is_shown else house.after[upcard]
        held, actions, behind, waits = play_hands(alone, (face_up, upcard), behind, actions)
    if waits:
        dealer = play_dealer(alone, held, dealer)
    net = net_of(house, alone.hands[:held], dealer, has_ended)
    net += INSURANCE_PAYS * insured if has_ended else -insured
    if (waits or has_ended or house.is_always_turned) and not house.is_shown:
        see(alone, start + U(house.places[1, HOLE]))
    return net, bankroll - behind, actions
