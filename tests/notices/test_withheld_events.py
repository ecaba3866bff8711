"""Webhooks and notices reveal nothing about the inside of a match before its release."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from ftk_core.league.league_facts import ResultRecorded, RoundClosed
from ftk_core.league.league_state_from_events import encode_fact
from notices import notice_preferences, tasks
from notices.event_log_reader import follow
from notices.models import EventLogReadPosition, UnreleasedMatchEvent, WebhookEndpoint
from replays.event_stream_storage import EventAppender
from replays.models import EventStreamPage, Match
from tests.support.league_entries import create_own_version
from tests.support.leagues import start_league

pytestmark = pytest.mark.django_db


def crashes_told(person: User) -> list[str]:
    return [notice.text for notice in notice_preferences.list_notices(person) if notice.kind == "crash"]


@pytest.mark.parametrize("terms", [{"release": "after_round"}, {"games": 2}])
def test_webhooks_and_notices_do_not_reveal_a_crash_before_the_match_is_public(terms: dict[str, Any]) -> None:
    ada, bob = create_own_version(), create_own_version("bob")
    league = start_league([ada, bob], rounds=1, **terms)
    endpoint = WebhookEndpoint.objects.create(
        owner=bob.bot.owner, url="http://h.example/", kinds=["match.closed", "bot.crashed"]
    )
    tables = list(league.tables.order_by("game").select_related("match"))
    stream, told_of = (
        EventAppender(league.stream_id),
        lambda: list(endpoint.deliveries.values_list("kind", flat=True)),
    )
    for table in tables:
        table.match.seats.filter(seat=0).update(place=2, score=0, excuses=4)
        table.match.seats.filter(seat=1).update(place=1, score=9)
    first = tables[0].match
    result = ResultRecorded(
        round=1, table=1, game=0, match=first.pk, seating=(1, 2), places=(2, 1), scores=(0, 9), excuses=(4, 0)
    )
    stream.append([encode_fact(result)], stream.length)
    tasks.sweep()
    assert crashes_told(ada.bot.owner) == []
    assert told_of() == ["match.closed"]
    assert [seat["excuses"] for seat in endpoint.deliveries.get().told["seats"]] == [None, None]
    Match.objects.filter(pk=first.pk).update(released=True)
    stream.append([encode_fact(RoundClosed(1))], stream.length)
    tasks.sweep()
    tasks.sweep()
    assert crashes_told(ada.bot.owner) == ["ada-1 gave no valid answer in a match of round 1 of Night."]
    assert told_of() == ["match.closed", "bot.crashed"]
    assert not UnreleasedMatchEvent.objects.exists()


def test_the_notice_of_a_crash_in_a_match_of_a_long_league_is_stored_when_the_match_becomes_public() -> None:
    ada, bob = create_own_version(), create_own_version("bob")
    league = start_league([ada, bob], rounds=1, release="after_round")
    endpoint = WebhookEndpoint.objects.create(owner=bob.bot.owner, url="http://h.example/", kinds=["bot.crashed"])
    told = {"match": league.tables.get().match.pk, "round": 1, "bot": "ada-1"}
    withheld = {"league": league, "match": told["match"], "kind": "bot.crashed", "data": told, "entries": [1]}
    UnreleasedMatchEvent.objects.create(**withheld, at=timezone.now() - timedelta(days=100))
    Match.objects.update(released=True)
    tasks.sweep()
    tasks.forget()
    assert crashes_told(ada.bot.owner) == ["ada-1 gave no valid answer in a match of round 1 of Night."]
    endpoint.deliveries.update(status="arrived", tried_at=timezone.now())
    assert tasks.forget() == 0
    assert endpoint.deliveries.count() == 1


def test_events_are_read_from_the_middle_of_a_page_on() -> None:
    league = start_league([create_own_version(), create_own_version("bob")], rounds=1)
    length = EventAppender(league.stream_id).length
    assert EventStreamPage.objects.filter(stream=league.stream_id).latest("first").first < length - 1, (
        "a page of several"
    )
    for unread in (1, 2):
        EventLogReadPosition.objects.update_or_create(name=league.stream_id, defaults={"length": length - unread})
        assert follow(league.stream_id, timezone.now()) == unread
        assert follow(league.stream_id, timezone.now()) == 0
