"""Bans by staff: the ban takes effect at once, then entries withdraw and matches end, one by one.

A league is locked only while its own entries withdraw, so that no two leagues are locked together. After a crash the
next sweep continues: a ban is enforced as long as anything is left to do.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

import structlog
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from bots import banning as bots_banning
from foundation.doorbell import ring
from ftk_core.league.organising import Hand, void, withdraw
from ftk_core.league.state import NotNow
from people import bans
from people.acts_of_staff import Staff, note
from people.bans import CannotBan
from replays.failed_work import run_bounded
from replays.playing.ending import end_match, list_going
from replays.queries import CLOSED
from tournaments import services
from tournaments.models import League, TableMatch
from tournaments.rounds import locked, now

log = structlog.get_logger(__name__)
BY = "the organisers"
"""Actor in a league's public stream; the member of staff is recorded with their acts."""
WHY = "staff banned the bot or its author"


def ban_author(staff: Staff, name: str) -> None:
    """Ban an author with all their bots; raises CannotBan."""
    person = _person(name)
    with transaction.atomic():
        bans.ban(person, staff.why)
        bots_banning.bar_author(person, staff.why)
        note(staff, "ban", f"author {name}", person)
    enforce()


def lift_author(staff: Staff, name: str) -> None:
    """Lift an author's ban; withdrawn entries stay so until they return. Raises CannotBan."""
    person = _person(name)
    with transaction.atomic():
        bans.lift(person)
        waits = bots_banning.readmit_author(person)
        note(staff, "lift", f"author {name}", person)
    _ring_for_trials(waits=waits)


def ban_bot(staff: Staff, slug: str) -> None:
    """Ban one bot; raises CannotBan."""
    with transaction.atomic():
        note(staff, "ban", f"bot {slug}", bots_banning.bar_bot(slug, staff.why))
    enforce()


def lift_bot(staff: Staff, slug: str) -> None:
    """Lift a bot's ban; raises CannotBan."""
    with transaction.atomic():
        owner, waits = bots_banning.readmit_bot(slug)
        note(staff, "lift", f"bot {slug}", owner)
    _ring_for_trials(waits=waits)


def _person(name: str) -> User:
    person = User.objects.filter(username=name).first()
    if person is None:
        raise CannotBan(gettext("nobody is called %(name)r") % {"name": name[:60]})
    return person


def _ring_for_trials(*, waits: bool) -> None:
    if waits:
        ring("bots.work", "trials", queue="trials")


def enforce() -> int:
    """Withdraw banned bots from all leagues and end their matches; return the number of leagues and matches affected.

    A failure in one league stops no other; the next sweeps retry it, as often as `run_bounded` allows.
    """
    banned = bots_banning.list_banned()
    if not banned:
        return 0
    entered = Q(entrants__withdrawn=False, entrants__version__bot__in=banned)
    seated = Q(tables__recorded=False, tables__match__seats__version__bot__in=banned)
    leagues = League.objects.exclude(status=League.Status.CLOSED).filter(entered | seated)
    done = sum(_expel(league, banned) for league in leagues.order_by("pk").values_list("pk", flat=True).distinct())
    return done + sum(end_match(match, WHY, seat) for match, seat in list_going(banned))


def _expel(league_id: int, banned: Collection[int]) -> bool:
    def expel() -> bool:
        services.record_waiting(league_id)
        _withdraw(league_id, banned)
        services.tend(league_id, timezone.now())
        return True

    return run_bounded("ban", str(league_id), expel, otherwise=False)


@transaction.atomic
def _withdraw(league_id: int, banned: Collection[int]) -> None:
    """Withdraw the entries of banned bots, and void their matches that have not ended."""
    league, hand = locked(league_id), Hand(by=BY, at=now(), why=WHY)
    entries = league.entrants.filter(withdrawn=False, version__bot__in=banned).order_by("number")
    for number in list(entries.values_list("number", flat=True)):
        services.act(league_id, partial(withdraw, entry=number, hand=hand))
    for table in _tables(league, banned):
        key = table.round, table.number, table.game
        try:
            services.act(league_id, partial(void, key=key, match=table.match_id, hand=hand))
        except NotNow as error:
            log.warning("match_not_voided", match=table.match_id, reason=str(error))


def _tables(league: League, banned: Collection[int]) -> list[TableMatch]:
    rows = league.tables.filter(recorded=False, match__seats__version__bot__in=banned).exclude(match__status=CLOSED)
    return list(rows.order_by("round", "number", "game").distinct())
