"""Limits of request sizes, durations and connections."""

from __future__ import annotations

import json
import re
import socket
import stat
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from runpy import run_path
from typing import Any

import httpx
import pytest
from django.conf import settings as ours

from deploy.http import body_size_and_connection_limits as http_limits
from ftk_core.kit.uploads.upload_limits import UPLOAD
from ftk_core.league.intervention_facts import MAX_DESCRIPTION_CHARACTERS
from tests.support.factories import AuthorFactory
from tests.support.live import LiveMatch
from tests.support.served import WebServer, serve
from tests.support.sockets import RawSocket
from tests.support.uploads import create_api_client
from tests.support.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)

MIB = 1024 * 1024
PIECE = b"x" * MIB
FLOOD_MIB = 400
DOORS = (
    *("/", "/sign-in/", "/account/", "/account/tokens/", "/api/v1/bots/uploads/", "/api/v1/matches/", "/nowhere/"),
    "/leagues/night/desk/entries/",
)


@pytest.fixture(scope="module")
def web() -> Iterator[WebServer]:
    with serve() as running:
        yield running


def on_disk() -> int:
    """Return the number of bytes in this process's unnamed files, into which bodies are spooled."""
    total = 0
    for entry in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            about = entry.stat()
            total += about.st_size if stat.S_ISREG(about.st_mode) and not about.st_nlink else 0
    return total


def peak_kib() -> int:
    found = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())
    assert found
    return int(found[1])


def connected(web: WebServer) -> socket.socket:
    return socket.create_connection(("127.0.0.1", web.port), timeout=20)


def head(path: str, *lines: str, method: str = "POST") -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *lines, "", ""]).encode()


def answer(door: socket.socket) -> int:
    """Return the status of the server's response; 0 if it closes the connection without one."""
    with suppress(ConnectionError):
        found = re.match(rb"HTTP/1.1 (\d+)", door.recv(4096))
        return int(found[1]) if found else 0
    return 0


@contextmanager
def watched() -> Iterator[list[int]]:
    """Yield a list that receives the peak of bytes on disk and the growth of the memory's peak in KiB."""
    Path("/proc/self/clear_refs").write_text("5")
    before, seen = peak_kib(), [0, 0]
    yield seen
    seen[1] = peak_kib() - before


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("path", DOORS)
def test_the_server_stores_no_more_of_a_huge_request_body_than_the_limit_of_the_url_path(
    web: WebServer, path: str, chunked: bool
) -> None:
    size = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {FLOOD_MIB * MIB}"
    with closing(connected(web)) as door, watched() as seen:
        door.sendall(head(path, size, "Content-Type: application/x-www-form-urlencoded"))
        others = on_disk()
        with suppress(ConnectionError):
            for _ in range(FLOOD_MIB):
                door.sendall(b"%x\r\n%s\r\n" % (MIB, PIECE) if chunked else PIECE)
                seen[0] = max(seen[0], on_disk() - others)
        assert answer(door) in (413, 0), "0: it hung up on who went on sending"
    assert seen[0] <= (ours.BODY_BYTES.get(path, 0) if chunked else 0)  # a body without a length
    assert seen[1] < 16 * 1024


@pytest.mark.parametrize("path", DOORS)
def test_a_request_body_announced_as_too_large_is_refused_before_it_is_sent(web: WebServer, path: str) -> None:
    with closing(connected(web)) as door:
        door.sendall(head(path, f"Content-Length: {FLOOD_MIB * MIB}", "Expect: 100-continue"))
        assert answer(door) == 413


def test_a_request_body_slightly_over_the_limit_gets_an_error_message(web: WebServer) -> None:
    for path in DOORS:
        said = httpx.post(web.address + path, content=b"x" * (http_limits.max_body_bytes(path) + 1))
        assert (said.status_code, str(http_limits.max_body_bytes(path)) in said.text) == (413, True), said.text


def test_an_upload_of_the_maximum_size_passes_the_body_limit(web: WebServer) -> None:
    form = {"game": "pig", "bot": "ada"}
    token = create_api_client(AuthorFactory.create())._credentials["HTTP_AUTHORIZATION"]
    for extra, code in ((0, "one_line"), (1, "too_large")):
        body = b"#" * (UPLOAD.packed_bytes + extra)
        answer = httpx.post(
            f"{web.address}/api/v1/bots/uploads/", data=form, files={"file": ("bot.py", body)},
            headers={"Authorization": token},
        )  # fmt: skip
        assert answer.status_code in (201, 413), (code, answer.text)
        assert (answer.status_code == 413) == bool(extra)


def test_the_longest_league_description_fits_into_a_request_even_with_four_byte_characters(web: WebServer) -> None:
    text = {"description": "\N{TROPHY}" * MAX_DESCRIPTION_CHARACTERS}
    assert httpx.post(f"{web.address}/leagues/new/", data=text).status_code == 403, "it lacks a sign-in"
    assert httpx.post(f"{web.address}/api/v1/leagues/", content=json.dumps(text)).status_code == 401


