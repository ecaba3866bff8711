"""Comments on leagues and matches: off by default, moderated by organisers, escaped, exported and erased."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils.html import escape

from ftk_core.league.league_state import CommandRejected
from people.account_erasure import erase_person
from people.models import StaffAct
from replays.models import Match
from tests.support.browser.pages import fetch_text
from tests.support.factories import AuthorFactory
from tests.support.leagues import create_entrants, start_league
from tests.support.people import open_session
from tournaments.comments.services import MAX_COMMENTS_PER_DAY, add_comment
from tournaments.leagues import services
from tournaments.models import League
from tournaments.models.comments import Comment, CommentReport
from tournaments.models.organiser_roles import LeagueRole, Refusal
from tournaments.personal_data_export import export_league_data

pytestmark = pytest.mark.django_db
LEAGUE, COMMENTS, MODERATION = "/leagues/night/", "/leagues/night/comments/", "/leagues/night/desk/comments/"
LONG = "<b>" + "x" * 1001
PUBLIC = (LEAGUE, COMMENTS, "/leagues/night/feed.atom", "/leagues/night/print/", "/api/v1/leagues/night/")


@pytest.fixture
def league() -> League:
    return start_league(create_entrants(2))


@pytest.fixture
def olga(league: League) -> Client:
    olga: User = AuthorFactory.create(username="olga")
    LeagueRole.objects.create(league=league, person=olga, role=LeagueRole.Role.ORGANISER)
    return open_session(olga)


@pytest.fixture
def fan() -> User:
    person: User = AuthorFactory.create(username="fan")
    return person


def choose(olga: Client, mode: str) -> None:
    assert olga.post("/leagues/night/desk/audience/", {"comments": mode}).status_code == 302


def press(client: Client, path: str = COMMENTS, **fields: Any) -> str:
    """Send a form, and return the text of the page to which it leads."""
    return str(client.post(path, fields, follow=True).content.decode())


def moderate(client: Client, number: int, **fields: Any) -> str:
    """Send the form of a comment on the page of its moderators, and return the text of the page to which it leads."""
    forms = fetch_text(client, MODERATION).split('name="seen" value="')[1:]
    seen = next(form[:16] for form in forms if f'value="{number}"' in form.partition("</form>")[0])
    return press(client, MODERATION, seen=seen, **fields)


@pytest.mark.slow
def test_a_league_accepts_no_comments_until_an_organiser_or_a_server_setting_turns_them_on(
    olga: Client, fan: User, settings: Any
) -> None:
    client = open_session(fan)
    assert [client.get(COMMENTS).status_code, client.post(COMMENTS, {"text": "hello"}).status_code] == [404, 404]
    with pytest.raises(CommandRejected, match="Night takes no comments"):
        add_comment(fan, "night", "", "hello")
    assert 'id="comments"' not in fetch_text(client, LEAGUE)
    choose(olga, "at_once")
    assert 'id="comments"' in fetch_text(client, LEAGUE)
    choose(olga, "off")
    settings.COMMENTS = "at_once"
    assert 'id="comments"' not in fetch_text(client, LEAGUE), "the league's choice goes before the arena's"
    choose(olga, "arena")
    assert "Your comment is shown." in press(client, text="hello")
    assert "comments can be arena, off" in press(olga, "/leagues/night/desk/audience/", comments="never")


@pytest.mark.slow
def test_a_comment_is_shown_as_escaped_text_without_links(olga: Client, fan: User) -> None:
    choose(olga, "at_once")
    text = "<script>alert(1)</script> https://spam.example/ \u202eevil\nsecond line"
    press(open_session(fan), text=text)
    page = fetch_text(Client(), LEAGUE)
    assert escape("<script>alert(1)</script> https://spam.example/ evil") + "<br>second line" in page
    assert "<script>alert" not in page
    assert 'href="https://spam.example' not in page
    assert "\u202e" not in page
    assert "<bdi>fan</bdi>" in page


@pytest.mark.slow
def test_a_comment_on_a_match_is_shown_only_on_the_match_page_and_only_while_the_match_is_public(
    olga: Client, fan: User
) -> None:
    choose(olga, "at_once")
    match, client = Match.objects.get(), open_session(fan)
    path = f"{COMMENTS}?match={match.pk}"
    assert "What a roll" in press(client, path, text="What a roll")
    assert "What a roll" in fetch_text(Client(), f"/matches/{match.pk}/")
    assert "What a roll" not in fetch_text(Client(), LEAGUE)
    Match.objects.update(released=False)
    for unknown in (match.pk, "nosuch"):
        with pytest.raises(CommandRejected, match=f"no match {unknown} whose replay is released"):
            add_comment(fan, "night", unknown, "What a roll")
    assert "What a roll" not in fetch_text(Client(), f"/matches/{match.pk}/")


@pytest.mark.slow
def test_a_comment_in_a_moderated_league_is_hidden_until_an_organiser_approves_it(olga: Client, fan: User) -> None:
    choose(olga, "approved")
    shown = press(open_session(fan), text="first words")
    assert "Your comment is shown when an organiser has approved it." in shown
    assert "waits for approval" in shown
    assert all("first words" not in fetch_text(Client(), path) for path in PUBLIC)
    assert "1 comment waits</a>" in fetch_text(olga, "/leagues/night/desk/")
    assert "first words" in fetch_text(olga, MODERATION)
    assert "The comment is shown." in moderate(olga, Comment.objects.get().pk, show=Comment.objects.get().pk)
    assert "first words" in fetch_text(Client(), LEAGUE)
    press(olga, text="organisers' words")
    assert "organisers&#x27; words" in fetch_text(Client(), LEAGUE), "an organiser's comment needs no approval"


@pytest.mark.slow
def test_a_hidden_comment_is_invisible_to_all_but_its_author_who_sees_the_reason(olga: Client, fan: User) -> None:
    choose(olga, "at_once")
    press(open_session(fan), text="rude words")
    comment = Comment.objects.get()
    other = open_session(AuthorFactory.create(username="other"))
    for why in ("it is rude", "it is very rude"):
        assert "The comment is reported to the organisers." in press(other, report=comment.pk, why=why)
    assert CommentReport.objects.get().why == "it is very rude"
    assert "Reported by <bdi>other</bdi>: it is very rude" in fetch_text(olga, MODERATION)
    assert "1 to 200 characters (got 0)" in moderate(olga, comment.pk, hide=comment.pk, why=" ")
    assert "The comment is hidden." in moderate(olga, comment.pk, hide=comment.pk, why="rude")
    assert not CommentReport.objects.exists()
    for reader in (Client(), other):
        assert all("rude" not in fetch_text(reader, path) for path in PUBLIC)
    assert "Reason: rude" in fetch_text(open_session(fan), LEAGUE), "its author sees the reason"
    assert "There is no such comment" in press(other, report=comment.pk, why="again")
    moderate(olga, comment.pk, show=comment.pk)
    assert "rude words" in fetch_text(Client(), LEAGUE)


@pytest.mark.slow
def test_only_the_author_can_delete_a_comment_and_only_organisers_and_staff_can_moderate_it(
    olga: Client, fan: User
) -> None:
    choose(olga, "at_once")
    author, other = open_session(fan), open_session(AuthorFactory.create(username="other"))
    press(author, text="mine")
    number = Comment.objects.get().pk
    for stranger in (other, olga):
        assert "There is no such comment" in press(stranger, remove=number)
    assert other.get(MODERATION).status_code == 403
    assert other.post(MODERATION, {"hide": number, "why": "no"}).status_code == 403
    assert {refusal.what for refusal in Refusal.objects.all()} == {"see the comments to moderate", "moderate a comment"}
    staff = open_session(AuthorFactory.create(username="staff", is_staff=True))
    press(other, report=number, why="not nice")
    moderate(staff, number, hide=number, why="staff says so")
    assert [act.what for act in StaffAct.objects.all()] == ["moderate a comment"]
    assert "Your comment is deleted." in press(author, remove=number)
    assert not Comment.objects.exists()
    assert Client().post(COMMENTS, {"text": "x"}).headers["Location"].startswith("/sign-in/")


@pytest.mark.parametrize("method", ["get", "post"])
def test_requests_for_comments_on_a_malformed_match_id_get_status_404(olga: Client, method: str) -> None:
    choose(olga, "at_once")
    assert getattr(olga, method)(f"{COMMENTS}?match=a%2Fb").status_code == 404


@pytest.mark.parametrize(
    ("text", "reason"), [("", "got 0"), (" \n\x00 ", "got 0"), ("x" * 1001, "1 to 1000 characters (got 1001)")]
)
def test_an_empty_or_long_comment_is_refused_with_the_limit(olga: Client, fan: User, text: str, reason: str) -> None:
    choose(olga, "at_once")
    with pytest.raises(CommandRejected, match=re.escape(reason)):
        add_comment(fan, "night", "", text)


@pytest.mark.parametrize("field", ["text", "why"])
def test_a_refused_comment_or_report_keeps_its_text_in_the_form(
    olga: Client, fan: User, league: League, field: str
) -> None:
    choose(olga, "at_once")
    comment = Comment.objects.create(league=league, person=fan, text="x", status="shown")
    fields = {"text": {"text": LONG}, "why": {"report": comment.pk, "why": LONG}}[field]
    answer = olga.post(COMMENTS, fields)
    assert answer.status_code == 400
    page = answer.content.decode()
    assert escape(LONG) in page
    assert "1 to" in page


def test_comments_have_a_quota_and_a_rate_limit(olga: Client, fan: User, league: League, settings: Any) -> None:
    choose(olga, "at_once")
    Comment.objects.bulk_create(
        Comment(league=league, person=fan, text="x", status="shown") for _ in range(MAX_COMMENTS_PER_DAY)
    )
    with pytest.raises(CommandRejected, match=f"at most {MAX_COMMENTS_PER_DAY} comments"):
        add_comment(fan, "night", "", "one more")
    settings.THROTTLES = {**settings.THROTTLES, "comment": "1/hour"}
    client = open_session(fan)
    assert [client.post(COMMENTS, {"text": "x"}).status_code for _ in range(2)] == [400, 429]


def test_comments_are_split_into_pages_and_remain_after_a_league_is_rebuilt(
    olga: Client, fan: User, league: League
) -> None:
    choose(olga, "at_once")
    Comment.objects.bulk_create(
        Comment(league=league, person=fan, text=f"number {n}.", status="shown") for n in range(21)
    )
    services.rebuild(league.pk)
    page = fetch_text(Client(), LEAGUE)
    assert ("number 20." in page, "number 0." in page) == (True, False)
    older = re.search(r'href="(/leagues/night/comments/\?after=[^"]+)"', page)
    assert older
    assert "number 0." in fetch_text(Client(), older[1])


def test_comments_are_exported_and_erased_with_the_account(olga: Client, fan: User) -> None:
    choose(olga, "at_once")
    comment = add_comment(fan, "night", "", "mine")
    CommentReport.objects.create(comment=comment, person=fan, why="oops")
    files = {name: json.loads(body) for name, body in export_league_data(fan)}
    assert [(row["league__slug"], row["text"]) for row in files["comments.json"]] == [("night", "mine")]
    assert [row["why"] for row in files["comment_reports.json"]] == ["oops"]
    erase_person(fan)
    assert not Comment.objects.exists()
    assert "mine" not in fetch_text(Client(), COMMENTS)
