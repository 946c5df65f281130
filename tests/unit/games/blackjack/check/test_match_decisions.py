"""The judged decisions of a match are those of the same tables in the reference engine."""

import pytest

from tourney.game.blocks import HOUSE_LIMIT, Block, Seat
from tourney.game.ledger import BlockKey
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.asking.pool import Pool
from tourney.games.blackjack.check import matches
from tourney.games.blackjack.check.matches import match_decisions
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.history.hand_history import BlackjackStory
from tourney.games.blackjack.players import Player
from tourney.games.blackjack.rules import PRESETS, BlackjackRules
from tourney.games.blackjack.table import play_recorded
from tourney.strategies.simple import Simple

MINIMUM, TABLES = 10, range(4)


class Motley(Player):
    """Makes every move now and then, and wagers by its bankroll."""

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager one, two or three minimum bets."""
        return min(minimum * (1 + bankroll % 3), bankroll)

    def draw(self, dealer: object, player: object) -> bool:
        """Never asked."""
        raise AssertionError(dealer, player)

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Choose by the cards."""
        return legal[(player.total + dealer.total) % len(legal)]


def _block(rules: BlackjackRules, table: int) -> Block:
    unit = rules.unit
    return Block(
        key=BlockKey(0, 0, table, 0, 1),
        rules=rules,
        seats=(Seat(0, matches.BANKROLL * MINIMUM * unit, bytes(16)),),
        minimum=MINIMUM * unit,
        maximum=HOUSE_LIMIT * unit,
        rounds=matches.ROUNDS,
        shoe_key=matches._key("shoes", table),
    )


@pytest.mark.parametrize("preset", ["ve280", "easybj", "six-decks-h17"])
@pytest.mark.parametrize("kind", [Simple, Motley])
def test_a_match_is_judged_as_its_tables_are(preset: str, kind: type[Player]) -> None:
    """Every decision, with its round, its wager and the values after a split."""
    rules = PRESETS[preset]
    story = BlackjackStory(rules)
    played = matches.play_match(Pool(kind), rules, MINIMUM, TABLES)
    found = list(match_decisions(played, story.move_judge))
    wanted = []
    for table in TABLES:
        log = story.decision_log(1)
        play_recorded(_block(rules, table), lambda _: kind(), log, {})
        wanted += [(table, each) for each in story.judged(log, 0)]
    assert len(found) > 100
    assert found == wanted
