"""Tabulation: asks a player about all hands before play, and stores its answers.

Promises are checked where that is cheap: each value is asked with several hands, including all
hands of two cards, and at several counts. A player is rejected if it answers equal hands
differently, changes itself when asked, looks at the table, or uses random numbers. Other
violations, such as a rule for one hand of five cards, are the author's responsibility; `tourney
verify --engine reference` finds them.

Court cards and suits rotate, so that a rule for kings is not mistaken for a rule for tens.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from typing import TYPE_CHECKING, NoReturn

from tourney.game.cards.card import CARDS, Card
from tourney.games.blackjack.action import HIT_OR_STAND, Action
from tourney.games.blackjack.declaration import (
    BY_COUNT,
    CELLS,
    DEVIATIONS_FROM,
    HARD,
    MOST_DEVIATIONS,
    MOVE_CELLS,
    MOVE_MASKS,
    NEVER,
    PAIRS,
    PAIRS_FROM,
    ROWS,
    SOFT,
    SPLIT_ACES_ROW,
    TOTALS,
    UPCARDS,
    cell,
    move_cell,
    total_row,
)
from tourney.games.blackjack.hand import ACE_VALUE, BEST_TOTAL, PAIR, Hand, is_pair
from tourney.games.blackjack.players.declared_strategies import (
    CountingPlayer,
    Deviations,
    StandFrom,
)
from tourney.games.blackjack.players.player import Player

if TYPE_CHECKING:  # in a sandbox, rules are not loaded
    from tourney.games.blackjack.rules import BlackjackRules

MOST_HANDS = 6
"""Most hands of more than two cards per value; hands of two cards are all used."""
TURNS = 16


def row_of(hand: Hand) -> int:
    """Return the row of a hand in `Declaration.moves`."""
    if is_pair(hand):
        return PAIRS_FROM + hand.cards[0].value
    return hand.soft * TOTALS + hand.total


def all_choices(rules: "BlackjackRules", hand: Hand) -> Iterator[tuple[int, tuple[Action, ...]]]:
    """Iterate over all sets of legal moves for a hand, each with the mask of the moves other than
    hit and stand.
    """
    may = {
        Action.DOUBLE: rules.double != "never",
        Action.SPLIT: rules.split != "never" and is_pair(hand),
        Action.SURRENDER: rules.surrender != "never",
    }
    for mask in range(MOVE_MASKS if len(hand) == PAIR else 1):
        others = tuple(move for move in may if mask & MASK_OF[move])
        if all(may[move] for move in others):
            yield mask, HIT_OR_STAND + others


def dealers(rules: "BlackjackRules", turn: int) -> Sequence[Hand]:
    """Return the dealer's possible visible cards; ranks and suits depend on the turn."""
    return _dealers(turn % TURNS, shows_both=rules.dealer_shows == "both")


@cache
def _dealers(turn: int, *, shows_both: bool) -> tuple[Hand, ...]:
    """Return the dealer's cards; of two, each pair of values in one of its two orders."""
    if not shows_both:
        return tuple(Hand((card,)) for card in upcards(turn))
    return tuple(
        Hand((first, second) if (place + turn) % 2 else (second, first))
        for place, (first, second) in enumerate(combinations_with_replacement(upcards(turn), PAIR))
    )


@cache
def _by_value() -> list[list[Card]]:
    aces_last = sorted(CARDS, key=lambda card: (card.value, card.suit))
    return [[card for card in aces_last if card.value == value] for value in range(ACE_VALUE + 1)]


@cache
def upcards(turn: int) -> tuple[Card, ...]:
    """Return an upcard of each value; ranks and suits depend on the turn."""
    return tuple(cards[turn % len(cards)] for cards in _by_value() if cards)


@cache
def hands() -> tuple[Hand, ...]:
    """Return the hands with which players are asked."""
    return (*_pairs(_by_value()), *_longer(_by_value()))


@cache
def naturals() -> tuple[Hand, ...]:
    """Return an ace with each card of ten; after a split these are ordinary hands."""
    aces, tens = _by_value()[ACE_VALUE], _by_value()[10]
    return tuple(Hand((aces[turn % len(aces)], ten)) for turn, ten in enumerate(tens))


def one_of_each(asked: Sequence[Hand]) -> Iterator[Hand]:
    """Iterate over each kind of hand once, to ask it against each order of the dealer's cards."""
    found = {(row_of(hand), len(hand) == PAIR): hand for hand in asked}
    for hand in found.values():
        yield hand
        yield hand


def _pairs(by_value: Sequence[Sequence[Card]]) -> Iterator[Hand]:
    for first, second in combinations_with_replacement(range(2, 12), 2):
        turn = 3 * first + second
        cards = (by_value[first][turn % 4], by_value[second][-1 - turn % 3])
        for hand in (Hand(cards), Hand(reversed(cards))):
            if not hand.is_natural:
                yield hand


