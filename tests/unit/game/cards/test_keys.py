"""Keys and the commitment to a secret."""

from hashlib import blake2b

from tourney.game.cards.keys import Secret


def test_a_seed_gives_the_same_secret_everywhere() -> None:
    """Recorded once; a change would make old rehearsals irreproducible."""
    secret = Secret.from_seed(280)
    assert secret.is_rehearsal
    assert secret.shoe_key(0, 0, 0, 1).hex() == "9b6e6260760763a95e2bf82662d2d356"
    assert secret.commitment.startswith("95018407b967677f")


def test_drawn_secrets_differ_and_are_no_rehearsals() -> None:
    """256 bits never come twice."""
    first, second = Secret.draw(), Secret.draw()
    assert first.value != second.value
    assert not first.is_rehearsal


def test_anyone_can_check_the_commitment() -> None:
    """It is BLAKE2b of salt and secret."""
    secret = Secret.draw()
    again = blake2b(secret.salt + secret.value, digest_size=32, person=b"tourney.commit")
    assert secret.commitment == again.hexdigest()


def test_every_place_and_purpose_has_a_key_of_its_own() -> None:
    """Shoes and seats never share one."""
    secret = Secret.from_seed(1)
    keys = [
        secret.shoe_key(stage, heat, table, first)
        for stage in (0, 1)
        for heat in (0, 1)
        for table in (0, 1)
        for first in (1, 2)
    ]
    keys += [secret.seat_key((0, 0, 0, 0, 1), seat) for seat in range(7)]
    assert len(set(keys)) == len(keys)
