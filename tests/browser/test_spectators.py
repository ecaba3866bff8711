"""Pages for spectators without JavaScript: search, games, ladders, feeds and status."""

from __future__ import annotations

import re
from datetime import timedelta
from xml.etree import ElementTree as ET

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from bots.models import Bot, BotPackage, BotVersion
from bots.models.worker_reports_and_usage import WorkerSandboxReport
from replays.models import Match, MatchAudit, MatchSeat
from replays.reports.match_health import read_health
from tests.support.browser.league_night import store_one_win_of_two
from tests.support.browser.pages import fetch_text, list_closed_matches
from tests.support.factories import create_package
from tournaments.ladders.queries import find_biggest_upset
from tournaments.models import League
from tournaments.reports.league_match_search import LeagueMatchSearchCriteria, search

ATOM = "{http://www.w3.org/2005/Atom}"


def list_matches(page: str) -> list[str]:
    """Return the matches to which the cards of a page link, in order."""
    return re.findall(r'class="cover" href="/matches/(\w+)/"', page)


@pytest.mark.slow
def test_a_search_for_two_bots_finds_their_common_matches(night: League, client: Client) -> None:
    common, _ = MatchSeat.objects.filter(version__bot__slug="b0").values_list("match_id", flat=True)
    met = MatchSeat.objects.filter(match_id=common).exclude(version__bot__slug="b0").get().version.bot.slug
    assert list_matches(fetch_text(client, f"/search/?bot=b0&opponent={met}")) == [common]


@pytest.mark.slow
def test_a_search_for_matches_can_filter_by_result(night: League, client: Client) -> None:
    won = store_one_win_of_two("b1")
    assert set(list_matches(fetch_text(client, "/search/?bot=b1&result=won"))) == {won}


@pytest.mark.slow
def test_a_search_for_matches_by_length_respects_the_given_bounds(night: League, client: Client) -> None:
    lengths = {page.id: page.length for page in search(LeagueMatchSearchCriteria()).matches}
    middle = sorted(lengths.values())[1]
    found = list_matches(fetch_text(client, f"/search/?least={middle}&most={middle}"))
    assert set(found) == {match for match, length in lengths.items() if length == middle}


@pytest.mark.slow
def test_paging_through_search_results_stays_stable_when_new_matches_end(night: League) -> None:
    everything = list_closed_matches()
    first = search(LeagueMatchSearchCriteria(), size=2)
    Match.objects.create(game="pig", status="closed", closed_at=Match.objects.latest("closed_at").closed_at)
    second = search(LeagueMatchSearchCriteria(), first.after, size=2)
    assert [page.id for page in first.matches + second.matches] == everything[:4]
    assert second.after == ""


@pytest.mark.slow
def test_matches_with_the_same_end_time_are_each_listed_once(night: League) -> None:
    Match.objects.update(closed_at=Match.objects.latest("closed_at").closed_at)
    first = search(LeagueMatchSearchCriteria(), size=3)
    second = search(LeagueMatchSearchCriteria(), first.after, size=3)
    assert [page.id for page in first.matches + second.matches] == sorted(list_closed_matches(), reverse=True)


@pytest.mark.slow
def test_empty_search_parameters_are_removed_from_the_url(night: League, client: Client) -> None:
    answer = client.get("/search/?game=&bot=b1&least=")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/search/?bot=b1")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("game=chess", "Select a valid choice"),
        ("bot=nobody", "There is no bot “nobody”."),
        ("league=nowhere", "There is no league “nowhere”."),
        ("least=many", "Enter a whole number."),
        ("least=99999999999999999999", "less than or equal to"),
        ("least=9&most=3", "This is less than 9."),
        ("result=won", "Whose result? Name a bot."),
        ("after=nowhere", "This is no place in the list"),
        ("after=WyIyMDI2LTAxLTAxIiwgIngiXQ==", "This is no place in the list"),
        ("after=W10=", "This is no place in the list"),
    ],
)
def test_an_invalid_search_shows_which_parameter_is_wrong(query: str, message: str, client: Client) -> None:
    page = fetch_text(client, f"/search/?{query}", status=400)
    assert message in page
    assert 'class="error"' in page


