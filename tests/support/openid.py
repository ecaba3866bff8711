"""A minimal OpenID Connect provider with one person, who is always signed in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

CLIENT, SECRET, CODE, ACCESS = "arena", "a secret of two", "a code", "an access token"
PERSON = {"sub": "7", "email": "ada@example.com", "email_verified": True, "preferred_username": "ada"}


class _Service(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        url = urlsplit(self.path)
        here = f"http://127.0.0.1:{self.server.server_port}"  # type: ignore[attr-defined]  # it listens
        if url.path == "/authorize":
            asked = {word: values[0] for word, values in parse_qs(url.query).items()}
            assert asked["client_id"] == CLIENT
            self.send_response(302)
            self.send_header(
                "Location", f"{asked['redirect_uri']}?{urlencode({'code': CODE, 'state': asked['state']})}"
            )
            self.end_headers()
        elif url.path == "/person":
            self._say(PERSON if self.headers["Authorization"] == f"Bearer {ACCESS}" else {}, 200)
        else:
            ends = {"authorization": "authorize", "token": "token", "userinfo": "person"}
            told = {f"{word}_endpoint": f"{here}/{path}" for word, path in ends.items()}
            self._say({"issuer": here, "jwks_uri": f"{here}/keys", **told}, 200)

    def do_POST(self) -> None:
        said = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        known = said.get("code") == [CODE] and said.get("client_secret") == [SECRET]
        self._say({"access_token": ACCESS, "token_type": "bearer"} if known else {"error": "invalid_grant"}, 200)

    def _say(self, told: dict[str, Any], status: int) -> None:
        body = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_words: Any) -> None:
        """Log nothing."""


@contextmanager
def other_service() -> Iterator[str]:
    """Serve the provider during the `with` block; yield its URL."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Service) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
