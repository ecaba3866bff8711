"""Idempotency keys, tested as a law over all POST operations that accept one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient

from bots.api.idempotency import SECRET_PLACEHOLDER
from replays.models import Match
from tests.support.addresses import fill_url_pattern
from tests.support.factories import AuthorFactory, create_active_version
from tests.support.hostile.objects_of_urls import create_objects_of_every_url
from tests.support.league_entries import open_league
from tests.support.reviewable import create_closed_match
from tests.support.uploads import GOOD
from tournaments.leagues import services
from tournaments.organisers.organiser_action_submission import propose_or_act

KEY = {"Idempotency-Key": "one key for all"}
READ = "/api/v1/notices/read/"
ROLES = ("organiser", "owner", "staff")
ACTS = "/api/v1/leagues/<slug>/acts/"
MATCH = "the match"
REASON = {"why": "the hall was dark"}
BODIES: dict[str, dict[str, Any]] = {
    "/api/v1/bots/remote/": {"game": "pig", "bot": "far"},
    "/api/v1/bots/uploads/": {"game": "pig", "bot": "new"},
    "/api/v1/challenges/": {"bot": "ada", "against": ["bold"], "matches": 2},
    "/api/v1/leagues/": {"slug": "late", "name": "Late", "game": "pig", "seats": 2, "rounds": 2},
    "/api/v1/leagues/new/outlook/": {"slug": "late", "name": "Late", "game": "pig", "seats": 2, "rounds": 2},
    "/api/v1/leagues/<slug>/entries/": {"bot": "second"},
    "/api/v1/leagues/<slug>/proposals/<number>/": {"approve": True},
    "/api/v1/matches/friendly/": {"game": "pig", "bots": ["", "bold"]},
    "/api/v1/series/": {"slug": "late", "name": "Late", "game": "pig"},
    "/api/v1/series/<slug>/leagues/": {"league": "open"},
    "/api/v1/webhooks/": {"url": "https://bots.example/", "kinds": ["round.ended"]},
    ACTS + "announce/": {"text": "We begin at eight."},
    ACTS + "correct/": {"name": "An evening"},
    ACTS + "appoint/": {"person": "author", "role": "judge"},
    ACTS + "dismiss/": {"person": "judge"},
    ACTS + "extend/": {"rounds": 1},
    ACTS + "enter/": {"bot": "second"},
    ACTS + "enlist/": {"bots": ["second"]},
    ACTS + "exchange/": {"one": 1, "other": 2},
    ACTS + "forbid/": {"one": 1, "other": 2},
    ACTS + "excuse/": {"entry": 1, "rounds": [2]},
    ACTS + "invite/": {"author": "author"},
    **{f"{ACTS}{verb}/": {"entry": 1} for verb in ("withdraw", "disqualify")},
    **{f"{ACTS}{verb}/": {"match": MATCH} for verb in ("void", "again")},
}
"""Request bodies with which one of `ROLES` may succeed. A POST that is not listed needs no body."""
LEAGUES = {
    "/api/v1/leagues/<slug>/entries/": "open",
    ACTS + "enter/": "open",
    ACTS + "enlist/": "open",
    ACTS + "cancel/": "open",
    ACTS + "exchange/": "drafted",
    ACTS + "resume/": "drafted",
    ACTS + "invite/": "closed",
}
"""Slugs of leagues for POSTs that need a league in another state than the default one."""

OTHER_STATES = {f"{ACTS}{verb}/" for verb in ("begin", "overrule", "redraft", "release", "return", "start")}
"""Acts that need a draft, a played round, a withdrawn entry, or enough entries.

