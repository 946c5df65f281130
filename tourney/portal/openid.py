"""Sign-in with an OpenID Connect provider: the code flow with PKCE.

The provider is always the one that the administrator named, independent of the request. A sign-in
is bound to the browser by a cookie, and works once within ten minutes. The identity is the
provider's issuer with its subject; a mail address is not an identity.
Source: OpenID Connect Core 1.0, RFC 7636, RFC 9700.
"""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
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
from tourney.portal.accounts import Identity
from tourney.portal.database import hash_of, now, time_text
from tourney.portal.providers import ALGORITHMS, Provider, ask, check_address, configuration_of
from tourney.portal.signed_texts import read_signed, sign
from tourney.sqlite.database import Database

LASTS, PURPOSE = timedelta(minutes=10), "openid"
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
        "expires": time_text(datetime.now(UTC) + LASTS),
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
