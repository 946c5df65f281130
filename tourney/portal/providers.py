"""The OpenID Connect provider that an administrator has named, and requests to it.

Its secret stays in a file that the administrator of the machine wrote: neither the database nor a
page ever holds it. Requests to a provider's addresses use TLS, or stay on this machine if the
provider is there too. They have a limited time and size, and follow no redirects.
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from tourney.errors import PortalError
from tourney.portal import audit
from tourney.portal.database import set_setting, setting
from tourney.portal.secret_files import secret_in
from tourney.sqlite.database import Database

SECONDS = 10.0
"""Time limit for a complete answer of the provider."""
MOST_BYTES = 200_000
LONGEST = 500
HERE = frozenset({"127.0.0.1", "::1", "localhost"})
ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"]
"""Of signatures: no algorithm with a shared secret."""
ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider as the administrator named it."""

    issuer: str
    client: str
    secret: str  # empty for a public client


def provider_of(database: Database) -> Provider | None:
    """Give the provider of a portal; `None` without one.

    Raises: PortalError, if the file with its secret cannot be read.
    """
    issuer = setting(database, "openid_issuer")
    if not issuer:
        return None
    path = setting(database, "openid_secret_file")
    return Provider(issuer, setting(database, "openid_client"), secret_in(path))


def name_provider(database: Database, issuer: str, client: str, path: str, by: int) -> None:
    """Store the provider, in a transaction of the caller; an empty issuer removes it.

    Raises: PortalError, if its fields are invalid.
    """
    if issuer:
        check_provider(issuer, client, path)
    else:
        client = path = ""
    for name, value in (("issuer", issuer), ("client", client), ("secret_file", path)):
        set_setting(database, f"openid_{name}", value)
    audit.note(database, "provider named", account=by, issuer=issuer, client=client)


def check_provider(issuer: str, client: str, path: str) -> Provider:
    """Give a provider from typed fields.

    Raises: PortalError, if they are invalid.
    """
    check_address(issuer)
    if "?" in issuer or len(issuer) > LONGEST:
        raise PortalError("issuer: it has a '?' or no host; enter the provider's issuer address")
    if not client or len(client) > LONGEST or not client.isprintable():
        raise PortalError("client: it is empty; enter the client ID of this portal at the provider")
    if path and not Path(path).is_absolute():
        raise PortalError("secret file: enter an absolute path, such as /etc/tourney/openid-secret")
    return Provider(issuer, client, secret_in(path))


def check_address(url: object, issuer: str = "") -> str:
    """Give an address that may be requested.

    Raises: PortalError, if it is neither https nor on this machine together with its issuer.
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
            f"provider: {str(url)[:99]} is not possible; use https, or an address of this machine"
        )
    return str(url)


def configuration_of(issuer: str) -> str:
    """Give the address of a provider's configuration."""
    return f"{issuer.rstrip('/')}/.well-known/openid-configuration"


async def ask(
    url: object,
    issuer: str,
    fields: Mapping[str, str] | None = None,
    auth: httpx.Auth | None = None,
) -> dict[str, Any]:
    """Request JSON from a provider.

    Raises: PortalError, with the actual answer, if it is not JSON.
    """
    address, method = check_address(url, issuer), "GET" if fields is None else "POST"
    # A small compressed answer could become large.
    body, headers = bytearray(), {"accept-encoding": "identity"}
    try:
        async with (
            asyncio.timeout(SECONDS),
            httpx.AsyncClient(timeout=SECONDS, auth=auth, headers=headers) as client,
            client.stream(method, address, data=fields) as answer,
        ):
            if answer.is_redirect:
                raise PortalError(_unlike(address, "it redirects to another address"))
            answer.raise_for_status()
            async for chunk in answer.aiter_raw():
                body += chunk
                if len(body) > MOST_BYTES:
                    raise PortalError(_unlike(address, "the answer is too long"))
        found = json.loads(body)
    except httpx.HTTPStatusError as error:
        raise PortalError(
            _unlike(address, f"the answer has status {error.response.status_code}")
        ) from error
    except (TimeoutError, httpx.TimeoutException) as error:
        raise PortalError(_unlike(address, f"there is no answer within {SECONDS:g} s")) from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise PortalError(_unlike(address, f"there is no answer ({error})")) from error
    except (ValueError, RecursionError) as error:
        raise PortalError(_unlike(address, "the answer is not a JSON object")) from error
    if not isinstance(found, dict):
        raise PortalError(_unlike(address, "the answer is not a JSON object"))
    return found


def _unlike(address: str, fault: str) -> str:
    most = f"{MOST_BYTES // 1000} kB"
    return f"{address}: {fault}; check the issuer (the portal reads JSON of up to {most})"


async def tried(provider: Provider) -> tuple[str, ...]:
    """Request a provider's abilities, without a sign-in; describe the answer.

    Raises: PortalError, if sign-ins would fail there.
    """
    issuer = provider.issuer
    configuration = await ask(configuration_of(issuer), issuer)
    if (named := configuration.get("issuer")) != issuer:
        raise PortalError(
            f"issuer: the provider at {issuer} calls itself {str(named)[:LONGEST]}; enter that"
        )
    for name in ENDPOINTS:
        if name not in configuration:
            raise PortalError(f"provider: its configuration has no {name}; ask its operators")
        check_address(configuration[name], issuer)
    _check_says(configuration, "id_token_signing_alg_values_supported", ALGORITHMS)
    _check_says(configuration, "code_challenge_methods_supported", ["S256"])
    keys = (await ask(configuration["jwks_uri"], issuer)).get("keys")
    if not isinstance(keys, list) or not keys:
        raise PortalError("provider: it publishes no signature keys; ask its operators")
    return (
        f"The provider answers, with the issuer {issuer}.",
        f"People sign in at {configuration['authorization_endpoint']}.",
        f"It publishes {len(keys)} signature {'key' if len(keys) == 1 else 'keys'}.",
        "The portal can read the secret; only a sign-in can test it."
        if provider.secret
        else "There is no secret (public client).",
    )


def _check_says(configuration: Mapping[str, Any], name: str, wanted: list[str]) -> None:
    """Reject a provider that supports other values only; a missing statement is accepted."""
    supported = configuration.get(name)
    if isinstance(supported, list) and not {str(each) for each in supported} & set(wanted):
        raise PortalError(
            f"provider: its {name} has none of {', '.join(wanted)}, which the portal needs"
        )
