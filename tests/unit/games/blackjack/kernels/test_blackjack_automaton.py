"""The automaton of blackjack against a naive referee, who has hands of cards and adds them up."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest

from tourney import Action, Card, ChartPlayer, Hand, Player, read_chart
from tourney.game.cards.card import CARDS
from tourney.game.ledger.running_hash import ACTIONS
from tourney.games.blackjack.declaration import Declaration
from tourney.games.blackjack.kernels import automaton, lanes
from tourney.games.blackjack.kernels.automaton import (
    ACTION_WORDS,
    ARROWS,
    SIGNS,
    STAKES,
    Automaton,
    Kind,
)
from tourney.games.blackjack.players import declaration_of
from tourney.games.blackjack.rules import CSC24400, EASYBJ, SIX_DECKS_H17, VE280, BlackjackRules
from tourney.strategies.charted import CHARTS, EasyBJChart
from tourney.strategies.counting import Counting
from tourney.strategies.mimic import Mimic
from tourney.strategies.simple import Simple


class Basic(ChartPlayer):
    """Plays basic strategy for six decks."""

    chart = read_chart((CHARTS / "basic_six_decks_h17.txt").read_text(encoding="utf-8"), "basic")


GAMES: dict[str, tuple[BlackjackRules, type[Player]]] = {
    "the document's": (VE280, Simple),
    "the document's, counting": (VE280, Counting),
    "dealer first, naturals at once": (CSC24400, Mimic),
    "both cards shown": (EASYBJ, EasyBJChart),
    "six decks": (SIX_DECKS_H17, Basic),
    "no surrender, low doubles": (replace(SIX_DECKS_H17, surrender="never", double="9-11"), Basic),
}
ORDERS = {"seats-first": "SUSD", "dealer-first": "USDS", "dealer-both": "UDSS"}


@cache
def table_of(name: str) -> list[int]:
    """Give the arrows of a game."""
    rules, player = GAMES[name]
    declaration = declaration_of(player(), rules)
    assert isinstance(declaration, Declaration)
    return [int(arrow) for arrow in Automaton(rules, declaration).table()]


def walked(arrows: Sequence[int], cards: Sequence[Card]) -> tuple[int, int]:
    """Follow arrows to the end of a round; give the last one and the cards it took."""
    state = 0
    for place, card in enumerate(cards):
        arrow = arrows[state * ARROWS + card.rank - 2]
        state = arrow >> automaton.NEXT
        if arrow >> automaton.ENDS & 1:
            assert state == 0
            return arrow, place + 1
    raise AssertionError("a round goes on for ever")


def referee(  # noqa: C901 - he reads the rules from top to bottom
    rules: BlackjackRules, player: Player, cards: Sequence[Card]
) -> tuple[list[Action], float, int, int] | None:
    """Play a round of a rich seat; give actions, wagers won and staked, and cards.

    Returns: None if the hand is split.
    """
    seat, dealer = Hand(), Hand()
    hands = {"S": seat, "U": dealer, "D": dealer}
    for owner, card in zip(ORDERS[rules.dealing], cards, strict=False):
        hands[owner].add_card(card)
    upcard = dealer.cards[0]
    rest = iter(cards[4:])
    actions: list[Action] = []
    if rules.insurance == "offered" and upcard.value == 11:
        actions.append(Action.DECLINE)
    if rules.dealer_natural == "wins-at-once" and dealer.is_natural:
        return actions, 0.0 if seat.is_natural else -1.0, 1, 4
    if seat.is_natural:
        return actions, 1.5 if rules.natural == "3:2" else 1.0, 1, 4
    staked = 1
    seen = dealer if rules.dealer_shows == "both" else Hand([upcard])
    while not seat.is_bust and not (rules.stands_on_21 and seat.total == 21):
        legal = [Action.STAND, Action.HIT]
        if len(seat) == 2:
            is_low = rules.double == "first-two" or 9 <= seat.total <= 11
            legal += [Action.DOUBLE] * (rules.double != "never" and is_low)
            is_pair = seat.cards[0].value == seat.cards[1].value
            legal += [Action.SPLIT] * (rules.split != "never" and is_pair)
            legal += [Action.SURRENDER] * (rules.surrender != "never")
        move = player.act(seen, seat, tuple(legal))
        if move is Action.SPLIT:
            return None
        actions.append(move)
        if move is Action.SURRENDER:
            return actions, -0.5, 1, len(seat) + len(dealer)
        if move is Action.STAND:
            break
        seat.add_card(next(rest))
        if move is Action.DOUBLE:
            staked = 2
            break
    if seat.is_bust:
        return actions, -1.0 * staked, staked, len(seat) + len(dealer)
    while dealer.total < 17 or (dealer.total == 17 and dealer.soft and rules.soft_17 == "hit"):
        dealer.add_card(next(rest))
    won = 1 if dealer.is_bust else (seat.total > dealer.total) - (seat.total < dealer.total)
    return actions, float(won * staked), staked, len(seat) + len(dealer)


@pytest.mark.parametrize("name", GAMES)
def test_a_round_ends_as_the_referee_says(name: str) -> None:
    """Actions, chips and cards of some thousand rounds; hands that are split are not its affair."""
    rules, player = GAMES[name]
    dice, arrows, seat, seen = Random(5), table_of(name), player(), set()
    for _ in range(3_000):
        cards = dice.sample(CARDS * 2, 40)
        arrow, stop = walked(arrows, cards)
        kind = Kind(arrow >> automaton.KIND & 15)
        seen.add(kind)
        expected = referee(rules, seat, cards)
        if expected is None:
            assert kind is Kind.OTHER
            continue
        actions, won, staked, dealt = expected
        assert stop == dealt
        special = {Kind.NATURAL: 1.5 if rules.natural == "3:2" else 1.0, Kind.SURRENDER: -0.5}
        assert special.get(kind, float(SIGNS[kind])) == won
        assert STAKES[kind] == staked
        hits = stop - 4 - (arrow >> automaton.DRAWS & 15)
        packed = 0
        for action in actions:
            packed = packed * 8 + action
        ending = arrow >> automaton.ENDING & 7
        assert ACTION_WORDS[hits * 8 + ending] == packed * ACTIONS % (1 << 64)
    assert {Kind.LOSS, Kind.WIN, Kind.NATURAL} <= seen


@pytest.mark.parametrize("name", GAMES)
def test_no_two_states_are_alike(name: str) -> None:
    """Else there would be more of them than a round needs, and fewer of them near at hand."""
    rows = np.array(table_of(name)).reshape(-1, ARROWS)
    assert len({row.tobytes() for row in rows}) == len(rows)
    assert rows.max() >> automaton.NEXT < len(rows)


def test_lanes_follow_the_same_arrows() -> None:
    """What ends a round, how, and where it leads."""
    arrows = np.array(table_of("the document's"), np.uint32)
    narrowed = lanes.narrow(arrows)
    assert narrowed is not None
    for wide, narrow in zip(arrows.tolist(), narrowed.tolist(), strict=True):
        assert narrow >> lanes.NEXT == (wide >> automaton.NEXT) * ARROWS
        assert narrow >> lanes.ENDS & 1 == wide >> automaton.ENDS & 1
        assert narrow >> lanes.KIND & 7 == wide >> automaton.KIND & 15
        assert narrow >> lanes.DRAWS & 15 == wide >> automaton.DRAWS & 15
        assert narrow & (1 << automaton.PLACE_BITS) - 1 == 0


def test_lanes_do_not_double() -> None:
    """Their arrows have no room to say so."""
    assert lanes.narrow(np.array(table_of("six decks"), np.uint32)) is None
