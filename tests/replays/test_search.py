"""The search for a bot's matches, compared with a count over all tables."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from bots.models import BotVersion
from replays.match_search import MatchSearchCriteria, find_matches
from replays.models import Match, MatchSeat
from tests.support.factories import create_active_version, create_waiting_match

pytestmark = pytest.mark.django_db
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


def ended_match(versions: list[BotVersion], places: list[int], minutes: int) -> Match:
    """Return an ended match with these places, without a log."""
    match = create_waiting_match(versions, f"at {minutes}")
    match.status, match.closed_at = Match.Status.CLOSED, BEGAN + timedelta(minutes=minutes)
    match.save()
    for seat, place in enumerate(places):
        MatchSeat.objects.filter(match=match, seat=seat).update(place=place)
    return match


def some_ended(versions: list[BotVersion], count: int) -> list[Match]:
    """Return ended matches of two to four of these versions, newest first; some share a table or an end time."""
    chance = random.Random(1)
    made = []
    for number in range(count):
        table = chance.choices(versions, k=chance.randint(2, 4))
        places = [chance.randint(1, 2) for _ in table]
        made.append(ended_match(table, places, number // 2))
    return sorted(made, key=lambda match: (match.closed_at, match.pk), reverse=True)


def walked(sought: MatchSearchCriteria) -> list[str]:
    """Return all search results, read in pages of three."""
    ids, cursor = [], ""
    while True:
        page = find_matches(sought, cursor, 3)
        ids += [match.id for match in page.matches]
        cursor = page.after
        if not cursor:
            return ids


def fits(match: Match, sought: MatchSearchCriteria) -> bool:
    """Return True if a match satisfies the search, checked seat by seat."""
    seats = list(match.seats.select_related("version__bot"))
    own = [seat for seat in seats if seat.version.bot.slug == sought.bot]
    asked = {"": own, "won": [s for s in own if s.place == 1], "lost": [s for s in own if s.place != 1]}
    there = not sought.opponent or any(seat.version.bot.slug == sought.opponent for seat in seats)
    return bool(asked[sought.result]) and there


@pytest.mark.slow
def test_a_search_by_bot_opponent_and_result_finds_each_match_once() -> None:
    versions = [create_active_version() for _ in range(4)]
    matches = some_ended(versions, 30)
    slugs = [version.bot.slug for version in versions]
    for bot in slugs:
        for opponent in ("", *(slug for slug in slugs if slug != bot)):
            for result in ("", "won", "lost"):
                sought = MatchSearchCriteria(bot=bot, opponent=opponent, result=result)
                assert walked(sought) == [match.pk for match in matches if fits(match, sought)], sought


@pytest.mark.slow
def test_the_api_lists_running_matches_first_then_the_latest_ended(client: Client) -> None:
    versions = [create_active_version() for _ in range(3)]
    over, going = some_ended(versions, 12), [create_waiting_match(versions[:2], f"going {n}") for n in range(4)]
    for version in versions:
        path, found = f"/api/v1/matches/?bot={version.bot.slug}&limit=3", list[str]()
        while path:
            answer = client.get(path).json()
            found += [row["id"] for row in answer["results"]]
            path = answer["next"]
        ours = MatchSeat.objects.filter(bot=version.bot).values_list("match_id", flat=True)
        first = sorted((match.pk for match in going if match.pk in ours), reverse=True)
        assert found == first + [match.pk for match in over if match.pk in ours]


@pytest.mark.parametrize("tracking", ["utm_source=a", "fbclid=b", "gclid=c&lang=en"])
def test_a_search_ignores_tracking_parameters_of_other_sites(client: Client, tracking: str) -> None:
    empty, other = client.get("/search/"), client.get(f"/search/?{tracking}")
    assert (other.status_code, other.context["asked"]) == (200, empty.context["asked"])
    assert client.get(f"/search/?result=won&{tracking}").context["asked"]
    assert client.get("/search/?utm=a").status_code == 400
