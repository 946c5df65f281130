"""Keys of all random numbers of a run, derived from its secret.

Every key is a keyed BLAKE2b of a place in the tournament, so one key, or a million cards dealt
from it, reveals nothing about another key.
"""

import secrets
from dataclasses import dataclass
from hashlib import blake2b
from struct import pack

SECRET_BYTES = 32
KEY_BYTES = 16


def public_text(value: str) -> str:
    """Normalise a public value, so that it cannot be varied by its spelling.

    >>> public_text(" 9E10  7d9d ")
    '9e10 7d9d'
    """
    return " ".join(value.split()).lower()


@dataclass(frozen=True, slots=True)
class Secret:
    """The secret that all randomness of a run is derived from, with its public commitment."""

    value: bytes  # 32 bytes; published after the run
    salt: bytes  # 16 bytes; published with it
    is_rehearsal: bool  # derived from a known seed, so anyone can compute the shoes in advance
    public_value: str = ""  # published by a third party, as `public_text` returns it; or empty

    @classmethod
    def draw(cls) -> "Secret":
        """Draw a new random secret of 256 bits."""
        return cls(
            secrets.token_bytes(SECRET_BYTES), secrets.token_bytes(KEY_BYTES), is_rehearsal=False
        )

    @classmethod
    def from_seed(cls, rng_seed: int) -> "Secret":
        """Derive a reproducible secret from a whole number, for a rehearsal."""
        text = str(rng_seed).encode()
        value = blake2b(text, digest_size=SECRET_BYTES, person=b"tourney.seed").digest()
        salt = blake2b(text, digest_size=KEY_BYTES, person=b"tourney.salt").digest()
        return cls(value, salt, is_rehearsal=True)

    @property
    def commitment(self) -> str:
        """The commitment published before play: BLAKE2b of salt and secret, as 64 hex digits."""
        hasher = blake2b(self.salt + self.value, digest_size=32, person=b"tourney.commit")
        return hasher.hexdigest()

    @property
    def pilot(self) -> "Secret":
        """The secret of a pilot run; it reveals nothing about this secret."""
        value = blake2b(key=self.value, digest_size=SECRET_BYTES, person=b"tourney.pilot").digest()
        return Secret(value, self.salt, self.is_rehearsal)

    def shoe_key(self, stage: int, heat: int, table: int, first_round: int) -> bytes:
        """Return the key of a table's shoes, the same for all entrants that play it."""
        return self._key(b"tourney.shoe", stage, heat, table, first_round)

    def seat_key(self, place: tuple[int, ...], seat: int) -> bytes:
        """Return the key of a seat's random number generator; `place` is the block's key."""
        return self._key(b"tourney.seat", *place, seat)

    def seating_key(self, stage: int, heat: int, table: int) -> bytes:
        """Return the key for drawing the seats at a table."""
        return self._key(b"tourney.seating", stage, heat, table)

    def floor_key(self, replication: int) -> bytes:
        """Return the key for drawing durations on the floor."""
        return self._key(b"tourney.floor", replication)

    def _key(self, person: bytes, *numbers: int) -> bytes:
        message = pack(f"<{len(numbers)}q", *numbers)
        return blake2b(message, key=self._root, digest_size=KEY_BYTES, person=person).digest()

    @property
    def _root(self) -> bytes:
        """The key of all derivations: the secret, mixed with any public value; 32 bytes."""
        if not self.public_value:
            return self.value
        text = self.public_value.encode()
        return blake2b(
            text, key=self.value, digest_size=SECRET_BYTES, person=b"tourney.public"
        ).digest()
