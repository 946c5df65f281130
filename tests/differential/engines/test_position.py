"""Positions against `Round`, which plays with cards: all of every preset, and of any rules."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat

import pytest
from hypothesis import given, settings

from tourney.game.cards.card import CARDS, RANKS
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.opening import opening_of
from tourney.games.blackjack.position import (
    BUST,
    EMPTY,
    GONE,
    NATURAL,
    NOTHING_SHOWN,
    POSITIONS,
    RANK_OF,
    RANK_VALUES,
    SHOWN,
    SURRENDERED,
    Position,
    Shown,
    acted,
    after,
    beats_all,
    dealer_draws,
    legal,
    shown_after,
    sign,
    total_of,
)
from tourney.games.blackjack.records import DEALER
from tourney.games.blackjack.round import Round
from tourney.games.blackjack.rules import PRESETS, BlackjackRules

from .any_casino import any_casino_rules

RULES = PRESETS | {
    "one hand": replace(PRESETS["six-decks-h17"], hands=1),
    "aces are split again": replace(PRESETS["six-decks-s17"], split_aces="resplit", hands=3),
    "aces are played": replace(PRESETS["double-deck"], split_aces="played", split="by-rank"),
    "low doubles": replace(PRESETS["single-deck"], double="9-11", surrender="first"),
}
WAGER = 2
FIVE, NINE, TEN = 3, 7, 8
STAND, HIT, DOUBLE, SPLIT = Action.STAND, Action.HIT, Action.DOUBLE, Action.SPLIT
TAKES_CARD = (HIT, DOUBLE, SPLIT)


@dataclass(frozen=True)
class Way:
    """How the first hand of a seat came to stand where it does."""

    position: Position
    cards: tuple[int, ...]  # ranks of its opening cards, then whatever is dealt
    moves: tuple[Action, ...] = ()


def opened(rules: BlackjackRules, cards: Sequence[int], dealer: Sequence[int], chips: int) -> Round:
    """Deal the opening cards of a round with one seat; give all cards that are dealt, by rank."""
    order = opening_of(rules.dealing, 1, has_hole=rules.hole_card != "none").order
    own, theirs = iter(cards), iter(dealer)
    state = Round(rules, [WAGER], [chips])
    dealt = [CARDS[next(theirs if who == DEALER else own)] for who in order]
    state.deal(iter(dealt))
    while state.asks_insurance:
        state.apply_action(Action.DECLINE)
    return state


def replayed(rules: BlackjackRules, way: Way, chips: int) -> Round:
    """Play a round as it went, against a dealer with a five and a nine, who draws tens."""
    state = opened(rules, way.cards, (FIVE, NINE), chips)
    rest = chain(way.cards[2:], repeat(TEN))
    for move in way.moves:
        state.apply_action(move)
        if move in TAKES_CARD:
            state.deal(CARDS[rank] for rank in rest)
    return state


def ways(rules: BlackjackRules, stakes: int) -> Iterator[Way]:
    """Give a way to each position that rules and chips for so many wagers more allow."""
    found: dict[tuple[Position, int], Way] = {}
    waiting = [
        Way(after(after(EMPTY, first), second), (first, second))
        for first in range(RANKS)
        for second in range(RANKS)
    ]
    for way in waiting:  # it grows
        raises = sum(move in (DOUBLE, SPLIT) for move in way.moves)
        if (way.position, raises) in found:
            continue
        found[way.position, raises] = way
        yield way
        for move in moves_of(rules, way, stakes):
            then, moves = acted(way.position, move), (*way.moves, move)
            if move not in TAKES_CARD:
                waiting.append(Way(then, way.cards, moves))
                continue
            for rank in range(RANKS):
                # A split deals to the other hand, too; what it gets does not matter to the first.
                more = (rank, TEN) if move is SPLIT else (rank,)
                waiting.append(Way(after(then, rank), (*way.cards, *more), moves))


def moves_of(rules: BlackjackRules, way: Way, stakes: int) -> tuple[Action, ...]:
    """Give what is open to the first hand of a seat that could stake so many wagers more."""
    splits = way.moves.count(SPLIT)
    left = stakes - splits - way.moves.count(DOUBLE)
    return legal(
        rules, way.position, can_stake=left > 0, can_hold=not splits or 1 + splits < rules.hands
    )


def check_moves(rules: BlackjackRules, stakes: int) -> set[Position]:
    """Compare what is open in all positions that can be reached; give them."""
    seen = set()
    for way in ways(rules, stakes):
        state = replayed(rules, way, stakes * WAGER)
        seen.add(way.position)
        is_asked = state.in_play is not None and state.in_play.number == 0
        assert moves_of(rules, way, stakes) == (state.legal_actions() if is_asked else ()), way
        hand = state.hands[0].hand
        if way.position.status != SURRENDERED:
            assert total_of(way.position.hand) == min(hand.total, total_of(BUST))
        assert (way.position == GONE) == hand.is_bust
    return seen


def finals(rules: BlackjackRules) -> Iterator[tuple[Shown, tuple[int, ...]]]:
    """Give what the dealer can end with, by every last card, and the ranks that lead there."""
    waiting: list[tuple[Shown, tuple[int, ...]]] = [(NOTHING_SHOWN, ())]
    seen = set()
    for before, ranks in waiting:  # it grows
        for rank in RANK_OF:
            shown, cards = shown_after(before, RANK_VALUES[rank]), (*ranks, rank)
            if len(cards) > 1 and not dealer_draws(rules, shown.hand):
                yield shown, cards
            elif shown not in seen:
                seen.add(shown)
                waiting.append((shown, cards))


def check_dealer(rules: BlackjackRules) -> set[Shown]:
    """Let a hand of every total stand against all that the dealer can end with; give that."""
    stood = {
        total_of(way.position.hand): way for way in ways(rules, 0) if way.moves[-1:] == (STAND,)
    }
    seen = set()
    for shown, ranks in finals(rules):
        seen.add(shown)
        for total, way in stood.items():
            state = opened(rules, way.cards, ranks[:2], 0)
            moves = () if state.is_over else way.moves
            rest = iter([*way.cards[2:], *ranks[1 if rules.hole_card == "none" else 2 :]])
            for move in moves:
                state.apply_action(move)
                if not state.is_over:
                    state.deal(CARDS[rank] for rank in rest)
            assert state.is_over
            assert not moves or next(rest, None) is None, "the dealer takes all of them"
            won = -1 if beats_all(rules, shown) else sign(total, shown.hand)
            assert state.results() == (won * WAGER,), (total, shown)
        assert sign(BUST, shown.hand) == -1, "whoever is bust has lost, whatever the dealer does"
    return seen


@pytest.mark.parametrize("stakes", [0, 1, 9])
@pytest.mark.parametrize("name", RULES)
def test_moves_are_those_of_a_round(name: str, stakes: int) -> None:
    """In every position, for seats with no chips left, with one wager more, and with plenty."""
    check_moves(RULES[name], stakes)


@settings(max_examples=15, deadline=None)
@given(any_casino_rules())
def test_moves_are_those_of_a_round_whatever_the_rules(rules: BlackjackRules) -> None:
    """With chips for one wager more, and with plenty."""
    for stakes in (1, 9):
        check_moves(rules, stakes)


def test_every_position_can_be_reached() -> None:
    """Some only between a move and the card that it gets."""
    rules = replace(PRESETS["six-decks-h17"], split="by-rank", split_aces="resplit")
    seen = check_moves(rules, 9) | check_moves(replace(rules, split="by-value"), 9)
    between = {each for each in POSITIONS if each.cards < 2}
    between |= {acted(each, move) for each in seen for move in (HIT, DOUBLE)}
    assert seen | between >= set(POSITIONS)
    assert any(each.status == NATURAL for each in seen)


@pytest.mark.parametrize("name", RULES)
def test_the_dealer_draws_and_wins_as_in_a_round(name: str) -> None:
    """Every total against every hand the dealer can end with, card by card."""
    check_dealer(RULES[name])


@settings(max_examples=5, deadline=None)
@given(any_casino_rules())
def test_the_dealer_does_so_whatever_the_rules(rules: BlackjackRules) -> None:
    """Soft 17, naturals, hole cards and who sees them."""
    check_dealer(rules)


def test_the_dealer_comes_to_every_position() -> None:
    """No number is for something that cannot be; the first ones are before the second card."""
    seen = check_dealer(PRESETS["six-decks-h17"])
    assert {each.hand for each in seen} <= {each.hand for each in SHOWN}
    assert {total_of(each.hand) for each in seen} == {17, 18, 19, 20, 21, 22}
