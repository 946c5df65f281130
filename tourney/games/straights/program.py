"""The original Straights program for four people or computers, and its command `play straights`.

The rules come from `games.straights`. The program uses no terminal: it takes a function that reads
a line and one that writes text. The command connects both with the terminal.

Source: Straights, sections 5.2 to 5.6.
"""

import re
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial

import click

from tourney.game.answers import read_line, typed_answers
from tourney.game.cards.card import Card, cards_seen, short_name
from tourney.game.cards.glibc_rand import DefaultRandomEngine
from tourney.games.straights.records import SEATS, Played
from tourney.games.straights.round import HAND_SIZE, Round
from tourney.games.straights.rules import DOCUMENT_LIMIT
from tourney.games.straights.suits import BY_SHORT_NAME, NEW_DECK, SUITS

PROMPT = ">"
COMMANDS = "play and a card, discard and a card, deck, quit or ragequit"
LONGEST_WORD = 40  # characters of an answer that a message shows


class GameEndedError(Exception):
    """A player quit, or the input ended."""


def play_straights(
    rng_seed: int, read_line: Callable[[], str | None], write: Callable[[str], object]
) -> None:
    """Play one game, until a player has 80 points, quits or the input ends.

    Args:
        rng_seed: For the shuffles of the whole game, at least 0.
        read_line: Returns the next line of input; `None` at its end.
        write: Writes text unchanged.
    """
    with suppress(GameEndedError):
        _Game(rng_seed, read_line, write).play()


class _Game:
    """One game: the deck, the scores and the human players."""

    def __init__(
        self, rng_seed: int, read_line: Callable[[], str | None], write: Callable[[str], object]
    ) -> None:
        self._engine = DefaultRandomEngine(rng_seed)
        self._deck = list(NEW_DECK)
        self._scores = [0] * SEATS
        self._humans: set[int] = set()
        self._read_line = read_line
        self._write = write

    def play(self) -> None:
        """Play rounds until a score reaches the limit, and name the winners."""
        self._invite()
        while max(self._scores) < DOCUMENT_LIMIT:
            self._play_round()
        for seat, score in enumerate(self._scores):
            if score == min(self._scores):
                self._say(f"{_name(seat)} wins!")

    def _invite(self) -> None:
        for seat in range(SEATS):
            if self._is_human(seat):
                self._humans.add(seat)

    def _is_human(self, seat: int) -> bool:
        while True:
            self._say(f"Is {_name(seat)} a human (h) or a computer (c)?")
            answer = self._ask()
            if answer.lower() in ("h", "c"):
                return answer.lower() == "h"
            self._say(f"Expected h or c, got {_shown(answer)}.")

    def _play_round(self) -> None:
        self._engine.shuffle(self._deck)
        hands = [self._deck[seat * HAND_SIZE :][:HAND_SIZE] for seat in range(SEATS)]
        state = Round(hands, tuple(self._scores))
        assert state.to_act is not None
        self._say(f"A new round begins. It's {_name(state.to_act)}'s turn to play.")
        while not state.is_over:
            self._move(state)
        for seat, points in enumerate(state.results()):
            old = self._scores[seat]
            self._scores[seat] = new = old + points
            self._say(f"{_name(seat)}'s discards:{_listed(state.discards(seat))}")
            self._say(f"{_name(seat)}'s score: {old} + {points} = {new}")

    def _move(self, state: Round) -> None:
        """Let a human or the computer choose, and print the choice."""
        seat = state.to_act
        assert seat is not None
        card = self._choice(state, seat) if seat in self._humans else None
        # The document's computer player takes the first card that it may.
        record = state.apply_action(card or state.legal_actions()[0])
        does = "plays" if isinstance(record, Played) else "discards"
        self._say(f"{_name(seat)} {does} {short_name(record.card)}.")

    def _choice(self, state: Round, seat: int) -> Card | None:
        """Ask a human until it chooses a card; `None` if a computer must choose instead."""
        self._show(state, seat)
        while True:
            match self._ask().split():
                case ["ragequit"]:
                    self._say(f"{_name(seat)} ragequits. A computer will now take over.")
                    self._humans.remove(seat)
                    return None
                case ["play" | "discard" as command, word]:
                    card = BY_SHORT_NAME.get(word.upper())
                    complaint = _complaint(state, seat, command, card) if card else _no_card(word)
                    if not complaint:
                        return card
                    self._say(complaint)
                case words:
                    self._answer(words)

    def _answer(self, words: list[str]) -> None:
        """Run a command that chooses no card."""
        match words:
            case ["quit"]:
                raise GameEndedError
            case ["deck"]:
                for start in range(0, len(self._deck), HAND_SIZE):
                    self._say(cards_seen(self._deck[start : start + HAND_SIZE]))
            case ["play" | "discard" as command]:
                self._say(f"Expected a card after {command}, such as: {command} 7S")
            case [_, *_]:
                self._say(f"Expected {COMMANDS}, got {_shown(' '.join(words))}.")

    def _show(self, state: Round, seat: int) -> None:
        view = state.observation(seat)
        self._say("Cards on the table:")
        for suit in SUITS:
            cards = view.table[suit].cards
            self._say(f"{suit}:{_spaced(short_name(card)[0] for card in cards)}")
        self._say(f"Your hand:{_listed(view.hand)}")
        self._say(f"Legal plays:{_listed(view.legal_plays)}")

    def _ask(self) -> str:
        self._write(PROMPT)
        answer = self._read_line()
        if answer is None:
            raise GameEndedError
        return answer.strip()

    def _say(self, line: str) -> None:
        self._write(f"{line}\n")


def _complaint(state: Round, seat: int, command: str, card: Card) -> str:
    """Return why a human may not choose a card; empty if it may."""
    if command == "discard" and not state.is_discard:
        return "You have a legal play. You may not discard."
    view = state.observation(seat)
    if card not in view.hand:
        return f"Expected a card of your hand, got {short_name(card)}."
    if command == "play" and card not in view.legal_plays:
        return "This is not a legal play."
    return ""


def _no_card(word: str) -> str:
    return f"Expected a card such as 7S or TH, got {_shown(word)}."


def _shown(answer: str) -> str:
    """Quote input so that any screen can show it."""
    return ascii(answer[:LONGEST_WORD])


def _name(seat: int) -> str:
    return f"Player{seat + 1}"


def _listed(cards: Iterable[Card]) -> str:
    return _spaced(map(short_name, cards))


def _spaced(words: Iterable[str]) -> str:
    return "".join(f" {word}" for word in words)


MOST_SEED = (1 << 64) - 1
SEED_TEXT = re.compile(r"0*([0-9]{1,20})")


def _rng_seed(context: click.Context, parameter: click.Parameter, text: str | None) -> int:
    """Read the seed; by default take it from the clock."""
    del context, parameter
    if text is None:
        return int(time.time())
    found = SEED_TEXT.fullmatch(text)
    if not found or int(found[1]) > MOST_SEED:
        raise click.BadParameter(
            f"expected a whole number from 0 to {MOST_SEED}, such as 44, got {text[:40]!r}"
        )
    return int(found[1])


@click.command("straights")
@click.argument("rng_seed", metavar="[SEED]", required=False, callback=_rng_seed)
def straights_command(rng_seed: int) -> None:
    """Straights, for four people or computers.

    The player with the fewest points wins when a player reaches 80. The commands are play, discard,
    deck, quit and ragequit. SEED determines the cards; the default is the time.
    """
    answers = typed_answers()
    play_straights(rng_seed, partial(read_line, answers), partial(click.echo, nl=False))
