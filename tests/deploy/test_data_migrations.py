"""Data migrations of existing rows, forwards and, as far as possible, backwards."""

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
from people.stored_languages import read_language
from replays.models import MatchSeat
from replays.models.reviews import Review
from replays.reviews.review_scheduling import read_queue
from replays.reviews.stored_reviews import state_of
from tests.support import killed_workers
from tests.support.factories import AuthorFactory, create_active_version
from tests.support.migrating import migrate_back
from tests.support.reviewable import create_closed_match, create_reviewed_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def quick(settings: Any) -> None:
    """Reduce the precision of reviews, so that they take little time."""
    settings.REVIEWS = {**settings.REVIEWS, "playouts": 2}


def columns(table: str) -> set[str]:
    with connection.cursor() as cursor:
        return {column.name for column in connection.introspection.get_table_description(cursor, table)}


def indexed(table: str) -> list[list[str]]:
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, table).values()
    return [each["columns"] for each in found if each["index"]]


def insert(table: str, **values: Any) -> None:
    """Insert a row without the newer columns, as an earlier release would."""
    names, marks = ", ".join(values), ", ".join(["%s"] * len(values))
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", list(values.values()))


@pytest.mark.slow
def test_migrated_match_seats_have_no_memory_measurement_and_keep_all_other_fields() -> None:
    match = create_closed_match()
    MatchSeat.objects.filter(match=match, seat=0).update(memory=5_000_000, place=1, excuses=2)
    with migrate_back(("replays", "0013_outside_seats")) as then:
        assert "memory" not in columns("replays_matchseat")
        old = then.get_model("replays", "MatchSeat").objects.get(match_id=match.pk, seat=0)
        assert (old.place, old.excuses) == (1, 2)
        assert then.get_model("replays", "Match").objects.get(pk=match.pk).status == "closed"
    seat = MatchSeat.objects.get(match=match, seat=0)
    assert (seat.place, seat.excuses, seat.memory) == (1, 2, None)


@pytest.mark.slow
def test_a_review_whose_row_was_lost_by_a_reversed_migration_is_restored_from_its_stored_facts() -> None:
    match = create_closed_match()
    row = create_reviewed_match(match)
    whole = killed_workers.list_pages(row)
    with migrate_back(("replays", "0014_memory_seen")) as then:
        assert "replays_review" not in connection.introspection.table_names()
        assert then.get_model("replays", "Match").objects.get(pk=match.pk).status == "closed"
    assert not Review.objects.exists()
    again = create_reviewed_match(match)
    assert (again.stream_id, killed_workers.list_pages(again)) == (row.stream_id, whole), "nothing was computed twice"
    assert again.done == again.total == whole[-1][1] + 1


@pytest.mark.slow
def test_migrated_reviews_have_an_index_on_their_end_time_and_are_counted() -> None:
    row = create_reviewed_match(create_closed_match())
    with migrate_back(("replays", "0015_reviews")) as then:
        assert ["ended_at"] not in indexed("replays_review")
        then.get_model("replays", "Review").objects.filter(pk=row.pk).update(cpu_ms=7000)
    assert ["ended_at"] in indexed("replays_review")
    assert (read_queue().done, read_queue().spent) == (1, 7)
    assert state_of(Review.objects.get()).review == state_of(row).review


@pytest.mark.slow
def test_bots_made_before_the_migration_accept_challenges() -> None:
    bot = create_active_version().bot
    Bot.objects.filter(pk=bot.pk).update(challenged=False)
    with migrate_back(("bots", "0016_resting")) as then:
        assert "challenged" not in columns("bots_bot")
        old = {field.column: getattr(bot, field.attname) for field in then.get_model("bots", "Bot")._meta.fields}
    assert Bot.objects.get(pk=bot.pk).challenged
    insert("bots_bot", **old | {"id": bot.pk + 1000, "slug": "made-by-a-program-of-before"})
    assert Bot.objects.get(pk=bot.pk + 1000).challenged


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "unsaid"), [("0016_resting", {"challenges", "reviews"}), ("0017_challenges", {"reviews"})]
)
def test_a_migrated_quota_keeps_its_limits_and_gets_defaults_for_new_ones(before: str, unsaid: set[str]) -> None:
    person, other = AuthorFactory.create(), AuthorFactory.create()
    Quota.objects.create(person=person, uploads=3, trials=4, challenges=5, reviews=6)
    with migrate_back(("bots", before)) as then:
        assert unsaid == {"challenges", "reviews"} - columns("bots_quota")
        assert then.get_model("bots", "Quota").objects.get(person_id=person.pk).uploads == 3
        insert("bots_quota", person_id=other.pk, uploads=2)
    kept, usual = quota_of(person), quota_of(AuthorFactory.create())
    assert (kept.uploads, kept.trials) == (3, 4)
    for name in ("challenges", "reviews"):
        said = getattr(usual, name) if name in unsaid else {"challenges": 5, "reviews": 6}[name]
        assert getattr(kept, name) == said
        assert getattr(quota_of(other), name) == getattr(usual, name)


def test_migrated_users_have_no_language_preference_until_they_choose_a_language() -> None:
    person: User = AuthorFactory.create()
    KeptTongue.objects.create(person=person, tongue="zh-Hant")
    with migrate_back(("people", "0002_bans_and_acts")) as then:
        assert "people_kepttongue" not in connection.introspection.table_names()
        assert then.get_model("auth", "User").objects.filter(pk=person.pk).exists()
    assert read_language(person) == ""
    browser = Client()
    browser.force_login(person)
    browser.get("/account/", {"lang": "zh-Hant"})
    assert read_language(person) == "zh-Hant"


def test_notices_keep_their_english_text_when_the_migration_is_reversed() -> None:
    person: User = AuthorFactory.create()
    said = {"kind": "trial", "text": "ada 1 passed its trial.", "link": "/", "at": timezone.now(), "on_web": True}
    row = Notice.objects.create(
        person=person, key="1", pattern="%(bot)s passed its trial.", words={"bot": "ada 1"}, **said
    )
    with migrate_back(("notices", "0002_from_now_on")) as then:
        assert not {"pattern", "words"} & columns("notices_notice")
        assert then.get_model("notices", "Notice").objects.get(pk=row.pk).text == said["text"]
    kept = Notice.objects.get(pk=row.pk)
    assert (kept.pattern, kept.words, kept.sentence) == ("", {}, said["text"])
    insert("notices_notice", **said | {"person_id": person.pk, "key": "2", "to_mail": False})
    assert Notice.objects.get(key="2").sentence == said["text"], "by a program of before"
