"""Signing in at a provider of OpenID Connect: the code flow with PKCE.

The provider is the one that the administrator named; nothing of a request says which. A sign-in
that was begun is bound to the browser by a cookie, serves once and for ten minutes, and the
identity is the provider's issuer with its subject: a mail address there is no identity here.
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
"""Seconds by which the provider's clock may differ."""
FAILED = "sign-in: expected an answer of the provider that fits the sign-in you began, got another"


async def begin(
    database: Database, provider: Provider, back: str, here: str, *, session: str = ""
) -> tuple[str, str]:
    """Begin a sign-in.

    Args:
        database: The portal's.
        provider: Where.
        back: The page to go on to in the end.
        here: The address that the provider sends the browser back to.
        session: The id of the session that joins who it is to its account; empty to sign in.
    Returns: The provider's address to send the browser to, and what its cookie holds: all that was
        begun, so that a stranger who begins and never completes costs no room here.
    """
    told = await _fetched(configuration_of(provider.issuer), provider)
    if told.get("issuer") != provider.issuer:
        raise PortalError("sign-in: expected the provider to call itself as it was named here")
    there = check_address(told.get("authorization_endpoint"), provider.issuer)
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
    return f"{there}{'&' if '?' in there else '?'}{urlencode(asked)}", sign(
        database, PURPOSE, begun
    )


async def complete(
    database: Database,
    provider: Provider,
    answer: Mapping[str, str],
    kept: str,
    here: str,
) -> tuple[Identity, str, str]:
    """Take a provider's answer.

    Args:
        database: The portal's.
        provider: The one that was named.
        answer: What the browser brought: `state`, `code`, perhaps `iss`.
        kept: What its cookie holds.
        here: The address that it came to.
    Returns: Who it is, the page to go on to, and the id of the session that joins them, if one
        does.
    Raises: PortalError, if it does not fit what was begun, in this browser, once.
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
    sql = "INSERT OR IGNORE INTO sign_ins VALUES (?, '', '', '', ?, '')"  # it serves once
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
    """Exchange a code for what the provider says of somebody, and check all of it."""
    told = await _fetched(configuration_of(provider.issuer), provider)
    fields = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": here,
        "code_verifier": verifier,
        "client_id": provider.client,
    }
    auth = httpx.BasicAuth(provider.client, provider.secret) if provider.secret else None
    answer, keys = await asyncio.gather(
        _fetched(told.get("token_endpoint"), provider, fields, auth),
        _fetched(told.get("jwks_uri"), provider),
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
    """Ask the provider for JSON; whoever signs in hears less of a fault than who named it."""
    try:
        return await ask(url, provider.issuer, fields, auth)
    except PortalError as error:
        raise PortalError(
            "sign-in: expected an answer of the provider, got none that makes sense; try again, or "
            "sign in with a password"
        ) from error
