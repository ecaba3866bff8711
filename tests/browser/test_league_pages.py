"""Page of a league: stages, public acts, drafted rounds and random seeds."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from ftk_core.league import organiser_command_handlers
from ftk_core.league.event_fields import StageSettings
from ftk_core.league.league_event_actors import LeagueActor
from replays.models import Match
from replays.playing.match_runner import play_match
from tests.support.browser.pages import fetch_text
from tests.support.leagues import create_entrants, play_all, start_league
from tournaments.leagues import services
from tournaments.leagues.league_event_appending import act
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import League

pytestmark = pytest.mark.django_db(transaction=True)

HAND = LeagueActor(by="ada", at=1_800_000_000, why="it plays <both> sides")


def play_round() -> None:
    for match in list(Match.objects.filter(status=Match.Status.WAITING).values_list("pk", flat=True)):
        assert play_match(match)
        assert services.record_match(match)


def plain(page: str) -> str:
    """Return the text of a page without tags."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


@pytest.mark.slow
def test_the_page_of_a_league_shows_its_current_stage_and_qualified_bots(client: Client) -> None:
    stages = (
        StageSettings(format="swiss", seats=2, least=2, rounds=1),
        StageSettings(format="knockout", seats=2, least=2, qualify=2),
    )
    start_league(create_entrants(4), stages=stages)
    assert "stage 1 of 2: Swiss, round 1 of 1" in plain(fetch_text(client, "/leagues/night/"))
    play_round()
    page = plain(fetch_text(client, "/leagues/night/"))
    assert "stage 2 of 2: Knockout, round 1 of 1" in page
    assert re.search(r"Qualified: b\d-1 , b\d-1 ", page)
    assert "the first 2 of stage 1" in page
    assert "Round 2 · Knockout" in page


def test_a_league_has_a_public_page_that_lists_what_its_organisers_did(client: Client) -> None:
    league = start_league(create_entrants(4), rounds=2)
    assert "/acts/" not in fetch_text(client, "/leagues/night/")
    assert "it was played as announced" in fetch_text(client, "/leagues/night/acts/")
    act(league.pk, lambda state: organiser_command_handlers.withdraw_from_league(state, 2, HAND))
    act(league.pk, lambda state: organiser_command_handlers.pause_league(state, HAND))
    page = fetch_text(client, "/leagues/night/")
    assert '<a href="/leagues/night/acts/">What the organisers did (2)</a>' in page
    assert ">paused</span>" in page
    told = fetch_text(client, "/leagues/night/acts/")
    assert told.index("The league was paused") < told.index("b1-1 withdrew.")
    assert "it plays &lt;both&gt; sides" in told
    assert re.search(r'ada, <time datetime="2027-01-15T08:00:00\+00:00">', told)


@pytest.mark.slow
def test_the_public_list_of_organiser_actions_is_split_into_pages(client: Client) -> None:
    league = start_league(create_entrants(3), rounds=2)
    for _ in range(30):
        act(league.pk, lambda state: organiser_command_handlers.pause_league(state, HAND))
        act(league.pk, lambda state: organiser_command_handlers.resume_league(state, HAND))
    first = fetch_text(client, "/leagues/night/acts/")
    second = fetch_text(client, "/leagues/night/acts/" + re.findall(r'rel="next" href="([^"]+)"', first)[0])
    assert [first.count('class="what"'), second.count('class="what"')] == [50, 10]
    assert 'rel="next"' not in second


def test_a_round_that_waits_for_the_approval_of_the_organiser_is_shown_as_a_draft(client: Client) -> None:
    league = services.open_league(LeagueSettings(slug="night", name="Night", game="pig", seats=2, rounds=2, held=True))
    for version in create_entrants(4):
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    for path in ("/leagues/night/", "/leagues/night/rounds/1/"):
        page = plain(fetch_text(client, path))
        assert "This round is drafted and waits for its organiser" in page
        assert "Table 2 draft" in page
    services.begin_round(league.pk)
    assert "This round is drafted" not in fetch_text(client, "/leagues/night/")


@pytest.mark.slow
def test_the_page_of_a_league_explains_why_no_round_can_be_paired(client: Client) -> None:
    league = start_league(create_entrants(2), rounds=2)
    act(league.pk, lambda state: organiser_command_handlers.forbid_meeting(state, 1, 2, HAND))
    play_round()
    assert "The next round cannot be paired: entries 1 and 2 must not meet" in fetch_text(client, "/leagues/night/")


@pytest.mark.slow
def test_the_random_seeds_shown_on_league_pages_are_the_links_of_a_sha_256_hash_chain(client: Client) -> None:
    from hashlib import sha256

    play_all(start_league(create_entrants(4), rounds=2))
    anchor = re.findall(r"<code>(\w{64})</code>", fetch_text(client, "/leagues/night/"))[0]
    rounds = [fetch_text(client, f"/leagues/night/rounds/{number}/") for number in (1, 2)]
    links = [re.findall(r"Drawn with <code>(\w{64})</code>", page)[0] for page in rounds]
    assert sha256(bytes.fromhex(links[1])).hexdigest() == links[0]
    assert sha256(bytes.fromhex(links[0])).hexdigest() == anchor


@pytest.mark.slow
def test_earlier_rounds_are_collapsed_and_loaded_on_demand(client: Client) -> None:
    league = start_league(create_entrants(4), rounds=2)
    play_round()
    page = fetch_text(client, "/leagues/night/")
    first, second = (set(league.tables.filter(round=number).values_list("match_id", flat=True)) for number in (1, 2))
    assert {match for match in first | second if match in page} == second
    assert '<a href="/leagues/night/rounds/1/">Tables of round 1</a>' in page
    part = client.get("/leagues/night/rounds/1/", headers={"HX-Request": "true"}).content.decode()
    assert all(match in part for match in first)
    assert "<html" not in part
    assert League.objects.get().round == 2
