"""Signing in at a provider of OpenID Connect: the code flow with PKCE.

The provider is the one that the administrator named; nothing of a request says which. A sign-in
that was begun is bound to the browser by a cookie, serves once and for ten minutes, and the
identity is the provider's issuer with its subject: a mail address there is no identity here.
Source: OpenID Connect Core 1.0, RFC 7636, RFC 9700.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import compare_digest, token_urlsafe
from time import time
from typing import Any
from urllib.parse import urlencode

import httpx
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from tourney.errors import PortalError
from tourney.event.store import Database
from tourney.portal.accounts import Identity
from tourney.portal.database import hash_of, now, setting, time_text

LASTS = timedelta(minutes=10)
ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"]
"""Of signatures: none with a secret that both sides have."""
SLACK = 60
"""Seconds by which the provider's clock may differ."""
SECONDS = 10.0
FAILED = "sign-in: expected an answer of the provider that fits the sign-in you began, got another"


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
    path, secret = setting(database, "openid_secret_file"), ""
    if path:
        try:
            secret = Path(path).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise PortalError(
                f"{path}: expected the provider's secret, got {error.strerror}"
            ) from error
    return Provider(issuer, setting(database, "openid_client"), secret)


async def begin(database: Database, provider: Provider, back: str, here: str) -> tuple[str, str]:
    """Begin a sign-in.

    Args:
        database: The portal's.
        provider: Where.
        back: The page to go on to in the end.
        here: The address that the provider sends the browser back to.
    Returns: The provider's address to send the browser to, and the state that its cookie holds.
    """
    told = await _fetched(f"{provider.issuer.rstrip('/')}/.well-known/openid-configuration")
    if told.get("issuer") != provider.issuer:
        raise PortalError("sign-in: expected the provider to call itself as it was named here")
    state, nonce, verifier = token_urlsafe(32), token_urlsafe(32), token_urlsafe(48)
    database.execute(
        "INSERT INTO sign_ins (hash, nonce, verifier, back, expires) VALUES (?, ?, ?, ?, ?)",
        (hash_of(state), nonce, verifier, back, time_text(datetime.now(UTC) + LASTS)),
    )
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
    return f"{told['authorization_endpoint']}?{urlencode(asked)}", state


async def complete(
    database: Database,
    provider: Provider,
    answer: Mapping[str, str],
    kept_state: str,
    here: str,
) -> tuple[Identity, str]:
    """Take a provider's answer.

    Args:
        database: The portal's.
        provider: The one that was named.
        answer: What the browser brought: `state`, `code`, perhaps `iss`.
        kept_state: What its cookie holds.
        here: The address that it came to.
    Returns: Who it is, and the page to go on to.
    Raises: PortalError, if it does not fit what was begun, in this browser, once.
    """
    state = answer.get("state", "")
    if not state or not compare_digest(state.encode(), kept_state.encode()):
        raise PortalError(FAILED)
    if answer.get("iss", provider.issuer) != provider.issuer:
        raise PortalError(FAILED)
    with database.transaction():
        row = database.first(
            "SELECT nonce, verifier, back FROM sign_ins WHERE hash = ? AND expires > ?",
            (hash_of(state), now()),
        )
        database.execute("DELETE FROM sign_ins WHERE hash = ?", (hash_of(state),))
    if row is None or not answer.get("code"):
        raise PortalError(FAILED)
    nonce, verifier, back = row
    claims = await _claims(provider, answer["code"], verifier, nonce, here)
    identity = Identity(
        provider.issuer,
        str(claims["sub"]),
        str(claims.get("name") or claims.get("preferred_username") or "")[:200],
        str(claims.get("email") or claims.get("preferred_username") or "")[:200],
    )
    return identity, str(back)


async def _claims(
    provider: Provider, code: str, verifier: str, nonce: str, here: str
) -> Mapping[str, Any]:
    """Exchange a code for what the provider says of somebody, and check all of it."""
    told = await _fetched(f"{provider.issuer.rstrip('/')}/.well-known/openid-configuration")
    fields = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": here,
        "code_verifier": verifier,
        "client_id": provider.client,
    }
    auth = httpx.BasicAuth(provider.client, provider.secret) if provider.secret else None
    answer, keys = await asyncio.gather(
        _fetched(told["token_endpoint"], fields, auth), _fetched(told["jwks_uri"])
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
    url: str, fields: Mapping[str, str] | None = None, auth: httpx.Auth | None = None
) -> dict[str, Any]:
    """Ask the provider for JSON."""
    try:
        async with httpx.AsyncClient(timeout=SECONDS, auth=auth) as client:
            if fields is None:
                answer = await client.get(url)
            else:
                answer = await client.post(url, data=dict(fields))
            answer.raise_for_status()
            found = answer.json()
    except (httpx.HTTPError, ValueError) as error:
        raise PortalError(
            "sign-in: expected an answer of the provider, got none that makes sense; try again, or "
            "sign in with a password"
        ) from error
    if not isinstance(found, dict):
        raise PortalError(FAILED)
    return found
