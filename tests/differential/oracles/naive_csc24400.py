"""A slow and naive CSC 24400 program, written from its document without the platform's parts.

Cards are texts such as `10H`, the shoe is a list and a size, and `rand` is the C library's,
spelled out. The header and the footer are left out.
"""

from collections.abc import Iterator

FACES = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
EQUALS = "=" * 65
STARS = "*" * 65
DECKS = "How many decks do you wish to play with (max 20)?"
PLAY = "Do you wish to play a hand of blackjack? "


class NaiveRand:
    """The additive feedback of the C library, with all its numbers in one growing list."""

    def __init__(self, seed: int) -> None:
        word = seed % 2**32
        if word == 0:
            word = 1
        if word >= 2**31:
            word -= 2**32
        self.r = [word]
        for _ in range(30):
            # Division of C rounds to zero.
            high = abs(word) // 127773 * (1 if word >= 0 else -1)
            low = word - high * 127773
            word = 16807 * low - 2836 * high
            if word < 0:
                word += 2147483647
            self.r.append(word)
        self.r += self.r[0:3]
        while len(self.r) < 344:
            self.advance()

    def advance(self) -> None:
        """Append the next number."""
        self.r.append((self.r[-31] + self.r[-3]) % 2**32)

    def next(self) -> int:
        """Give what `rand()` gives."""
        self.advance()
        return self.r[-1] // 2


def shuffled(cards: list[str], rand: NaiveRand, *, gathers: bool) -> list[str]:
    """Move every card to, or take it from, a place that has not come up before."""
    places: list[int] = []
    is_used = [False] * len(cards)
    while len(places) < len(cards):
        place = rand.next() % len(cards)
        if not is_used[place]:
            is_used[place] = True
            places.append(place)
    result = [""] * len(cards)
    for i in range(len(cards)):
        if gathers:
            result[i] = cards[places[i]]
        else:
            result[places[i]] = cards[i]
    return result


def sum_of(hand: list[str]) -> int:
    """Count every ace eleven, then one after the other as one."""
    total = 0
    aces = 0
    for card in hand:
        face = card[:-1]
        if face == "A":
            total += 11
            aces += 1
        elif face in {"J", "Q", "K"}:
            total += 10
        else:
            total += int(face)
    while total > 21 and aces > 0:
        total -= 10
        aces -= 1
    return total


