"""Webhooks and notices reveal nothing about the inside of a match before its release."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from ftk_core.league.league_facts import ResultRecorded, RoundClosed
from ftk_core.league.league_state_from_events import encode_fact
from notices import notice_preferences, tasks
from notices.models import UnreleasedMatchEvent, WebhookEndpoint
from replays.event_stream_storage import EventAppender
from replays.models import Match
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
