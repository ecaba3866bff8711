"""The theatre: it shows a match, lists the others, and repeats the best of them rather than stand empty."""

from __future__ import annotations

import re
from itertools import combinations

from django.test import Client

from replays.models import Match
from replays.queries import read_match, read_points
from tests.support.browser.pages import closed, text_of
from tournaments.models import League, Rating


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


def test_the_theatre_prefers_a_table_at_which_the_weakest_is_ahead(night: League, client: Client) -> None:
    seats = {match: [player.bot_slug for player in read_match(match).players] for match in closed()}
    ahead = {match: slugs[read_points(match).index(max(read_points(match)))] for match, slugs in seats.items()}
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
