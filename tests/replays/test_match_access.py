"""Access to private parts of a match: notes and logs of unreleased matches, and tokens without the scope to read."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from bots.access.api_tokens import create_token
from ftk_core.facts import OMNISCIENT, PUBLIC
from replays.match_access import find_forbidden_views, is_forbidden
from replays.models import Match, MatchSeat
from replays.reports.bot_reported_numbers import read_numbers
from tests.support.factories import create_active_version
from tests.support.reviewable import create_closed_match
from tests.support.seats import create_person_version, create_seated_match
from tests.support.sources import list_python_modules

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def hidden() -> Match:
    """An ended match whose replay is not released, in which the bot of seat 0 sent a number."""
    match = create_closed_match()
    MatchSeat.objects.filter(match=match, seat=0).update(notes=["question 1: heat=1"])
    Match.objects.filter(pk=match.pk).update(released=False)
    return match


def owner_of(match: Match, seat: int) -> User:
    return match.seats.get(seat=seat).version.bot.owner


def test_the_numbers_logged_by_a_bot_are_hidden_from_its_author_until_the_match_is_released(
    client: Client, hidden: Match
) -> None:
    owner = owner_of(hidden, 0)
    client.force_login(owner)
    assert b"heat" not in client.get(f"/matches/{hidden.pk}/").content
    assert read_numbers(hidden.pk, owner.pk) == []
    Match.objects.filter(pk=hidden.pk).update(released=True)
    assert [series.key for series in read_numbers(hidden.pk, owner.pk)] == ["heat"]
    assert b"heat" in client.get(f"/matches/{hidden.pk}/").content


def test_downloading_the_log_of_an_unreleased_match_with_a_token_needs_the_scope_read(
    client: Client, hidden: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = owner_of(hidden, 1)
    monkeypatch.setattr("replays.match_access.SEE_UNRELEASED_PERMISSION", [lambda _match, user: user == judge.pk])
    codes = {}
    for scope in ("read", "upload"):
        token = create_token(judge, scopes=[scope])
        codes[scope] = client.get(
            f"/api/v1/matches/{hidden.pk}/log/", headers={"Authorization": f"Token {token}"}
        ).status_code
    assert codes == {"read": 200, "upload": 403}


def test_the_viewpoints_forbidden_to_spectators_change_with_the_release_and_the_state_of_the_match(
    hidden: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    author, judge = owner_of(hidden, 0).pk, owner_of(hidden, 1).pk
    views = {(viewer, user) for viewer in (0, 1, PUBLIC, OMNISCIENT) for user in (author, judge, None)}
    monkeypatch.setattr("replays.match_access.SEE_UNRELEASED_PERMISSION", [lambda _match, user: user == judge])
    assert find_forbidden_views(hidden.pk, views) == {view for view in views if view[1] != judge}
    Match.objects.filter(pk=hidden.pk).update(released=True)
    assert find_forbidden_views(hidden.pk, views) == set()
    Match.objects.filter(pk=hidden.pk).update(status=Match.Status.PLAYING)
    allowed = {(0, author), (1, judge), *((PUBLIC, user) for user in (author, judge, None))}
    assert find_forbidden_views(hidden.pk, views) == views - allowed


@pytest.mark.parametrize("status", [Match.Status.PLAYING, Match.Status.CLOSED])
def test_a_person_who_plays_by_hand_sees_only_their_seat_of_an_unreleased_match(status: str) -> None:
    match = create_seated_match([create_person_version(), create_person_version("ben"), create_active_version()])
    Match.objects.filter(pk=match.pk).update(released=False, status=status)
    match.refresh_from_db()
    people = [owner_of(match, seat).pk for seat in range(3)]
    views = {(viewer, user) for viewer in (0, 1, 2, PUBLIC, OMNISCIENT) for user in (*people, None)}
    allowed = {(0, people[0]), (1, people[1])}
    assert find_forbidden_views(match.pk, views) == views - allowed
    assert {view for view in views if not is_forbidden(match, *view)} == allowed


def test_no_api_module_grants_reading_rights_without_asking_for_the_scope_of_the_token() -> None:
    modules = [m for m in list_python_modules() if m.parent.name == "api" and m.name != "token_scope_permissions.py"]
    assert len(modules) > 5
    assert [str(m) for m in modules if re.search(r"\.user\.(pk|id)\b", m.read_text())] == []
