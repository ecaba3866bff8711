"""The theatre on the server: choice of the match, programme, and repeated matches."""

from __future__ import annotations

import json
import re
from html import unescape
from itertools import combinations

import pytest
from django.test import Client

from bots.models import Bot
from frontend.pages.spectators.featured_matches import BEHIND, LEAD, MAX_TURNING_POINTS, list_stretches
from replays.models import Match
from replays.queries import read_match, read_points
from replays.reviews.stored_reviews import read_review
from tests.support.browser.pages import fetch_text, list_closed_matches
from tests.support.live import LiveMatch
from tests.support.reviewable import create_closed_match, create_reviewed_match
from tournaments.models import ALL_TIME, League, Rating

DULL, TURNED = 100, 112
"""Log lengths of a live match while the same seat leads as before, and after the other seat took the lead."""


@pytest.mark.slow
def test_the_watch_page_shows_one_match_and_lists_all_other_finished_matches(night: League, client: Client) -> None:
    page = fetch_text(client, "/watch/")
    shown = re.findall(r'<ftk-replay match="(\w+)"', page)
    others = set(list_closed_matches()) - set(shown)
    assert len(shown) == 1
    assert set(re.findall(r'href="/watch/\?match=(\w+)"><b>', page)) == others
    assert re.findall(r'data-next="/watch/\?match=(\w+)"', page)[0] in others


@pytest.mark.slow
def test_the_watch_page_shows_every_finished_match_once_before_repeating_the_first(
    night: League, client: Client
) -> None:
    at, seen = "/watch/", list[str]()
    for _ in list_closed_matches():
        page = fetch_text(client, at)
        seen += re.findall(r'<ftk-replay match="(\w+)"', page)
        at = re.findall(r'data-next="([^"]+)"', page)[0]
    assert sorted(seen) == sorted(list_closed_matches())
    assert at.endswith(seen[0])


@pytest.mark.slow
def test_the_watch_page_repeats_a_match_if_there_is_no_other(night: League, client: Client) -> None:
    only, *others = list_closed_matches()
    Match.objects.filter(pk__in=others).update(status="void")
    assert f'data-next="/watch/?match={only}"' in fetch_text(client, "/watch/")


@pytest.mark.slow
def test_the_watch_page_prefers_live_matches_to_finished_ones(night: League, client: Client) -> None:
    oldest = list_closed_matches()[-1]
    Match.objects.filter(pk=oldest).update(status="playing", closed_at=None)
    page = fetch_text(client, "/watch/")
    assert f'<ftk-replay match="{oldest}"' in page
    assert 'data-ended="no"' in page


@pytest.mark.slow
def test_the_watch_page_prefers_a_live_match_led_by_the_lower_rated_bot(night: League, client: Client) -> None:
    seats = {match: [player.bot_slug for player in read_match(match).players] for match in list_closed_matches()}
    points = {match: found.now for match, found in read_points(list(seats)).items()}
    ahead = {match: slugs[points[match].index(max(points[match]))] for match, slugs in seats.items()}
    both = next(pair for pair in combinations(seats, 2) if ahead[pair[0]] != ahead[pair[1]])
    Match.objects.filter(pk__in=both).update(status="playing", closed_at=None)
    League.objects.update(rounds=99)  # so many rounds that no table decides the league yet
    for upside in both:
        Rating.objects.update(value=1_600_000)
        Rating.objects.filter(bot__slug=ahead[upside]).update(value=1_400_000)
        assert f'<ftk-replay match="{upside}"' in fetch_text(client, "/watch/")


@pytest.mark.slow
def test_htmx_requests_to_the_watch_page_get_only_the_list_of_matches(night: League, client: Client) -> None:
    part = client.get(f"/watch/?match={list_closed_matches()[1]}", headers={"HX-Request": "true"}).content.decode()
    assert part.startswith('<div id="playbill"')
    assert 'data-ended="yes"' in part


def test_the_watch_page_without_matches_explains_that_it_is_empty(client: Client, transactional_db: None) -> None:
    assert "Nothing has been played yet" in fetch_text(client, "/watch/")


@pytest.mark.slow
@pytest.mark.parametrize("eyes", ["public", "all"])
def test_the_watch_page_contains_the_turning_points_of_a_reviewed_match(
    client: Client, transactional_db: None, eyes: str
) -> None:
    match = create_closed_match()
    assert "data-stretches" not in fetch_text(client, f"/watch/?match={match.pk}")
    create_reviewed_match(match, eyes)
    review = read_review(match.pk, eyes, None).review
    assert review is not None
    *stretches, end = list_stretches(review)
    assert [row["at"] for row in stretches] == sorted(
        list(dict.fromkeys(point.frame for point in review.turning_points))[:MAX_TURNING_POINTS]
    )
    assert {(row["from"], row["until"]) for row in stretches} == {
        (max(0, row["at"] - LEAD), row["at"] + BEHIND) for row in stretches
    }
    assert (end["at"], end["said"]) == (review.curve[-1].frame, "")
    page = fetch_text(client, f"/watch/?match={match.pk}")
    assert unescape(re.findall(r'data-stretches="([^"]*)"', page)[0]) == json.dumps([*stretches, end])
    largest = review.turning_points[0]
    said = next(str(row["said"]) for row in stretches if row["at"] == largest.frame)
    assert said.startswith(f"Turning point: {review.players[largest.seat]}'s expected share")


@pytest.mark.slow
def test_the_watch_page_offers_a_live_match_with_a_comeback_in_place_of_a_live_match_without_one(
    client: Client, transactional_db: None
) -> None:
    dull, other = LiveMatch(), LiveMatch()
    dull.grow(DULL)
    other.grow(DULL)
    assert "data-cut" not in fetch_text(client, f"/watch/?match={dull.match.pk}")
    other.grow(TURNED - DULL)
    assert f'data-cut="/watch/?match={other.match.pk}"' in fetch_text(client, f"/watch/?match={dull.match.pk}")
    turned = fetch_text(client, f"/watch/?match={other.match.pk}")
    leader = read_match(other.match.pk).players[0]
    assert f'data-told="{leader.name} came from behind and leads"' in turned
    assert "data-cut" not in turned
    Rating.objects.create(bot=Bot.objects.get(slug=leader.bot_slug), season=ALL_TIME, game="pig", value=1_300_000)
    assert f'data-told="An upset: {leader.name} came' in fetch_text(client, f"/watch/?match={other.match.pk}")


def test_the_watch_page_switches_neither_to_an_unreleased_match_nor_away_from_a_turning_point(
    client: Client, transactional_db: None
) -> None:
    dull, other = LiveMatch(), LiveMatch()
    dull.grow(DULL)
    other.grow(TURNED)
    Match.objects.filter(pk=other.match.pk).update(released=False)
    page = fetch_text(client, f"/watch/?match={dull.match.pk}")
    assert "data-cut" not in page
    assert other.match.pk not in page
    Match.objects.filter(pk=other.match.pk).update(released=True)
    dull.grow(TURNED - DULL)
    assert "data-cut" not in fetch_text(client, f"/watch/?match={dull.match.pk}")
