"""The person who plays: asked like any player of the game, in the words of the program."""

from collections.abc import Callable

from tourney.games.blackjack.action import Action
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.players import ActPlayer
from tourney.games.blackjack.players.grid import LETTERS
from tourney.games.blackjack.programs.easybj.screen import GO_ON, offer, position

QUIT = "Q"


class InputEndedError(Exception):
    """The input has ended."""


class Person(ActPlayer):
    """A person at a keyboard; invalid answers are asked again."""

    def __init__(self, hear: Callable[[], str | None], say: Callable[[str], object]) -> None:
        """Set the input and the output.

        Args:
            hear: Returns an answer, as `read_letter` does.
            say: Writes text unchanged.
        """
        self._hear = hear
        self._say = say

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Show the hands and ask for a move.

        Raises: InputEndedError, if the input ends.
        """
        self._say(position(dealer, player))
        question = offer(legal)
        while True:
            action = LETTERS.get(self._ask(question))
            if action in legal:
                return action

    def goes_on(self, games: int) -> bool:
        """Ask whether to play another game, after this number of games.

        Raises: InputEndedError, if the input ends.
        """
        del games
        return self._ask(GO_ON) != QUIT

    def _ask(self, question: str) -> str:
        self._say(question)
        letter = self._hear()
        if letter is None:
            raise InputEndedError
        return letter
