"""The theatre: it shows a match, lists the others, and repeats the best of them rather than stand empty."""

from __future__ import annotations

import json
import re
from html import unescape
from itertools import combinations

import pytest
from django.test import Client

from bots.models import Bot
from frontend.pages.theatre import BEHIND, LEAD, MOST, stretches_of
from replays.models import Match
from replays.queries import read_match, read_points
from replays.reviews.reading import read_review
from tests.support.browser.pages import closed, text_of
from tests.support.live import LiveMatch
from tests.support.reviewable import closed_match, reviewed_match
from tournaments.models import ALL_TIME, League, Rating

DULL, TURNED = 100, 112
"""So long is the log of a live match while the same seat leads as before, and when the other has come to lead."""


def test_the_theatre_shows_a_match_and_lists_the_others(night: League, client: Client) -> None:
    page = text_of(client, "/watch/")
    shown = re.findall(r'<ftk-replay match="(\w+)"', page)
    others = set(closed()) - set(shown)
    assert len(shown) == 1
    assert set(re.findall(r'href="/watch/\?match=(\w+)"><b>', page)) == others
    assert re.findall(r'data-next="/watch/\?match=(\w+)"', page)[0] in others


def test_the_theatre_repeats_all_that_was_played_before_it_begins_anew(night: League, client: Client) -> None:
    at, seen = "/watch/", list[str]()
    for _ in closed():
        page = text_of(client, at)
        seen += re.findall(r'<ftk-replay match="(\w+)"', page)
        at = re.findall(r'data-next="([^"]+)"', page)[0]
    assert sorted(seen) == sorted(closed())
    assert at.endswith(seen[0])


def test_the_theatre_shows_its_only_match_again(night: League, client: Client) -> None:
    only, *others = closed()
    Match.objects.filter(pk__in=others).update(status="void")
    assert f'data-next="/watch/?match={only}"' in text_of(client, "/watch/")


def test_the_theatre_prefers_what_is_live(night: League, client: Client) -> None:
    oldest = closed()[-1]
    Match.objects.filter(pk=oldest).update(status="playing", closed_at=None)
    page = text_of(client, "/watch/")
    assert f'<ftk-replay match="{oldest}"' in page
    assert 'data-ended="no"' in page


@pytest.mark.slow
def test_the_theatre_prefers_a_table_at_which_the_weakest_is_ahead(night: League, client: Client) -> None:
    seats = {match: [player.bot_slug for player in read_match(match).players] for match in closed()}
    points = {match: found.now for match, found in read_points(list(seats)).items()}
    ahead = {match: slugs[points[match].index(max(points[match]))] for match, slugs in seats.items()}
    both = next(pair for pair in combinations(seats, 2) if ahead[pair[0]] != ahead[pair[1]])
    Match.objects.filter(pk__in=both).update(status="playing", closed_at=None)
    League.objects.update(rounds=99)  # so late that no table decides it yet
    for upside in both:
        Rating.objects.update(value=1_600_000)
        Rating.objects.filter(bot__slug=ahead[upside]).update(value=1_400_000)
        assert f'<ftk-replay match="{upside}"' in text_of(client, "/watch/")


def test_the_programme_comes_alone_when_htmx_asks(night: League, client: Client) -> None:
    part = client.get(f"/watch/?match={closed()[1]}", headers={"HX-Request": "true"}).content.decode()
    assert part.startswith('<div id="playbill"')
    assert 'data-ended="yes"' in part


def test_an_empty_theatre_says_so(client: Client, transactional_db: None) -> None:
    assert "Nothing has been played yet" in text_of(client, "/watch/")


@pytest.mark.slow
@pytest.mark.parametrize("eyes", ["public", "all"])
def test_a_reviewed_match_is_shown_from_turning_point_to_turning_point(
    client: Client, transactional_db: None, eyes: str
) -> None:
    match = closed_match()
    assert "data-stretches" not in text_of(client, f"/watch/?match={match.pk}")
    reviewed_match(match, eyes)
    review = read_review(match.pk, eyes, None).review
    assert review is not None
    *stretches, end = stretches_of(review)
    assert [row["at"] for row in stretches] == sorted(
        list(dict.fromkeys(point.frame for point in review.turning_points))[:MOST]
    )
    assert {(row["from"], row["until"]) for row in stretches} == {
        (max(0, row["at"] - LEAD), row["at"] + BEHIND) for row in stretches
    }
    assert (end["at"], end["said"]) == (review.curve[-1].frame, "")
    page = text_of(client, f"/watch/?match={match.pk}")
    assert unescape(re.findall(r'data-stretches="([^"]*)"', page)[0]) == json.dumps([*stretches, end])
    largest = review.turning_points[0]
    said = next(str(row["said"]) for row in stretches if row["at"] == largest.frame)
    assert said.startswith(f"Turning point: {review.players[largest.seat]}'s expected share")


def test_the_stage_is_cut_from_a_dull_live_match_to_one_in_which_somebody_came_from_behind(
    client: Client, transactional_db: None
) -> None:
    dull, other = LiveMatch(), LiveMatch()
    dull.grow(DULL)
    other.grow(DULL)
    assert "data-cut" not in text_of(client, f"/watch/?match={dull.match.pk}")
    other.grow(TURNED - DULL)
    assert f'data-cut="/watch/?match={other.match.pk}"' in text_of(client, f"/watch/?match={dull.match.pk}")
    turned = text_of(client, f"/watch/?match={other.match.pk}")
    leader = read_match(other.match.pk).players[0]
    assert f'data-told="{leader.name} came from behind and leads"' in turned
    assert "data-cut" not in turned
    Rating.objects.create(bot=Bot.objects.get(slug=leader.bot_slug), season=ALL_TIME, game="pig", value=1_300_000)
    assert f'data-told="An upset: {leader.name} came' in text_of(client, f"/watch/?match={other.match.pk}")


def test_no_stage_is_cut_to_what_is_kept_back_or_away_from_what_turns(client: Client, transactional_db: None) -> None:
    dull, other = LiveMatch(), LiveMatch()
    dull.grow(DULL)
    other.grow(TURNED)
    Match.objects.filter(pk=other.match.pk).update(released=False)
    page = text_of(client, f"/watch/?match={dull.match.pk}")
    assert "data-cut" not in page
    assert other.match.pk not in page
    Match.objects.filter(pk=other.match.pk).update(released=True)
    dull.grow(TURNED - DULL)
    assert "data-cut" not in text_of(client, f"/watch/?match={dull.match.pk}")
