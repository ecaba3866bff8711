"""Random requests: no URL, parameter, header or cursor causes a server error.

`make chaos` sends 20,000 requests (FTK_FUZZ_REQUESTS) and tries every method at every URL; `make test` sends 400 and
tries one method at each URL.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator
from contextlib import closing
from itertools import cycle, product
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest
from django.contrib.auth.models import User
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings as profile, strategies as st

from bots.access.api_tokens import create_token
from bots.models import BotVersion
from replays.models import Match
from tests.support.addresses import list_url_patterns
from tests.support.database_snapshots import create_or_restore
from tests.support.factories import create_active_version
from tests.support.hostile.requests import RandomRequest, draw_request
from tests.support.lengths import short_or_long
from tests.support.live import LiveMatch
from tests.support.served import WebServer, serve
from tournaments.leagues import services
from tournaments.leagues.league_settings import LeagueSettings

REQUESTS = int(os.environ.get("FTK_FUZZ_REQUESTS", "400"))
PHASES = (Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink)
FUZZ = {
    "deadline": None,
    "phases": PHASES,
    "suppress_health_check": [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
}
METHODS = ("HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE")
KNOWN: dict[str, list[str]] = {}
"""Values of existing objects by placeholder of a URL; the fixture `there` fills it."""
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def there(settings: Any) -> Any:
    """An object behind every URL, and an author."""
    settings.THROTTLES = dict.fromkeys(settings.THROTTLES, "1000000/s")
    author = create_or_restore(_create_objects)
    matches, version = list(Match.objects.values_list("pk", flat=True)), BotVersion.objects.get(bot__slug="ada")
    KNOWN.clear()
    KNOWN.update(match_id=matches, pk=[*matches, str(version.pk)], slug=["night", "ada"], name=["pig"])
    KNOWN.update(game=["pig"], bot=["random", "ada"], number=["1"])
    return author


def _create_objects() -> User:
    live = LiveMatch()
    live.grow(5)
    ended = LiveMatch()
    ended.grow(ended.left)
    ended.match.seats.update(place=1, score=0)
    league = services.open_league(LeagueSettings(slug="night", name="Night", game="pig", seats=2, rounds=1))
    versions = [create_active_version(slug=slug) for slug in ("ada", "bob", "cyd")]
    for version in versions:
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    return versions[0].bot.owner


def _sent_as(text: str) -> str:
    """Return a header's value as a server passes it to Django: bytes, read as latin-1."""
    return text.encode("utf-8", "surrogatepass").decode("latin-1")


def sent(client: Client, request: RandomRequest) -> int:
    """Return the status of a request through Django's own client."""
    extra = {f"HTTP_{name.upper().replace('-', '_')}": _sent_as(value) for name, value in request.headers}
    kind = extra.pop("HTTP_CONTENT_TYPE", "application/x-www-form-urlencoded")
    path, _, query = request.target.partition("?")
    path = unquote_to_bytes(path).decode("latin-1")
    answer = client.generic(request.method, "/", request.body, kind, PATH_INFO=path, QUERY_STRING=query, **extra)
    for _ in answer if answer.streaming and not answer.is_async else ():
        pass
    answer.close()
    return int(answer.status_code)


@pytest.mark.slow
def test_no_random_request_causes_a_server_error(there: Any) -> None:
    stranger, author = Client(raise_request_exception=False), Client(raise_request_exception=False)
    author.force_login(there)

    @profile(max_examples=REQUESTS, **FUZZ)
    @given(draw_request(KNOWN))
    def fuzz(request: RandomRequest) -> None:
        client = author if request.signed_in else stranger
        assert sent(client, request) < 500, request

    fuzz()


@pytest.mark.slow
def test_no_http_method_causes_a_server_error(there: Any) -> None:
    author = Client(raise_request_exception=False)
    author.force_login(there)
    paths = [
        re.sub(r"<(?:\w+:)?(\w+)>", lambda word: KNOWN.get(word[1], ["1"])[0], path) for path in list_url_patterns()
    ]
    some = list(zip(cycle(METHODS), sorted(set(paths)), strict=False))
    tried = short_or_long(some, list(product(METHODS, sorted(set(paths)))))
    assert [ask for ask in tried if sent(author, RandomRequest(*ask)) >= 500] == []


@pytest.fixture(scope="module")
def web() -> Iterator[WebServer]:
    with serve() as running:
        yield running


