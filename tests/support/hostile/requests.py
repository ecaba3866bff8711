"""Random malicious requests: every URL and parameter of the site, with values that break other sites."""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from hypothesis import strategies as st

from tests.support.addresses import list_parameter_names, list_url_patterns

METHODS = ("GET", "GET", "GET", "GET", "HEAD", "OPTIONS", "POST", "POST", "PUT", "PATCH", "DELETE")
NASTY_TEXTS = (
    "", "0", "-1", "1", "100", "99999999999", "9" * 400, "1e309", "NaN", "0x10", "²", "١", "٣٣", "\0", "a\0b", "\ud800",
    "é", "日本", "\u202e", "\r\nX: y", "../..", "%", "%00", "%ff", "%2e%2e", "'", '"; --', "<script>", "{{ 7*7 }}",
    "null", "[]", "[" * 4000, "{}", "true", "won", "lost", "json", "xml", "all", "public", "9999-12-31T23:59:59Z",
    "http://[", "http://testserver/matches/\0/", "//", "/", "http://testserver/%00", "x" * 5000, "-0", "+1", " 1",
)  # fmt: skip
TIMES = ("0001-01-01T00:00:00+00:00", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "2026-01-01T00:00:00")
ATOMS: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from((*NASTY_TEXTS, *TIMES, None, True, 0, -1, 2**31, 2**31 - 1, 2**63, 2**64, 10**400, 1.5, 1e308)),
    st.text(max_size=20),
    st.integers(),
)
CURSORS = st.lists(st.one_of(ATOMS, st.lists(ATOMS, max_size=2)), max_size=5).map(
    lambda values: urlsafe_b64encode(json.dumps(values).encode()).decode()
)
"""Cursors in the encoding of the site's own cursors, with random contents."""
VALUES = st.one_of(st.sampled_from(NASTY_TEXTS), st.text(max_size=30), CURSORS, st.integers().map(str))
HEADERS = (
    "Authorization", "Cookie", "Accept", "Accept-Language", "If-None-Match", "If-Modified-Since", "HX-Request", "Host",
    "Content-Type", "X-Forwarded-For", "X-Forwarded-Proto", "X-HTTP-Method-Override", "Range", "Referer", "Origin",
    "X-CSRFToken", "X-Request-ID", "X-Correlation-ID", "User-Agent",
)  # fmt: skip
SAID = ("Token é", "Token " + "0" * 64, "Token \ud800", "Token", "Token a b", "Basic x", "sessionid=\0",
        "sessionid=é", "csrftoken=x; sessionid=" + "a" * 32, "application/json", "multipart/form-data", "text/html;q=x",
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencoded; charset=nonsense", "W/\"x", "[::1", "a b",
        "Thu, 99 Foo 10000 99:99:99 GMT", "bytes=0-,-1")  # fmt: skip
BODIES = (b"", b"token=%00", b"token=%ff%fe", b"{", b"[]", b"null", b'{"file": 1}', b"a=1&" * 2000, b"\xff" * 100,
          b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\x00.py\"\r\n\r\n\x00\r\n--x--\r\n",
          b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename*=nonsense''%ff\r\n\r\nx\r\n--x--\r\n",
          b"--x\r\nContent-Disposition: form-data; name=\"game\"\r\nContent-Transfer-Encoding: base64\r\n\r\n%\r\n",
          b"revoke=\xff", b"revoke=%00")  # fmt: skip


@dataclass(frozen=True, slots=True)
class RandomRequest:
    """One random request."""

    method: str
    path: str
    query: tuple[tuple[str, str], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    signed_in: bool = False

    @property
    def target(self) -> str:
        """The path and query string of the request."""
        query = "&".join(f"{_quoted(word)}={_quoted(value)}" for word, value in self.query)
        return self.path + (f"?{query}" if query else "")


def _quoted(text: str) -> str:
    return quote(text.encode("utf-8", "surrogatepass"), safe="")


@st.composite
def draw_request(draw: st.DrawFn, known: dict[str, list[str]]) -> RandomRequest:
    """Draw a request; `known` maps each placeholder of a URL to values of existing objects."""

    def filled(found: re.Match[str]) -> str:
        real = known.get(found[1], ["x"])
        return _quoted(draw(st.one_of(st.sampled_from(real), st.sampled_from(real), VALUES)))

    path = re.sub(r"<(?:\w+:)?(\w+)>", filled, draw(st.sampled_from(sorted(set(list_url_patterns())))))
    path = draw(st.sampled_from((path, path, path, path, path.rstrip("/"), path + _quoted(draw(VALUES)))))
    real = [value for values in known.values() for value in values]
    values = st.one_of(VALUES, st.sampled_from(real))
    query = draw(st.lists(st.tuples(st.one_of(st.sampled_from(list_parameter_names()), VALUES), values), max_size=3))
    headers = draw(st.lists(st.tuples(st.sampled_from(HEADERS), st.one_of(st.sampled_from(SAID), VALUES)), max_size=2))
    method = draw(st.sampled_from(METHODS))
    body = draw(st.one_of(st.sampled_from(BODIES), st.binary(max_size=60))) if method not in ("GET", "HEAD") else b""
    return RandomRequest(method, path, tuple(query), tuple(headers), body, draw(st.booleans()))
