"""Bans of authors and bots by staff."""
# A ban is stored at once. Then leagues are handled one after another, so that no process locks two. If the process
# dies, the periodic task `tournaments.sweep` enforces the rest of the ban.

from __future__ import annotations

from collections.abc import Collection
from functools import partial

import structlog
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from bots import bot_bans as bots_banning
from foundation.celery_task_messages import enqueue_task
from ftk_core.league.league_event_actors import LeagueActor
from ftk_core.league.league_state import CommandRejected
from ftk_core.league.match_result_command_handlers import void_match
from ftk_core.league.organiser_command_handlers import withdraw_from_league
from people import person_bans
from people.person_bans import BanChangeRefusedError
from people.staff_audit_trail import ActingStaffMember, record_staff_act
from replays.background_work_retries import run_with_retries
from replays.playing.match_cancellation import end_match, list_running
from replays.queries import CLOSED
from tournaments.leagues import services
from tournaments.leagues.league_event_appending import act, lock_league, now
from tournaments.models import League, LeagueMatch

log = structlog.get_logger(__name__)
BY = "the organisers"
"""Actor of a ban in a league's public stream. Only the log of staff acts names the staff member."""
WHY = "staff banned the bot or its author"


def ban_author(staff: ActingStaffMember, name: str) -> None:
    """Ban an author and all their bots.

    Raises BanChangeRefusedError for an unknown, banned or disabled person, or for staff.
    """
    person = _person(name)
    with transaction.atomic():
        person_bans.ban_person(person, staff.why)
        bots_banning.exclude_author_bots(person)
        record_staff_act(staff, "ban", f"author {name}", person)
    enforce()


def lift_author(staff: ActingStaffMember, name: str) -> None:
    """Lift the ban of an author; raise BanChangeRefusedError without such a ban."""
    # Entries that the ban withdrew stay withdrawn until an organiser brings them back.
    person = _person(name)
    with transaction.atomic():
        person_bans.lift_ban(person)
        waits = bots_banning.readmit_author_bots(person)
        record_staff_act(staff, "lift", f"author {name}", person)
    _enqueue_trials(waits=waits)


def ban_bot(staff: ActingStaffMember, slug: str) -> None:
    """Ban one bot. Raise BanChangeRefusedError if the bot does not exist or is banned already."""
    with transaction.atomic():
        record_staff_act(staff, "ban", f"bot {slug}", bots_banning.ban_bot(slug, staff.why))
    enforce()


def lift_bot(staff: ActingStaffMember, slug: str) -> None:
    """Lift the ban of a bot; raise BanChangeRefusedError without such a ban."""
    with transaction.atomic():
        owner, waits = bots_banning.unban_bot(slug)
        record_staff_act(staff, "lift", f"bot {slug}", owner)
    _enqueue_trials(waits=waits)


def _person(name: str) -> User:
    person = User.objects.filter(username=name).first()
    if person is None:
        raise BanChangeRefusedError(gettext("nobody is called %(name)r") % {"name": name[:60]})
    return person


def _enqueue_trials(*, waits: bool) -> None:
    if waits:
        enqueue_task("bots.work", "trials", queue="trials")


def enforce() -> int:
    """Withdraw banned bots from leagues and end their matches; return the number of changes."""
    # A failure in one league or match does not stop the others. The periodic task `tournaments.sweep` retries it.
    banned = bots_banning.list_banned()
    if not banned:
        return 0
    entered = Q(entrants__withdrawn=False, entrants__version__bot__in=banned)
    seated = Q(tables__recorded=False, tables__match__seats__version__bot__in=banned)
    leagues = League.objects.exclude(status=League.Status.CLOSED).filter(entered | seated)
    done = sum(_expel(league, banned) for league in leagues.order_by("pk").values_list("pk", flat=True).distinct())
    return done + sum(
        run_with_retries("ban match", match, partial(end_match, match, WHY, seat), otherwise=False)
        for match, seat in list_running(banned)
    )


def _expel(league_id: int, banned: Collection[int]) -> bool:
    def expel() -> bool:
        services.record_waiting(league_id)
        _withdraw(league_id, banned)
        services.do_due_work(league_id, timezone.now())
        return True

    return run_with_retries("ban", str(league_id), expel, otherwise=False)


@transaction.atomic
def _withdraw(league_id: int, banned: Collection[int]) -> None:
    """Withdraw the entries of banned bots from a league and void their unfinished matches."""
    league, actor = lock_league(league_id), LeagueActor(by=BY, at=now(), why=WHY)
    entries = league.entrants.filter(withdrawn=False, version__bot__in=banned).order_by("number")
    for number in list(entries.values_list("number", flat=True)):
        act(league_id, withdraw_from_league, number, actor)
    for table in _tables(league, banned):
        key = table.round, table.number, table.game
        try:
            act(league_id, void_match, key, table.match_id, actor)
        except CommandRejected as error:
            log.warning("match_not_voided", match=table.match_id, reason=str(error))


def _tables(league: League, banned: Collection[int]) -> list[LeagueMatch]:
    rows = league.tables.filter(recorded=False, match__seats__version__bot__in=banned).exclude(match__status=CLOSED)
    return list(rows.order_by("round", "number", "game").distinct())
