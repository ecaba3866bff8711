"""After an erasure no column of the database contains the person's name or e-mail address."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils import timezone

from bots import remote_bots
from bots.access.api_tokens import create_token
from bots.models import Bot
from bots.versions.queries import PublicTrialMatchResult
from notices.follow_subscriptions import follow
from notices.follower_notices import notify_of_new_bot
from notices.models import Follow, LastSeenLadderLeader
from notices.notice_preferences import NoticeContent, list_notices, notify
from people import staff_audit_trail
from people.account_erasure import erase_person
from people.invitations import assign_person, find_by_token, invite
from people.models import StaffAct
from people.person_roles import make_organiser
from replays.playing.match_cancellation import end_match
from replays.seats import remote_and_human_players
from tests.support.database_snapshots import create_or_restore
from tests.support.factories import create_active_version
from tests.support.league_entries import create_own_version, open_league
from tests.support.people import sign_in, sign_up, submit_mailed_code
from tests.support.seats import create_seated_match, play_in_thread, wait_for_question
from tournaments.models.organiser_roles import LeagueRole, Proposal
from tournaments.organisers.organiser_action_submission import propose_or_act
from tournaments.organisers.organiser_permission_checks import MissingRightError

pytestmark = pytest.mark.django_db(transaction=True)
NAME = "erased-author"
BY_HAND = f"{NAME}-by-hand"
LOGS = "replays_page"
"""Table of logs and streams, which never change. They may contain the name of an erased person."""


@pytest.fixture
def owner(settings: Any, monkeypatch: pytest.MonkeyPatch) -> User:
    """A person who left traces in every kind of row that is not deleted with the account."""
    settings.SIGNUP = "open"
    settings.LEASE_SECONDS = 3  # so that the thread soon notices the end of its match
    monkeypatch.setattr(remote_and_human_players, "POLL_SECONDS", 0.2)
    return create_or_restore(_create_owner)


def _create_owner() -> User:
    client = Client(headers={"User-Agent": f"Browser of {NAME}"})
    sign_up(client, NAME)
    submit_mailed_code(client)
    sign_in(Client(), f"{NAME}@example.com")
    person = User.objects.get()
    create_token(person, f"token of {NAME}")
    fan, staff = User.objects.create_user("fan"), User.objects.create_user("staff", is_staff=True)
    make_organiser(staff)
    assign_person(find_by_token(invite(staff, "author", 7, f"for {NAME}")).pk, person)
    _play_by_hand(person)
    _act_as_staff(staff, person)
    _notify(fan, person)
    return person


def _play_by_hand(person: User) -> None:
    match = create_seated_match([remote_bots.get_bot_by_hand(person, "pig"), create_active_version(slug="rival")])
    with play_in_thread(match):
        wait_for_question(match)
        end_match(match.pk, "enough")
    LastSeenLadderLeader.objects.create(game="pig", bot=BY_HAND, head=b"")


def _act_as_staff(staff: User, person: User) -> None:
    league = open_league(who="invited")
    propose_or_act(staff, league, "appoint", {"person": NAME, "role": "judge"}, "")
    propose_or_act(staff, league, "invite", {"author": NAME}, "welcome")
    LeagueRole.objects.create(league=league, person=User.objects.create_user("judge"), role="judge")
    with pytest.raises(MissingRightError):
        propose_or_act(User.objects.get(username="fan"), league, "appoint", {"person": NAME, "role": "judge"}, "")
    Proposal.objects.create(league=league, by=staff, verb="dismiss", told={"person": NAME}, why="")
    shell = staff_audit_trail.make_shell_actor("root", f"{NAME} asked.")
    for what, on in (("quota", f"author {NAME}: 7 uploads"), ("ban", f"author {NAME}"), ("ban", f"bot {BY_HAND}")):
        staff_audit_trail.record_staff_act(shell, what, on, person)
    old = f"league night: dismiss person={NAME}"  # as stored by releases before acts on a league named the person
    staff_audit_trail.record_staff_act(shell, "dismiss", old)


def _notify(fan: User, person: User) -> None:
    version = create_own_version("lovelace", person)
    follow(fan, "author", NAME)
    follow(fan, "bot", BY_HAND)
    passed = PublicTrialMatchResult(
        had_trial=True,
        id=version.pk,
        bot_id=version.bot_id,
        bot="lovelace",
        game="pig",
        number=1,
        passed=True,
        reason="",
        first=True,
        owner_id=person.pk,
        owner=NAME,
    )
    notify_of_new_bot(passed, timezone.now())
    entered = NoticeContent(
        kind="followed-bot", key=BY_HAND, pattern="%(bot)s won.", link="/", words={"bot": f"{BY_HAND}-1"}
    )
    notify([fan.pk], entered, timezone.now())
    assert len(list_notices(fan)) == 2


def list_tables_with(text: str) -> set[str]:
    """Return the tables of which a column contains a text, also in JSON, arrays and uncompressed bytes."""
    found = set()
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            cursor.execute(f'SELECT lower(t::text) FROM "{table}" AS t')
            rows = [row for (row,) in cursor.fetchall()]
            found |= {table for row in rows if text in row or text.encode().hex() in row}
    return found


@pytest.mark.slow
def test_after_erasure_no_column_of_the_database_contains_the_name_or_address_of_the_person(owner: User) -> None:
    assert len(list_tables_with(NAME)) > 10
    erase_person(owner)
    assert list_tables_with(f"{NAME}@example.com") == set()
    assert list_tables_with(NAME) - {LOGS} == set()


@pytest.mark.slow
def test_an_erased_person_has_a_placeholder_name_in_the_staff_log_in_proposals_and_in_follows(owner: User) -> None:
    erase_person(owner)
    assert set(StaffAct.objects.values_list("on", "why")) == {
        ("league night: appoint person=departed author role=judge", ""),
        ("league night: invite author=departed author", "welcome"),
        ("departed author: 7 uploads", "departed author asked."),
        ("departed author", "departed author asked."),
        ("bot departed-author-by-hand", "departed author asked."),
        ("league night: dismiss person=departed author", "departed author asked."),
    }
    assert Proposal.objects.get().told == {"person": "departed author"}
    assert Bot.objects.get(kind=Bot.Kind.PERSON).slug == "departed-author-by-hand"
    assert LastSeenLadderLeader.objects.get().bot == "departed-author-by-hand"
    assert list(Follow.objects.values_list("kind", "subject")) == [("bot", "departed-author-by-hand")]


def test_the_staff_log_keeps_the_name_but_not_the_ip_address_of_an_erased_staff_member() -> None:
    person = User.objects.create_user(NAME, is_staff=True)
    staff_audit_trail.record_staff_act(staff_audit_trail.require_staff(person, "a class"), "ban", "bot x")
    StaffAct.objects.update(address="192.0.2.1")
    erase_person(person)
    assert list(StaffAct.objects.values_list("name", "address")) == [(NAME, "")]
