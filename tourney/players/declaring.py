"""What a player declares, or why it cannot be played by its declaration.

A promise is checked as far as that is cheap: every total, soft or hard, against every upcard is
asked with several hands, all hands of two cards among them, and at several counts. Whoever
answers two hands of one value differently, changes itself by answering, looks at the table, or
tosses coins is refused. What no check finds, such as a rule for one hand of five cards, is the
author's word; `tourney verify --engine reference` shows it.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import NoReturn

from tourney.cards.card import CARDS, Card, Suit
from tourney.games.blackjack.declaration import CELLS, NEVER, Declaration, cell
from tourney.games.blackjack.hand import BEST_TOTAL, Hand
from tourney.players.chart import ChartPlayer
from tourney.players.declared import CountingPlayer, StandFrom
from tourney.players.player import ActPlayer, Player, acts

FLAT: tuple[int, ...] = (1,)
MOST_STEPS = 1_000
MOST_HANDS = 6
"""Hands that one value is asked with, besides all of two cards."""
MINIMUMS = (1, 2, 5, 10, 1_000, 999_983)
COUNTS = ((0, 0), (15, 20), (-15, 20))
"""Counts, and cards seen, at which a counting player is asked."""
LARGE = 1 << 31


@dataclass(frozen=True, slots=True)
class Undeclared:
    """Why a player cannot be played by its declaration."""

    reason: str  # a sentence


class _NotDeclared(Exception):  # noqa: N818 - a reason, which no caller sees as an error
    """Ends the search for a declaration with its reason."""


class _Forbidden:
    """Stands where a player must not look while it is asked about hands."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self) -> NoReturn:
        raise _NotDeclared(f"its draw looks at self.{self._name}, which is not pure")

    def __getattr__(self, _name: str) -> NoReturn:
        self()


def declaration_of(player: Player) -> Declaration | Undeclared:
    """Give what a player declares, or why it does not.

    Args:
        player: A new one, which does not sit at a table.

    >>> class Shy(Player):
    ...     def bet(self, bankroll, minimum):
    ...         return minimum
    ...     def draw(self, dealer, player):
    ...         return False
    >>> declaration_of(Shy()).reason
    'Shy: its draw is not marked @pure'
    """
    try:
        return _declared(player)
    except _NotDeclared as why:
        return Undeclared(f"{type(player).__name__}: {why}")
    except Exception as error:  # noqa: BLE001 - whatever an author's code raises is its answer
        return Undeclared(
            f"{type(player).__name__}: its draw, asked about every hand, raises "
            f"{type(error).__name__}"
        )


def _declared(player: Player) -> Declaration:
    kind = type(player)
    if not isinstance(player, Player):
        raise _NotDeclared("it is no player of blackjack")
    is_chart = _plays_a_chart(player)
    if acts(player) and not is_chart:
        raise _NotDeclared("its act is code of its own")
    indices: StandFrom | None = {} if is_chart else getattr(kind.draw, "promise", None)
    if indices is None:
        raise _NotDeclared("its draw is not marked @pure")
    if name := _undermined(kind):
        raise _NotDeclared(f"it replaces {name}, which its pure draw may use: mark its own draw")
    watches = _watches(kind)
    if indices and not watches:
        raise _NotDeclared("its draw deviates by a count, but it is no CountingPlayer")
    units, first, bets_rest, own_bet = _wagers(player)
    system = player.system if isinstance(player, CountingPlayer) and watches else None
    return Declaration(
        stand_from=_tabulated(player, indices),
        tags=system.tags if system else (0,) * len(CARDS),
        decks=system.decks if system and system.per_deck else 0,
        rounding=system.rounding if system else "down",
        first=first,
        units=units,
        bets_rest=bets_rest,
        own_bet=own_bet,
    )


def _plays_a_chart(player: Player) -> bool:
    kind = type(player)
    same = kind.act is ChartPlayer.act and kind.draw is ActPlayer.draw
    return same and isinstance(player, ChartPlayer) and not player.chart.shows_both


def _undermined(kind: type[Player]) -> str:
    """Name what a class replaces below the one that gave the promise; empty if nothing."""
    if kind.__getattribute__ is not Player.__getattribute__:
        return "__getattribute__"
    order = kind.__mro__
    giver = next(each for each in order if "draw" in vars(each))
    contract = {name for each in (*CountingPlayer.__mro__,) for name in vars(each)}
    for base in order[: order.index(giver)]:
        for name, value in vars(base).items():
            is_code = callable(value) or hasattr(value, "__get__")
            if is_code and name not in contract and hasattr(giver, name):
                return name
    if issubclass(kind, CountingPlayer) and kind.points is not CountingPlayer.points:
        return "points"
    return ""


def _watches(kind: type[Player]) -> bool:
    """Say whether a class counts cards as `CountingPlayer` does."""
    found = (kind.expose, kind.shuffled)
    if found == (Player.expose, Player.shuffled):
        return False
    if found != (CountingPlayer.expose, CountingPlayer.shuffled):
        raise _NotDeclared("its expose or shuffled is code of its own")
    return True