@pytest.mark.slow
def test_the_page_of_a_game_shows_its_rules_and_example_matches(night: League, client: Client) -> None:
    page = fetch_text(client, "/games/pig/")
    assert "On your turn you roll one die" in page
    assert 'href="/games/pig/house/hold20/"' in page
    assert len(re.findall(r'<span class="num soft">\d+ to \d+</span>', page)) == 4, "the first on the ladder"


def test_every_registered_game_has_short_rules(client: Client, transactional_db: None) -> None:
    from frontend.drawing.rulebook import read_rulebook
    from ftk_core.games import list_games

    for name in list_games():
        assert read_rulebook(name).short, name
        assert "<script" not in read_rulebook(name).full
        assert fetch_text(client, f"/games/{name}/")


@pytest.mark.slow
def test_a_ladder_shows_rating_intervals_and_head_to_head_records(night: League, client: Client) -> None:
    page = fetch_text(client, "/leaderboards/pig/")
    assert page.count("about 95 % sure") >= 2
    assert len(re.findall(r"\d+ to \d+", page)) >= 4
    assert "±" not in page, "what Elo's error says is untrue"
    assert "Who beat whom" in page
    assert 'class="spark"' in page


@pytest.mark.slow
def test_a_ladder_can_be_filtered_by_author(night: League, client: Client) -> None:
    owner = BotVersion.objects.get(bot__slug="b1").bot.owner.get_username()
    page = fetch_text(client, f"/leaderboards/pig/?author={owner}")
    assert 'href="/bots/b1/"' in page
    assert 'href="/bots/b0/"' not in page


@pytest.mark.slow
def test_a_ladder_can_be_filtered_by_the_language_of_the_newest_version(night: League, client: Client) -> None:
    node = create_package("// hello")
    BotPackage.objects.filter(pk=node.pk).update(command=["node", "bot.js"])
    BotVersion.objects.create(bot=Bot.objects.get(slug="b1"), number=2, package=node, status="active")
    node_only, python_only = (fetch_text(client, f"/leaderboards/pig/?language={word}") for word in ("node", "python"))
    assert [('href="/bots/b0/"' in page, 'href="/bots/b1/"' in page) for page in (node_only, python_only)] == [
        (False, True),
        (True, False),
    ]
    assert "No bot on this ladder is like that" in fetch_text(client, "/leaderboards/pig/?language=c&author=x")


@pytest.mark.slow
def test_the_page_of_a_bot_has_sections_on_its_rating_and_opponents_and_seats_and_times_and_matches(
    night: League, client: Client
) -> None:
    page = fetch_text(client, "/bots/b1/")
    for heading in ("Elo over time", "Whom it meets", "By table and seat", "Time and memory", "Matches"):
        assert f"<h2>{heading}</h2>" in page
    assert "<dt>Rating of v1" in page
    assert re.search(r"<dt>About 95 % sure it is</dt><dd><small>\d+ to \d+<", page)


@pytest.mark.slow
def test_the_page_of_a_bot_filters_matches_by_result_and_reports_an_unknown_opponent(
    night: League, client: Client
) -> None:
    won = store_one_win_of_two("b1")
    assert set(list_matches(fetch_text(client, "/bots/b1/?result=won"))) == {won}
    assert "There is no bot “nobody”." in fetch_text(client, "/bots/b1/?opponent=nobody")