All acts share one view, so the law holds for these, too.
"""


def keyed_posts() -> list[str]:
    """Return the paths of all POST operations with an idempotency key."""
    schema = SchemaGenerator().get_schema(request=None, public=True)
    return [
        path.replace("{", "<").replace("}", ">")
        for path, does in schema["paths"].items()
        if any(parameter["name"] == "Idempotency-Key" for parameter in does.get("post", {}).get("parameters", []))
    ]


@pytest.fixture
def known(settings: Any) -> dict[str, Any]:
    """Create people, an object behind every URL, and further objects for POSTs that need another state."""
    settings.THROTTLES = dict.fromkeys(settings.THROTTLES, "1000000/s")
    known = create_objects_of_every_url()
    create_active_version(slug="bold")
    create_active_version(slug="second", owner=known["people"]["owner"])
    open_league(slug="open", by="organiser")
    open_league(slug="closed", by="organiser", who="invited")
    drafted = open_league(slug="drafted", by="organiser", held=True)
    for name in ("one", "two", "three", "four"):
        services.enter_bot(drafted.pk, create_active_version(slug=name))
    services.start(drafted.pk)
    propose_or_act(known["people"]["organiser"], drafted, "pause", {}, "the hall is dark")
    return known | {"closed": create_closed_match().pk}


def address_of(path: str, known: dict[str, Any]) -> str:
    """Return the URL of an object on which the POST can succeed."""
    if path.endswith("/review/"):
        return fill_url_pattern(path, known | {"match": known["closed"]})
    return fill_url_pattern(path.replace("<slug>", LEAGUES.get(path, "<slug>")), known)


def send(person: User, url: str, body: dict[str, Any]) -> Any:
    """Send a POST as a person; its idempotency key is the same in all requests."""
    client = APIClient()
    client.force_login(person)
    if not url.endswith("/uploads/"):
        return client.post(url, body, format="json", headers=KEY)
    return client.post(url, body | {"file": SimpleUploadedFile("bot.py", GOOD)}, format="multipart", headers=KEY)


def list_violations(path: str, known: dict[str, Any]) -> Iterator[str]:
    """Yield a sentence for each violation of the law by a POST."""
    people, url = known["people"], address_of(path, known)
    body = {name: known["match"] if value == MATCH else value for name, value in BODIES.get(path, {}).items()}
    body |= REASON if "/acts/" in path else {}
    refusals = []
    for person in (people[role] for role in ROLES):
        if (first := send(person, url, body)).status_code < 300:
            break
        refusals.append(first.json()["detail"])
    else:
        yield f"nobody may do this with the body in BODIES: {refusals}"
        return
    again = send(person, url, body)
    if again.headers.get("Idempotency-Replayed") != "true" or again.status_code != first.status_code:
        yield f"the repeated request is answered with {again.status_code} instead of the stored response"
    elif again.content and without_secrets(again.json(), again.json()) != without_secrets(first.json(), again.json()):
        yield "the repeated request is answered with another content"
    if (status := send(person, url, body | {"another": 1}).status_code) != 422:
        yield f"the key of another content is accepted: {status}"
    if path != READ and (status := send(person, READ, {}).status_code) != 422:
        yield f"the key of another operation is accepted: {status}"
    if "Idempotency-Replayed" in send(people["author"], url, body).headers:
        yield "another person gets the stored response"


def without_secrets(fields: dict[str, Any], replayed: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a response without those that the replayed response withholds."""
    return {name: value for name, value in fields.items() if replayed.get(name) != SECRET_PLACEHOLDER}


@pytest.mark.slow
@pytest.mark.django_db
def test_a_post_request_repeated_by_a_person_with_the_same_idempotency_key_is_executed_once(
    known: dict[str, Any],
) -> None:
    paths, violations = keyed_posts(), {}
    assert set(BODIES) | OTHER_STATES <= set(paths)
    for path in sorted(set(paths) - OTHER_STATES):
        with transaction.atomic():
            if broken := list(list_violations(path, known)):
                violations[path] = broken
            transaction.set_rollback(True)
    assert not violations, violations


@pytest.mark.slow
@pytest.mark.django_db
def test_an_idempotency_key_cannot_be_reused_for_a_match_review_from_another_viewpoint(known: dict[str, Any]) -> None:
    owner, url = known["people"]["owner"], address_of("/api/v1/matches/<match_id>/review/", known)
    assert send(owner, url + "?eyes=public", {}).status_code == 202
    assert send(owner, url + "?eyes=own", {}).status_code == 422
    assert send(owner, url + "?eyes=public", {}).headers["Idempotency-Replayed"] == "true"


@pytest.mark.django_db
def test_an_upload_refused_by_a_quota_may_be_repeated_with_its_key(settings: Any) -> None:
    ada, upload = AuthorFactory.create(username="ada"), {"game": "pig", "bot": "new"}
    settings.UPLOAD_ROOM = settings.UPLOAD_ROOM | {"uploads_each": 0}
    assert send(ada, "/api/v1/bots/uploads/", upload).status_code == 429
    settings.UPLOAD_ROOM = settings.UPLOAD_ROOM | {"uploads_each": 100}
    assert send(ada, "/api/v1/bots/uploads/", upload).status_code == 201


@pytest.mark.django_db
def test_a_friendly_match_refused_by_a_quota_may_be_requested_again_with_its_key(settings: Any) -> None:
    ada, body = AuthorFactory.create(username="ada"), {"game": "pig", "bots": ["bold", ""]}
    create_active_version(slug="bold")
    settings.SEATS = settings.SEATS | {"by_hand_each": 0}
    refused = send(ada, "/api/v1/matches/friendly/", body)
    assert (refused.status_code, refused.json()["code"]) == (400, "too_many")
    settings.SEATS = settings.SEATS | {"by_hand_each": 1}
    assert send(ada, "/api/v1/matches/friendly/", body).status_code == 201


@pytest.mark.django_db
def test_a_review_refused_before_the_end_of_the_match_may_be_requested_again_with_its_key() -> None:
    ada, match = AuthorFactory.create(username="ada"), create_closed_match()
    Match.objects.update(status=Match.Status.PLAYING)
    assert send(ada, f"/api/v1/matches/{match.pk}/review/", {}).status_code == 409
    Match.objects.update(status=Match.Status.CLOSED)
    assert send(ada, f"/api/v1/matches/{match.pk}/review/", {}).status_code == 202
