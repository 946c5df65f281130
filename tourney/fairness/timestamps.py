"""Timestamps by RFC 3161: an authority signs that a commitment existed at a time.

The 64 hex digits of the commitment are timestamped, as ASCII. This needs the optional package
rfc3161-client. The reader chooses trusted authorities by their root certificates; there is no
default.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
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

HOW_TO_INSTALL = "rfc3161-client is not installed; run: pip install 'tourney-cards[timestamps]'"

ASK_SECONDS = 30
MOST_BYTES = 1_000_000  # of an answer


@dataclass(frozen=True, slots=True)
class Stamp:
    """The contents of a timestamp of a commitment."""

    time: datetime
    authority: str  # name in its certificate
    is_trusted: bool  # whether one of the given root certificates signs it


def ask_for_stamp(url: str, commitment: str) -> bytes:
    """Ask an authority to timestamp a commitment.

    Args:
        url: URL of the authority, with http or https.
        commitment: 64 hex digits.
    Returns: The whole response.
    Raises: TourneyError, if it cannot be reached or returns no timestamp of this commitment.
    """
    _check_installed()
    if urlsplit(url).scheme not in {"http", "https"}:
        raise TourneyError(f"--timestamp: expected a URL with http or https, got {url!r}")
    build = rfc3161_client.TimestampRequestBuilder()
    hashing = rfc3161_client.HashAlgorithm.SHA256
    asked = build.data(commitment.encode()).hash_algorithm(hashing).build()
    headers = {"Content-Type": "application/timestamp-query"}
    request = Request(url, asked.as_bytes(), headers)  # noqa: S310 - its scheme is checked above
    try:
        with urlopen(request, timeout=ASK_SECONDS) as reply:  # noqa: S310 - as above
            answer: bytes = reply.read(MOST_BYTES)
            status = reply.status
    except (URLError, OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise TourneyError(
            f"{url}: the timestamp authority cannot be reached ({reason}); nothing was "
            "timestamped: try again, or use another authority"
        ) from None
    if status != HTTPStatus.OK or _decoded(answer, url).tst_info.nonce != asked.nonce:
        raise TourneyError(f"{url}: the timestamp authority did not answer this request")
    look_at_stamp(answer, commitment, (), url)
    return answer


def look_at_stamp(
    answer: bytes, commitment: str, roots: Sequence[Path], where: str = "timestamp"
) -> Stamp:
    """Verify a timestamp.

    Args:
        answer: Response of an authority.
        commitment: The timestamped commitment.
        roots: PEM files of trusted certificates; without any, the signature is not verified.
        where: Name of the timestamp in messages.
    Raises: TourneyError, if it is for another commitment or not signed by these authorities.
    """
    _check_installed()
    found = _decoded(answer, where)
    if found.tst_info.message_imprint.message != sha256(commitment.encode()).digest():
        raise TourneyError(f"{where}: the timestamp is not of {commitment}, but of another hash")
    name = found.tst_info.name
    authority = name.value.rfc4514_string() if isinstance(name, x509.DirectoryName) else "no name"
    stamp = Stamp(found.tst_info.gen_time.astimezone(UTC), authority, is_trusted=bool(roots))
    if not roots:
        return stamp
    trusted = [each for path in roots for each in _certificates(path)]
    verifier = rfc3161_client.VerifierBuilder(roots=trusted).build()
    try:
        verifier.verify_message(found, commitment.encode())
    except rfc3161_client.VerificationError as error:
        files = ", ".join(map(str, roots))
        raise TourneyError(
            f"{where}: the signature of {authority} cannot be verified with {files} "
            f"({_short(error)})"
        ) from None
    return stamp


def _decoded(answer: bytes, where: str) -> rfc3161_client.TimeStampResponse:
    """Decode a response that contains a timestamp."""
    try:
        found = rfc3161_client.decode_timestamp_response(answer)
    except ValueError:
        raise TourneyError(f"{where}: this is not a timestamp by RFC 3161") from None
    if found.status != rfc3161_client.PKIStatus.GRANTED:
        reason = "; ".join(found.status_string) or f"status {found.status}"
        raise TourneyError(f"{where}: the authority rejected the request ({reason})")
    return found


def _certificates(path: Path) -> list[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(path.read_bytes())
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no certificates as PEM"
        raise TourneyError(
            f"{path}: the certificates of the authority cannot be read ({reason})"
        ) from None


def _short(error: Exception) -> str:
    """Return the useful part of an OpenSSL message that lists files."""
    text = str(error)
    if "local issuer" in text or "self-signed" in text:
        return "an unknown authority"
    return text.partition(": Unable")[0].partition(" ErrorStack")[0].lower()


def can_read_stamps() -> bool:
    """Return whether rfc3161-client is installed."""
    return find_spec("rfc3161_client") is not None


def _check_installed() -> None:
    if not can_read_stamps():
        raise TourneyError(f"timestamps: {HOW_TO_INSTALL}")
