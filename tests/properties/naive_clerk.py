"""A clerk who keeps the accounts of a table from what there is to see, as simply as possible."""

from tourney.game.blocks import Block
from tourney.game.ledger import BlockResult, Verdict
from tourney.game.turns import Watcher
from tourney.games.blackjack.records import Outcome, Record, Settled


class Page:
    """What a clerk writes down about one seat."""

    def __init__(self, bankroll: int) -> None:
        self.bankrolls = [bankroll]  # at the start, and after every round
        self.wagers: list[int] = []
        self.nets: list[int] = []
        self.left_round: int | None = None
        self.verdict: Verdict | None = None

    def write(self, wager: int, net: int) -> None:
        """Write down a round."""
        self.wagers.append(wager)
        self.nets.append(net)
        self.bankrolls.append(self.bankrolls[-1] + net)


class NaiveClerk(Watcher):
    """Told everything that happens; knows the rules of money and of leaving, and no others."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.pages = [Page(seat.bankroll) for seat in block.seats]
        self.house = 0
        self.last_round = block.key.first_round - 1
        self.present = list(self.pages)  # in order of play, those at fault included
        self.wagers: dict[int, int] = {}
        self._send_off()

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Compare the bankrolls before a round."""
        self.last_round = number
        self._compare(bankrolls)

    def wagered(self, seat: int, wager: int) -> None:
        """Remember a wager; it must be one that is allowed."""
        if self.present[seat].verdict:
            return
        bankroll = self.present[seat].bankrolls[-1]
        assert self.block.minimum <= wager <= min(self.block.maximum, bankroll)
        assert wager % self.block.rules.unit == 0
        self.wagers[seat] = wager

    def happened(self, record: Record) -> None:
        """Write down how a hand ended."""
        if isinstance(record, Settled) and not self.present[record.seat].verdict:
            wager = self.wagers[record.seat]
            self._write(self.present[record.seat], wager, self._net(record.outcome, wager))

    def faulted(self, seat: int, verdict: Verdict) -> None:
        """Take the wager in play; from here on somebody else's chips are at that place."""
        page = self.present[seat]
        if seat in self.wagers:
            self._write(page, self.wagers[seat], -self.wagers[seat])
        page.verdict = verdict
        page.left_round = verdict.round

    def closed(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Compare the bankrolls after a round, and the house's with the seats'."""
        self._compare(bankrolls)
        assert self.house == -sum(sum(page.nets) for page in self.pages)
        self.wagers.clear()
        self._send_off()

    def check(self, result: BlockResult) -> None:
        """Compare the pages with the accounts of the table."""
        for page, seat in zip(self.pages, result.seats, strict=True):
            assert seat.initial == page.bankrolls[0]
            assert seat.final == page.bankrolls[-1] == seat.initial + sum(page.nets)
            assert seat.lowest == min(page.bankrolls)
            assert seat.highest == max(page.bankrolls)
            assert seat.rounds == len(page.nets)
            assert seat.handle == sum(page.wagers)
            assert seat.squares == sum(net**2 for net in page.nets)
            assert seat.left_round == page.left_round
            assert seat.verdict == page.verdict

    def _write(self, page: Page, wager: int, net: int) -> None:
        page.write(wager, net)
        self.house -= net

    def _compare(self, bankrolls: tuple[int, ...]) -> None:
        """The chips of a stand-in are nobody's."""
        assert len(bankrolls) == len(self.present)
        for page, bankroll in zip(self.present, bankrolls, strict=True):
            assert page.verdict or page.bankrolls[-1] == bankroll

    def _send_off(self) -> None:
        """Let go of whoever cannot wager any more."""
        rules, minimum = self.block.rules, self.block.minimum
        for page in list(self.present):
            least = minimum if rules.stop == "at-least" else minimum + 1  # type: ignore[attr-defined]  # blackjack
            if not page.verdict and page.bankrolls[-1] < least:
                page.left_round = self.last_round
                self.present.remove(page)

    def _net(self, outcome: Outcome, wager: int) -> int:
        if outcome is Outcome.NATURAL:
            per, chips = self.block.rules.natural.split(":")  # type: ignore[attr-defined]  # blackjack
            return wager * int(per) // int(chips)
        if outcome is Outcome.PUSH:
            return 0
        return wager if outcome in {Outcome.WIN, Outcome.DEALER_BUST} else -wager
