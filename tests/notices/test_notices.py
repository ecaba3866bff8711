"""Notices on the site and by mail: preferences, bundled mails and unsubscribe links."""

from __future__ import annotations

import re
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.utils import timezone

from bots.models import BotVersion, CoAuthor
from bots.services import run_trial
from ftk_core.league.league_facts import ResultRecorded, RoundClosed
from ftk_core.league.league_state_from_events import encode_fact
from notices import notice_mails, notice_preferences, tasks
from notices.models import EventLogReadPosition, Notice, NotificationPreference
from notices.notice_preferences import NoticeContent, notify
from replays.event_stream_storage import EventAppender
from replays.models.failed_background_work import FailedWork
from tests.support.factories import AuthorFactory
from tests.support.league_entries import add_newer_version, create_own_version, open_league
from tests.support.leagues import start_league
from tournaments.leagues import services
from tournaments.models import League

pytestmark = pytest.mark.django_db(transaction=True)


def with_mail(person: User) -> User:
    EmailAddress.objects.create(user=person, email=f"{person}@example.com", verified=True, primary=True)
    return person


def texts_of(person: User, kind: str = "") -> list[str]:
    return [row.text for row in notice_preferences.list_notices(person) if kind in ("", row.kind)]


def refused(version: BotVersion) -> BotVersion:
    row = add_newer_version(version)
    BotVersion.objects.filter(pk=row.pk).update(status="trial")
    return run_trial(row.pk)


def test_authors_of_a_bot_are_notified_of_its_trial_result_on_the_website_and_by_mail() -> None:
    version = create_own_version()
    owner, friend, invited = with_mail(version.bot.owner), AuthorFactory.create(), AuthorFactory.create()
    CoAuthor.objects.create(bot=version.bot, person=friend, accepted_at=timezone.now())
    CoAuthor.objects.create(bot=version.bot, person=invited)
    tasks.sweep()
    tasks.sweep()
    assert texts_of(owner) == texts_of(friend) == ["ada 1 passed its trial."]
    assert texts_of(invited) == []
    assert tasks.mail() == 1
    (message,) = mail.outbox
    assert (message.to, message.subject) == (["of-ada@example.com"], "The Court: ada 1 passed its trial.")
    assert "http://127.0.0.1:8000/bots/ada/versions/1/" in message.body


def test_an_author_is_notified_of_a_slow_trial_that_ends_after_the_trial_of_a_later_upload() -> None:
    first = create_own_version()
    BotVersion.objects.filter(pk=first.pk).update(status="trial")
    second = create_own_version("bob")
    tasks.sweep()
    assert (texts_of(first.bot.owner), len(texts_of(second.bot.owner))) == ([], 1)
    BotVersion.objects.filter(pk=first.pk).update(status="refused", reason="it never answered")
    tasks.sweep()
    assert texts_of(first.bot.owner) == ["ada 1 was refused: it never answered."]
    BotVersion.objects.update(uploaded_at=timezone.now() - timedelta(hours=1))
    tasks.sweep()
    position = EventLogReadPosition.objects.get(name="trials")
    assert (position.length, position.ahead) == (second.pk, [])


def test_authors_are_notified_when_a_league_of_their_bot_begins_and_when_a_round_ends() -> None:
    ada, bob, left = create_own_version(), create_own_version("bob"), create_own_version("eve")
    league = open_league()
    for version in (ada, bob, left):
        services.enter_bot(league.pk, version)
    League.objects.get().entrants.filter(name="eve-1").update(withdrawn=True)
    services.start(league.pk)
    stream = EventAppender(league.stream_id)
    stream.append([encode_fact(RoundClosed(1))], stream.length)
    tasks.sweep()
    for version in (ada, bob):
        assert texts_of(version.bot.owner, "league-begun") == ["Night began."]
        assert texts_of(version.bot.owner, "round-ended") == ["Round 1 of Night ended."]
    assert texts_of(left.bot.owner) == ["eve 1 passed its trial."]


