"""Single seats that play charts, count, deviate and insure, with what they declare."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from tourney import Action, CountingPlayer, DeviatingPlayer, Hand
from tourney.games.blackjack.declaration import (
    BOTH_CARDS,
    MOVE_CELLS,
    PAIRS_FROM,
    ROWS,
    SPLIT_ACES_ROW,
    TOTALS,
    UPCARDS,
    VALUES,
    Declaration,
    both_column,
    move_cell,
    upcard_column,
)
from tourney.games.blackjack.hand import ACE_VALUE
from tourney.games.blackjack.players import Chart, ChartPlayer, declaration_of
from tourney.games.blackjack.players.declared_strategies import Deviations
from tourney.strategies.counting import Counting

from .any_block import Wild

MOVES = (Action.DOUBLE, Action.SPLIT, Action.SURRENDER)
INSURE_FROM = -1


def any_chart(rng_seed: int, *, shows_both: bool) -> Chart:
    """Fill a chart by chance; it is bold, so that much happens."""
    dice = Random(rng_seed)
    bold = dice.choice((1, 3, 9))
    columns = BOTH_CARDS if shows_both else UPCARDS
    letters = [Action.HIT, Action.STAND, *MOVES * bold]
    return Chart(
        tuple(tuple(_cell(dice, letters) for _ in columns) for _ in ROWS), shows_both=shows_both
    )


def _cell(dice: Random, letters: list[Action]) -> tuple[Action, ...]:
    first = dice.choice(letters)
    return (first, dice.choice((Action.HIT, Action.STAND))) if first in MOVES else (first,)


class CountingChart(CountingPlayer, ChartPlayer):
    """Counts, wagers by the count and plays a chart."""

    system, ramp = Counting.system, Counting.ramp


def any_deviations(rng_seed: int) -> Deviations:
    """Let the count decide about many hands, some of which never come up."""
    dice = Random(rng_seed)
    moves = (Action.HIT, Action.STAND, *MOVES, *MOVES)
    return {
        (row, upcard): (dice.randint(-3, 4), dice.choice(moves))
        for row in ROWS
        for upcard in UPCARDS
        if dice.random() < 0.5
    }


class Indices(DeviatingPlayer, ChartPlayer):
    """Counts, wagers by the count, plays a chart and deviates from it, with splits and doubles."""

    system, ramp = Counting.system, Counting.ramp
    insures_from = INSURE_FROM
    deviations = any_deviations(4)


class Deviating(Wild):
    """Plays a chart where more is legal than to hit or to stand, else deviates; and insures."""

    chart: Chart

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Decide."""
        if Action.INSURE in legal:
            return Action.INSURE if self.points >= INSURE_FROM else Action.DECLINE
        if len(legal) > 2 or Action.HIT not in legal:
            return self.chart.choose(dealer, player, legal)
        return Action.HIT if self.draw(dealer.cards[0], player) else Action.STAND


def declared(kind: type[ChartPlayer | Deviating], chart: Chart) -> Declaration:
    """Give what a seat declares, asked of its chart."""
    if not issubclass(kind, Deviating):
        base = declaration_of(Counting())
        assert isinstance(base, Declaration)
        if kind is ChartPlayer:
            base = replace(base, tags=(0,) * len(base.tags), units=(1,), first=0)
        return replace(base, moves=_moves(chart, range(8)))
    base = declaration_of(Wild())
    assert isinstance(base, Declaration)
    return replace(base, moves=_moves(chart, range(1, 8)), insure_from=INSURE_FROM)


def _moves(chart: Chart, masks: range) -> bytes:
    moves = bytearray(MOVE_CELLS)
    for row, total, soft, is_pair in _hands():
        for dealer, column in _dealers(shows_both=chart.shows_both):
            for mask in masks:
                more = (move for place, move in enumerate(MOVES) if mask >> place & 1)
                legal = (Action.STAND, Action.HIT, *more)
                moves[move_cell(row, dealer, mask)] = chart.decide(
                    column, total, soft, is_pair, legal
                )
    for dealer, column in _dealers(shows_both=chart.shows_both):
        # Two aces that may only be split again.
        legal = (Action.STAND, Action.HIT, Action.SPLIT)
        wished = chart.decide(column, 12, soft=True, is_pair=True, legal=legal)
        moves[move_cell(SPLIT_ACES_ROW, dealer, 1 << MOVES.index(Action.SPLIT))] = (
            Action.STAND if wished is Action.HIT else wished
        )
    return bytes(moves)


def _hands() -> Iterator[tuple[int, int, bool, bool]]:
    for total in range(4, TOTALS):
        yield total, total, False, False
    for total in range(12, TOTALS):
        yield TOTALS + total, total, True, False
    for value in range(2, VALUES):
        is_ace = value == ACE_VALUE
        yield PAIRS_FROM + value, 12 if is_ace else 2 * value, is_ace, True


def _dealers(*, shows_both: bool) -> Iterator[tuple[int, int]]:
    if shows_both:
        for total in range(4, TOTALS):
            yield total, both_column(total, soft=False)
        for total in range(12, TOTALS):
            yield TOTALS + total, both_column(total, soft=True)
    else:
        for value in range(2, ACE_VALUE):
            yield value, upcard_column(value)
        yield TOTALS + ACE_VALUE, upcard_column(ACE_VALUE)
