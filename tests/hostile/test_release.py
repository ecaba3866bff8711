"""Unreleased matches: their course changes no response of the site, for any person.

Two worlds are compared that differ in nothing else: the same match, with the same bots and the same result, played
differently. Every URL of the site is requested, new ones included, by every kind of person.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from copy import deepcopy
from datetime import UTC, datetime
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client

from ftk_core.analysis.match_review import EYES
from ftk_core.league.league_event_actors import LeagueActor
from replays.event_stream_storage import EventAppender
from replays.live.websocket_urls import websocket_urlpatterns
from replays.models import Match
from replays.replay_frame_cache import MatchFrameCache
from replays.reports.key_moments import find_first_moments
from tests.support.addresses import fill_url_pattern, list_url_patterns
from tests.support.factories import AuthorFactory
from tests.support.league_entries import create_own_version, open_league
from tests.support.leagues import perform_act
from tests.support.lengths import nightly, short_or_long
from tests.support.live import play_log_lines
from tests.support.reviewable import create_reviewed_match
from tournaments.leagues import services
from tournaments.leagues.league_event_projection import load
from tournaments.models import League, LeagueMatch
from tournaments.models.organiser_roles import LeagueRole

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
OUTSIDE = ("visitor", "author", "owner", "organiser", "elsewhere", "biased")
"""People who must not see the match: `owner` has a bot at the table, `biased` is a judge with a bot in the league."""
INSIDE = ("judge", "staff")
EVERYBODY = [(who, ended) for ended in (False, True) for who in OUTSIDE]
TOLD = short_or_long([pair for number, pair in enumerate(EVERYBODY) if pair[1] == bool(number % 2)], EVERYBODY)
"""(person, True if the match has ended): one pair for each person, or all pairs in `make chaos`."""
IN_CI = ("visitor", "owner", "biased")
PASSING = re.compile(
    r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)|\b\d\d:\d\d(?::\d\d)?\b|\b\d+ s\b|csrfmiddlewaretoken.*?>|nonce=\S+"
)
"""Parts of a response that differ at every request: times and tokens."""
ASKED = (
    "/watch/?match={match}",
    "/oembed/?url=http://testserver/matches/{match}/",
    *(f"/matches/{{match}}/picture.png?at={at}" for at in (0, 3, 999)),
    *(f"/matches/{{match}}/{clip}?from=0&until={at}" for clip in ("clip.webp", "clip/") for at in (3, 999)),
    "/api/v1/matches/?game=pig",
    "/search/?game=pig",
    "/search/?bot=ada&opponent=bob",
    "/search/?game=pig&least=1",
    "/search/?game=pig&most={between}",
    "/search/?game=pig&excuse=timeout",
    *(f"/api/v1/matches/{{match}}/decision/?eyes={eyes}&at=999" for eyes in ("public", "all", "0", "1")),
    *(f"/{door}matches/{{match}}/review/?eyes={eyes}" for door in ("", "api/v1/") for eyes in ("public", "own", "all")),
    *(f"/matches/{{match}}/?at=3&eyes={eyes}" for eyes in ("all", "0")),
)
"""URLs with query parameters, requested besides the site's URL patterns."""


@pytest.fixture
def people(settings: Any) -> dict[str, User]:
    """One person of every kind."""
    settings.THROTTLES = dict.fromkeys(settings.THROTTLES, "1000000/s")
    found: dict[str, User] = {name: AuthorFactory.create(username=name) for name in (*OUTSIDE[1:], *INSIDE)}
    User.objects.filter(username="staff").update(is_staff=True)
    settings.REVIEWS = {**settings.REVIEWS, "playouts": 2}
    open_league(slug="other", by="elsewhere")
    return found


def a_league(people: dict[str, User], release: str) -> tuple[League, Match]:
    """Return a league of four whose first round is paired, and the match of the owner's bot."""
    league = open_league(by="organiser", release=release)
    for slug, owner in (("ada", people["owner"]), ("bob", None), ("bea", people["biased"]), ("cyd", None)):
        services.enter_bot(league.pk, create_own_version(slug, owner))
    for judge in ("judge", "biased"):
        LeagueRole.objects.create(league=league, person=people[judge], role=LeagueRole.Role.JUDGE)
    services.start(league.pk)
    match = Match.objects.get(seats__version__bot__slug="ada")
    return league, match


def happened(match: Match, world: int, *, ended: bool) -> None:
    """Play a match in one of two ways, to the same result."""
    said = b'"excuse":"timeout"' if world else b'"excuse":null'
    lines = [line.replace(b'"excuse":null', said) + b"\n" for line in play_log_lines("pig", 2, world)]
    EventAppender(match.stream_id).append(lines if ended else lines[: 9 + 6 * world], 0)
    match.seats.update(excuses=world, reproducible=not world, role=f"role{world}", stderr=f"e{world}")
    match.seats.update(faults=[f"question 1: fault{world}"], notes=[f"question 1: note{world}"])
    Match.objects.filter(pk=match.pk).update(status=Match.Status.PLAYING, opened_at=NOW)
    if ended:
        match.seats.filter(seat=0).update(place=1, score=100)
        match.seats.filter(seat=1).update(place=2, score=40)
        Match.objects.filter(pk=match.pk).update(status=Match.Status.CLOSED, closed_at=NOW)
        assert services.record_match(match.pk)
        for eyes in EYES:
            create_reviewed_match(match, eyes)


