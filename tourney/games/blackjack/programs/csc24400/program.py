"""The program, from its arguments to its footer."""

import re
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from tourney.errors import TourneyError
from tourney.game.cards.glibc_rand import GlibcRand
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.programs.csc24400.answers import (
    Dialogue,
    InputEndedError,
    decks_in,
    hit_or_stand,
    yes_or_no,
)
from tourney.games.blackjack.programs.csc24400.screen import FOOTER, HEADER, Screen, statistics
from tourney.games.blackjack.programs.csc24400.shoe import TRANSCRIPT, Reading, SeededShoe
from tourney.games.blackjack.round import Round
from tourney.games.blackjack.rules import CSC24400

USAGE = "Usage: Blackjack [-s <number>]"
HOW_MANY_DECKS = "How many decks do you wish to play with (max 20)?\n"
PLAY_A_HAND = "Do you wish to play a hand of blackjack? "
HIT_OR_STAND = "Hit or Stand: "

LONG = range(-(1 << 63), 1 << 63)
LONG_TEXT = re.compile(r"\s*([+-]?)0*([0-9]{1,19})", re.ASCII)  # as C reads it, without its end
SEED_ARGUMENTS = 2
WAGER = 1


class ArgumentsError(TourneyError):
    """Arguments that do not match the usage message."""


def microseconds() -> int:
    """Read the clock, like `gettimeofday`."""
    return time.time_ns() // 1000


def rng_seed_of(arguments: Sequence[str], clock: Callable[[], int] = microseconds) -> int:
    """Read the seed from the arguments; by default take it from the clock.

    Args:
        arguments: Those after the program's name.
        clock: Returns the default seed.
    Raises: ArgumentsError, with the usage message.

    >>> rng_seed_of(["-s", "42"])
    42
    """
    if not arguments:
        return clock()
    found = LONG_TEXT.fullmatch(arguments[-1])
    if len(arguments) != SEED_ARGUMENTS or arguments[0] != "-s" or not found:
        raise ArgumentsError(USAGE)
    rng_seed = int(found[1] + found[2])
    if rng_seed not in LONG:
        raise ArgumentsError(USAGE)
    return rng_seed


class Sitting:
    """One player and one shoe, round after round.

    >>> state = Sitting(1, 20).next_round()
    >>> print(state.upcard, "/", *map(str, state.hands[0].hand.cards))
    Ten of Hearts / Queen of Spades Nine of Hearts
    """

    def __init__(self, rng_seed: int, decks: int, reading: Reading = TRANSCRIPT) -> None:
        """Fill a shoe.

        Args:
            rng_seed: Any C long; only its low 32 bits count, as in the C library.
            decks: 1 to 20.
            reading: Interpretation of the document.
        """
        self.rules = replace(CSC24400, decks=decks, dealing=reading.dealing)
        self.shoe = SeededShoe(GlibcRand(rng_seed), decks, reading)
        self.shuffles = 1

    def next_round(self) -> Round:
        """Shuffle if the rules require it, and deal the opening cards."""
        shoe = self.shoe
        if self.rules.must_shuffle(shoe.cards_left, shoe.size):
            shoe.shuffle()
            self.shuffles += 1
        state = Round(self.rules, [WAGER])
        state.deal(shoe)
        return state

    def act(self, state: Round, action: Action) -> None:
        """Apply the player's action, and deal the cards that follow."""
        state.apply_action(action)
        state.deal(self.shoe)


def play(rng_seed: int, dialogue: Dialogue, reading: Reading = TRANSCRIPT) -> None:
    """Play until the player stops or the input ends.

    Args:
        rng_seed: For the C library's `srand`.
        dialogue: The player.
        reading: Interpretation of the document.
    """
    dialogue.say(f"{HEADER}Seed value is: {rng_seed}\n")
    nets: list[int] = []  # a round that the end of the input interrupts does not count
    with suppress(InputEndedError):
        sitting = Sitting(rng_seed, dialogue.ask(HOW_MANY_DECKS, decks_in), reading)
        screen = Screen(reading.gap)
        while dialogue.ask(PLAY_A_HAND, yes_or_no):
            nets.append(_play_round(sitting, screen, dialogue))
    dialogue.say(statistics(nets) + FOOTER)


def _play_round(sitting: Sitting, screen: Screen, dialogue: Dialogue) -> int:
    """Play a round, and return the player's profit."""
    state = sitting.next_round()
    dialogue.say(screen.opening(state))
    while state.in_play:
        action = dialogue.ask(HIT_OR_STAND, hit_or_stand)
        sitting.act(state, action)
        if action is Action.HIT:
            dialogue.say(screen.drawn(state))
    dialogue.say(screen.ending(state))
    (net,) = state.results()
    return net
