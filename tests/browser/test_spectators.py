"""What spectators are given: search, theatre, games, ladders, feeds; all of it without JavaScript."""

from __future__ import annotations

import re
from datetime import timedelta
from xml.etree import ElementTree as ET

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from bots.models import Bot, BotVersion, CageReport, Package
from replays.models import Match, MatchAudit, MatchSeat
from replays.reports.health import read_health
from tests.support.browser.pages import closed, text_of
from tests.support.factories import package_of
from tournaments.ladder_queries import find_last_upset
from tournaments.models import League
from tournaments.search import SearchFilter, search

ATOM = "{http://www.w3.org/2005/Atom}"


def found_in(page: str) -> list[str]:
    """The matches that a page's cards link to, in order."""
    return re.findall(r'class="cover" href="/matches/(\w+)/"', page)


def test_a_search_finds_what_both_bots_played(night: League, client: Client) -> None:
    seats = MatchSeat.objects.filter(version__bot__slug="b0").values_list("match_id", flat=True)
    both = MatchSeat.objects.filter(version__bot__slug="b1", match_id__in=seats).values_list("match_id", flat=True)
    assert set(found_in(text_of(client, "/search/?bot=b0&opponent=b1"))) == set(both)


def test_a_search_knows_who_won(night: League, client: Client) -> None:
    won = MatchSeat.objects.filter(version__bot__slug="b1", place=1).values_list("match_id", flat=True)
    assert set(found_in(text_of(client, "/search/?bot=b1&result=won"))) == set(won)


def test_a_search_by_length_keeps_its_bounds(night: League, client: Client) -> None:
    lengths = {page.id: page.length for page in search(SearchFilter()).matches}
    middle = sorted(lengths.values())[1]
    found = found_in(text_of(client, f"/search/?least={middle}&most={middle}"))
    assert set(found) == {match for match, length in lengths.items() if length == middle}


@pytest.mark.slow
def test_a_search_by_excuse_finds_none_where_nobody_was_silent(night: League, client: Client) -> None:
    assert "No match that has ended is like this" in text_of(client, "/search/?excuse=timeout")


def test_a_list_goes_on_where_it_stopped_though_new_matches_end(night: League) -> None:
    everything = closed()
    first = search(SearchFilter(), size=2)
    Match.objects.create(game="pig", status="closed", closed_at=Match.objects.latest("closed_at").closed_at)
    second = search(SearchFilter(), first.after, size=2)
    assert [page.id for page in first.matches + second.matches] == everything[:4]
    assert second.after == ""


def test_matches_that_ended_in_the_same_moment_are_each_listed_once(night: League) -> None:
    Match.objects.update(closed_at=Match.objects.latest("closed_at").closed_at)
    first = search(SearchFilter(), size=3)
    second = search(SearchFilter(), first.after, size=3)
    assert [page.id for page in first.matches + second.matches] == sorted(closed(), reverse=True)


def test_what_is_left_empty_leaves_the_address(night: League, client: Client) -> None:
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
def test_a_slip_in_a_search_is_named(query: str, message: str, client: Client) -> None:
    page = text_of(client, f"/search/?{query}", status=400)
    assert message in page
    assert 'class="error"' in page


def test_a_game_tells_its_rules_and_where_to_see_them(night: League, client: Client) -> None:
    page = text_of(client, "/games/pig/")
    assert "On your turn you roll one die" in page
    assert 'href="/games/pig/house/hold20/"' in page
    assert len(re.findall(r'<span class="num soft">\d+ to \d+</span>', page)) == 4, "the first on the ladder"


def test_every_game_on_the_shelf_has_its_rules_in_short(client: Client, transactional_db: None) -> None:
    from frontend.drawing.rulebook import rulebook
    from ftk_core.games import shelf

    for name in shelf():
        assert rulebook(name).short, name
        assert "<script" not in rulebook(name).full
        assert text_of(client, f"/games/{name}/")


def test_a_ladder_says_how_sure_it_is_and_who_beat_whom(night: League, client: Client) -> None:
    page = text_of(client, "/leaderboards/pig/")
    assert page.count("about 95 % sure") >= 2
    assert len(re.findall(r"\d+ to \d+", page)) >= 4
    assert "±" not in page, "what Elo's error says is untrue"
    assert "Who beat whom" in page
    assert 'class="spark"' in page


def test_a_ladder_is_read_by_author(night: League, client: Client) -> None:
    owner = BotVersion.objects.get(bot__slug="b1").bot.owner.get_username()
    page = text_of(client, f"/leaderboards/pig/?author={owner}")
    assert 'href="/bots/b1/"' in page
    assert 'href="/bots/b0/"' not in page