class NaiveProgram:
    """The program, as a list of what it prints and a list of what was typed."""

    def __init__(self, seed: int, lines: list[str], *, follows_text: bool = False) -> None:
        self.follows_text = follows_text
        self.rand = NaiveRand(seed)
        self.lines: Iterator[str] = iter(lines)
        self.output = f"Seed value is: {seed}\n"
        self.shoe: list[str] = []
        self.size = 0
        self.hands: list[dict[str, object]] = []  # as in the recorded cases
        self.dealer: list[str] = []
        self.player: list[str] = []

    def run(self) -> "NaiveProgram":
        """Run to the end of the input or of the patience."""
        try:
            self.fill_shoe()
            while self.ask(PLAY, ["yes", "y"], ["no", "n"]):
                self.play_hand()
        except StopIteration:
            if not self.output.endswith("\n"):
                self.output += "\n"
        outcomes = [str(hand["outcome"]) for hand in self.hands]
        dealer_won = sum(o in {"player-bust", "dealer-wins", "dealer-blackjack"} for o in outcomes)
        player_won = sum(o in {"dealer-bust", "player-wins", "player-blackjack"} for o in outcomes)
        self.output += f"{STARS}\n{STARS}\nA total of {len(outcomes)} hands were played\n"
        self.output += f"Dealer won {dealer_won} hands\nPlayer won {player_won} hands\n"
        return self

    def fill_shoe(self) -> None:
        """Ask for the decks and shuffle them."""
        decks = 0
        while not 1 <= decks <= 20:
            self.output += DECKS + "\n"
            answer = next(self.lines).strip()
            decks = int(answer) if answer.isascii() and answer.isdigit() else 0
        for _ in range(decks):
            deck = [face + suit for suit in "CDHS" for face in FACES]
            if not self.follows_text:
                deck = shuffled(deck, self.rand, gathers=True)
            self.shoe += deck
        self.shuffle()

    def shuffle(self) -> None:
        """Set the size back and shuffle."""
        self.size = len(self.shoe)
        self.shoe = shuffled(self.shoe, self.rand, gathers=not self.follows_text)

    def ask(self, prompt: str, yes: list[str], no: list[str]) -> bool:
        """Ask until the answer is one of either."""
        while True:
            self.output += prompt
            answer = next(self.lines).strip().lower()
            if answer in yes:
                return True
            if answer in no:
                return False

    def draw(self, hand: list[str]) -> None:
        """Deal a card from the end."""
        self.size -= 1
        hand.append(self.shoe[self.size])

    def show(self, *, hides: bool) -> None:
        """Show both hands, the hole card only if it is not hidden."""
        spaces = " " * (5 if self.follows_text else 6)
        seen = self.dealer[:1] if hides else self.dealer
        shown = seen + ["XX"] * (len(self.dealer) - len(seen))
        for name, hand, texts in (
            ("Dealer", seen, shown),
            ("Player", self.player, self.player),
        ):
            self.output += f"{name} Hand:{spaces}sum: {sum_of(hand)}\n"
            self.output += " ".join(text.rjust(3) for text in texts) + "\n\n"

    def play_hand(self) -> None:
        """Play one hand."""
        must_shuffle = self.size < 52 or self.size < 0.3 * len(self.shoe)
        if must_shuffle:
            self.shuffle()
        self.dealer, self.player = [], []
        order = [self.dealer, self.player]
        if self.follows_text:
            order.reverse()
        self.output += f"{EQUALS}\n{EQUALS}\n"
        for hand in order:
            self.draw(hand)
        self.show(hides=False)
        self.output += f"{EQUALS}\n"
        for hand in order:
            self.draw(hand)
        self.show(hides=True)
        outcome = self.outcome_of_hand()
        self.hands.append(
            {
                "hand": len(self.hands) + 1,
                "reshuffled": must_shuffle,
                "dealer": " ".join(self.dealer),
                "player": " ".join(self.player),
                "dealer_sum": sum_of(self.dealer),
                "player_sum": sum_of(self.player),
                "outcome": outcome,
            }
        )

    def turn(self) -> None:
        """Show the hole card where the turn changes."""
        self.output += f"{EQUALS}\n{EQUALS}\n"
        self.show(hides=False)

    def outcome_of_hand(self) -> str:
        """Play both turns and say who won."""
        dealer_has, player_has = sum_of(self.dealer) == 21, sum_of(self.player) == 21
        if dealer_has or player_has:
            self.turn()
            if dealer_has and player_has:
                self.output += "**** Player and Dealer have BlackJack - Tie ****\n"
                return "both-blackjack"
            who = "Dealer" if dealer_has else "Player"
            self.output += f"**** {who} has BlackJack - {who} Wins ****\n"
            return f"{who.lower()}-blackjack"
        while self.ask("Hit or Stand: ", ["hit", "h"], ["stand", "s"]):
            self.draw(self.player)
            self.output += f"Player Hits\n{EQUALS}\n"
            self.show(hides=True)
            if sum_of(self.player) > 21:
                self.turn()
                self.output += "Player busted (went over 21)!\nPlayer loses\n"
                return "player-bust"
        return self.outcome_of_dealer()

    def outcome_of_dealer(self) -> str:
        """Play the dealer's turn and compare."""
        self.turn()
        while sum_of(self.dealer) < 17:
            self.draw(self.dealer)
            self.output += f"Dealer Hits\n{EQUALS}\n"
            self.show(hides=False)
        if sum_of(self.dealer) > 21:
            self.output += "Dealer busted (went over 21)!\nPlayer Wins!\n"
            return "dealer-bust"
        self.output += "Dealer Stands\n"
        if sum_of(self.dealer) > sum_of(self.player):
            self.output += "Dealer has winning hand!\nDealer Wins!\n"
            return "dealer-wins"
        if sum_of(self.dealer) < sum_of(self.player):
            self.output += "Player has winning hand!\nPlayer Wins!\n"
            return "player-wins"
        self.output += "Tie - no one wins\n"
        return "push"