def signed_in(person: User | None) -> Client:
    """Return the browser of a person, or of a visitor."""
    client = Client(raise_request_exception=False)
    if person:
        client.force_login(person)
    return client


def read_every_url(client: Client, match: Match) -> dict[str, str]:
    """Return the response of every URL to one person."""
    ada = match.seats.get(version__bot__slug="ada").version
    paths = [fill_url_pattern(path, {"match": match.pk, "ada": ada}) for path in list_url_patterns()]
    between = sum(len(play_log_lines("pig", 2, world)) for world in (0, 1)) // 2
    paths += [path.format(match=match.pk, between=between) for path in ASKED]
    answers = {path: client.get(path) for path in paths}
    return {path: f"{one.status_code} {_body(one)}" for path, one in answers.items()}


def _body(answer: Any) -> str:
    return PASSING.sub("", answer.getvalue().decode(errors="replace"))


def worlds(
    people: dict[str, User], release: str, whom: Sequence[str], *, ended: bool, opened_by: Any = None
) -> list[dict[str, Any]]:
    """Return the responses in each of two worlds, by person and URL."""
    league, match = a_league(people, release)
    clients = {who: signed_in(people.get(who)) for who in whom}
    found = []
    for world in (0, 1):
        before = transaction.savepoint()
        happened(match, world, ended=ended)
        if opened_by:
            opened_by(league)
        match.refresh_from_db()
        found.append({who: read_every_url(_again(client), match) for who, client in clients.items()})
        _forget()
        transaction.savepoint_rollback(before)
    return found


def _again(client: Client) -> Client:
    """Return another browser with the same session, without messages from the other world."""
    twin = Client(raise_request_exception=False)
    twin.cookies = deepcopy(client.cookies)
    return twin


def _forget() -> None:
    find_first_moments.cache_clear()


@pytest.fixture(autouse=True)
def _no_reels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable the reel cache, which would mix the two worlds."""

    class Forgetful(MatchFrameCache):
        def _find(self, key: Any) -> Any:
            return MatchFrameCache()._find(key)

    monkeypatch.setattr("replays.queries.REEL_CACHE", Forgetful())


def different(one: dict[str, str], other: dict[str, str]) -> list[str]:
    return [path for path in one if one[path] != other[path]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("who", "ended"), [one for pair in TOLD for one in ([pair] if pair[0] in IN_CI else nightly(pair))]
)
def test_no_url_reveals_an_unreleased_match(people: dict[str, User], who: str, *, ended: bool) -> None:
    one, other = worlds(people, "after_league" if ended else "after_round", [who], ended=ended)
    assert not different(one[who], other[who])
    assert any("is not released yet" in text for text in one[who].values())


@pytest.mark.nightly
@pytest.mark.parametrize("who", INSIDE)
def test_judges_and_staff_without_a_bot_in_the_league_see_matches_that_are_not_yet_public(
    people: dict[str, User], who: str
) -> None:
    one, other = worlds(people, "after_league", [who], ended=True)
    assert any(path.startswith("/matches/") for path in different(one[who], other[who]))


@pytest.mark.slow
def test_the_secrecy_check_of_unreleased_matches_detects_a_released_match(people: dict[str, User]) -> None:
    def release(league: League) -> None:
        perform_act(league, "release", {"round": 1}, LeagueActor(by="organiser", at=0, why="all have played"))

    one, other = worlds(people, "after_league", ["visitor"], ended=True, opened_by=release)
    telling = " ".join(different(one["visitor"], other["visitor"]))
    for address in (
        "/matches/",
        "/log/",
        "eyes=all",
        "/bots/ada/",
        "/api/v1/matches/",
        "excuse=timeout",
        "most=",
        "/review/?eyes=public",
    ):
        assert address in telling, address


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("eyes", ["public", "all", "0"])
def test_a_websocket_reveals_nothing_of_an_unreleased_live_match(people: dict[str, User], eyes: str) -> None:
    _, match = a_league(people, "after_round")
    happened(match, 0, ended=False)

    async def asked() -> str:
        socket = WebsocketCommunicator(URLRouter(websocket_urlpatterns), f"/ws/match/{match.pk}/")
        await socket.connect()
        await socket.send_to(text_data=json.dumps({"type": "watch", "eyes": eyes}))
        answer = await socket.receive_from(timeout=5)
        assert await socket.receive_nothing()
        await socket.disconnect()
        return str(answer)

    refused = json.loads(async_to_sync(asked)())
    assert (refused["type"], refused["code"]) == ("refused", "eyes_closed")


@pytest.mark.slow
def test_matches_of_a_round_become_public_at_its_end_if_the_league_settings_say_so(people: dict[str, User]) -> None:
    league, match = a_league(people, "after_round")
    assert not Match.objects.filter(released=True).exists()
    happened(match, 0, ended=True)
    match.refresh_from_db()
    assert not match.released, "another table of the round is still being played"
    happened(Match.objects.filter(status=Match.Status.WAITING).get(), 1, ended=True)
    of_first_round = LeagueMatch.objects.filter(league=league, round=1).values_list("match", flat=True)
    assert len(of_first_round) == 2
    assert set(Match.objects.filter(released=True).values_list("pk", flat=True)) == set(of_first_round)
    assert load(league)[1].closed_rounds == 1