def test_a_ladder_is_read_by_the_language_of_the_newest_version(night: League, client: Client) -> None:
    node = package_of("// hello")
    Package.objects.filter(pk=node.pk).update(command=["node", "bot.js"])
    BotVersion.objects.create(bot=Bot.objects.get(slug="b1"), number=2, package=node, status="active")
    node_only, python_only = (text_of(client, f"/leaderboards/pig/?language={word}") for word in ("node", "python"))
    assert [('href="/bots/b0/"' in page, 'href="/bots/b1/"' in page) for page in (node_only, python_only)] == [
        (False, True),
        (True, False),
    ]
    assert "No bot on this ladder is like that" in text_of(client, "/leaderboards/pig/?language=c&author=x")


def test_a_bot_reads_by_rating_meetings_seats_and_clock(night: League, client: Client) -> None:
    page = text_of(client, "/bots/b1/")
    for heading in ("Elo over time", "Whom it meets", "By table and seat", "Time and memory", "Matches"):
        assert f"<h2>{heading}</h2>" in page
    assert "<dt>Rating of v1" in page
    assert re.search(r"<dt>About 95 % sure it is</dt><dd><small>\d+ to \d+<", page)


def test_a_bots_matches_are_filtered(night: League, client: Client) -> None:
    won = MatchSeat.objects.filter(version__bot__slug="b1", place=1).values_list("match_id", flat=True)
    assert set(found_in(text_of(client, "/bots/b1/?result=won"))) == set(won)
    assert "There is no bot “nobody”." in text_of(client, "/bots/b1/?opponent=nobody")


def test_a_trial_is_told_to_its_author_alone(night: League, client: Client) -> None:
    version = BotVersion.objects.get(bot__slug="b1")
    version.trial_log = "question 3: overtime"
    version.save(update_fields=["trial_log"])
    assert "question 3" not in text_of(client, "/bots/b1/versions/1/")
    client.force_login(get_user_model().objects.exclude(pk=version.bot.owner_id)[0])
    assert "question 3" not in text_of(client, "/bots/b1/versions/1/")
    client.force_login(version.bot.owner)
    assert "question 3: overtime" in text_of(client, "/bots/b1/versions/1/")


def test_a_league_is_followed_by_its_feed(night: League, client: Client) -> None:
    assert 'rel="alternate" type="application/atom+xml"' in text_of(client, "/leagues/night/")
    feed = ET.fromstring(text_of(client, "/leagues/night/feed.atom"))
    links = [link.attrib["href"] for entry in feed.iter(f"{ATOM}entry") for link in entry.iter(f"{ATOM}link")]
    assert [link.split("/")[-2] for link in links] == closed()


def test_a_leagues_rounds_are_a_calendar(night: League, client: Client) -> None:
    League.objects.update(name="Night; of, the \\ long" + " name" * 8)
    text = text_of(client, "/leagues/night/rounds.ics")
    assert text.count("BEGIN:VEVENT\r\n") == 2
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    assert "SUMMARY:Night\\; of\\, the \\\\ long" in text.replace("\r\n ", "")


def test_a_round_that_goes_on_has_no_end(night: League, client: Client) -> None:
    Match.objects.filter(pk=closed()[0]).update(status="playing", closed_at=None)
    assert text_of(client, "/leagues/night/rounds.ics").count("DTEND") == 1


def test_home_tells_of_no_upset_where_the_match_was_even(night: League, client: Client) -> None:
    upset = find_last_upset()
    assert ("The last upset" in text_of(client, "/")) == (upset is not None)
    assert upset is None or int(upset.percent) < 45


def test_times_in_a_cursor_keep_their_zone(night: League) -> None:
    Match.objects.filter(pk=closed()[0]).update(closed_at=Match.objects.latest("closed_at").closed_at + timedelta(1))
    first = search(SearchFilter(), size=1)
    assert [page.id for page in search(SearchFilter(), first.after, size=9).matches] == closed()[1:]


def test_the_status_page_names_the_cage_that_does_not_hold(night: League, client: Client) -> None:
    CageReport.objects.create(worker="matches@one", tier="bwrap", held=True, cgroup=True)
    CageReport.objects.create(worker="matches@two", tier="landlock", held=False, reason="Landlock is not there")
    page = text_of(client, "/status/")
    assert re.search(r"matches@one.*bwrap.*cgroup.*holds.*", page.replace("\n", ""))
    assert "Landlock is not there" in page


def test_the_status_page_counts_the_matches_and_names_the_void_and_the_differing(night: League, client: Client) -> None:
    first, second, *rest = closed()
    Match.objects.filter(pk=first).update(status="void", reason="given up after 5 workers")
    MatchAudit.objects.create(match_id=second, build="1", found=f"match {second}, entry 7: face says 9\nmore")
    waiting = Match.objects.create(game="pig")
    found = read_health()
    assert (found.waiting, found.waiting_since) == (1, waiting.created_at)
    assert (found.closed, found.void, found.audited) == (len(rest) + 1, 1, 1)
    page = text_of(client, "/status/")
    assert "given up after 5 workers" in page
    assert "entry 7: face says 9" in page
    assert "more" not in page[page.index("face says 9") : page.index("face says 9") + 20]