@pytest.mark.slow
def test_only_the_author_of_a_bot_sees_its_trial_match(night: League, client: Client) -> None:
    version = BotVersion.objects.get(bot__slug="b1")
    version.trial_log = "question 3: overtime"
    version.save(update_fields=["trial_log"])
    assert "question 3" not in fetch_text(client, "/bots/b1/versions/1/")
    client.force_login(get_user_model().objects.exclude(pk=version.bot.owner_id)[0])
    assert "question 3" not in fetch_text(client, "/bots/b1/versions/1/")
    client.force_login(version.bot.owner)
    assert "question 3: overtime" in fetch_text(client, "/bots/b1/versions/1/")


@pytest.mark.slow
def test_a_league_has_an_atom_feed(night: League, client: Client) -> None:
    assert 'rel="alternate" type="application/atom+xml"' in fetch_text(client, "/leagues/night/")
    feed = ET.fromstring(fetch_text(client, "/leagues/night/feed.atom"))
    links = [link.attrib["href"] for entry in feed.iter(f"{ATOM}entry") for link in entry.iter(f"{ATOM}link")]
    assert [link.split("/")[-2] for link in links] == list_closed_matches()


@pytest.mark.slow
def test_the_rounds_of_a_league_are_published_as_a_calendar(night: League, client: Client) -> None:
    League.objects.update(name="Night; of, the \\ long" + " name" * 8)
    text = fetch_text(client, "/leagues/night/rounds.ics")
    assert text.count("BEGIN:VEVENT\r\n") == 2
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    assert "SUMMARY:Night\\; of\\, the \\\\ long" in text.replace("\r\n ", "")


@pytest.mark.slow
def test_a_running_round_has_no_end_time_in_the_calendar(night: League, client: Client) -> None:
    Match.objects.filter(pk=list_closed_matches()[0]).update(status="playing", closed_at=None)
    assert fetch_text(client, "/leagues/night/rounds.ics").count("DTEND") == 1


@pytest.mark.slow
def test_the_home_page_shows_an_upset_only_if_the_winner_had_less_than_45_percent_chance(
    night: League, client: Client
) -> None:
    upset = find_biggest_upset()
    assert ("The last upset" in fetch_text(client, "/")) == (upset is not None)
    assert upset is None or int(upset.percent) < 45


@pytest.mark.slow
def test_paging_cursors_keep_the_time_zone_of_their_timestamp(night: League) -> None:
    Match.objects.filter(pk=list_closed_matches()[0]).update(
        closed_at=Match.objects.latest("closed_at").closed_at + timedelta(1)
    )
    first = search(LeagueMatchSearchCriteria(), size=1)
    assert [
        page.id for page in search(LeagueMatchSearchCriteria(), first.after, size=9).matches
    ] == list_closed_matches()[1:]


@pytest.mark.slow
def test_the_status_page_names_a_failing_sandbox(night: League, client: Client) -> None:
    WorkerSandboxReport.objects.create(worker="matches@one", tier="bwrap", held=True, cgroup=True)
    WorkerSandboxReport.objects.create(
        worker="matches@two", tier="landlock", held=False, reason="Landlock is not there"
    )
    page = fetch_text(client, "/status/")
    assert re.search(r"matches@one.*bwrap.*cgroup.*passed.*", page.replace("\n", ""))
    assert "Landlock is not there" in page


@pytest.mark.slow
def test_the_status_page_counts_matches_and_lists_void_matches_and_failed_audits(night: League, client: Client) -> None:
    first, second, *rest = list_closed_matches()
    Match.objects.filter(pk=first).update(status="void", reason="given up after 5 workers")
    MatchAudit.objects.create(match_id=second, build="1", found=f"match {second}, entry 7: face says 9\nmore")
    waiting = Match.objects.create(game="pig")
    found = read_health()
    assert (found.waiting, found.waiting_since) == (1, waiting.created_at)
    assert (found.closed, found.void, found.audited) == (len(rest) + 1, 1, 1)
    page = fetch_text(client, "/status/")
    assert "given up after 5 workers" in page
    assert "entry 7: face says 9" in page
    assert "more" not in page[page.index("face says 9") : page.index("face says 9") + 20]
