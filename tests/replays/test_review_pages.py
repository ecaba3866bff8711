"""Display of reviews: tables on their page, and only data of the public stream for the public."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from bots.author_quotas import set_quota
from bots.remote_bots import get_bot_by_hand
from ftk_core.analysis.bot_play_summary import MAX_MISTAKES, PHASES, costliest_choices
from ftk_core.games import list_games
from ftk_core.hash_chained_log import lines_of
from ftk_core.match_fork import has_secrets
from people.staff_audit_trail import make_shell_actor
from replays.event_stream_storage import EventAppender
from replays.models import Match
from replays.models.reviews import MatchReview
from replays.reviews.review_computation import review_next
from replays.reviews.stored_reviews import best_review, state_of
from tests.support.factories import AuthorFactory, create_active_version, create_waiting_match
from tests.support.live import play_log_lines
from tests.support.reviewable import create_closed_match, create_reviewed_match

pytestmark = pytest.mark.django_db
HIDING = [name for name, row in list_games().items() if has_secrets(row)]
"""Games with hidden information besides the outcomes of future draws."""


@pytest.fixture(autouse=True)
def quick(settings: Any) -> None:
    """Make reviews quick and imprecise."""
    settings.REVIEWS = {**settings.REVIEWS, "playouts": 4}


@pytest.mark.slow
def test_the_page_of_a_match_shows_its_review_in_tables_without_javascript() -> None:
    browser, match = Client(), create_closed_match()
    browser.force_login(AuthorFactory.create())
    address = f"/matches/{match.pk}/review/"
    assert "Sign in" in Client().get(address).content.decode()
    assert "Review this match" in browser.get(address).content.decode()
    asked = browser.post(address, follow=True).content.decode()
    assert "waits for its turn" in asked
    assert review_next()
    page = Client().get(address).content.decode()
    for said in ("Where each share came from", "Turning points", "The costliest choices", "4 playouts"):
        assert said in page
    assert f'href="/matches/{match.pk}/?at=' in page
    assert address in Client().get(f"/matches/{match.pk}/").content.decode()
    Match.objects.filter(pk=match.pk).update(released=False)
    assert Client().get(address).status_code == 403


@pytest.mark.nightly
def test_only_a_human_player_of_a_match_sees_a_list_of_their_own_three_costliest_choices() -> None:
    person, stranger, match = AuthorFactory.create(), AuthorFactory.create(), create_closed_match("to_court_the_king")
    match.seats.filter(seat=1).update(bot=get_bot_by_hand(person, "to_court_the_king").bot)
    document = state_of(create_reviewed_match(match, "own")).review
    assert document
    own = [costly for costly in document.costliest if costly.seat == 1]
    assert len(own) > 3
    pages = {}
    for user in (person, stranger):
        browser = Client()
        browser.force_login(user)
        pages[user] = browser.get(f"/matches/{match.pk}/review/").content.decode()
    assert "Your costliest choices" not in pages[stranger]
    section = pages[person].split("Your costliest choices")[1].split("</section>")[0]
    assert [int(frame) for frame in re.findall(r"Step (\d+)", section)] == [costly.frame for costly in own[:3]]
    assert section.count("would have been better by") == 3


@pytest.mark.nightly
def test_the_page_of_a_bot_summarises_the_reviews_of_its_released_matches() -> None:
    match = create_closed_match("to_court_the_king")
    bot = match.seats.get(seat=1).bot.slug
    assert "How well it chooses" not in get_page(bot)
    create_reviewed_match(match, "public")
    assert "How well it chooses" not in get_page(bot), "a public review has no costs"
    document = state_of(create_reviewed_match(match, "own")).review
    assert document
    section = get_page(bot).split("How well it chooses")[1].split("</section>")[0]
    mistakes = costliest_choices(document, 1, MAX_MISTAKES)
    assert re.findall(r"step (\d+)", section) == [str(mistake.frame) for mistake in mistakes]
    assert section.count("would have been better by") == MAX_MISTAKES
    assert all(name in section for name in ("From the review of 1 match", *PHASES))
    assert f"<dd>{float(Fraction(document.ledger[1].share)):.2f}</dd>" in section
    Match.objects.filter(pk=match.pk).update(released=False)
    assert "How well it chooses" not in get_page(bot)


def get_page(bot: str) -> str:
    """Return the page of a bot as anybody sees it."""
    return Client().get(f"/bots/{bot}/").content.decode()


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in HIDING if list_games()[name].resample])
def test_the_public_review_of_a_match_is_identical_whatever_hidden_cards_were_dealt(name: str) -> None:
    seats, said = min(list_games()[name].seats), []
    first = create_reviewed_match(create_closed_match(name, seats), "public")
    public = [line + b"\n" for line in lines_of(EventAppender(first.stream_id))]
    match = create_waiting_match([create_active_version(game=name) for _ in range(seats)])
    for world in (0, 1):  # the matches differ in everything else; a law tests that their public streams are the same
        before = transaction.savepoint()
        EventAppender(match.stream_id).append(
            [line.rstrip(b"\n") + b"\n" for line in play_log_lines(name, seats, world)], 0
        )
        Match.objects.filter(pk=match.pk).update(status=Match.Status.CLOSED)
        row = MatchReview.objects.create(match=match, eyes="public", status="done", playouts=4, done=len(public))
        EventAppender(row.stream_id).append(public, 0)
        create_reviewed_match(match, "all")
        told = {
            eyes: Client().get(f"/api/v1/matches/{match.pk}/review/?eyes={eyes}").content for eyes in ("public", "all")
        }
        told["page"] = Client().get(f"/matches/{match.pk}/review/?eyes=public").content
        said.append(told)
        transaction.savepoint_rollback(before)
    assert b'"curve":[{' in said[0]["public"]
    assert said[0]["public"] == said[1]["public"]
    assert said[0]["page"] == said[1]["page"]
    assert said[0]["all"] != said[1]["all"], "the comparison can tell"


def test_the_page_of_a_game_shows_how_reliable_the_values_of_its_reviews_are() -> None:
    page = Client().get("/games/pig/").content.decode()
    assert "How reliable its reviews are" in page
    assert page.count("2 seats, ") == 1
    assert "0.9\N{EN DASH}1.0" in page


def test_the_page_of_a_review_marks_uncertain_values_and_shows_the_unexplained_part_of_the_result() -> None:
    match = create_closed_match()
    create_reviewed_match(match, "own")
    page = Client().get(f"/matches/{match.pk}/review/").content.decode()
    assert "(not sure)" in page, "four playouts are few"
    assert "Not explained" in page


def test_the_page_of_a_review_says_why_a_request_is_refused() -> None:
    browser, person, match = Client(), AuthorFactory.create(), create_closed_match()
    set_quota(make_shell_actor("root", "a test"), person, {"reviews": 0})
    browser.force_login(person)
    assert "you may ask for 0 reviews" in browser.post(f"/matches/{match.pk}/review/", follow=True).content.decode()


def test_of_several_reviews_of_a_match_the_calibrated_one_is_preferred_to_the_public_one() -> None:
    match = create_closed_match("for_the_king", 3)
    create_reviewed_match(match, "public")
    public = best_review(match.pk)
    create_reviewed_match(match, "own")
    own = best_review(match.pk)
    assert public
    assert own
    assert (public.eyes, public.calibration) == ("public", 0)
    assert (own.eyes, own.calibration > 0) == ("own", True)