def _longer(by_value: Sequence[Sequence[Card]]) -> Iterator[Hand]:
    """Iterate over several hands of three and more cards for each value."""
    found: dict[tuple[int, bool], int] = {}
    for length in (3, 4, 5, 7):
        for values in combinations_with_replacement((11, 2, 3, 4, 5, 7, 9, 10), length):
            cards = [by_value[value][place % 4] for place, value in enumerate(values)]
            hand = Hand(reversed(cards))
            key = (hand.total, hand.soft)
            asked = found.get(key, 0)
            # A few of each length, so that long hands are included.
            if hand.total <= BEST_TOTAL and asked < MOST_HANDS * length // 7 + 2:
                found[key] = asked + 1
                yield hand


MASK_OF = {
    Action.HIT: 0,
    Action.STAND: 0,
    Action.DOUBLE: 1,
    Action.SPLIT: 2,
    Action.SURRENDER: 4,
}
"""Legal moves that each move needs, as in `move_cell`."""
ROW_NUMBERS = {
    **{str(total): total for total in HARD},
    **{ROWS[total_row(total, soft=True)]: TOTALS + total for total in SOFT},
    **{row: PAIRS_FROM + value for value, row in enumerate(PAIRS, start=2)},
}
"""Rows of `Declaration.moves` by the rows of charts."""
COUNTS = ((0, 0), (15, 20), (-15, 20))
"""Pairs of count and cards seen, with which a counting player is asked."""
AT_COUNTS = "count", "seen"


class UndeclaredError(Exception):
    """Ends the search for a declaration, with the reason."""


class _Forbidden:
    """Replaces an attribute that a player must not use while it is asked about hands."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self) -> NoReturn:
        raise UndeclaredError(
            f"it looks at self.{self._name} when asked about a hand, which is not pure"
        )

    def __getattr__(self, _name: str) -> NoReturn:
        self()


@contextmanager
def alone(player: Player) -> Iterator[None]:
    """Block a player's access to data outside its hand."""
    player.look, player.random = _Forbidden("table"), _Forbidden("random")  # type: ignore[assignment]  # both raise
    try:
        yield
    finally:
        for name in ("look", "random"):
            vars(player).pop(name, None)


def at_counts(player: Player) -> Iterator[None]:
    """Iterate over COUNTS for a counting player, and check that answers do not change it.

    Raises: UndeclaredError, if answering has changed it.
    """
    with alone(player):
        before = dict(vars(player))
        if isinstance(player, CountingPlayer):
            for count, seen in COUNTS:
                player.count, player.seen = count, seen
                yield
            # Restore the attributes of the class.
            for name in AT_COUNTS:
                vars(player).pop(name)
                if name in before:
                    setattr(player, name, before[name])
        else:
            yield
        if vars(player) != before:
            raise UndeclaredError("it changes when asked about a hand, which is not pure")


def tabulated_draws(player: Player, indices: StandFrom) -> tuple[int, ...]:
    """Ask `draw` about all hands, and return `Declaration.stand_from`.

    Args:
        player: The player.
        indices: Its deviations by the count.
    """
    cells: list[int | None] = [None] * CELLS
    for _ in at_counts(player):
        for turn, hand in enumerate(hands()):
            for upcard in upcards(turn % TURNS):
                _ask_draw(player, upcard, hand, indices, cells)
    return _complete(cells)


def _complete(cells: Sequence[int | None]) -> tuple[int, ...]:
    return tuple(NEVER if each is None else each for each in cells)


