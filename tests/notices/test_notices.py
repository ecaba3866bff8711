"""People are told what concerns them, as they chose, once, and in mails that can be ended with one click."""

from __future__ import annotations

import re
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.db import connection
from django.test import Client
from django.utils import timezone

from bots.models import BotVersion, CoAuthor
from bots.services import try_out
from ftk_core.league.facts import ResultRecorded, RoundClosed
from ftk_core.league.folding import write
from notices import mailing, tasks, wishes
from notices.models import Cursor, Delivery, Notice, Wish
from notices.wishes import Telling, notify
from replays.store import StreamLog
from tests.support.entering import mine, newer, opened
from tests.support.factories import AuthorFactory
from tests.support.hooks import hooked
from tests.support.leagues import new_league
from tournaments import services
from tournaments.models import League

pytestmark = pytest.mark.django_db(transaction=True)


def with_mail(person: User) -> User:
    EmailAddress.objects.create(user=person, email=f"{person}@example.com", verified=True, primary=True)
    return person


def told(person: User, kind: str = "") -> list[str]:
    return [row.text for row in wishes.list_notices(person) if kind in ("", row.kind)]


def refused(version: BotVersion) -> BotVersion:
    row = newer(version)
    BotVersion.objects.filter(pk=row.pk).update(status="trial")
    return try_out(row.pk)


def test_an_author_is_told_of_the_verdict_on_the_web_and_by_mail_and_so_is_who_shares_the_bot() -> None:
    version = mine()
    owner, friend, invited = with_mail(version.bot.owner), AuthorFactory.create(), AuthorFactory.create()
    CoAuthor.objects.create(bot=version.bot, person=friend, accepted_at=timezone.now())
    CoAuthor.objects.create(bot=version.bot, person=invited)
    tasks.sweep()
    tasks.sweep()
    assert told(owner) == told(friend) == ["ada 1 passed its trial."]
    assert told(invited) == []
    assert tasks.mail() == 1
    (message,) = mail.outbox
    assert (message.to, message.subject) == (["of-ada@example.com"], "The Court: ada 1 passed its trial.")
    assert "http://127.0.0.1:8000/bots/ada/versions/1/" in message.body


def test_a_trial_that_takes_longer_than_a_later_one_is_told_when_it_is_over() -> None:
    first = mine()
    BotVersion.objects.filter(pk=first.pk).update(status="trial")
    second = mine("bob")
    tasks.sweep()
    assert (told(first.bot.owner), len(told(second.bot.owner))) == ([], 1)
    BotVersion.objects.filter(pk=first.pk).update(status="refused", reason="it never answered")
    tasks.sweep()
    assert told(first.bot.owner) == ["ada 1 was refused: it never answered."]
    BotVersion.objects.update(uploaded_at=timezone.now() - timedelta(hours=1))
    tasks.sweep()
    assert (Cursor.objects.get(name="trials").length, Cursor.objects.get(name="trials").ahead) == (second.pk, [])


def test_what_happened_before_there_were_notices_is_told_to_nobody() -> None:
    waiting, active = mine(), mine("bob")
    BotVersion.objects.filter(pk=waiting.pk).update(status="trial")
    league = opened()
    services.enter_bot(league.pk, active)
    migration = import_module("notices.migrations.0002_from_now_on")
    Cursor.objects.all().delete()
    with connection.cursor() as cursor:
        cursor.execute(migration.LEAGUES)
        cursor.execute(migration.TRIALS)
    hooked("https://bots.example/")
    assert tasks.sweep() == 0
    BotVersion.objects.filter(pk=waiting.pk).update(status="active")
    services.enter_bot(league.pk, mine("eve"))
    tasks.sweep()
    assert (told(active.bot.owner), told(waiting.bot.owner)) == ([], ["ada 1 passed its trial."])
    assert list(Delivery.objects.order_by("sequence").values_list("kind", "told__bot")) == [
        ("trial.decided", "ada"),
        ("trial.decided", "eve"),
        ("entry.came", "eve-1"),
    ]


def test_those_whose_bots_play_are_told_that_a_league_begins_and_that_a_round_ended() -> None:
    ada, bob, left = mine(), mine("bob"), mine("eve")
    league = opened()
    for version in (ada, bob, left):
        services.enter_bot(league.pk, version)
    League.objects.get().entrants.filter(name="eve-1").update(withdrawn=True)
    services.start(league.pk)
    stream = StreamLog(league.stream_id)
    stream.append([write(RoundClosed(1))], stream.length)
    tasks.sweep()
    for version in (ada, bob):
        assert told(version.bot.owner, "league-begun") == ["Night began."]
        assert told(version.bot.owner, "round-ended") == ["Round 1 of Night ended."]
    assert told(left.bot.owner, "league-begun") == []


def test_the_author_of_a_bot_that_crashed_is_told_once_a_round_and_nobody_else() -> None:
    ada, bob = mine(), mine("bob")
    league = new_league([ada, bob], games=3, deals="fresh")
    stream = StreamLog(league.stream_id)
    matches = list(league.tables.order_by("game").values_list("match_id", flat=True))
    for number, match in enumerate(matches):
        result = ResultRecorded(
            round=1,
            table=1,
            game=number,
            match=match,
            seating=(1, 2),
            places=(2, 1),
            scores=(0, 9),
            excuses=(4, 0),
        )
        stream.append([write(result)], stream.length)
    tasks.sweep()
    assert told(ada.bot.owner, "crash") == ["ada-1 gave no valid answer in a match of round 1 of Night."]
    assert told(bob.bot.owner, "crash") == []
    assert Notice.objects.get(kind="crash").link == f"/matches/{matches[0]}/"


