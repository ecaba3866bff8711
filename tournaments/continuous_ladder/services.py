"""Commands on continuous ladders, on which the server regularly starts matches between active bots."""
# The stream ``bouts/<game>`` stores settings and matches, ``ladder/<game>/_continuous`` the ratings. The periodic task
# `tournaments.sweep` starts matches that are due.

from __future__ import annotations

from functools import partial
from typing import Any, Final

from django.conf import settings
from django.db import transaction

from bots.bot_bans import describe_ban
from ftk_core.games import list_games
from people.staff_audit_trail import ActingStaffMember, make_shell_actor, record_staff_act
from replays.background_work_retries import list_given_up, run_with_retries
from replays.queries import CLOSED, VOID, find_seat_at_fault
from tournaments.continuous_ladder.continuous_ladder_facts import (
    BotVersionExcluded,
    BotVersionReadmitted,
    BoutEnded,
    LadderSettingsChanged,
)
from tournaments.continuous_ladder.continuous_ladder_projection import (
    MAX_MATCHES_AHEAD,
    SECONDS_PER_HOUR,
    append,
    rebuild_tables,
)
from tournaments.continuous_ladder.continuous_ladder_settings import (
    ContinuousLadderSettings,
    check_ladder_settings,
    make_default_ladder_settings,
)
from tournaments.continuous_ladder.ladder_matchmaking import has_new_version, start_next_bout
from tournaments.ladders.ladder_event_types import NonLeagueMatchRated
from tournaments.ladders.ladder_match_rating import rate_bouts
from tournaments.league_limits import CONTINUOUS
from tournaments.models.continuous_ladders import Bout, ContinuousLadder

BOUT_RESULT: Final = "bout result"
"""Value of `FailedWork.kind` for bouts whose result could not be recorded; the recording is retried."""
BOUT_CALL: Final = "bouts of a ladder"
"""Value of `FailedWork.kind` for games whose next bout could not be started; the start is retried."""
MAX_OPEN_BOUTS = 8
"""Maximum number of open bouts of a ladder. With slow workers this reduces the rate, so that matches do not pile up."""
MAX_EXTRA_FIRST_BOUTS = 2
"""Maximum number of open bouts, in addition to `MAX_OPEN_BOUTS`, for bot versions that have never played."""
MAX_FIRST_BOUTS_AHEAD = 10
"""Maximum number of bouts by which early bouts of new versions may run ahead of the ladder's schedule.

After this number of early bouts, a new version waits until its bout is due.
"""
MAX_BOUTS_PER_SWEEP = 100
"""Maximum number of finished bouts that one sweep records because their own recording task was lost."""
CRASH_EXCUSE = "crash"


@transaction.atomic
def set_ladder(staff: ActingStaffMember, game: str, terms: ContinuousLadderSettings, at: int) -> None:
    """Change the settings of a game's continuous ladder and log this action of staff.

    Raises ContinuousLadderSettingsError for an unknown game or invalid settings.
    """
    check_ladder_settings(game, terms)
    ContinuousLadder.objects.get_or_create(game=game)
    row = ContinuousLadder.objects.select_for_update().get(game=game)
    fact = LadderSettingsChanged(
        rate=terms.rate, sizes=terms.sizes, options=terms.options, by=staff.name, at=at, **terms.clock.parts
    )
    append(row, [fact])
    record_staff_act(
        staff, "ladder", f"{game}: {terms.rate} bouts an hour at tables of {', '.join(map(str, terms.sizes))}"
    )


def sweep(at: int) -> int:
    """Record finished ladder matches and start due ones; return the number of started matches.

    Games without stored settings get default settings. `at` is the current time in seconds since 1970.
    """
    unrecorded = Bout.objects.filter(ended=False, match__status__in=(CLOSED, VOID)).order_by("pk")
    unrecorded = unrecorded.exclude(match_id__in=list_given_up(BOUT_RESULT))
    for match in list(unrecorded.values_list("match_id", flat=True)[:MAX_BOUTS_PER_SWEEP]):
        run_with_retries(BOUT_RESULT, match, partial(record, match), otherwise=False)
    if settings.LADDER_RATE:
        for game in set(list_games()) - set(ContinuousLadder.objects.values_list("game", flat=True)):
            terms = make_default_ladder_settings(game, settings.LADDER_RATE)
            start = partial(set_ladder, make_shell_actor("the settings"), game, terms, at)
            run_with_retries(BOUT_CALL, game, start, otherwise=None)
    running = ContinuousLadder.objects.filter(rate__gt=0, game__in=list_games()).order_by("game")
    games = list(running.values_list("game", flat=True))
    return sum(run_with_retries(BOUT_CALL, game, partial(_call_due_bouts, game, at), otherwise=0) for game in games)


