"""What the page of a league tells of its stages, its organisers and its luck."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from ftk_core.league import organising
from ftk_core.league.organising import Hand
from ftk_core.league.plans import Stage
from replays.models import Match
from replays.playing.runner import play_match
from tests.support.browser.pages import text_of
from tests.support.leagues import entrants, new_league, play_all
from tournaments import services
from tournaments.models import League
from tournaments.terms import Terms

pytestmark = pytest.mark.django_db(transaction=True)

HAND = Hand(by="ada", at=1_800_000_000, why="it plays <both> sides")


def play_round() -> None:
    for match in list(Match.objects.filter(status=Match.Status.WAITING).values_list("pk", flat=True)):
        assert play_match(match)
        assert services.record_match(match)


def plain(page: str) -> str:
    """The text of a page, without its tags."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_a_league_of_stages_tells_which_is_played_and_who_qualified(client: Client) -> None:
    stages = (
        Stage(format="swiss", seats=2, least=2, rounds=1),
        Stage(format="knockout", seats=2, least=2, qualify=2),
    )
    new_league(entrants(4), stages=stages)
    assert "stage 1 of 2: Swiss, round 1 of 1" in plain(text_of(client, "/leagues/night/"))
    play_round()
    page = plain(text_of(client, "/leagues/night/"))
    assert "stage 2 of 2: Knockout, round 1 of 1" in page
    assert re.search(r"Qualified: b\d-1, b\d-1 ", page)
    assert "the first 2 of stage 1" in page
    assert "Round 2 · Knockout" in page


def test_what_was_done_to_a_league_is_told_on_a_page_of_its_own(client: Client) -> None:
    league = new_league(entrants(4), rounds=2)
    assert "/acts/" not in text_of(client, "/leagues/night/")
    assert "it was played as announced" in text_of(client, "/leagues/night/acts/")
    services.act(league.pk, lambda state: organising.withdraw(state, 2, HAND))
    services.act(league.pk, lambda state: organising.pause(state, HAND))
    page = text_of(client, "/leagues/night/")
    assert '<a href="/leagues/night/acts/">What the organisers did (2)</a>' in page
    assert ">paused</span>" in page
    told = text_of(client, "/leagues/night/acts/")
    assert told.index("The league was paused") < told.index("b1-1 withdrew.")
    assert "it plays &lt;both&gt; sides" in told
    assert re.search(r'ada, <time datetime="2027-01-15T08:00:00\+00:00">', told)


def test_acts_go_on_by_a_cursor(client: Client) -> None:
    league = new_league(entrants(3), rounds=2)
    for _ in range(30):
        services.act(league.pk, lambda state: organising.pause(state, HAND))
        services.act(league.pk, lambda state: organising.resume(state, HAND))
    first = text_of(client, "/leagues/night/acts/")
    second = text_of(client, "/leagues/night/acts/" + re.findall(r'rel="next" href="([^"]+)"', first)[0])
    assert [first.count('class="what"'), second.count('class="what"')] == [50, 10]
    assert 'rel="next"' not in second


def test_a_round_that_waits_for_its_organiser_is_shown_as_a_draft(client: Client) -> None:
    league = services.open_league(Terms(slug="night", name="Night", game="pig", seats=2, rounds=2, held=True))
    for version in entrants(4):
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    for path in ("/leagues/night/", "/leagues/night/rounds/1/"):
        page = plain(text_of(client, path))
        assert "This round is drafted and waits for its organiser" in page
        assert "Table 2 draft" in page
    services.begin_round(league.pk)
    assert "is drafted" not in text_of(client, "/leagues/night/")


def test_a_league_that_cannot_be_paired_says_why(client: Client) -> None:
    league = new_league(entrants(2), rounds=2)
    services.act(league.pk, lambda state: organising.forbid(state, 1, 2, HAND))
    play_round()
    assert "The next round cannot be paired: entries 1 and 2 must not meet" in text_of(client, "/leagues/night/")


@pytest.mark.slow
def test_the_luck_of_a_league_can_be_followed_from_its_pages(client: Client) -> None:
    from hashlib import sha256

    play_all(new_league(entrants(4), rounds=2))
    anchor = re.findall(r"<code>(\w{64})</code>", text_of(client, "/leagues/night/"))[0]
    rounds = [text_of(client, f"/leagues/night/rounds/{number}/") for number in (1, 2)]
    links = [re.findall(r"Drawn with <code>(\w{64})</code>", page)[0] for page in rounds]
    assert sha256(bytes.fromhex(links[1])).hexdigest() == links[0]
    assert sha256(bytes.fromhex(links[0])).hexdigest() == anchor


def test_earlier_rounds_are_folded_and_fetched_from_addresses_of_their_own(client: Client) -> None:
    league = new_league(entrants(4), rounds=2)
    play_round()
    page = text_of(client, "/leagues/night/")
    first, second = (set(league.tables.filter(round=number).values_list("match_id", flat=True)) for number in (1, 2))
    assert {match for match in first | second if match in page} == second
    assert '<a href="/leagues/night/rounds/1/">Tables of round 1</a>' in page
    part = client.get("/leagues/night/rounds/1/", headers={"HX-Request": "true"}).content.decode()
    assert all(match in part for match in first)
    assert "<html" not in part
    assert League.objects.get().round == 2
