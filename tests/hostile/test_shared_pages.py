"""Pages that anonymous readers share: none is private, and none is older than a second.

The real server runs in a thread of this process, so that `request_started` counts the pages that Django renders.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from threading import Event, Thread
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.core.signals import request_started
from django.db import connections
from django.test import Client

from replays.models import Match
from tests.support.addresses import fill_url_pattern, list_url_patterns
from tests.support.factories import AuthorFactory
from tests.support.league_entries import create_own_version, open_league
from tests.support.lengths import short_or_long
from tests.support.live import LiveMatch
from tests.support.served import WebServer, serve
from tournaments.leagues import services

pytestmark = pytest.mark.django_db(transaction=True)
SHARED = """
    / /leagues/ /leagues/<slug:slug>/ /leagues/<slug:slug>/standings/ /leagues/<slug:slug>/rounds/<int:number>/
    /leagues/<slug:slug>/cross/ /leagues/<slug:slug>/acts/ /leagues/<slug:slug>/print/ /leagues/<slug:slug>/feed.atom
    /leagues/<slug:slug>/rounds.ics /leaderboards/<slug:game>/ /leaderboards/<slug:game>/continuous/ /bots/
    /bots/<slug:slug>/ /bots/<slug:slug>/compare/ /bots/<slug:slug>/versions/<int:number>/ /matches/<slug:match_id>/
    /matches/<slug:match_id>/clip/ /embed/<slug:match_id>/ /docs/ /leagues/<slug:slug>/screen/
    /docs/<path:path> /write-a-bot/ /search/ /status/ /watch/ /games/<slug:name>/ /games/<slug:name>/house/<slug:bot>/
    /bots/feed.atom /bots/<slug:slug>/feed.atom /games/<slug:name>/feed.atom
    /sign-in/inactive/ /password/done/ /predictions/ /leagues/<slug:slug>/predictions/
