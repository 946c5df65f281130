"""The declaration of a player, or the reason why it has no declaration. See also `tabulation`."""

from collections.abc import Callable
from inspect import getattr_static
from typing import TYPE_CHECKING, Any

from tourney.game.cards.card import CARDS
from tourney.game.players import Undeclared
from tourney.games.blackjack.declaration import NEVER, Declaration
from tourney.games.blackjack.players.chart import Chart, ChartPlayer
from tourney.games.blackjack.players.declared_strategies import (
    CountingPlayer,
    DeviatingPlayer,
    InsuringPlayer,
    StandFrom,
)
from tourney.games.blackjack.players.player import ActPlayer, Player
from tourney.games.blackjack.players.tabulation import (
    UndeclaredError,
    alone,
    insures,
    tabulated_draws,
    tabulated_moves,
    with_deviations,
)

if TYPE_CHECKING:  # in a sandbox, rules are not loaded
    from tourney.games.blackjack.rules import BlackjackRules

BY_COUNT = {InsuringPlayer.act, DeviatingPlayer.act}
"""Methods that use only the count and leave all other decisions to the next class."""
FLAT: tuple[int, ...] = (1,)
MOST_STEPS = 1_000
MINIMUMS = (1, 2, 5, 10, 1_000, 999_983)
EVERY, ROUND_SUMS, LARGE = 2_000, range(0, 20_001, 50), 1 << 31
"""Bankrolls, above a minimum and in total, with which a pure bet is asked."""


def declaration_of(
    player: Player, rules: "BlackjackRules | None" = None
) -> Declaration | Undeclared:
    """Return a player's declaration for a game, or the reason why it has no declaration.

    Args:
        player: A new player that does not sit at a table.
        rules: Of the game; by default those of the VE280 document.

    >>> class Shy(Player):
    ...     def bet(self, bankroll, minimum):
    ...         return minimum
    ...     def draw(self, dealer, player):
    ...         return False
    >>> declaration_of(Shy()).reason
    'Shy: its draw is not marked @pure'
    """
    try:
        return _declared(player, rules or _default_rules())
    except UndeclaredError as why:
        return Undeclared(f"{type(player).__name__}: {why}")
    except Exception as error:  # noqa: BLE001 - whatever an author's code raises is its answer
        return Undeclared(
            f"{type(player).__name__}: it raises {type(error).__name__} when asked about a hand"
        )


def _default_rules() -> "BlackjackRules":
    from tourney.games.blackjack.rules import VE280  # noqa: PLC0415 - a sandbox loads no rules

    return VE280


def _declared(player: Player, rules: "BlackjackRules") -> Declaration:
    if not isinstance(player, Player):
        raise UndeclaredError("it is not a player of blackjack")
    kind = type(player)
    watches = _watches(kind)
    stand_from, moves, deviations = _hands(player, rules, watches=watches)
    units, first, bets_rest, own_bet = _wagers(player)
    system = player.system if isinstance(player, CountingPlayer) and watches else None
    return Declaration(
        stand_from=stand_from,
        tags=system.tags if system else (0,) * len(CARDS),
        decks=system.decks if system and system.per_deck else 0,
        rounding=system.rounding if system else "down",
        first=first,
        units=units,
        bets_rest=bets_rest,
        own_bet=own_bet,
        moves=moves,
        insure_from=_insures_from(player, rules),
        deviations=deviations,
    )


def _hands(
    player: Player, rules: "BlackjackRules", *, watches: bool
) -> tuple[tuple[int, ...], bytes, tuple[tuple[int, int, int], ...]]:
    """Return how a player plays its hands: `stand_from`, `moves` and `deviations`."""
    kind = type(player)
    act = _act_of(kind)
    if act is Player.act:
        indices: StandFrom | None = getattr(kind.draw, "promise", None)
        if indices is None:
            raise UndeclaredError("its draw is not marked @pure")
        _check_not_undermined(kind, "draw")
        if indices and not watches:
            raise UndeclaredError("its draw deviates by a count, but it is not a CountingPlayer")
        if isinstance(player, DeviatingPlayer):
            raise UndeclaredError("only a class with an act, such as a chart's, can use deviations")
        return tabulated_draws(player, indices), b"", ()
    if act is not ChartPlayer.act and getattr(act, "promise", None) is None:
        raise UndeclaredError("its act is not marked @pure")
    if act is ChartPlayer.act and not isinstance(getattr_static(player, "chart"), Chart):
        raise UndeclaredError("it replaces chart with code")
    _check_not_undermined(kind, "act")
    is_chart = act is ChartPlayer.act
    if not isinstance(player, DeviatingPlayer):
        return *tabulated_moves(player, rules, is_chart=is_chart), ()
    return _by_count(player, rules, watches=watches, is_chart=is_chart)