def _call_due_bouts(game: str, at: int) -> int:
    called = 0
    while _call_due_bout(game, at):
        called += 1
    return called


@transaction.atomic
def _call_due_bout(game: str, at: int) -> bool:
    """Start a match of a ladder if one is due; return True if it was started."""
    # The first match of a new bot version may start early. A ladder that another process has locked is skipped.
    ladder = ContinuousLadder.objects.select_for_update(skip_locked=True).filter(game=game, rate__gt=0).first()
    if ladder is None:
        return False
    open_bouts = ladder.bouts.filter(ended=False).exclude(match_id__in=list_given_up(BOUT_RESULT)).count()
    seconds_per_match = SECONDS_PER_HOUR / ladder.rate
    was_clock_ahead = ladder.due - at > MAX_MATCHES_AHEAD * seconds_per_match
    is_due = (ladder.due <= at or was_clock_ahead) and open_bouts < MAX_OPEN_BOUTS
    may_add_first_bout = (
        open_bouts < MAX_OPEN_BOUTS + MAX_EXTRA_FIRST_BOUTS
        and ladder.due - at < MAX_FIRST_BOUTS_AHEAD * seconds_per_match
    )
    return (is_due or (may_add_first_bout and has_new_version(ladder))) and start_next_bout(ladder, at)


@transaction.atomic
def record(match_id: str) -> bool:
    """Record and rate a ladder match that has ended; return False if that is done already, or for other matches."""
    ended = Bout.objects.filter(match_id=match_id, ended=False, match__status__in=(CLOSED, VOID))
    ladder = ContinuousLadder.objects.select_for_update(of=("self",)).filter(bouts__in=ended).first()
    bout = ended.select_related("match").first()
    if ladder is None or bout is None:  # another process was quicker
        return False
    seats = list(bout.match.seats.order_by("seat").select_related("version__bot"))
    fact = _make_ended_fact(bout, seats)
    append(ladder, [fact])
    if fact.counted:
        names, places = tuple(seat.version.bot.slug for seat in seats), tuple(seat.place or 0 for seat in seats)
        counted = NonLeagueMatchRated(match=match_id, number=bout.number, names=names, places=places)
        rate_bouts(ladder.game, CONTINUOUS, [counted])
    _bench_crashing_versions(ladder, fact)
    return True


def _make_ended_fact(bout: Bout, seats: list[Any]) -> BoutEnded:
    """Return the event for the end of a ladder match."""
    # For a match without a result, the event names only the version at fault, or none. A ban, which ends matches at an
    # answer of the banned bot, is no crash.
    closed = bout.match.status == CLOSED
    blamed = None if closed else find_seat_at_fault(bout.match_id)
    judged_seats = [seat for seat in seats if closed or (seat.seat == blamed and not describe_ban(seat.version.bot))]
    return BoutEnded(
        number=bout.number,
        match=bout.match_id,
        counted=closed,
        versions=tuple(seat.version_id for seat in judged_seats),
        crashed=tuple(not closed or (seat.missed or {}).get(CRASH_EXCUSE, 0) > 0 for seat in judged_seats),
        at=int((bout.match.closed_at or bout.match.created_at).timestamp()),
    )


def _bench_crashing_versions(ladder: ContinuousLadder, ended: BoutEnded) -> None:
    """Exclude bot versions from a ladder after `settings.BENCH_AFTER` matches in a row with crashes."""
    # If this setting is 0, no version is excluded.
    max_crashes = settings.BENCH_AFTER
    rows = (
        ladder.versions.filter(version__in=ended.versions, crashes__gte=max_crashes, benched="") if max_crashes else ()
    )
    for version_row in rows:
        reason = f"it crashed in {version_row.crashes} matches of the continuous ladder in a row"
        name = f"{version_row.version.bot.slug} v{version_row.version.number}"
        append(ladder, [BotVersionExcluded(version=version_row.version_id, name=name, why=reason, at=ended.at)])


@transaction.atomic
def reinstate_version(version_id: int, by: str, at: int) -> bool:
    """Admit an excluded bot version to its continuous ladder again; return False if it was not excluded."""
    ladder = ContinuousLadder.objects.select_for_update(of=("self",)).filter(versions__version=version_id).first()
    version_row = ladder.versions.filter(version=version_id).exclude(benched="").first() if ladder else None
    if ladder is None or version_row is None:
        return False
    append(ladder, [BotVersionReadmitted(version=version_id, name=version_row.version.label, by=by, at=at)])
    return True


@transaction.atomic
def rebuild(game: str) -> int:
    """Rebuild the database tables of a game's ladder from its events; return the number of events."""
    ladder = ContinuousLadder.objects.select_for_update().filter(game=game).first()
    return rebuild_tables(ladder) if ladder else 0
