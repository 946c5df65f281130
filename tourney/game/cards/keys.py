"""Keys: how a run's secret becomes the shoes of its tables and the luck of its players.

Every key is a keyed BLAKE2b of a place in the tournament, so knowing one key, or a million
cards dealt from it, tells nothing about another.
"""

import secrets
from dataclasses import dataclass
from hashlib import blake2b
from struct import pack

SECRET_BYTES = 32
KEY_BYTES = 16


@dataclass(frozen=True, slots=True)
class Secret:
    """What all randomness of a run is derived from, with its public commitment."""

    value: bytes  # 32 bytes; published after the run
    salt: bytes  # 16 bytes; published with it
    is_rehearsal: bool  # derived from a seed that people know, so shoes can be precomputed

    @classmethod
    def draw(cls) -> "Secret":
        """Draw 256 bits that nobody knows."""
        return cls(
            secrets.token_bytes(SECRET_BYTES), secrets.token_bytes(KEY_BYTES), is_rehearsal=False
        )

    @classmethod
    def from_seed(cls, rng_seed: int) -> "Secret":
        """Derive a reproducible secret from a whole number: a rehearsal."""
        text = str(rng_seed).encode()
        value = blake2b(text, digest_size=SECRET_BYTES, person=b"tourney.seed").digest()
        salt = blake2b(text, digest_size=KEY_BYTES, person=b"tourney.salt").digest()
        return cls(value, salt, is_rehearsal=True)

    @property
    def commitment(self) -> str:
        """What is published before play: BLAKE2b of salt and secret, as 64 hex digits."""
        hasher = blake2b(self.salt + self.value, digest_size=32, person=b"tourney.commit")
        return hasher.hexdigest()

    @property
    def pilot(self) -> "Secret":
        """What a pilot's randomness is derived from: it tells nothing of the run's own."""
        value = blake2b(key=self.value, digest_size=SECRET_BYTES, person=b"tourney.pilot").digest()
        return Secret(value, self.salt, self.is_rehearsal)

    def shoe_key(self, stage: int, heat: int, table: int, first_round: int) -> bytes:
        """Give the key of a table's shoes; the same for everybody who plays it."""
        return self._key(b"tourney.shoe", stage, heat, table, first_round)

    def seat_key(self, place: tuple[int, ...], seat: int) -> bytes:
        """Give the key of a seat's own generator; `place` is the block's key."""
        return self._key(b"tourney.seat", *place, seat)

    def seating_key(self, stage: int, heat: int, table: int) -> bytes:
        """Give the key with which it is drawn who sits beside whom at a table."""
        return self._key(b"tourney.seating", stage, heat, table)

    def floor_key(self, replication: int) -> bytes:
        """Give the key from which it is drawn how long things take on the floor."""
        return self._key(b"tourney.floor", replication)

    def _key(self, person: bytes, *numbers: int) -> bytes:
        message = pack(f"<{len(numbers)}q", *numbers)
        return blake2b(message, key=self.value, digest_size=KEY_BYTES, person=person).digest()