def test_only_the_author_is_notified_that_a_bot_crashed_and_only_once_per_round() -> None:
    ada, bob = create_own_version(), create_own_version("bob")
    league = start_league([ada, bob], games=3, deals="fresh")
    stream = EventAppender(league.stream_id)
    matches = list(league.tables.order_by("game").values_list("match_id", flat=True))
    for round_number, (number, match) in product((1, 2), enumerate(matches)):
        result = ResultRecorded(
            round=round_number, table=1, game=number, match=match,
            seating=(1, 2), places=(2, 1), scores=(0, 9), excuses=(4, 0),
        )  # fmt: skip
        stream.append([encode_fact(result)], stream.length)
    tasks.sweep()
    assert texts_of(ada.bot.owner, "crash") == [
        f"ada-1 gave no valid answer in a match of round {round_number} of Night." for round_number in (2, 1)
    ]
    assert texts_of(bob.bot.owner, "crash") == []
    assert {notice.link for notice in Notice.objects.filter(kind="crash")} == {f"/matches/{matches[0]}/"}


def test_preferences_decide_whether_a_notice_appears_on_the_website_and_in_mail() -> None:
    person = with_mail(AuthorFactory.create())
    notice_preferences.set_preference(person, "crash", web=False, mail=False)
    notice_preferences.set_preference(person, "round-ended", web=False, mail=True)
    for kind in ("crash", "round-ended", "league-begun"):
        notify([person.pk], NoticeContent(kind=kind, key="1", pattern=kind, link="/"), timezone.now())
    assert texts_of(person) == ["league-begun"]
    assert tasks.mail() == 1
    assert "round-ended" in mail.outbox[0].body


def test_notices_of_one_kind_are_bundled_in_one_mail_and_mails_are_rate_limited() -> None:
    person, now = with_mail(AuthorFactory.create()), timezone.now()
    for number in range(3):
        notify(
            [person.pk], NoticeContent(kind="trial", key=str(number), pattern=f"ada {number} passed.", link="/"), now
        )
    notify([person.pk], NoticeContent(kind="endpoint", key="1", pattern="A webhook failed.", link="/"), now)
    assert notice_mails.send_due(now) == 2
    notify([person.pk], NoticeContent(kind="trial", key="9", pattern="ada 9 passed.", link="/"), now)
    assert notice_mails.send_due(now + timedelta(minutes=9)) == 0
    assert notice_mails.send_due(now + timedelta(minutes=11)) == 1
    other_kind, first, second = mail.outbox
    assert (other_kind.body.count("failed."), other_kind.body.count("passed.")) == (1, 0)
    assert first.subject.endswith("(and 2 more)")
    assert first.body.count("passed.") == 3
    assert second.body.count("passed.") == 1
    assert first.body.count("failed.") == second.body.count("failed.") == 0


@pytest.mark.parametrize(("left_out", "text"), [(1, "and 1 more notice\n"), (2, "and 2 more notices\n")])
def test_a_mail_states_the_number_of_notices_that_it_leaves_out(
    monkeypatch: pytest.MonkeyPatch, left_out: int, text: str
) -> None:
    monkeypatch.setattr(notice_mails, "MAX_NOTICES_PER_MAIL", 1)
    person, now = with_mail(AuthorFactory.create()), timezone.now()
    for number in range(1 + left_out):
        notify([person.pk], NoticeContent(kind="trial", key=str(number), pattern="ada passed.", link="/"), now)
    assert notice_mails.send_due(now) == 1
    assert text in mail.outbox[0].body


def test_failed_mail_is_retried_and_not_lost(settings: Any) -> None:
    person, now = with_mail(AuthorFactory.create()), timezone.now()
    notify([person.pk], NoticeContent(kind="trial", key="1", pattern="ada 1 passed.", link="/"), now)
    settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_PORT = (
        "django.core.mail.backends.smtp.EmailBackend",
        "127.0.0.1",
        9,
    )
    assert notice_mails.send_due(now) == 0
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert notice_mails.send_due(now + timedelta(minutes=1)) == 0
    assert notice_mails.send_due(now + timedelta(minutes=11)) == 1


