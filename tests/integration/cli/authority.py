"""A time stamp authority by RFC 3161 on this machine alone, made of openssl."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

SETTINGS = """\
[req]
distinguished_name = name
prompt = no
x509_extensions = root
[name]
CN = Root
[root]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
[signer]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[tsa]
default_tsa = stamps
[stamps]
serial = ./serial
crypto_device = builtin
signer_cert = signer.pem
signer_key = signer.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
tsa_name = yes
ess_cert_id_alg = sha256
"""


class Authority:
    """An authority with a root of its own; `root` is the file of its certificate."""

    def __init__(self, folder: Path) -> None:
        """Make its keys."""
        folder.mkdir()
        self.folder, self.root = folder, folder / "root.pem"
        self.url = ""
        (folder / "tsa.cnf").write_text(SETTINGS)
        (folder / "serial").write_text("01")
        days = ["-days", "30"]
        keys = ["-newkey", "rsa:2048", "-nodes", "-config", "tsa.cnf", "-keyout"]
        self._openssl("req", "-x509", *keys, "root.key", "-out", "root.pem", *days)
        subject = ["-subj", "/CN=Tick Stamps"]
        self._openssl("req", *keys, "signer.key", "-out", "signer.csr", *subject)
        signing = ["-CA", "root.pem", "-CAkey", "root.key", "-CAcreateserial"]
        extensions = ["-extfile", "tsa.cnf", "-extensions", "signer"]
        self._openssl(
            *["x509", "-req", "-in", "signer.csr", "-out", "signer.pem"],
            *[*signing, *extensions, *days],
        )

    def answer(self, query: bytes) -> bytes:
        """Stamp what is asked for."""
        (self.folder / "query").write_bytes(query)
        files = ["-queryfile", "query", "-out", "answer"]
        self._openssl("ts", "-reply", "-config", "tsa.cnf", "-section", "stamps", *files)
        return (self.folder / "answer").read_bytes()

    @contextmanager
    def serving(self, change: Any = bytes) -> Iterator["Authority"]:
        """Answer on loopback until the end; `change` may spoil answers."""
        authority = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                query = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(200)
                self.end_headers()
                self.wfile.write(change(authority.answer(query)))

            def log_message(self, *args: object) -> None:
                """Say nothing."""

        with HTTPServer(("127.0.0.1", 0), Handler) as server:
            thread = Thread(target=server.serve_forever)
            thread.start()
            self.url = f"http://127.0.0.1:{server.server_port}"
            yield self
            server.shutdown()
            thread.join()

    def _openssl(self, *arguments: str) -> None:
        subprocess.run(
            ["openssl", *arguments], cwd=self.folder, check=True, capture_output=True, timeout=60
        )
