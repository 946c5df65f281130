"""What a host is told when it is started, as one word of its command line."""

from typing import NamedTuple

from tourney.confine.jail import Limits


class Order(NamedTuple):
    """How a host is to start."""

    parent: int  # number of the process it ends with
    from_referee: int  # descriptors
    to_referee: int
    handover: int
    is_confined: bool
    has_numpy: bool
    desk: str  # "module:name" of what makes a desk
    limits: Limits

    def write(self) -> str:
        """Write the word.

        >>> Order.read(Order(1, 3, 4, 5, True, False, "a:b", Limits()).write()).desk
        'a:b'
        """
        *numbers, layers = self.limits
        words = (*map(int, self[:6]), self.desk, *numbers, *layers)
        return " ".join(map(str, words))

    @classmethod
    def read(cls, word: str) -> "Order":
        """Read the word."""
        parent, source, sink, handover, confined, numpy, desk, *rest = word.split()
        memory, cpu, output, user = map(int, rest[:4])
        return cls(
            parent=int(parent),
            from_referee=int(source),
            to_referee=int(sink),
            handover=int(handover),
            is_confined=confined == "1",
            has_numpy=numpy == "1",
            desk=desk,
            limits=Limits(memory, cpu, output, user, tuple(rest[4:])),
        )