def raw(request: RandomRequest, port: int, token: str) -> bytes:
    """Return a request as bytes; characters that cannot be encoded are sent as some bytes."""
    lines = [f"{request.method} {request.target} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in request.headers if name != "Host"]
    lines += [f"Authorization: Token {token}"] if request.signed_in else []
    lines += [f"Content-Length: {len(request.body)}"] if request.body else []
    return "\r\n".join([*lines, "", ""]).encode("utf-8", "surrogatepass") + request.body


def status_of(port: int, request: bytes) -> int:
    """Return the status of the server's response to bytes; 0 if it closes the connection."""
    said = b""
    with closing(socket.create_connection(("127.0.0.1", port), timeout=20)) as door:
        try:
            door.sendall(request)
            while len(said) < 12 and (piece := door.recv(4096)):
                said += piece
        except ConnectionError:
            pass
    return int(said[9:12]) if said.startswith(b"HTTP/1.1 ") else 0


@pytest.mark.slow
def test_no_random_bytes_crash_the_web_server(there: Any, web: WebServer, settings: Any) -> None:
    # do not wait for the rest of truncated requests
    settings.GATE = {**settings.GATE, "head_seconds": 0.05, "body_seconds": 0.05}
    token = create_token(there)

    @profile(max_examples=REQUESTS // 5, **FUZZ)
    @given(
        draw_request(KNOWN), st.one_of(st.none(), st.tuples(st.binary(min_size=1, max_size=30), st.integers(0, 400)))
    )
    def fuzz(request: RandomRequest, junk: tuple[bytes, int] | None) -> None:
        spoilt = raw(request, web.port, token)
        if junk:
            spoilt = spoilt[: junk[1]] + junk[0] + spoilt[junk[1] :]
        assert status_of(web.port, spoilt) < 500, spoilt

    fuzz()
    assert status_of(web.port, b"GET /write-a-bot/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n") == 200


NAMED = [
    ("/api/v1/matches/?limit=0", "limit"),
    ("/api/v1/matches/?limit=-1", "limit"),
    ("/api/v1/matches/?limit=1000000", "limit"),
    ("/api/v1/matches/?limit=x", "limit"),
    ("/api/v1/matches/?limit=" + "9" * 400, "limit"),
    ("/api/v1/matches/?offset=1", "offset"),
    ("/api/v1/matches/?after=99999999999999999999", "after"),
    ("/api/v1/matches/?after=cD14", "after"),
    ("/api/v1/bots/?after=cD0lMDA=", "after"),
    ("/api/v1/matches/?nonsense=1", "nonsense"),
    ("/api/v1/matches/?status=%00", "status"),
    ("/api/v1/bots/?game=%00", "game"),
    ("/bots/?after=AAAA", "after"),
    ("/leagues/?after=%ED%A0%80", "after"),
    ("/leaderboards/pig/?after=AAAA", "after"),
    ("/search/?after=AAAA", "after"),
    ("/bots/ada/?after=WzFd", "after"),
    ("/bots/?nonsense=1", "nonsense"),
    ("/leagues/?limit=1", "limit"),
    ("/?nonsense=1", "nonsense"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("address", "word"), NAMED)
def test_the_error_for_an_invalid_query_parameter_contains_its_name(
    there: Any, client: Client, address: str, word: str
) -> None:
    answer = client.get(address)
    assert answer.status_code == 400, answer.content[:300]
    assert word in answer.content.decode()


YEAR_ONE = "WyIwMDAxLTAxLTAxVDAwOjAwOjAwKzIzOjU5IiwgMV0="
"""Cursor ``["0001-01-01T00:00:00+23:59", 1]``, whose time is before the year 1 in UTC."""


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/matches/%00/", {}),
        ("/bots/a%00b/", {}),
        ("/api/v1/matches/%00/", {}),
        ("/api/v1/bots/%00/", {}),
        ("/api/v1/bots/versions/%00/", {}),
        ("/api/v1/bots/versions/99999999999999999999/", {}),
        ("/api/v1/bots/versions/²/", {}),
        ("/api/v1/leagues/%00/export/", {}),
        ("/bots/ada/versions/99999999999999999999/", {}),
        (f"/leagues/?after={YEAR_ONE}", {}),
        (f"/search/?after={YEAR_ONE}", {}),
        ("/bots/?after=WyJcdWQ4MDAiXQ==", {}),
        ("/search/?bot=%00&game=%00&league=%00", {}),
        ("/oembed/?url=http://testserver/%00&maxwidth=" + "9" * 5000, {}),
        ("/api/v1/matches/", {"Authorization": "Token é"}),
        ("/api/v1/matches/", {"Authorization": "Token \x00"}),
        ("/", {"Cookie": "sessionid=é\x00"}),
        ("/sign-in/?next=http://[", {}),
    ],
)
def test_requests_known_to_break_other_servers_cause_no_server_error(
    there: Any, client: Client, path: str, headers: dict[str, str]
) -> None:
    request = RandomRequest("GET", path.partition("?")[0], (), tuple(headers.items()))
    extra = {f"HTTP_{name.upper()}": value for name, value in request.headers}
    path, _, query = path.partition("?")
    answer = client.generic("GET", "/", PATH_INFO=unquote_to_bytes(path).decode("latin-1"), QUERY_STRING=query, **extra)
    assert answer.status_code < 500
