"""Sign-in with the OpenID Connect provider that an administrator has named.

Its secret stays in a file that the administrator of the machine wrote: neither the database nor a
page ever holds it. Requests to a provider's addresses use TLS, or stay on this machine if the
provider is there too. They have a limited time and size, and follow no redirects.

The provider is always the one that the administrator named, independent of the request. A sign-in
is bound to the browser by a cookie, and works once within ten minutes. The identity is the
provider's issuer with its subject; a mail address is not an identity.
Source: OpenID Connect Core 1.0, RFC 7636, RFC 9700.
"""

import asyncio
import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import compare_digest, token_urlsafe
from time import time
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from tourney.errors import PortalError
from tourney.portal import audit
from tourney.portal.accounts import Identity
from tourney.portal.database import hash_of, now, set_setting, setting, time_text
from tourney.portal.sessions import read_signed, sign
from tourney.sqlite.database import Database

LONGEST_SECRET = 1000


def secret_in(path: str) -> str:
    """Read a secret; empty for an empty path.

    Raises: PortalError, if it is not a file of this user with mode 600 and one line.
    """
    if not path:
        return ""
    try:
        # All faults have the same text, so that the field does not reveal other files.
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
            "secret file: it cannot be used; name a file of the user that serves the portal, with "
            "mode 600 and the secret on its only line"
        )
    return text


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


SIGN_IN_LIFETIME, PURPOSE = timedelta(minutes=10), "openid"
SLACK = 60
"""Tolerance for the provider's clock, in seconds."""
FAILED = (
    "sign-in: the provider's answer does not match your sign-in, or was already used; sign in again"
)


async def begin(
    database: Database, provider: Provider, back: str, here: str, *, session: str = ""
) -> tuple[str, str]:
    """Begin a sign-in.

    Args:
        database: The portal's.
        provider: The provider.
        back: The page to open afterwards.
        here: The address to which the provider sends the browser back.
        session: The id of the session that connects the identity to its account; empty to sign in.
    Returns: The provider's address for the browser, and the content of the cookie. It holds the
        whole state, so that a stranger who never completes a sign-in uses no memory here.
    """
    configuration = await _fetched(configuration_of(provider.issuer), provider)
    if configuration.get("issuer") != provider.issuer:
        raise PortalError(
            "sign-in: the provider's issuer differs from the one named here; ask an administrator"
        )
    endpoint = check_address(configuration.get("authorization_endpoint"), provider.issuer)
    state, nonce, verifier = token_urlsafe(32), token_urlsafe(32), token_urlsafe(48)
    begun = {
        "state": state,
        "nonce": nonce,
        "verifier": verifier,
        "back": back,
        "session": session,
        "expires": time_text(datetime.now(UTC) + SIGN_IN_LIFETIME),
    }
    asked = {
        "response_type": "code",
        "client_id": provider.client,
        "redirect_uri": here,
        "scope": "openid profile email",
        "state": state,
        "nonce": nonce,
        "code_challenge": create_s256_code_challenge(verifier),
        "code_challenge_method": "S256",
    }
    return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(asked)}", sign(
        database, PURPOSE, begun
    )


async def complete(
    database: Database,
    provider: Provider,
    answer: Mapping[str, str],
    kept: str,
    here: str,
) -> tuple[Identity, str, str]:
    """Complete a sign-in with the provider's answer.

    Args:
        database: The portal's.
        provider: The named provider.
        answer: The fields from the browser: `state`, `code`, perhaps `iss`.
        kept: Content of its cookie.
        here: The address of this request.
    Returns: The identity, the page to open, and the id of the session that connects the identity,
        if one does.
    Raises: PortalError, if the answer does not match this browser's sign-in, or was used before.
    """
    begun, state = read_signed(database, PURPOSE, kept) or {}, answer.get("state", "")
    if not state or not compare_digest(state.encode(), begun.get("state", "").encode()):
        raise PortalError(FAILED)
    if answer.get("iss", provider.issuer) != provider.issuer:
        raise PortalError(FAILED)
    was_used = database.first("SELECT 1 FROM sign_ins WHERE hash = ?", (hash_of(state),))
    if was_used or begun["expires"] <= now() or not answer.get("code"):
        raise PortalError(FAILED)
    claims = await _claims(provider, answer["code"], begun["verifier"], begun["nonce"], here)
    sql = "INSERT OR IGNORE INTO sign_ins VALUES (?, '', '', '', ?, '')"  # it works once
    if not database.execute(sql, (hash_of(state), begun["expires"])):
        raise PortalError(FAILED)
    identity = Identity(
        provider.issuer,
        str(claims["sub"]),
        str(claims.get("name") or claims.get("preferred_username") or "")[:200],
        str(claims.get("email") or claims.get("preferred_username") or "")[:200],
    )
    return identity, begun["back"], begun["session"]


async def _claims(
    provider: Provider, code: str, verifier: str, nonce: str, here: str
) -> Mapping[str, Any]:
    """Exchange a code for the provider's claims about a person, and verify all of them."""
    configuration = await _fetched(configuration_of(provider.issuer), provider)
    fields = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": here,
        "code_verifier": verifier,
        "client_id": provider.client,
    }
    auth = httpx.BasicAuth(provider.client, provider.secret) if provider.secret else None
    answer, keys = await asyncio.gather(
        _fetched(configuration.get("token_endpoint"), provider, fields, auth),
        _fetched(configuration.get("jwks_uri"), provider),
    )
    try:
        token = jwt.decode(
            answer["id_token"], KeySet.import_key_set({"keys": keys["keys"]}), algorithms=ALGORITHMS
        )
        claims = CodeIDToken(
            token.claims,
            token.header,
            {
                "iss": {"essential": True, "value": provider.issuer},
                "aud": {"essential": True, "value": provider.client},
                "nonce": {"essential": True, "value": nonce},
            },
            {"nonce": nonce, "client_id": provider.client},
        )
        claims.validate(now=int(time()), leeway=SLACK)
    except (JoseError, ValueError, KeyError, TypeError) as error:
        raise PortalError(FAILED) from error
    return dict(claims)


async def _fetched(
    url: object,
    provider: Provider,
    fields: Mapping[str, str] | None = None,
    auth: httpx.Auth | None = None,
) -> dict[str, Any]:
    """Request JSON from the provider; a fault shows fewer details to users than to admins."""
    try:
        return await ask(url, provider.issuer, fields, auth)
    except PortalError as error:
        raise PortalError(
            "sign-in: the provider did not send a usable answer; try again, or sign in with a "
            "password"
        ) from error