def test_what_somebody_does_not_want_is_not_told_and_what_is_only_for_mail_is_not_listed() -> None:
    person = with_mail(AuthorFactory.create())
    wishes.set_wish(person, "crash", web=False, mail=False)
    wishes.set_wish(person, "round-ended", web=False, mail=True)
    for kind in ("crash", "round-ended", "league-begun"):
        notify([person.pk], Telling(kind=kind, key="1", pattern=kind, link="/"), timezone.now())
    assert told(person) == ["league-begun"]
    assert tasks.mail() == 1
    assert "round-ended" in mail.outbox[0].body


def test_mails_of_a_kind_are_bundled_and_come_no_more_often_than_every_few_minutes() -> None:
    person, now = with_mail(AuthorFactory.create()), timezone.now()
    for number in range(3):
        notify([person.pk], Telling(kind="trial", key=str(number), pattern=f"ada {number} passed.", link="/"), now)
    assert mailing.send_due(now) == 1
    notify([person.pk], Telling(kind="trial", key="9", pattern="ada 9 passed.", link="/"), now)
    assert mailing.send_due(now + timedelta(minutes=9)) == 0
    assert mailing.send_due(now + timedelta(minutes=11)) == 1
    first, second = mail.outbox
    assert first.subject.endswith("(and 2 more)")
    assert first.body.count("passed.") == 3
    assert second.body.count("passed.") == 1


def test_mail_that_no_server_takes_is_tried_again_and_nothing_of_it_is_lost(settings: Any) -> None:
    person, now = with_mail(AuthorFactory.create()), timezone.now()
    notify([person.pk], Telling(kind="trial", key="1", pattern="ada 1 passed.", link="/"), now)
    settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_PORT = (
        "django.core.mail.backends.smtp.EmailBackend",
        "127.0.0.1",
        9,
    )
    assert mailing.send_due(now) == 0
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert mailing.send_due(now + timedelta(minutes=1)) == 0
    assert mailing.send_due(now + timedelta(minutes=11)) == 1


def test_nobody_without_a_confirmed_address_is_mailed() -> None:
    person = AuthorFactory.create(email="typed@example.com")
    EmailAddress.objects.create(user=person, email="typed@example.com", verified=False, primary=True)
    notify([person.pk], Telling(kind="trial", key="1", pattern="ada 1 passed.", link="/"), timezone.now())
    assert tasks.mail() == 0
    assert not Notice.objects.filter(to_mail=True).exists()


def test_one_click_in_a_mail_ends_mails_of_its_kind_and_of_no_other_without_signing_in() -> None:
    person = with_mail(AuthorFactory.create())
    notify([person.pk], Telling(kind="trial", key="1", pattern="ada 1 passed.", link="/"), timezone.now())
    tasks.mail()
    headers = mail.outbox[0].extra_headers
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    (path,) = re.findall(r"^<http://127\.0\.0\.1:8000(/\S+)>$", headers["List-Unsubscribe"])
    stranger = Client(enforce_csrf_checks=True)
    assert stranger.get(path).status_code == 200
    assert wishes.read_wishes(person)["trial"] == (True, True), "looking at it does nothing: mail programs do"
    assert stranger.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert wishes.read_wishes(person)["trial"] == (True, False)
    assert wishes.read_wishes(person)["endpoint"] == (True, True)


def test_a_link_that_was_changed_signs_nobody_off() -> None:
    person = AuthorFactory.create()
    token = mailing.off_token(person.pk, "trial")
    client = Client()
    for broken in (token[:-1], token.replace(":", ";"), "x", f"{token}x"):
        assert client.post(f"/account/notices/off/{broken}/").status_code == 404
    assert not Wish.objects.exists()


def test_a_persons_notices_are_bounded_and_the_newest_stay() -> None:
    person, now = AuthorFactory.create(), timezone.now()
    for number in range(wishes.MOST + 5):
        notify(
            [person.pk],
            Telling(kind="crash", key=str(number), pattern=f"{number}", link="/"),
            now + timedelta(seconds=number),
        )
    rows = told(person)
    assert (len(rows), rows[0], rows[-1]) == (wishes.MOST, str(wishes.MOST + 4), "5")


def test_the_header_counts_what_is_unread_until_it_is_read() -> None:
    person, client = AuthorFactory.create(), Client()
    client.force_login(person)
    assert b'class="unread"' not in client.get("/").content
    for number in range(2):
        notify(
            [person.pk], Telling(kind="crash", key=str(number), pattern=f"{number} crashed.", link="/"), timezone.now()
        )
    assert b'aria-label="2 new notices"' in client.get("/").content
    assert b'class="unread"' not in Client().get("/").content
    assert client.post("/account/notices/", {"read": "yes"}).status_code == 302
    assert b'class="unread"' not in client.get("/account/notices/").content


def test_choices_are_kept_as_the_form_says_them() -> None:
    person, client = AuthorFactory.create(), Client()
    client.force_login(person)
    client.post("/account/notices/", {"keep": "yes", "web": ["trial", "nonsense"], "mail": ["crash"]})
    said = wishes.read_wishes(person)
    assert said["trial"] == (True, False)
    assert said["crash"] == (False, True)
    assert said["round-ended"] == (False, False)
