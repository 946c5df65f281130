"""A seat's account during a block: bankroll, totals and a running hash."""

from tourney.game.ledger.results import SeatResult, Verdict
from tourney.game.ledger.running_hash import mix, mix_round

WORD = 1 << 64


class Account:
    """A seat's running totals; chips move only through `settle`."""

    __slots__ = (
        "bankroll",
        "entrant",
        "handle",
        "highest",
        "initial",
        "left_round",
        "lowest",
        "luck",
        "mix",
        "rounds",
        "seat",
        "squares",
        "verdict",
    )

    def __init__(self, seat: int, entrant: int, bankroll: int) -> None:
        """Open the account of a seat with its bankroll."""
        self.seat = seat
        self.entrant = entrant
        self.initial = self.bankroll = self.lowest = self.highest = bankroll
        self.rounds = self.handle = self.squares = self.mix = 0
        self.left_round: int | None = None
        self.verdict: Verdict | None = None
        self.luck: int | None = None

    def settle(self, wager: int, net: int, actions: int, dealt: int) -> None:
        """Pay and record a round.

        Args:
            wager: Chips wagered.
            net: Chips won, negative if lost; never below minus the wager.
            actions: The seat's actions, as its game packs them.
            dealt: Cards dealt from the shoe so far.
        """
        bankroll = self.bankroll = self.bankroll + net
        if bankroll < self.lowest:
            self.lowest = bankroll
        elif bankroll > self.highest:
            self.highest = bankroll
        self.rounds += 1
        self.handle += wager
        self.squares += net * net
        self.mix = mix_round(self.mix, wager, net, actions, dealt)

    def add_luck(self, luck: int) -> None:
        """Add the luck of a round; sums wrap at 64 bits, as in machine code."""
        self.luck = (self.luck or 0) + luck

    def see_shoe(self, word: int) -> None:
        """Add the cards of a shoe to the running hash."""
        self.mix = mix(self.mix, word)

    def result(self) -> SeatResult:
        """Close the account."""
        return SeatResult(
            seat=self.seat,
            entrant=self.entrant,
            initial=self.initial,
            final=self.bankroll,
            lowest=self.lowest,
            highest=self.highest,
            rounds=self.rounds,
            left_round=self.left_round,
            handle=self.handle,
            squares=self.squares,
            mix=self.mix,
            verdict=self.verdict,
            luck=None if self.luck is None else (self.luck + WORD // 2) % WORD - WORD // 2,
        )
