"""Uploads to a portal, and the progress of the check.

This machine checks and stores nothing. The token is sent to the named portal only: redirects are
not followed, and without TLS the portal must be this machine.
"""

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from secrets import token_hex
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener
from zipfile import ZIP_DEFLATED, ZipFile

import click

from tourney.checks.source import whole_in
from tourney.errors import PortalError
from tourney.plugins.source_files import check_sizes, files_at

TOKEN = "TOURNEY_TOKEN"  # noqa: S105 - the name of a variable
LOOK_EVERY = 0.5
SECONDS = 30.0
MOST_TRIES = 6
"""Tries if a portal does not answer, or is busy; 1, 2, 4 … seconds apart."""
REFUSING = frozenset({403, 413, 422, 507})
"""Statuses with which a portal rejects an upload."""
BUSY = frozenset({502, 503, 504})
HERE = frozenset({"localhost", "127.0.0.1", "::1"})
OVER = frozenset({"done", "failed", "replaced"})


def is_address(text: str) -> bool:
    """Return whether a destination is the address of a portal, not a folder."""
    return text.startswith(("https://", "http://"))


def token_of(path: Path | None) -> str:
    """Read the token.

    Args:
        path: Its file; by default it is read from the environment.
    Raises: UsageError, if it is missing.
    """
    try:
        text = path.read_text(encoding="utf-8") if path else os.environ.get(TOKEN, "")
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"--token-file cannot be read: {error}") from error
    token = text.strip()
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise click.UsageError(
            f"--to: a portal needs a token in {TOKEN} or in --token-file FILE; create one on the "
            "portal's page /account/tokens"
        )
    return token


def send(
    address: str, path: Path, token: str, tell: Callable[[str], None], text: str = ""
) -> Mapping[str, Any]:
    """Upload to a portal, and wait for the check.

    Args:
        address: Address of the course's page, such as `https://cards.example.edu/c/cs101`.
        path: A file, or the folder of a package.
        token: Token of the student.
        tell: Receives the lines of the report as they arrive.
        text: Note of the student; may be empty.
    Returns: The finished job, as the portal describes it.
    Raises: UsageError, if the address is not valid; SubmissionError, if there is nothing to send;
        UploadError, if the portal rejects it; PortalError, if it cannot be reached or does not
        know the token.
    """
    portal = _Portal(_course_at(address), token)
    title, content = _packed(path)
    job = portal.post(title, content, text)
    place, shown = 0, 0
    while True:
        if job["place"] not in {0, place}:
            tell(f"place {job['place']} in the queue")
        place = job["place"]
        lines: Sequence[str] = job["lines"]
        if len(lines) < shown:
            tell("restarted")
            shown = 0
        for line in lines[shown:]:
            tell(line)
        shown = len(lines)
        if job["state"] in OVER:
            return job
        time.sleep(LOOK_EVERY)
        job = portal.get(str(job["address"]))


class _NoRedirect(HTTPRedirectHandler):
    """Follows no redirect: the token is for the named portal only."""

    def redirect_request(self, *_: Any) -> None:
        """Treat a redirect as a refusal."""


class _Portal:
    """A course's page, asked with a token."""

    def __init__(self, address: str, token: str) -> None:
        self._address, self._token = address, token
        self._opener: OpenerDirector = build_opener(_NoRedirect)

    def post(self, title: str, content: bytes, text: str) -> Mapping[str, Any]:
        """Send a file once: a second try could store it twice."""
        boundary = token_hex(16)
        named = title.replace("\\", "_").replace('"', "%22")
        head = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="note"\r\n\r\n{text}\r\n'
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{named}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n"
        )
        body = head.encode() + content + f"\r\n--{boundary}--\r\n".encode()
        kind = f"multipart/form-data; boundary={boundary}"
        return self._asked(Request(f"{self._address}/hand-in", body, {"Content-Type": kind}))  # noqa: S310 - of http

    def get(self, path: str) -> Mapping[str, Any]:
        """Request a job, with several tries."""
        parts = urlsplit(self._address)
        for number in range(MOST_TRIES):
            try:
                return self._asked(Request(f"{parts.scheme}://{parts.netloc}{path}"))  # noqa: S310 - likewise
            except _BusyError:
                if number == MOST_TRIES - 1:
                    raise
                time.sleep(2.0**number)
        raise AssertionError("the last try ends the loop")

    def _asked(self, request: Request) -> Mapping[str, Any]:
        request.add_header("Authorization", f"Bearer {self._token}")
        request.add_header("Accept", "application/json")
        try:
            with self._opener.open(request, timeout=SECONDS) as answer:
                data: Mapping[str, Any] = json.loads(answer.read())
                return data
        except HTTPError as error:
            with error:
                raise _kind(error.code)(f"{self._address}: {_words(error)}") from error
        except (URLError, OSError, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise _BusyError(
                f"{self._address}: the portal does not answer: {reason}. Check the address."
            ) from error


class UploadError(PortalError):
    """A portal rejects the upload."""


class _BusyError(PortalError):
    """A portal does not answer now, but may answer later."""


def _kind(status: int) -> type[PortalError]:
    if status in REFUSING:
        return UploadError
    return _BusyError if status in BUSY else PortalError


def _words(error: HTTPError) -> str:
    """Return the reason that a portal gives for a refusal."""
    try:
        reason = str(json.loads(error.read(100_000))["error"])
    except (ValueError, KeyError, TypeError, OSError):
        reason = "this is not the page of a portal's course; check the address"
    return f"{reason} (status {error.code})"


def _course_at(address: str) -> str:
    """Return the address of a course's page without a longer path.

    Raises: UsageError, if it is not valid.
    """
    parts = urlsplit(address)
    if parts.scheme == "http" and parts.hostname not in HERE:
        raise click.UsageError("--to: http:// is not encrypted; use https://")
    pieces = parts.path.strip("/").split("/")
    if len(pieces) != 2 or pieces[0] != "c" or not parts.hostname or "@" in parts.netloc:  # noqa: PLR2004 - c and the course
        raise click.UsageError(
            f"--to: {address} is not the address of a course, such as "
            "https://cards.example.edu/c/cs101"
        )
    return f"{parts.scheme}://{parts.netloc}/c/{pieces[1]}"


def _packed(path: Path) -> tuple[str, bytes]:
    """Return the content of a file, or a folder as a zip.

    Raises: SubmissionError, if it cannot be read.
    """
    files = files_at(path)
    if not path.is_dir():
        return next(iter(files.items()))
    # Large files that no competitor needs, such as compiled ones, stay here.
    language = whole_in(files)
    files = {name: each for name, each in files.items() if not language or language.wants(name)}
    check_sizes(files)
    made = BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return f"{path.resolve().name}.zip", made.getvalue()