def _wagers(player: Player) -> tuple[tuple[int, ...], int, bool, str]:
    """Give units, the points of the first, whether it bets the rest, and why not, if not."""
    bet = type(player).bet
    if bet is ActPlayer.bet:
        return FLAT, 0, False, ""
    if isinstance(player, CountingPlayer) and bet is CountingPlayer.bet:
        ramp = player.ramp
        low, high = ramp.ends
        if high - low > MOST_STEPS:
            return FLAT, 0, False, f"its ramp is longer than {MOST_STEPS} points"
        units = tuple(ramp.units(points) for points in range(low, high + 1))
        return units, low, ramp.bets_rest, ""
    if getattr(bet, "promise", None) is None:
        return FLAT, 0, False, "its bet is not marked @pure and it has no ramp"
    with _alone(player):
        for minimum in MINIMUMS:
            for bankroll in (minimum, 3 * minimum, LARGE):
                if player.bet(bankroll, minimum) != minimum:
                    return FLAT, 0, False, "its pure bet is not the minimum: give it a ramp"
    return FLAT, 0, False, ""


def _tabulated(player: Player, indices: StandFrom) -> tuple[int, ...]:
    """Ask about every hand that there is."""
    cells: list[int | None] = [None] * CELLS
    counting = isinstance(player, CountingPlayer)
    with _alone(player):
        before = dict(vars(player))
        for count, seen in COUNTS if counting else COUNTS[:1]:
            if counting:
                player.count, player.seen = count, seen  # type: ignore[attr-defined]  # it counts
            for upcards, hand in _hands():
                for upcard in upcards:
                    _ask(player, upcard, hand, indices, cells)
        if counting:
            # What the class had, it has again.
            for name in ("count", "seen"):
                vars(player).pop(name)
                if name in before:
                    setattr(player, name, before[name])
        if vars(player) != before:
            raise _NotDeclared("its draw changes the player, which is not pure")
    return tuple(NEVER if each is None else each for each in cells)


def _ask(
    player: Player, upcard: Card, hand: Hand, indices: StandFrom, cells: list[int | None]
) -> None:
    total, value = hand.total, upcard.value
    place = cell(total, hand.soft, value)
    index = None if hand.soft else indices.get(total, {}).get(value)
    if index is not None:
        cells[place] = index
        return
    answer = player.draw(upcard, hand)
    if answer is not True and answer is not False:
        raise _NotDeclared(f"its draw answers {answer!r}")
    points = NEVER if answer else -NEVER
    if cells[place] not in {None, points}:
        soft = "soft " if hand.soft else ""
        raise _NotDeclared(f"its draw answers hands of {soft}{total} against {value} in two ways")
    cells[place] = points


@contextmanager
def _alone(player: Player) -> Iterator[None]:
    """Keep a player from what is not in its hand."""
    player.look, player.random = _Forbidden("table"), _Forbidden("random")  # type: ignore[assignment]  # both raise
    try:
        yield
    finally:
        for name in ("look", "random"):
            vars(player).pop(name, None)


@cache
def _hands() -> tuple[tuple[tuple[Card, ...], Hand], ...]:
    """Give the hands that players are asked about, each with ten upcards."""
    aces_last = sorted(CARDS, key=lambda card: (card.value, card.suit))
    by_value = [[card for card in aces_last if card.value == value] for value in range(12)]
    # Court cards take turns, so that a rule for kings does not pass for one for tens.
    upcards = tuple(
        tuple(cards[turn % len(cards)] for cards in by_value if cards) for turn in range(16)
    )
    hands = [*_pairs(by_value), *_longer(by_value)]
    return tuple((upcards[place % len(upcards)], hand) for place, hand in enumerate(hands))


def _pairs(by_value: Sequence[Sequence[Card]]) -> Iterator[Hand]:
    for first, second in combinations_with_replacement(range(2, 12), 2):
        turn = 3 * first + second
        cards = (by_value[first][turn % 4], by_value[second][-1 - turn % 3])
        for hand in (Hand(cards), Hand(reversed(cards))):
            if not hand.is_natural:
                yield hand


def _longer(by_value: Sequence[Sequence[Card]]) -> Iterator[Hand]:
    """Give several hands of three and more cards for every value."""
    found: dict[tuple[int, bool], int] = {}
    for length in (3, 4, 5, 7):
        for values in combinations_with_replacement((11, 2, 3, 4, 5, 7, 9, 10), length):
            cards = [by_value[value][place % 4] for place, value in enumerate(values)]
            hand = Hand(reversed(cards))
            key = (hand.total, hand.soft)
            asked = found.get(key, 0)
            # A few of every length, so that long hands come in too.
            if hand.total <= BEST_TOTAL and asked < MOST_HANDS * length // 7 + 2:
                found[key] = asked + 1
                yield hand


assert len(Suit) == 4  # noqa: PLR2004 - a card of every value can be had in four suits