def _ask_draw(
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
        raise UndeclaredError(f"its draw answers {answer!r}")
    points = NEVER if answer else -NEVER
    if cells[place] not in {None, points}:
        soft = "soft " if hand.soft else ""
        raise UndeclaredError(
            f"its draw gives different answers for hands of {soft}{total} against {value}"
        )
    cells[place] = points


def tabulated_moves(
    player: Player, rules: "BlackjackRules", *, is_chart: bool, keeps_moves: bool = False
) -> tuple[tuple[int, ...], bytes]:
    """Ask `act` about all hands, and return `Declaration.stand_from` and `moves`.

    If all choices are hit or stand and depend only on totals and upcards, the moves are left out:
    such players are played faster.

    Args:
        player: The player.
        rules: For the legal moves and the dealer's visible cards.
        is_chart: Whether a chart gives its answers, so that fewer checks are needed.
        keeps_moves: Whether to keep the moves in all cases.
    """
    moves = _Moves()
    asked = hands() if rules.split == "never" else hands() + naturals()
    for _ in at_counts(player):
        for turn, hand in enumerate(one_of_each(asked) if is_chart else asked):
            for dealer in dealers(rules, turn):
                for mask, legal in all_choices(rules, hand):
                    moves.write(player, dealer, hand, mask, legal)
        if rules.split != "never" and rules.split_aces == "resplit":
            for dealer in dealers(rules, 0):
                moves.write_split_aces(player, dealer)
    if rules.is_hit_or_stand and moves.by_upcard is not None and not keeps_moves:
        return _complete(moves.by_upcard), b""
    if moves.conflict:
        raise UndeclaredError(moves.conflict)
    return (NEVER,) * CELLS, bytes(moves.cells)


def with_deviations(
    moves: bytes, deviations: Deviations
) -> tuple[bytes, tuple[tuple[int, int, int], ...]]:
    """Add the moves that the count decides.

    Args:
        moves: As from `tabulated_moves`, of a player that ignores the count.
        deviations: Of a `DeviatingPlayer`.
    Returns: `Declaration.moves` and `Declaration.deviations`.
    """
    cells, found = bytearray(moves), dict[tuple[int, int, int], int]()
    for (row, upcard), (points, action) in deviations.items():
        if row not in ROW_NUMBERS or upcard not in UPCARDS or action not in MASK_OF:
            raise UndeclaredError(
                f"its deviations name {row!r} against {upcard!r} and {action!r}; use a row and a "
                "column of a chart, and a move"
            )
        value = UPCARDS.index(upcard) + 2
        dealer = TOTALS + value if value == ACE_VALUE else value
        numbers = [ROW_NUMBERS[row]] + [SPLIT_ACES_ROW] * (row == "AA" and action is Action.SPLIT)
        for number, mask in product(numbers, range(MOVE_MASKS)):
            place = move_cell(number, dealer, mask)
            is_legal = mask & MASK_OF[action] == MASK_OF[action]
            if not is_legal or cells[place] in {BY_COUNT, action}:
                continue  # never asked, or without effect
            deviation = (max(-NEVER, min(points, NEVER)), cells[place], int(action))
            if len(found) == MOST_DEVIATIONS and deviation not in found:
                raise UndeclaredError(f"it has more than {MOST_DEVIATIONS} deviations")
            cells[place] = DEVIATIONS_FROM + found.setdefault(deviation, len(found))
    return bytes(cells), tuple(found)


class _Moves:
    """Answers, by all keys of a declaration and, while that suffices, by fewer."""

    def __init__(self) -> None:
        self.cells = bytearray(MOVE_CELLS)
        self.conflict = ""
        self.by_upcard: list[int | None] | None = [None] * CELLS

    def write(
        self, player: Player, dealer: Hand, hand: Hand, mask: int, legal: tuple[Action, ...]
    ) -> None:
        """Ask about a hand, and store the answer."""
        answer = _asked(player, dealer, hand, legal)
        self._keep(row_of(hand), dealer, mask, answer, hand)
        if self.by_upcard is not None:
            place = cell(hand.total, hand.soft, dealer.cards[0].value)
            points = NEVER if answer is Action.HIT else -NEVER
            if self.by_upcard[place] not in {None, points}:
                self.by_upcard = None
            else:
                self.by_upcard[place] = points

    def write_split_aces(self, player: Player, dealer: Hand) -> None:
        """Ask about two aces that may only be split again or stand."""
        for pair in combinations([card for card in CARDS if card.value == ACE_VALUE], PAIR):
            hand = Hand(pair)
            answer = _asked(player, dealer, hand, (Action.STAND, Action.SPLIT))
            self._keep(SPLIT_ACES_ROW, dealer, 2, answer, hand)

    def _keep(self, row: int, dealer: Hand, mask: int, answer: Action, hand: Hand) -> None:
        place = move_cell(row, dealer.soft * TOTALS + dealer.total, mask)
        if self.cells[place] not in {0, answer}:
            self.conflict = (
                f"its act gives different answers for hands such as {hand!r} against {dealer!r}"
            )
        self.cells[place] = answer


def _asked(player: Player, dealer: Hand, hand: Hand, legal: tuple[Action, ...]) -> Action:
    answer = player.act(dealer, hand, legal)
    if type(answer) is not Action or answer not in legal:
        legal_moves = ", ".join(map(str, legal))
        raise UndeclaredError(f"its act answers {answer!r}, and only {legal_moves} is legal")
    return answer


def insures(player: Player, rules: "BlackjackRules") -> int:
    """Ask about insurance, and return the points from which it is taken: always or NEVER."""
    found: set[Action] = set()
    for _ in at_counts(player):
        for turn, hand in enumerate(hands() + naturals()):
            for dealer in dealers(rules, turn) if len(hand) == PAIR else ():
                if dealer.cards[0].value == ACE_VALUE:
                    found.add(_asked(player, dealer, hand, (Action.DECLINE, Action.INSURE)))
    if len(found) > 1:
        raise UndeclaredError("its act takes insurance only with some hands")
    return -NEVER if Action.INSURE in found else NEVER
