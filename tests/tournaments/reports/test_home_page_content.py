"""The home page: leaders of live matches and of games, the rivalry of the week, leagues that begin soon."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from bots.models import BotVersion
from replays.models import Match, MatchSeat
from tests.support.browser.pages import fetch_text
from tests.support.factories import create_waiting_match
from tests.support.ladders import Results, create_bot, rate_results
from tests.support.league_entries import open_league
from tests.support.live import LiveMatch
from tournaments.reports.home_page_content import MIN_MEETINGS, RIVALRY_PERIOD, read_front_page

NOW = datetime(2026, 11, 26, 20, tzinfo=UTC)


def play(results: Results, at: datetime = NOW - timedelta(hours=1)) -> None:
    """Rate matches with these results, which ended at the given time."""
    played = [match.match for match in rate_results(results)]
    Match.objects.filter(pk__in=played).update(status="closed", closed_at=at)
    for match, (_, places) in zip(played, results, strict=True):
        for seat, place in enumerate(places):
            MatchSeat.objects.filter(match=match, seat=seat).update(place=place)


@pytest.fixture
def trio(db: None) -> list[BotVersion]:
    return [create_bot(slug) for slug in ("ada", "bo", "cy")]


def test_the_home_page_shows_for_each_game_its_best_three_bots_and_the_winner_of_its_last_match(
    client: Client, trio: list[BotVersion]
) -> None:
    ada, bo, cy = trio
    dot = create_bot("dot")
    play([((ada, bo), (1, 2)), ((ada, cy), (1, 2)), ((bo, dot), (1, 2)), ((cy, dot), (1, 2))])
    pig = next(card for card in read_front_page(NOW).games if card.name == "pig")
    assert [(row.place, row.name) for row in pig.top] == [(1, "ada"), (2, "bo"), (3, "cy")]
    assert (pig.bots, pig.top[0].change[0]) == (4, "+")
    latest = Match.objects.order_by("-closed_at", "-id")[0]
    assert pig.last is not None
    winner = latest.seats.get(place=1).version.label
    assert (pig.last.match, pig.last.winners) == (latest.pk, (winner,))
    page = fetch_text(client, "/")
    assert "On your turn you roll one die, and go on rolling as long as you dare." in page
    assert "4 rated bots" in page
    assert f"{winner} won" in page


def test_the_home_page_shows_the_two_bots_that_met_most_often_this_week_as_rivals(
    client: Client, trio: list[BotVersion]
) -> None:
    ada, bo, cy = trio
    now = timezone.now()
    play([((ada, bo), (1, 2))] * 9, at=now - RIVALRY_PERIOD - timedelta(hours=1))
    play([((ada, bo), (1, 2))] * 3 + [((bo, cy), (1, 2))] * 3 + [((bo, cy), (2, 1))], at=now - timedelta(hours=1))
    rivalry = read_front_page(now).rivalry
    assert rivalry is not None
    assert rivalry[1:] == ("bo", "cy", 4, 3, 1)
    page = fetch_text(client, "/")
    assert "bo finished ahead in 3 of them, cy in 1." in page
    assert '<a href="/bots/bo/?opponent=cy#matches">' in page


def test_the_home_page_shows_the_more_even_of_two_equally_frequent_pairings_as_rivals(
    trio: list[BotVersion],
) -> None:
    ada, bo, cy = trio
    play([((ada, bo), (1, 2))] * 4 + [((ada, cy), (1, 2)), ((ada, cy), (2, 1))] * 2)
    rivalry = read_front_page(NOW).rivalry
    assert rivalry is not None
    assert {rivalry.name, rivalry.rival} == {"ada", "cy"}


def test_the_home_page_shows_no_rivals_if_no_two_bots_met_often_enough(trio: list[BotVersion]) -> None:
    ada, bo, _ = trio
    play([((ada, bo), (1, 2))] * (MIN_MEETINGS - 1))
    assert read_front_page(NOW).rivalry is None


def create_finished_match(players: list[BotVersion]) -> str:
    match = create_waiting_match(players)
    Match.objects.filter(pk=match.pk).update(status="closed", released=True, closed_at=NOW)
    return match.pk


def test_the_home_page_lists_the_only_finished_match_of_an_arena(client: Client, trio: list[BotVersion]) -> None:
    match = create_finished_match(trio[:2])
    assert [one.id for one in read_front_page(NOW).recent] == [match]
    page = fetch_text(client, "/")
    assert "Recently ended" in page
    assert "Nothing has happened here yet" not in page


def test_the_home_page_lists_finished_matches_below_a_live_match_also_if_a_finished_one_is_requested(
    trio: list[BotVersion],
) -> None:
    first, second = create_finished_match(trio[:2]), create_waiting_match(trio[1:]).pk
    Match.objects.filter(pk=second).update(status="playing", released=True, opened_at=NOW)
    for wanted in ("", first):
        front = read_front_page(NOW, wanted)
        assert ([match.id for match, _ in front.live], [match.id for match in front.recent]) == ([second], [first])


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_home_page_names_the_sole_leader_of_a_live_match(client: Client) -> None:
    match = LiveMatch()
    assert [ahead for _, ahead in read_front_page(NOW).live] == [""], "nobody leads at the start"
    leader = ""
    while not leader:
        match.grow(1)
        leader = read_front_page(NOW).live[0][1]
    sentence, link = f"In the match above {leader} leads.", f'class="cover" href="/matches/{match.match.pk}/"'
    page, without, of_other = (fetch_text(client, path) for path in ("/", "/?stage=none", "/?stage=0123456789ab"))
    assert [text in page for text in (sentence, link)] == [True, False]
    for refreshed in (without, of_other):
        assert [text in refreshed for text in (sentence, link)] == [False, True], "no match, or another one, is above"


@pytest.mark.slow
@pytest.mark.django_db
def test_a_league_that_begins_within_a_day_is_listed_first_on_the_home_page_with_a_countdown(client: Client) -> None:
    now = timezone.now().replace(microsecond=0)
    open_league(slug="tonight", name="Tonight", entries_until=now + timedelta(hours=2, seconds=30))
    open_league(slug="later", name="Later", entries_until=now + timedelta(days=3, seconds=30))
    front = read_front_page(now)
    assert ([one.slug for one in front.soon], [one.slug for one in front.open]) == (["tonight"], ["later"])
    page = fetch_text(client, "/").replace("\xa0", " ")
    assert page.index("Beginning soon") < page.index("Tonight") < page.index("Open for entries") < page.index("Later")
    assert "in 2 hours" in page
    assert "in 3 days" in page
    day_before = now + timedelta(days=2, seconds=30)
    assert [one.slug for one in read_front_page(day_before).soon] == ["later"]
    assert read_front_page(day_before - timedelta(seconds=1)).open[-1].slug == "later"


@pytest.mark.django_db
def test_the_home_page_of_an_empty_site_says_what_to_do_first(client: Client) -> None:
    first = "Nothing has happened here yet"
    page = fetch_text(client, "/")
    assert first in page
    assert 'href="/leagues/new/"' in page
    open_league()
    assert first not in fetch_text(client, "/")