def test_a_notice_mail_is_not_sent_again_after_five_failed_attempts(settings: Any) -> None:
    working, settings.EMAIL_BACKEND = settings.EMAIL_BACKEND, "no.such.backend"
    person, now = with_mail(AuthorFactory.create()), timezone.now()
    notify([person.pk], NoticeContent(kind="trial", key="1", pattern="ada 1 passed.", link="/"), now)
    for attempt in range(1, 6):
        now += timedelta(minutes=11)
        assert notice_mails.is_due(now)
        assert notice_mails.send_due(now) == 0
        assert FailedWork.objects.get(kind=notice_mails.MAIL_WORK).attempts == attempt
        FailedWork.objects.update(rests_until=None)
    settings.EMAIL_BACKEND, now = working, now + timedelta(minutes=11)
    assert not notice_mails.is_due(now)
    assert notice_mails.send_due(now) == 0
    assert mail.outbox == []


def test_no_mail_is_sent_to_an_unconfirmed_address() -> None:
    person = AuthorFactory.create(email="typed@example.com")
    EmailAddress.objects.create(user=person, email="typed@example.com", verified=False, primary=True)
    notify([person.pk], NoticeContent(kind="trial", key="1", pattern="ada 1 passed.", link="/"), timezone.now())
    assert tasks.mail() == 0
    assert not Notice.objects.filter(to_mail=True).exists()


def test_the_unsubscribe_link_stops_mails_of_one_kind_without_signing_in() -> None:
    person = with_mail(AuthorFactory.create())
    notify([person.pk], NoticeContent(kind="trial", key="1", pattern="ada 1 passed.", link="/"), timezone.now())
    tasks.mail()
    headers = mail.outbox[0].extra_headers
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    (path,) = re.findall(r"^<http://127\.0\.0\.1:8000(/\S+)>$", headers["List-Unsubscribe"])
    stranger = Client(enforce_csrf_checks=True)
    assert stranger.get(path).status_code == 200
    assert notice_preferences.read_preferences(person)["trial"] == (True, True), "mail programs look at links, too"
    assert stranger.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert notice_preferences.read_preferences(person)["trial"] == (True, False)
    assert notice_preferences.read_preferences(person)["endpoint"] == (True, True)


def test_a_forged_unsubscribe_link_changes_nothing() -> None:
    person = AuthorFactory.create()
    token = notice_mails.make_unsubscribe_token(person.pk, "trial")
    client = Client()
    for broken in (token[:-1], token.replace(":", ";"), "x", f"{token}x"):
        assert client.post(f"/account/notices/off/{broken}/").status_code == 404
    assert not NotificationPreference.objects.exists()


def test_only_a_limited_number_of_the_newest_notices_of_a_person_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    person, now, limit = AuthorFactory.create(), timezone.now(), 20
    monkeypatch.setattr(notice_preferences, "MAX_NOTICES_PER_PERSON", limit)
    for number in range(limit + 5):
        content = NoticeContent(kind="crash", key=str(number), pattern=f"{number}", link="/")
        notify([person.pk], content, now + timedelta(seconds=number))
    rows = texts_of(person)
    assert (len(rows), rows[0], rows[-1]) == (limit, str(limit + 4), "5")


@pytest.mark.slow
def test_the_page_header_shows_the_number_of_unread_notices() -> None:
    person, client = AuthorFactory.create(), Client()
    client.force_login(person)
    assert b'class="unread"' not in client.get("/").content
    for number in range(2):
        content = NoticeContent(kind="crash", key=str(number), pattern=f"{number} crashed.", link="/")
        notify([person.pk], content, timezone.now())
    assert b'aria-label="2 new notices"' in client.get("/").content
    assert b'class="unread"' not in Client().get("/").content
    assert client.post("/account/notices/", {"read": "yes"}).status_code == 302
    assert b'class="unread"' not in client.get("/account/notices/").content


def test_notification_preferences_are_stored_as_submitted() -> None:
    person, client = AuthorFactory.create(), Client()
    client.force_login(person)
    client.post("/account/notices/", {"keep": "yes", "web": ["trial", "nonsense"], "mail": ["crash"]})
    said = notice_preferences.read_preferences(person)
    assert said["trial"] == (True, False)
    assert said["crash"] == (False, True)
    assert said["round-ended"] == (False, False)
