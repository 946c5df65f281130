"""What a host is told when it is started, and what its mother is, as one word each."""

from typing import NamedTuple

from tourney.jail.jail import Limits


class Order(NamedTuple):
    """How a host is to start."""

    is_confined: bool
    has_numpy: bool
    desk: str  # where to find what makes a desk; see `host.find_desk`
    limits: Limits

    def write(self) -> str:
        """Write the word.

        >>> Order.read(Order(True, False, "a:b", Limits()).write()).desk
        'a:b'
        """
        *numbers, layers = self.limits
        words = (*map(int, self[:2]), self.desk, *numbers, *layers)
        return " ".join(map(str, words))

    @classmethod
    def read(cls, word: str) -> "Order":
        """Read the word."""
        confined, numpy, desk, *rest = word.split()
        memory, cpu, output, user = map(int, rest[:4])
        return cls(
            is_confined=confined == "1",
            has_numpy=numpy == "1",
            desk=desk,
            limits=Limits(memory, cpu, output, user, tuple(rest[4:])),
        )


class Upbringing(NamedTuple):
    """What a mother has loaded: hosts that need the same are forked from the same."""

    is_confined: bool  # at fixed addresses, and ended with the referee
    has_numpy: bool
    module: str  # of the desks; of a game's, where to find what makes them
    roots: tuple[str, ...]  # folders to import from, besides where tourney lies
