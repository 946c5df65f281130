"""The provider of OpenID Connect that an administrator has named, and how it is asked.

Its secret stays in a file that the administrator of the machine wrote: neither the database nor a
page ever holds it. Whatever a provider names is asked by TLS, or on this machine where the provider
is there too; for a limited time, up to a limited size, and without following it elsewhere.
"""

import asyncio
import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from tourney.errors import PortalError
from tourney.portal import audit
from tourney.portal.database import set_setting, setting
from tourney.sqlite.database import Database

SECONDS = 10.0
"""For an answer of the provider, all of it."""
MOST_BYTES = 200_000
LONGEST = 500
LONGEST_SECRET = 1000
HERE = frozenset({"127.0.0.1", "::1", "localhost"})
ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"]
"""Of signatures: none with a secret that both sides have."""
ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider as the administrator named it."""

    issuer: str
    client: str
    secret: str  # empty for a public client


def provider_of(database: Database) -> Provider | None:
    """Give the provider of a portal; None if none was named.

    Raises: PortalError, if the file with its secret cannot be read.
    """
    issuer = setting(database, "openid_issuer")
    if not issuer:
        return None
    path = setting(database, "openid_secret_file")
    return Provider(issuer, setting(database, "openid_client"), secret_in(path))


def secret_in(path: str) -> str:
    """Read a provider's secret; empty for an empty path.

    Raises: PortalError, if it is no file of this account with mode 600 and one line.
    """
    if not path:
        return ""
    try:
        # Whoever can name a file here is not told what else there is: every fault says the same.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            about = os.fstat(descriptor)
            is_ours = stat.S_ISREG(about.st_mode) and about.st_uid == os.geteuid()
            is_ours = is_ours and not about.st_mode & 0o177
            text = file.read(LONGEST_SECRET + 1).decode().strip() if is_ours else ""
    except (OSError, ValueError):
        text = ""
    if not text or len(text) > LONGEST_SECRET or not text.isprintable():
        raise PortalError(
            "secret file: expected a file of the account that serves the portal, with mode 600 and "
            "the provider's secret on its only line; got none there"
        )
    return text


def name_provider(database: Database, issuer: str, client: str, path: str, by: int) -> None:
    """Keep who the provider is, in a transaction of the caller's; an empty issuer is none.

    Raises: PortalError, if it is none that can be asked.
    """
    if issuer:
        check_provider(issuer, client, path)
    else:
        client = path = ""
    for name, value in (("issuer", issuer), ("client", client), ("secret_file", path)):
        set_setting(database, f"openid_{name}", value)
    audit.note(database, "provider named", account=by, issuer=issuer, client=client)


def check_provider(issuer: str, client: str, path: str) -> Provider:
    """Give a provider as it was typed.

    Raises: PortalError, if it is none that can be asked.
    """
    check_address(issuer)
    if "?" in issuer or len(issuer) > LONGEST:
        raise PortalError("issuer: expected an address without '?', as the provider calls itself")
    if not client or len(client) > LONGEST or not client.isprintable():
        raise PortalError("client: expected what the provider calls this portal, got nothing")
    if path and not Path(path).is_absolute():
        raise PortalError("secret file: expected a whole path, such as /etc/tourney/openid-secret")
    return Provider(issuer, client, secret_in(path))


def check_address(url: object, issuer: str = "") -> str:
    """Give an address that may be asked.

    Raises: PortalError, if it is neither https nor of this machine, as its issuer has to be then.
    """
    try:
        parts = urlsplit(str(url))
        is_here = parts.hostname in HERE
        is_fit = parts.scheme == "https" or (parts.scheme == "http" and is_here)
        is_fit = is_fit and bool(parts.hostname) and "@" not in parts.netloc and not parts.fragment
        if is_here and issuer:
            is_fit = is_fit and urlsplit(issuer).hostname in HERE
    except ValueError:
        is_fit = False
    if not is_fit or not str(url).isprintable() or "\\" in str(url):
        raise PortalError(
            f"provider: expected an address with https, or one of this machine, got {str(url)[:99]}"
        )
    return str(url)


def configuration_of(issuer: str) -> str:
    """Give the address at which a provider says what it can do."""
    return f"{issuer.rstrip('/')}/.well-known/openid-configuration"


async def ask(
    url: object,
    issuer: str,
    fields: Mapping[str, str] | None = None,
    auth: httpx.Auth | None = None,
) -> dict[str, Any]:
    """Ask a provider for JSON.

    Raises: PortalError, if it gives none: says what came instead.
    """
    address, method = check_address(url, issuer), "GET" if fields is None else "POST"
    body, headers = bytearray(), {"accept-encoding": "identity"}  # or little could become much
    try:
        async with (
            asyncio.timeout(SECONDS),
            httpx.AsyncClient(timeout=SECONDS, auth=auth, headers=headers) as client,
            client.stream(method, address, data=fields) as answer,
        ):
            if answer.is_redirect:
                raise PortalError(_unlike(address, "one that names another address"))
            answer.raise_for_status()
            async for chunk in answer.aiter_raw():
                body += chunk
                if len(body) > MOST_BYTES:
                    raise PortalError(_unlike(address, "a longer one"))
        found = json.loads(body)
    except httpx.HTTPStatusError as error:
        raise PortalError(_unlike(address, f"status {error.response.status_code}")) from error
    except (TimeoutError, httpx.TimeoutException) as error:
        raise PortalError(_unlike(address, f"none within {SECONDS:g} s")) from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise PortalError(_unlike(address, f"none ({error})")) from error
    except (ValueError, RecursionError) as error:
        raise PortalError(_unlike(address, "something else")) from error
    if not isinstance(found, dict):
        raise PortalError(_unlike(address, "something else"))
    return found


def _unlike(address: str, got: str) -> str:
    return f"{address}: expected an answer in JSON of up to {MOST_BYTES // 1000} kB, got {got}"


async def tried(provider: Provider) -> tuple[str, ...]:
    """Ask a provider what it can do, without signing anybody in; say what came, in words.

    Raises: PortalError, if nobody could sign in there.
    """
    issuer = provider.issuer
    told = await ask(configuration_of(issuer), issuer)
    if told.get("issuer") != issuer:
        raise PortalError(
            f"issuer: expected what the provider calls itself, got {issuer}; it says "
            f"{str(told.get('issuer'))[:LONGEST]}"
        )
    for name in ENDPOINTS:
        if name not in told:
            raise PortalError(f"provider: expected it to name its {name}, got none")
        check_address(told[name], issuer)
    _check_says(told, "id_token_signing_alg_values_supported", ALGORITHMS)
    _check_says(told, "code_challenge_methods_supported", ["S256"])
    keys = (await ask(told["jwks_uri"], issuer)).get("keys")
    if not isinstance(keys, list) or not keys:
        raise PortalError("provider: expected keys that it signs with, got none")
    return (
        f"It answers, and calls itself {issuer}.",
        f"People sign in at {told['authorization_endpoint']}.",
        f"It signs with {len(keys)} {'key' if len(keys) == 1 else 'keys'} that it shows.",
        "The secret could be read; whether it is the right one shows when somebody signs in."
        if provider.secret
        else "There is no secret, as for a public client.",
    )


def _check_says(told: Mapping[str, Any], name: str, wanted: list[str]) -> None:
    """Refuse a provider that says it can do other things only; who says nothing may."""
    said = told.get(name)
    if isinstance(said, list) and not {str(each) for each in said} & set(wanted):
        raise PortalError(f"provider: expected {name} with one of {', '.join(wanted)}, got others")
