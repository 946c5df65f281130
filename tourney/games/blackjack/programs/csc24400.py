"""The CSC 24400 program: one player against the dealer, with questions to hit or stand.

The rules, totals and results come from `games.blackjack`. This module has only the shoe, the
questions, the words and the command of the program. After an invalid answer, a question is
repeated. The words are the document's. It has no words for two naturals; those are ours.

The document has two interpretations, its transcript and its text, which deal different cards from
the same seed. The program follows the transcript.

Source: CSC 24400 project 4; the shoe is in PlayHand processing 1.a and other processing
requirements 2.
"""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, TypeVar

import click

from tourney.errors import TourneyError
from tourney.game.answers import AsTyped, read_line, typed_answers
from tourney.game.cards.card import Card, Rank, Suit
from tourney.game.cards.glibc_rand import GlibcRand
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.records import Outcome
from tourney.games.blackjack.round import Round
from tourney.games.blackjack.rules import CSC24400, MOST_DECKS

NEW_DECK = tuple(
    Card(rank, suit)
    for suit in (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)
    for rank in Rank
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The differences between the transcript and the text of the document."""

    dealing: Literal["dealer-first", "seats-first"]
    """Receiver of the first card, as in `BlackjackRules.dealing`."""

    decks_shuffled: bool
    """Whether each deck is shuffled before it is added to the shoe, which is then also shuffled."""

    shuffle: Literal["gather", "scatter"]
    """Whether a random position is the source of the next card, or its destination."""

    gap: int
    """Spaces between the owner of a hand and its sum."""


TRANSCRIPT = Reading(dealing="dealer-first", decks_shuffled=True, shuffle="gather", gap=6)
TEXT = Reading(dealing="seats-first", decks_shuffled=False, shuffle="scatter", gap=5)


def distinct_places(count: int, rand: Callable[[], int]) -> list[int]:
    """Draw the positions from 0 to `count` - 1 in random order; repetitions are dropped.

    >>> numbers = iter([7, 4, 3, 2])
    >>> distinct_places(3, lambda: next(numbers))
    [1, 0, 2]
    """
    drawn: dict[int, None] = {}  # keeps the order of the first draws
    while len(drawn) < count:
        drawn[rand() % count] = None
    return list(drawn)


class SeededShoe(Iterator[Card]):
    """One to twenty decks; iteration deals.

    Not a shoe for tournaments: a shuffle starts from the last order, not from new decks, so the
    cards depend on all cards dealt before.
    """

    def __init__(self, rand: Callable[[], int], decks: int, reading: Reading) -> None:
        """Fill the shoe and shuffle it.

        Args:
            rand: Returns integers from 0, like the C library's `rand`.
            decks: Number of decks.
            reading: Interpretation of the document.
        """
        self._rand = rand
        self._scatters = reading.shuffle == "scatter"
        self._order: list[Card] = []
        for _ in range(decks):
            self._order += self._shuffled(NEW_DECK) if reading.decks_shuffled else NEW_DECK
        self.size = len(self._order)
        self.shuffle()

    def shuffle(self) -> None:
        """Return all cards to the shoe and shuffle them, starting from their last order."""
        self._order = self._shuffled(self._order)
        self.cards_left = self.size

    def __next__(self) -> Card:
        """Deal the last card."""
        if not self.cards_left:
            raise StopIteration
        self.cards_left -= 1
        return self._order[self.cards_left]

    def _shuffled(self, cards: Sequence[Card]) -> list[Card]:
        places = distinct_places(len(cards), self._rand)
        if not self._scatters:
            return [cards[place] for place in places]
        cards_by_place = dict(zip(places, cards, strict=True))
        return [cards_by_place[place] for place in range(len(cards))]


T = TypeVar("T")

DECKS = re.compile(r"\+?0*([1-9][0-9]?)")
YES_OR_NO = {"yes": True, "y": True, "no": False, "n": False}
ACTIONS = {"hit": Action.HIT, "h": Action.HIT, "stand": Action.STAND, "s": Action.STAND}


class InputEndedError(Exception):
    """The input has ended."""


def decks_in(answer: str) -> int | None:
    """Read a number of decks.

    >>> decks_in("20"), decks_in("21") is None, decks_in("2.5") is None
    (20, True, True)
    """
    found = DECKS.fullmatch(answer)
    decks = int(found[1]) if found else 0
    return decks if 1 <= decks <= MOST_DECKS else None


def yes_or_no(answer: str) -> bool | None:
    """Read yes or no.

    >>> yes_or_no("yEs"), yes_or_no("N"), yes_or_no("yess") is None
    (True, False, True)
    """
    return YES_OR_NO.get(answer.lower())


def hit_or_stand(answer: str) -> Action | None:
    """Read an action.

    >>> hit_or_stand("Hit"), hit_or_stand("double") is None
    (<Action.HIT: 1>, True)
    """
    return ACTIONS.get(answer.lower())


class Dialogue:
    """A conversation with a person."""

    def __init__(self, hear: Callable[[], str | None], say: Callable[[str], object]) -> None:
        """Set the input and the output.

        Args:
            hear: Returns the next answer; `None` at the end of the input.
            say: Writes text unchanged.
        """
        self._hear = hear
        self.say = say

    def ask(self, question: str, meaning: Callable[[str], T | None]) -> T:
        """Ask until there is a valid answer, and return its meaning.

        Raises: InputEndedError, if the input ends.
        """
        while True:
            self.say(question)
            answer = self._hear()
            if answer is None:
                if not question.endswith("\n"):
                    self.say("\n")
                raise InputEndedError
            meant = meaning(answer)
            if meant is not None:
                return meant


WIDTH = 65
LINE = "=" * WIDTH + "\n"
NEW_TURN = LINE * 2
STARS = ("*" * WIDTH + "\n") * 2
HEADER = "Blackjack\nCSC 24400 Project 4\n-----\n"
FOOTER = "\n{0}\n|      END OF OUTPUT      |\n{0}\n".format("-" * 27)
OPENING = 2  # cards of a hand

ENDINGS = {
    Outcome.NATURAL: "**** Player has BlackJack - Player Wins ****\n",
    Outcome.DEALER_NATURAL: "**** Dealer has BlackJack - Dealer Wins ****\n",
    Outcome.BOTH_NATURAL: "**** Player and Dealer have BlackJack - Tie ****\n",
    Outcome.BUST: "Player busted (went over 21)!\nPlayer loses\n",
    Outcome.DEALER_BUST: "Dealer busted (went over 21)!\nPlayer Wins!\n",
    Outcome.WIN: "Dealer Stands\nPlayer has winning hand!\nPlayer Wins!\n",
    Outcome.LOSS: "Dealer Stands\nDealer has winning hand!\nDealer Wins!\n",
    Outcome.PUSH: "Dealer Stands\nTie - no one wins\n",
}


def card_text(card: Card) -> str:
    """Write a card as the document does.

    >>> from tourney import Suit
    >>> card_text(Card(Rank.TEN, Suit.HEARTS)), card_text(Card(Rank.ACE, Suit.CLUBS))
    ('10H', 'AC')
    """
    rank = str(card.rank.value) if card.rank <= Rank.TEN else str(card.rank)[0]
    return rank + str(card.suit)[0]


@dataclass(frozen=True, slots=True)
class Screen:
    """Shows a round from the player's side of the table."""

    gap: int  # spaces between the owner of a hand and its sum

    def opening(self, state: Round) -> str:
        """Show the first card of both, then the second ones, the dealer's face down."""
        cards = state.hands[0].hand.cards
        first = self._hands([state.upcard], cards[:1])
        return NEW_TURN + first + LINE + self._hands([state.upcard], cards[:OPENING], " XX")

    def drawn(self, state: Round) -> str:
        """Show the player's new card."""
        hands = self._hands([state.upcard], state.hands[0].hand.cards, " XX")
        return f"Player Hits\n{LINE}{hands}"

    def ending(self, state: Round) -> str:
        """Show the hole card, the dealer's further cards and the result."""
        (played,), dealer = state.hands, state.dealer
        assert dealer is not None
        assert played.outcome is not None
        steps = [
            self._hands(dealer.cards[:cards], played.hand.cards)
            for cards in range(OPENING, len(dealer) + 1)
        ]
        return NEW_TURN + f"Dealer Hits\n{LINE}".join(steps) + ENDINGS[played.outcome]

    def _hands(self, dealer: Sequence[Card], player: Sequence[Card], hidden: str = "") -> str:
        return self._hand("Dealer", dealer, hidden) + self._hand("Player", player)

    def _hand(self, owner: str, cards: Sequence[Card], hidden: str = "") -> str:
        shown = [f"{card_text(card):>3}" for card in cards]
        if hidden:
            shown.append(hidden)
        label = f"{owner} Hand:{' ' * self.gap}sum: {Hand(cards).total}"
        return f"{label}\n{' '.join(shown)}\n\n"


def statistics(nets: Sequence[int]) -> str:
    """Count the rounds and the wins; a tie is a win for neither side.

    Args:
        nets: The player's profit in each round.
    """
    return (
        f"{STARS}A total of {len(nets)} hands were played\n"
        f"Dealer won {sum(net < 0 for net in nets)} hands\n"
        f"Player won {sum(net > 0 for net in nets)} hands\n"
    )


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


WRONG_ARGUMENTS = 1
"""The document defines no exit status. A C++ program ends its usage message with EXIT_FAILURE."""


@click.command("csc24400", cls=AsTyped, add_help_option=False, options_metavar="[-s <number>]")
@click.pass_context
def csc24400_command(context: click.Context) -> None:
    """CSC 24400 project 4.

    You play against the dealer. The program asks for the number of decks, then before each hand
    whether you play, and then hit or stand. -s sets the seed of the shoe; by default the clock
    does.
    """
    try:
        rng_seed = rng_seed_of(context.args)
    except ArgumentsError as wrong:
        click.echo(f"{HEADER}{wrong}")  # the first two steps of the document
        context.exit(WRONG_ARGUMENTS)
    answers = typed_answers()
    play(rng_seed, Dialogue(partial(read_line, answers), partial(click.echo, nl=False)))
