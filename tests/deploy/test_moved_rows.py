"""Rows that exist are moved by migrations, forwards and, as far as their columns go, backwards."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils import timezone

from bots.models import Bot, Quota
from bots.quotas import quota_of
from notices.models import Notice
from people.models import KeptTongue
from people.tongues import tongue_of
from replays.models import MatchSeat
from replays.review_models import Review
from replays.reviews.reading import state_of
from replays.reviews.turns import read_queue
from tests.support import victims
from tests.support.factories import AuthorFactory, active_version
from tests.support.migrating import migrated_back
from tests.support.reviewable import closed_match, reviewed_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def quick(settings: Any) -> None:
    """Let a review be rough."""
    settings.REVIEWS = {**settings.REVIEWS, "playouts": 2}


def columns(table: str) -> set[str]:
    with connection.cursor() as cursor:
        return {column.name for column in connection.introspection.get_table_description(cursor, table)}


def indexed(table: str) -> list[list[str]]:
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, table).values()
    return [each["columns"] for each in found if each["index"]]


def insert(table: str, **values: Any) -> None:
    """Write a row as programs of before did, which name no newer column."""
    names, marks = ", ".join(values), ", ".join(["%s"] * len(values))
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", list(values.values()))


@pytest.mark.slow
def test_seats_of_before_say_nothing_of_memory_and_keep_all_else() -> None:
    match = closed_match()
    MatchSeat.objects.filter(match=match, seat=0).update(memory=5_000_000, place=1, excuses=2)
    with migrated_back(("replays", "0013_outside_seats")) as then:
        assert "memory" not in columns("replays_matchseat")
        old = then.get_model("replays", "MatchSeat").objects.get(match_id=match.pk, seat=0)
        assert (old.place, old.excuses) == (1, 2)
        assert then.get_model("replays", "Match").objects.get(pk=match.pk).status == "closed"
    seat = MatchSeat.objects.get(match=match, seat=0)
    assert (seat.place, seat.excuses, seat.memory) == (1, 2, None)


@pytest.mark.slow
def test_reviews_are_there_for_matches_of_before_and_one_that_was_taken_away_is_found_in_its_stream() -> None:
    match = closed_match()
    row = reviewed_match(match)
    whole = victims.pages(row)
    with migrated_back(("replays", "0014_memory_seen")) as then:
        assert "replays_review" not in connection.introspection.table_names()
        assert then.get_model("replays", "Match").objects.get(pk=match.pk).status == "closed"
    assert not Review.objects.exists()
    again = reviewed_match(match)
    assert (again.stream_id, victims.pages(again)) == (row.stream_id, whole), "nothing was reckoned twice"
    assert again.done == again.total == whole[-1][1] + 1


@pytest.mark.slow
def test_reviews_of_before_are_found_by_when_they_ended() -> None:
    row = reviewed_match(closed_match())
    with migrated_back(("replays", "0015_reviews")) as then:
        assert ["ended_at"] not in indexed("replays_review")
        then.get_model("replays", "Review").objects.filter(pk=row.pk).update(cpu_ms=7000)
    assert ["ended_at"] in indexed("replays_review")
    assert (read_queue().done, read_queue().spent) == (1, 7)
    assert state_of(Review.objects.get()).review == state_of(row).review


@pytest.mark.slow
def test_bots_of_before_may_be_challenged_and_so_may_those_that_programs_of_before_still_make() -> None:
    bot = active_version().bot
    Bot.objects.filter(pk=bot.pk).update(challenged=False)
    with migrated_back(("bots", "0016_resting")) as then:
        assert "challenged" not in columns("bots_bot")
        old = {field.column: getattr(bot, field.attname) for field in then.get_model("bots", "Bot")._meta.fields}
    assert Bot.objects.get(pk=bot.pk).challenged
    insert("bots_bot", **old | {"id": bot.pk + 1000, "slug": "made-by-a-program-of-before"})
    assert Bot.objects.get(pk=bot.pk + 1000).challenged


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "unsaid"), [("0016_resting", {"challenges", "reviews"}), ("0017_challenges", {"reviews"})]
)
def test_a_quota_of_before_holds_on_and_of_what_it_did_not_name_there_is_the_usual_one(
    before: str, unsaid: set[str]
) -> None:
    person, other = AuthorFactory.create(), AuthorFactory.create()
    Quota.objects.create(person=person, uploads=3, trials=4, challenges=5, reviews=6)
    with migrated_back(("bots", before)) as then:
        assert unsaid == {"challenges", "reviews"} - columns("bots_quota")
        assert then.get_model("bots", "Quota").objects.get(person_id=person.pk).uploads == 3
        insert("bots_quota", person_id=other.pk, uploads=2)
    kept, usual = quota_of(person), quota_of(AuthorFactory.create())
    assert (kept.uploads, kept.trials) == (3, 4)
    for name in ("challenges", "reviews"):
        said = getattr(usual, name) if name in unsaid else {"challenges": 5, "reviews": 6}[name]
        assert getattr(kept, name) == said
        assert getattr(quota_of(other), name) == getattr(usual, name)


def test_people_of_before_have_no_tongue_kept_until_they_choose_one() -> None:
    person: User = AuthorFactory.create()
    KeptTongue.objects.create(person=person, tongue="zh-Hant")
    with migrated_back(("people", "0002_bans_and_acts")) as then:
        assert "people_kepttongue" not in connection.introspection.table_names()
        assert then.get_model("auth", "User").objects.filter(pk=person.pk).exists()
    assert tongue_of(person) == ""
    browser = Client()
    browser.force_login(person)
    browser.get("/account/", {"lang": "zh-Hant"})
    assert tongue_of(person) == "zh-Hant"


def test_notices_keep_their_words_when_their_pattern_goes_and_are_told_in_english_from_then_on() -> None:
    person: User = AuthorFactory.create()
    said = {"kind": "trial", "text": "ada 1 passed its trial.", "link": "/", "at": timezone.now(), "on_web": True}
    row = Notice.objects.create(
        person=person, key="1", pattern="%(bot)s passed its trial.", words={"bot": "ada 1"}, **said
    )
    with migrated_back(("notices", "0002_from_now_on")) as then:
        assert not {"pattern", "words"} & columns("notices_notice")
        assert then.get_model("notices", "Notice").objects.get(pk=row.pk).text == said["text"]
    kept = Notice.objects.get(pk=row.pk)
    assert (kept.pattern, kept.words, kept.told) == ("", {}, said["text"])
    insert("notices_notice", **said | {"person_id": person.pk, "key": "2", "to_mail": False})
    assert Notice.objects.get(key="2").told == said["text"], "by a program of before"
