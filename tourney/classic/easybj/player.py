"""Who plays: a person who is asked, or a chart."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from tourney.classic.easybj.screen import GO_ON, offer, position
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.round import Round
from tourney.players import Chart
from tourney.players.grid import LETTERS

QUIT = "Q"


class InputEnded(Exception):  # noqa: N818 - says what happened, which is no error
    """Nobody is left to answer."""


class CoursePlayer(ABC):
    """Who decides in a game, and whether there is another one."""

    @abstractmethod
    def choose(self, state: Round) -> Action:
        """Choose one of the legal actions for the hand in play."""

    @abstractmethod
    def goes_on(self, games: int) -> bool:
        """Say whether to play another game after so many."""


class Person(CoursePlayer):
    """Somebody at a keyboard; answers that mean nothing are asked again."""

    def __init__(self, hear: Callable[[], str | None], say: Callable[[str], object]) -> None:
        """Take both ends of the conversation.

        Args:
            hear: Gives an answer as `read_letter` does.
            say: Shows a text as it is.
        """
        self._hear = hear
        self._say = say

    def choose(self, state: Round) -> Action:
        """Show the hands and ask what to do.

        Raises: InputEnded, if there is no answer.
        """
        self._say(position(state))
        legal = state.legal_actions()
        question = offer(legal)
        while True:
            action = LETTERS.get(self._ask(question))
            if action in legal:
                return action

    def goes_on(self, games: int) -> bool:
        """Ask whether to go on.

        Raises: InputEnded, if there is no answer.
        """
        del games
        return self._ask(GO_ON) != QUIT

    def _ask(self, question: str) -> str:
        self._say(question)
        letter = self._hear()
        if letter is None:
            raise InputEnded
        return letter


class ChartReader(CoursePlayer):
    """Plays so many games by a chart."""

    def __init__(self, chart: Chart, games: int) -> None:
        self._chart = chart
        self._games = games

    def choose(self, state: Round) -> Action:
        """Look the hand up."""
        assert state.dealer is not None
        assert state.in_play is not None
        return self._chart.choose(state.dealer, state.in_play.hand, state.legal_actions())

    def goes_on(self, games: int) -> bool:
        """Say whether some are left."""
        return games < self._games