def limits(settings: Any, **changed: float) -> None:
    settings.GATE = {**settings.GATE, **changed}


@pytest.mark.slow
def test_an_unfinished_request_head_times_out(web: WebServer, settings: Any) -> None:
    limits(settings, head_seconds=0.3)
    for words in (b"", b"GET / HTTP/1.1\r\nHost: 127", head("/", method="GET") + b"GET / HT"):
        with closing(connected(web)) as door:
            door.sendall(words)
            said = b""
            while piece := door.recv(65536):
                said += piece
            assert (b" 408 " in said) == bool(words)


def test_an_endless_request_head_is_cut_off(web: WebServer) -> None:
    with closing(connected(web)) as door, watched() as seen:
        door.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        with suppress(ConnectionError):
            for number in range(400_000):
                door.sendall(b"X-%d: %s\r\n" % (number, b"y" * 1000))
        assert answer(door) in (431, 0)
    assert seen[1] < 16 * 1024


def test_endless_http_trailers_are_not_stored_in_memory(web: WebServer) -> None:
    with closing(connected(web)) as door, watched() as seen:
        door.sendall(head("/", "Transfer-Encoding: chunked") + b"0\r\n")
        with suppress(ConnectionError):
            for number in range(40_000):
                door.sendall(b"X-%d: %s\r\n" % (number, b"y" * 1000))
    assert seen[1] < 16 * 1024


@pytest.mark.slow
def test_a_slow_request_body_times_out(web: WebServer, settings: Any) -> None:
    limits(settings, body_seconds=0.3)
    with closing(connected(web)) as door:
        door.sendall(head("/sign-in/", "Content-Length: 1000") + b"tok")
        assert answer(door) == 408


def test_connections_per_ip_address_are_limited(web: WebServer, settings: Any) -> None:
    limits(settings, connections_each=5)
    with ExitStack() as stack:
        doors = [stack.enter_context(closing(connected(web))) for _ in range(5)]
        wait_for(lambda: http_limits.CONNECTIONS.count_open("127.0.0.1") >= 5, "five are counted")
        with closing(connected(web)) as door:
            assert answer(door) == 429
        for door in doors:
            door.sendall(head("/write-a-bot/", method="GET"))
            assert answer(door) == 200
    wait_for(lambda: http_limits.CONNECTIONS.count_open("127.0.0.1") == 0, "all are forgotten")
    assert httpx.get(f"{web.address}/write-a-bot/").status_code == 200


def handshake(port: int, path: str, *lines: str) -> int:
    """Return the response to a WebSocket handshake, and close the connection."""
    key = (
        f"Origin: http://127.0.0.1:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==",
    )
    with closing(socket.create_connection(("127.0.0.1", port), timeout=20)) as door:
        door.sendall(head(path, *key, "Sec-WebSocket-Version: 13", *lines, method="GET"))
        return answer(door)


def test_websockets_per_ip_address_are_limited(web: WebServer, settings: Any) -> None:
    limits(settings, sockets_each=3)
    match = LiveMatch()
    with ExitStack() as stack:
        for _ in range(3):
            stack.callback(RawSocket(web.port, match.path).close)
        assert handshake(web.port, match.path) == 429
    wait_for(lambda: http_limits.SOCKETS.count_open("127.0.0.1") == 0, "all are forgotten")
    assert handshake(web.port, match.path) == 101


def test_websockets_per_user_are_limited(web: WebServer, settings: Any, client: Any) -> None:
    limits(settings, sockets_person=2)
    settings.PROXIES = 1
    client.force_login(AuthorFactory.create())
    cookie = f"Cookie: sessionid={client.cookies['sessionid'].value}"
    match = LiveMatch()
    with ExitStack() as stack:
        for number in range(2):
            watcher = RawSocket(web.port, match.path, headers=[cookie, f"X-Forwarded-For: 10.0.0.{number}"])
            stack.callback(watcher.close)
        assert handshake(web.port, match.path, cookie, "X-Forwarded-For: 10.0.0.9") == 429
        assert handshake(web.port, match.path, "X-Forwarded-For: 10.0.0.9") == 101, "somebody else is let in"


def test_the_connection_limit_per_visitor_does_not_apply_to_connections_from_a_trusted_proxy(
    web: WebServer, settings: Any
) -> None:
    limits(settings, connections_each=2)
    settings.PROXIES = 1
    with ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(closing(connected(web)))
        assert httpx.get(f"{web.address}/write-a-bot/", headers={"X-Forwarded-For": "10.0.0.1"}).status_code == 200


def test_the_connection_limits_are_read_from_environment_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = {name: 7000 + at for at, name in enumerate((
        "connections_each", "connections", "sockets_each", "sockets_person", "head_seconds", "head_bytes",
        "body_seconds", "requests_each", "shared_seconds",
    ))}  # fmt: skip
    for name, number in numbers.items():
        monkeypatch.setenv(f"FTK_GATE_{name.upper()}", str(number))
    assert run_path("deploy/config/limits.py")["GATE"] == numbers
