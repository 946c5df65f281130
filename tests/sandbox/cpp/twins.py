"""Competitors of different style, in C++ as students write it and in Python: answers are alike."""

from tests.sandbox.cpp.written import COUNTING
from tourney import Card, Hand, Player, Rank

FRAME = """\
{head}
class Competitor : public Player {{
{members}
 public:
{public}
    bool draw(Card dealer, const Hand &player) {{ return player.handValue().count < {below}; }}
}};

static Competitor competitor;
Player *get_Competitor() {{ return &competitor; }}
"""


def written(public: str, *, head: str = "", members: str = "", below: str = "17") -> str:
    """Write a competitor."""
    head = f'#include <cstdlib>\n#include "player.h"\n{head}'
    return FRAME.format(head=head, members=members, public=public, below=below)


NO_CARDS = "    void expose(Card) { }\n    void shuffled() { }\n"
SIMPLE = COUNTING.replace("Player *get_Counting() { return &counting; }\n", "").replace(
    "static Counting counting;\n", ""
)

HEAP = written(
    """
    int bet(unsigned int bankroll, unsigned int minimum) {
        unsigned int wager = minimum + seen->size() % 7;
        return wager <= bankroll ? wager : minimum;
    }
    void expose(Card c) { if (c.spot == ACE || c.suit == HEARTS) seen->push_back(new Card(c)); }
    void shuffled() {
        for (Card *each : *seen) delete each;
        delete seen;
        seen = new std::vector<Card *>();
    }
""",
    head="#include <vector>",
    members="    std::vector<Card *> *seen = new std::vector<Card *>();",
)


class Heap(Player):
    """Keeps cards it has seen."""

    def __init__(self) -> None:
        self.seen: list[Card] = []

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager by how many there are."""
        wager = minimum + len(self.seen) % 7
        return wager if wager <= bankroll else minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Draw to 17."""
        return player.total < 17

    def expose(self, card: Card) -> None:
        """Keep aces and hearts."""
        if card.rank is Rank.ACE or str(card.suit) == "Hearts":
            self.seen.append(card)

    def shuffled(self) -> None:
        """Forget them."""
        self.seen = []


STATICS = written(
    """
    int bet(unsigned int bankroll, unsigned int minimum) {
        static int rounds = 0;
        unsigned int wager = minimum + (rounds++ + shuffles) % 5;
        return wager <= bankroll ? wager : minimum;
    }
    void expose(Card) { }
    void shuffled() { shuffles += 2; }
""",
    head="static int shuffles = 1;",
    below="16",
)


class Statics(Player):
    """Counts rounds and shuffles."""

    def __init__(self) -> None:
        self.rounds, self.shuffles = 0, 1

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager by both."""
        wager = minimum + (self.rounds + self.shuffles) % 5
        self.rounds += 1
        return wager if wager <= bankroll else minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Draw to 16."""
        return player.total < 16

    def shuffled(self) -> None:
        """Count it."""
        self.shuffles += 2


DICE = written(
    """
    int bet(unsigned int bankroll, unsigned int minimum) {
        unsigned int wager = minimum + rand() % 11;
        return wager <= bankroll ? wager : minimum;
    }
"""
    + NO_CARDS,
    below="(rand() % 2 ? 15 : 18)",
)


class Dice(Player):
    """Rolls dice: `rand` is `getrandbits(31)` of the seat's own generator."""

    def bet(self, bankroll: int, minimum: int) -> int:
        """Roll one."""
        wager = minimum + self.random.getrandbits(31) % 11
        return wager if wager <= bankroll else minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Roll another one."""
        return player.total < (15 if self.random.getrandbits(31) % 2 else 18)


EXCEPTIONS = written(
    """
    int bet(unsigned int bankroll, unsigned int minimum) {
        try {
            if (counts.at(ACE) > 2) throw std::runtime_error("aces");
            return minimum;
        } catch (const std::out_of_range &) {
            return minimum + 1 <= bankroll ? minimum + 1 : minimum;
        } catch (const std::exception &error) {
            unsigned int wager = minimum + std::string(error.what()).size();
            return wager <= bankroll ? wager : minimum;
        }
    }
    void expose(Card c) { counts[c.spot]++; }
    void shuffled() { counts.clear(); }
""",
    head=(
        "#include <map>\n#include <stdexcept>\n#include <string>\n"
        "static std::map<Spot, int> counts;"
    ),
)


class Exceptions(Player):
    """Counts ranks, and wagers by what is thrown."""

    def __init__(self) -> None:
        self.counts: dict[Rank, int] = {}

    def bet(self, bankroll: int, minimum: int) -> int:
        """Look for aces."""
        aces = self.counts.get(Rank.ACE)
        wager = minimum + (1 if aces is None else 4 if aces > 2 else 0)
        return wager if wager <= bankroll else minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Draw to 17."""
        return player.total < 17

    def expose(self, card: Card) -> None:
        """Count it."""
        self.counts[card.rank] = self.counts.get(card.rank, 0) + 1

    def shuffled(self) -> None:
        """Forget them."""
        self.counts = {}


STREAMS = written(
    """
    int bet(unsigned int bankroll, unsigned int minimum) {
        std::istringstream words(told.str());
        std::string word;
        int aces = 0;
        while (words >> word) aces += word == "Ace";
        unsigned int wager = minimum + aces;
        return wager <= bankroll ? wager : minimum;
    }
    void expose(Card c) { told << SpotNames[c.spot] << " of " << SuitNames[c.suit] << std::endl; }
    void shuffled() { told.str(""); }
""",
    head="#include <sstream>\n#include <string>\nstatic std::ostringstream told;",
)


class Streams(Player):
    """Writes down what it sees, and reads it again."""

    def __init__(self) -> None:
        self.told = ""

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager by the aces."""
        wager = minimum + self.told.split().count("Ace")
        return wager if wager <= bankroll else minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Draw to 17."""
        return player.total < 17

    def expose(self, card: Card) -> None:
        """Write it down."""
        self.told += f"{card}\n"

    def shuffled(self) -> None:
        """Forget it."""
        self.told = ""


SEVERAL = {
    "counter.h": "class Counter { int low = 0; public: void see(int spot); int even() const; };\n",
    "counter.cpp": (
        '#include "counter.h"\nstatic int seen;\n'
        "void Counter::see(int spot) { seen++; low += spot < 5; }\n"
        "int Counter::even() const { return (seen + low) % 2 == 0; }\n"
    ),
    "player.cpp": written(
        """
    int bet(unsigned int bankroll, unsigned int minimum) {
        unsigned int wager = minimum + 3 * counter.even();
        return wager <= bankroll ? wager : minimum;
    }
    void expose(Card c) { counter.see(c.spot); }
    void shuffled() { counter = Counter(); }
""",
        head='#include "counter.h"',
        members="    Counter counter;",
    ),
}


class Several(Player):
    """Counts what it sees, of which a shuffle forgets a part."""

    def __init__(self) -> None:
        self.seen = self.low = 0

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager by whether the sum is even."""
        wager = minimum + 3 * ((self.seen + self.low) % 2 == 0)
        return wager if wager <= bankroll else minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Draw to 17."""
        return player.total < 17

    def expose(self, card: Card) -> None:
        """Count it."""
        self.seen += 1
        self.low += card.rank < Rank.SEVEN

    def shuffled(self) -> None:
        """Forget the low ones."""
        self.low = 0
