"""Time stamps by RFC 3161: an authority signs that a commitment existed at a time.

What is stamped are the 64 hex digits of the commitment, as ASCII. Needs rfc3161-client, an extra:
whoever asks no authority need not have it. Which authority to trust is for the reader to say, by
its root certificate; none is trusted by default.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from tourney.errors import TourneyError
from tourney.lazy import Module

if TYPE_CHECKING:
    import rfc3161_client
    from cryptography import x509
else:
    rfc3161_client, x509 = Module("rfc3161_client"), Module("cryptography.x509")

HOW_TO_INSTALL = (
    "expected rfc3161-client to be installed, found none: pip install 'tourney-cards[timestamps]'"
)

ASK_SECONDS = 30
MOST_BYTES = 1_000_000  # of an answer


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a time stamp says of the commitment it was asked for."""

    time: datetime
    authority: str  # as its certificate calls it
    is_trusted: bool  # whether it was signed under one of the certificates that were given


def ask_for_stamp(url: str, commitment: str) -> bytes:
    """Ask an authority to stamp a commitment.

    Args:
        url: Of the authority, with http or https.
        commitment: 64 hex digits.
    Returns: Its whole answer.
    Raises: TourneyError, if it cannot be reached, or gives no stamp of this commitment.
    """
    _check_installed()
    if urlsplit(url).scheme not in {"http", "https"}:
        raise TourneyError(f"--timestamp: expected a URL with http or https, got {url!r}")
    build = rfc3161_client.TimestampRequestBuilder()
    hashing = rfc3161_client.HashAlgorithm.SHA256
    asked = build.data(commitment.encode()).hash_algorithm(hashing).build()
    headers = {"Content-Type": "application/timestamp-query"}
    request = Request(url, asked.as_bytes(), headers)  # noqa: S310 - its scheme was looked at
    try:
        with urlopen(request, timeout=ASK_SECONDS) as reply:  # noqa: S310 - likewise
            answer: bytes = reply.read(MOST_BYTES)
            status = reply.status
    except (URLError, OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise TourneyError(
            f"{url}: expected the answer of a time stamp authority, got an error ({reason}); "
            "nothing was stamped: try again, or another authority"
        ) from None
    if status != HTTPStatus.OK or _decoded(answer, url).tst_info.nonce != asked.nonce:
        raise TourneyError(f"{url}: expected a stamp of what was asked, got another")
    look_at_stamp(answer, commitment, (), url)
    return answer


def look_at_stamp(
    answer: bytes, commitment: str, roots: Sequence[Path], where: str = "time stamp"
) -> Stamp:
    """Find out what a time stamp proves.

    Args:
        answer: Of an authority.
        commitment: What it should have stamped.
        roots: Files of the certificates that are trusted, as PEM; without any, the stamp is only
            looked at.
        where: What messages call it.
    Raises: TourneyError, if it is no stamp of this commitment, or of none of these authorities.
    """
    _check_installed()
    found = _decoded(answer, where)
    if found.tst_info.message_imprint.message != _imprint(commitment):
        raise TourneyError(f"{where}: expected a stamp of {commitment}, got one of something else")
    name = found.tst_info.name
    told = name.value.rfc4514_string() if isinstance(name, x509.DirectoryName) else "no name"
    stamp = Stamp(found.tst_info.gen_time.astimezone(UTC), told, is_trusted=bool(roots))
    if not roots:
        return stamp
    trusted = [each for path in roots for each in _certificates(path)]
    verifier = rfc3161_client.VerifierBuilder(roots=trusted).build()
    try:
        verifier.verify_message(found, commitment.encode())
    except rfc3161_client.VerificationError as error:
        files = ", ".join(map(str, roots))
        raise TourneyError(
            f"{where}: expected a signature of an authority under {files}, got one of {told} that "
            f"does not verify ({_short(error)})"
        ) from None
    return stamp


def _decoded(answer: bytes, where: str) -> rfc3161_client.TimeStampResponse:
    """Read an answer that has a stamp in it."""
    try:
        found = rfc3161_client.decode_timestamp_response(answer)
    except ValueError:
        raise TourneyError(
            f"{where}: expected a time stamp by RFC 3161, got something else"
        ) from None
    if found.status != rfc3161_client.PKIStatus.GRANTED:
        said = "; ".join(found.status_string) or f"status {found.status}"
        raise TourneyError(f"{where}: expected a time stamp, got a refusal ({said})")
    return found


def _imprint(commitment: str) -> bytes:
    request = rfc3161_client.TimestampRequestBuilder().data(commitment.encode())
    hashing = rfc3161_client.HashAlgorithm.SHA256
    return request.hash_algorithm(hashing).build().message_imprint.message


def _certificates(path: Path) -> list[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(path.read_bytes())
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no certificates as PEM"
        raise TourneyError(
            f"{path}: expected the certificates of an authority, got an error ({reason})"
        ) from None


def _short(error: Exception) -> str:
    """Give what a reader can use of a message that lists files of OpenSSL."""
    text = str(error)
    if "local issuer" in text or "self-signed" in text:
        return "an unknown authority"
    return text.partition(": Unable")[0].partition(" ErrorStack")[0].lower()


def can_read_stamps() -> bool:
    """Say whether rfc3161-client is installed."""
    return find_spec("rfc3161_client") is not None


def _check_installed() -> None:
    if not can_read_stamps():
        raise TourneyError(f"time stamps: {HOW_TO_INSTALL}")