def _by_count(
    player: DeviatingPlayer, rules: "BlackjackRules", *, watches: bool, is_chart: bool
) -> tuple[tuple[int, ...], bytes, tuple[tuple[int, int, int], ...]]:
    """Return the same for a player that makes some moves by the count."""
    if rules.dealer_shows == "both":
        raise UndeclaredError("its deviations need an upcard, and this dealer shows both cards")
    if type(player).act is not DeviatingPlayer.act or not watches:
        raise UndeclaredError("it deviates by a count, but replaces act or does not count")
    own, deviations = vars(player).copy(), player.deviations
    player.deviations = {}
    try:
        stand_from, moves = tabulated_moves(player, rules, is_chart=is_chart, keeps_moves=True)
    finally:
        del player.deviations
        vars(player).update(own)
    return stand_from, *with_deviations(moves, deviations)


def _act_of(kind: type[Player]) -> Callable[..., Any]:
    """Return the `act` that plays hands, below the one that takes insurance."""
    order = kind.__mro__
    if kind.act in BY_COUNT:
        order = order[order.index(InsuringPlayer) + 1 :]
    act: Callable[..., Any] = next(vars(each)["act"] for each in order if "act" in vars(each))
    return act


def _insures_from(player: Player, rules: "BlackjackRules") -> int:
    """Return the points from which a player takes insurance."""
    kind = type(player)
    if rules.insurance == "never" or kind.act is Player.act:
        return NEVER
    if isinstance(player, InsuringPlayer) and kind.act in BY_COUNT:
        return max(-NEVER, min(player.insures_from, NEVER))
    return insures(player, rules)


def _check_not_undermined(kind: type[Player], promised: str) -> None:
    """Raise UndeclaredError for a class that replaces code below the class with the promise."""
    if kind.__getattribute__ is not Player.__getattribute__:
        raise UndeclaredError("it replaces __getattribute__, which its hands may use")
    act = _act_of(kind)
    order = kind.__mro__
    giver = next(
        each
        for each in order
        if promised in vars(each) and (promised != "act" or vars(each)["act"] is act)
    )
    allowed = {name for each in DeviatingPlayer.__mro__ for name in vars(each)}
    if promised == "act":
        allowed.discard("draw")  # a pure act may use it
    for base in order[: order.index(giver)]:
        for name, value in vars(base).items():
            is_code = callable(value) or hasattr(value, "__get__")
            if is_code and name not in allowed and hasattr(giver, name):
                raise UndeclaredError(
                    f"it replaces {name}, which its pure {promised} may use; "
                    f"define and mark {promised} in the same class"
                )
    if issubclass(kind, CountingPlayer) and kind.points is not CountingPlayer.points:
        raise UndeclaredError("it replaces points, which reads the count")


def _watches(kind: type[Player]) -> bool:
    """Return whether a class counts cards as `CountingPlayer` does."""
    found = (kind.expose, kind.shuffled)
    if found == (Player.expose, Player.shuffled):
        return False
    if found != (CountingPlayer.expose, CountingPlayer.shuffled):
        raise UndeclaredError("it replaces expose or shuffled")
    return True


def _wagers(player: Player) -> tuple[tuple[int, ...], int, bool, str]:
    """Return units, the points of the first, whether it bets the rest, and the reason if
    undeclared.
    """
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
    with alone(player):
        for minimum in MINIMUMS:
            for bankroll in (*range(minimum, minimum + EVERY), *ROUND_SUMS, LARGE):
                if bankroll >= minimum and player.bet(bankroll, minimum) != minimum:
                    return FLAT, 0, False, "its pure bet is not the minimum: give it a ramp"
    return FLAT, 0, False, ""
