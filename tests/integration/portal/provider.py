"""A provider of OpenID Connect on loopback, which can be told to lie."""

import json
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_urlsafe
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

KEY, ANOTHER = (RSAKey.generate_key(2048, {"kid": "one"}) for _ in range(2))
CLIENT = "the portal"


@dataclass
class Provider:
    """What it says of whoever signs in, and how it lies."""

    issuer: str = ""
    claims: dict[str, Any] = field(default_factory=dict)  # in place of the honest ones
    key: RSAKey = field(default_factory=lambda: KEY)  # that it signs with
    begun: dict[str, dict[str, str]] = field(default_factory=dict)  # by code

    def authorise(self, address: str) -> tuple[str, str]:
        """Let the person at a browser consent; give the code and the state that go back."""
        asked = {name: each[0] for name, each in parse_qs(urlsplit(address).query).items()}
        assert asked["code_challenge_method"] == "S256"
        code = token_urlsafe(8)
        self.begun[code] = asked
        return code, asked["state"]

    def token(self, fields: dict[str, str]) -> dict[str, str] | None:
        """Exchange a code, once, for who brings what its challenge was made of."""
        asked = self.begun.pop(fields["code"], None)
        digest = sha256(fields["code_verifier"].encode()).digest()
        made = urlsafe_b64encode(digest).rstrip(b"=").decode()
        if asked is None or asked["code_challenge"] != made:
            return None
        honest = {
            "iss": self.issuer,
            "sub": "subject-1",
            "aud": CLIENT,
            "iat": int(time.time()),
            "exp": int(time.time()) + 60,
            "nonce": asked["nonce"],
            "name": "Ada Lovelace",
            "email": "ada@university.example",
        }
        signed = jwt.encode({"alg": "RS256", "kid": "one"}, {**honest, **self.claims}, self.key)
        return {"access_token": "x", "token_type": "Bearer", "id_token": signed}


@contextmanager
def provided() -> Iterator[Provider]:
    """Run a provider as long as the test does."""
    provider = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.endswith("openid-configuration"):
                ends = ("authorization", "token")
                told: dict[str, Any] = {f"{end}_endpoint": f"{home}/{end}" for end in ends}
                self.say({"issuer": provider.issuer, "jwks_uri": f"{home}/keys", **told})
            elif "/authorization?" in self.path:  # whose browser it is consents at once
                code, state = provider.authorise(self.path)
                back = provider.begun[code]["redirect_uri"]
                self.send_response(303)
                self.send_header("location", f"{back}?{urlencode({'code': code, 'state': state})}")
                self.end_headers()
            else:
                self.say({"keys": [KEY.as_dict(private=False)]})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            fields = {name: each[0] for name, each in parse_qs(body).items()}
            answer = provider.token(fields)
            self.say(answer or {"error": "invalid_grant"}, 200 if answer else 400)

        def say(self, told: dict[str, Any], status: int = 200) -> None:
            body = json.dumps(told).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Stay silent."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        home = f"http://127.0.0.1:{server.server_address[1]}"
        provider.issuer = home
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield provider
        server.shutdown()
        thread.join()