"""
"""URL patterns whose pages readers share. All other pages are rendered for each reader."""
READS = short_or_long(600, 10_000)


@dataclass(slots=True)
class Answer:
    """A response, and the number of requests that reached Django for it."""

    status: int
    headers: dict[str, str]
    body: bytes
    drawn: int = 0


@dataclass(slots=True)
class Reader:
    """A client of the running server."""

    site: WebServer
    headers: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, **more: str) -> Answer:
        connection = HTTPConnection("127.0.0.1", self.site.port, timeout=60)
        try:
            connection.request("GET", path, headers=self.headers | {k.replace("_", "-"): v for k, v in more.items()})
            response = connection.getresponse()
            return Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        finally:
            connection.close()


@contextmanager
def counted() -> Iterator[list[str]]:
    """Yield the paths of requests that reach Django."""
    paths: list[str] = []

    def note(scope: Any = None, **_: Any) -> None:
        if scope is not None:
            paths.append(scope["path"])

    request_started.connect(note, weak=False)
    try:
        yield paths
    finally:
        request_started.disconnect(note)


@pytest.fixture
def site(settings: Any) -> Iterator[WebServer]:
    settings.THROTTLES = dict.fromkeys(settings.THROTTLES, "1000000/s")
    settings.GATE = settings.GATE | {"requests_each": 1000, "connections_each": 1000, "shared_seconds": 60}
    with serve() as running:
        yield running


@pytest.fixture
def known() -> dict[str, Any]:
    """Public objects behind every URL: a league and a match in progress, and a bot."""
    league, ada = open_league(), create_own_version("ada")
    for version in (ada, create_own_version("bob")):
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    match = LiveMatch()
    match.grow(20)
    return {"match": match.match.pk, "ada": ada}


def signed_in(site: WebServer, name: str) -> Reader:
    client = Client()
    client.force_login(AuthorFactory.create(username=name))
    return Reader(site, {"Cookie": f"{django_settings.SESSION_COOKIE_NAME}={client.cookies['sessionid'].value}"})


def drawn(reader: Reader, path: str, **more: str) -> Answer:
    """Request a page, and count the renderings by Django."""
    with counted() as paths:
        answer = reader.get(path, **more)
    answer.drawn = len(paths)
    return answer


@pytest.mark.slow
def test_concurrent_readers_share_one_rendering_of_a_page(site: WebServer) -> None:
    with counted() as paths, ThreadPoolExecutor(20) as readers:
        answers = list(readers.map(lambda _: Reader(site).get("/"), range(100)))
    assert {answer.status for answer in answers} == {200}
    assert len({answer.body for answer in answers}) == 1
    assert paths == ["/"]


def test_a_browser_with_a_current_copy_of_a_page_gets_status_304(site: WebServer) -> None:
    page = Reader(site).get("/")
    again = Reader(site).get("/", if_none_match=f'"x", W/{page.headers["etag"]}')
    assert (again.status, again.body) == (304, b"")
    assert again.headers["etag"] == page.headers["etag"]
    assert "content-security-policy" in page.headers
    assert Reader(site).get("/", if_none_match='"x"').status == 200


@pytest.mark.slow
def test_no_cached_page_serves_another_language_theme_or_host(site: WebServer) -> None:
    for path, different in (  # a different page each, because two of the variants may have the same content
        ("/status/", {"accept_language": "zh-Hant"}),
        ("/bots/", {"cookie": "theme=dark"}),
        ("/leagues/", {"cookie": f"{django_settings.LANGUAGE_COOKIE_NAME}=zh-hant"}),
        ("/search/", {"hx_request": "true"}),
        ("/predictions/", {"host": "localhost"}),
        ("/docs/", {"x_forwarded_proto": "https"}),
    ):
        Reader(site).get(path)
        assert drawn(Reader(site), path).drawn == 0, different
        assert drawn(Reader(site), f"{path}?lang").drawn == 1, different
        assert drawn(Reader(site), path, **different).drawn == 1, different


@pytest.mark.slow
def test_a_request_with_credentials_bypasses_the_shared_cache(site: WebServer) -> None:
    Reader(site).get("/status/")
    for credentials in (
        {"cookie": "sessionid=" + "a" * 32},
        {"cookie": "theme=dark; sessionid=x"},
        {"cookie": "csrftoken=" + "a" * 32},
        {"cookie": "messages=x"},
        {"cookie": "nonsense"},
        {"authorization": "Token x"},
        {"authorization": ""},
    ):
        own = [drawn(Reader(site), "/status/", **credentials) for _ in range(2)]
        assert [answer.drawn for answer in own] == [1, 1], credentials
        assert "etag" not in own[0].headers, credentials
        assert drawn(Reader(site), "/status/").drawn == 0, credentials


@pytest.mark.slow
def test_only_public_pages_are_stored_in_the_shared_cache(site: WebServer, known: dict[str, Any]) -> None:
    readers = [signed_in(site, name) for name in ("somebody-eve", "somebody-mallory")]
    shared = set()
    for path in sorted(set(list_url_patterns())):
        address = fill_url_pattern(path, known)
        first, second = drawn(Reader(site), address), drawn(Reader(site), address)
        for reader in readers:
            assert drawn(reader, address).drawn == 1, path
        third = drawn(Reader(site), address)
        assert b"somebody-" not in first.body + second.body + third.body, path
        if second.drawn == 0 and third.drawn == 0:
            shared.add(path)
            assert (first.status, second.body, third.body) == (200, first.body, first.body), path
            assert b"csrfmiddlewaretoken" not in first.body, path
            assert "set-cookie" not in first.headers, path
        else:
            assert second.drawn == 1, path
    assert shared == set(SHARED.split())


@pytest.mark.slow
def test_the_page_of_an_unreleased_match_is_not_stored_in_the_shared_cache(site: WebServer) -> None:
    match = LiveMatch()
    match.grow(20)
    Match.objects.filter(pk=match.match.pk).update(released=False)
    path = f"/matches/{match.match.pk}/"
    assert [drawn(Reader(site), path).drawn for _ in range(2)] == [1, 1]
    Match.objects.filter(pk=match.match.pk).update(released=True)
    assert b"<ftk-replay" in Reader(site).get(path).body
    assert drawn(Reader(site), path).drawn == 0


@pytest.mark.nightly
def test_thousands_of_readers_never_get_a_stale_or_private_page(
    site: WebServer, known: dict[str, Any], settings: Any
) -> None:
    settings.GATE = settings.GATE | {"shared_seconds": 1}
    author = known["ada"].bot.owner
    people = {name: signed_in(site, name) for name in ("somebody-eve", "somebody-mallory")}
    committed, over = [time.monotonic()], Event()

    def rename() -> None:
        while not over.is_set():
            User.objects.filter(pk=author.pk).update(username=f"state{len(committed)};")
            committed.append(time.monotonic())
            over.wait(0.05)
        connections.close_all()

    def read(number: int) -> str:
        """Return the fault of one response."""
        sent = time.monotonic()
        name = (*people, "", "")[number % 4]
        if number % 8 < 4:
            body = (people[name] if name else Reader(site)).get("/account/" if name else "/").body.decode()
            names = {other for other in people if other in body}
            return "" if names == ({name} if name else set()) else f"{name or 'a visitor'} was shown {names}"
        body = (people[name] if name else Reader(site)).get("/bots/ada/").body.decode()
        state = int(body.partition("state")[2].partition(";")[0] or 0)
        gone = committed[state + 1] if state + 1 < len(committed) else sent
        return "" if gone >= sent - (0 if name else 1) else f"state {state} was gone for {sent - gone:.3f} s"

    writer = Thread(target=rename)
    writer.start()
    try:
        with counted() as paths, ThreadPoolExecutor(16) as pool:
            faults = [fault for fault in pool.map(read, range(READS)) if fault]
    finally:
        over.set()
        writer.join()
    assert faults == []
    assert len(paths) < 0.9 * READS, "pages were shared"
