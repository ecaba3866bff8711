"""Continuous ladders: active bots meet repeatedly outside leagues, at a rate that staff sets.

Events are in the stream ``bouts/<game>``, results in the stream ``ladder/<game>/_continuous``, which no other ladder
reads. The sweeper calls bouts when they are due; they are recorded when they end.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Any, Final

from django.conf import settings
from django.db import transaction

from ftk_core.games import shelf
from people.acts_of_staff import Staff, at_the_shell, note
from replays.failed_work import list_left, run_bounded
from replays.queries import CLOSED, VOID, find_blamed
from tournaments.bounds import CONTINUOUS
from tournaments.bout_facts import BoutEnded, LadderSet, VersionBenched, VersionReturned
from tournaments.bout_models import Bout, ContinuousLadder
from tournaments.bout_rows import HOUR, append, fold_again
from tournaments.bout_terms import BoutTerms, check, usual
from tournaments.calling import call_bout, has_newcomer
from tournaments.ladder import rate_bouts
from tournaments.ladder_facts import BoutCounted

BOUT_RESULT: Final = "bout result"
"""Kind of failed work for the recording of one bout."""
CALLS: Final = "bouts of a ladder"
"""Kind of failed work for calling the bouts of a game."""
MOST_OPEN = 8
"""Maximum number of open bouts of a ladder: if its workers are slower than its rate, they limit it."""
FIRST_BOUTS_OPEN = 2
"""Additional open bouts for newcomers."""
FIRST_BOUTS_AHEAD = 10
"""Bouts by which newcomers may exceed the rate; later bouts wait until the rate is met again."""
AT_ONCE = 100
"""Maximum number of bouts recorded in one sweep after a missed signal."""
CRASH = "crash"


@transaction.atomic
def set_ladder(staff: Staff, game: str, terms: BoutTerms, at: int) -> None:
    """Change the settings of a game's continuous ladder; raises BadTerms."""
    check(game, terms)
    ContinuousLadder.objects.get_or_create(game=game)
    row = ContinuousLadder.objects.select_for_update().get(game=game)
    append(row, [LadderSet(**asdict(terms), by=staff.name, at=at)])
    note(staff, "ladder", f"{game}: {terms.rate} bouts an hour at tables of {', '.join(map(str, terms.sizes))}")


def sweep(at: int) -> int:
    """Record ended bouts whose signal was missed, and call due ones; return the number called.

    A failing bout or ladder stops no other, and is given up after some attempts. Games without settings by staff use
    the global settings.
    """
    unheard = Bout.objects.filter(ended=False, match__status__in=(CLOSED, VOID)).order_by("pk")
    unheard = unheard.exclude(match_id__in=list_left(BOUT_RESULT))
    for match in list(unheard.values_list("match_id", flat=True)[:AT_ONCE]):
        run_bounded(BOUT_RESULT, match, partial(record, match), otherwise=False)
    if settings.LADDER_RATE:
        for game in set(shelf()) - set(ContinuousLadder.objects.values_list("game", flat=True)):
            terms = usual(game, settings.LADDER_RATE)
            begin = partial(set_ladder, at_the_shell("the settings"), game, terms, at)
            run_bounded(CALLS, game, begin, otherwise=None)
    running = ContinuousLadder.objects.filter(rate__gt=0, game__in=shelf()).order_by("game")
    games = list(running.values_list("game", flat=True))
    return sum(run_bounded(CALLS, game, partial(_call, game, at), otherwise=0) for game in games)


def _call(game: str, at: int) -> int:
    called = 0
    while _call_one(game, at):
        called += 1
    return called


@transaction.atomic
def _call_one(game: str, at: int) -> bool:
    """Call a due bout, or a newcomer's first one; return False if there is none, or the row is locked."""
    row = ContinuousLadder.objects.select_for_update(skip_locked=True).filter(game=game, rate__gt=0).first()
    if row is None:
        return False
    open_bouts = row.bouts.filter(ended=False).exclude(match_id__in=list_left(BOUT_RESULT)).count()
    is_due = row.due <= at and open_bouts < MOST_OPEN
    has_room = open_bouts < MOST_OPEN + FIRST_BOUTS_OPEN and row.due - at < FIRST_BOUTS_AHEAD * HOUR / row.rate
    return (is_due or (has_room and has_newcomer(row))) and call_bout(row, at)


@transaction.atomic
def record(match_id: str) -> bool:
    """Record an ended bout, once; ignore other matches."""
    ended = Bout.objects.filter(match_id=match_id, ended=False, match__status__in=(CLOSED, VOID))
    ladder = ContinuousLadder.objects.select_for_update(of=("self",)).filter(bouts__in=ended).first()
    bout = ended.select_related("match").first()
    if ladder is None or bout is None:  # another process was quicker
        return False
    seats = list(bout.match.seats.order_by("seat").select_related("version__bot"))
    fact = _ended(bout, seats)
    append(ladder, [fact])
    if fact.counted:
        names, places = tuple(seat.version.bot.slug for seat in seats), tuple(seat.place or 0 for seat in seats)
        counted = BoutCounted(match=match_id, number=bout.number, names=names, places=places)
        rate_bouts(ladder.game, CONTINUOUS, [counted])
    _bench(ladder, fact)
    return True


def _ended(bout: Bout, seats: list[Any]) -> BoutEnded:
    """Return the fact of an ended bout; of a void one it includes only the version to blame."""
    closed = bout.match.status == CLOSED
    blamed = None if closed else find_blamed(bout.match_id)
    known = [seat for seat in seats if closed or seat.seat == blamed]
    return BoutEnded(
        number=bout.number,
        match=bout.match_id,
        counted=closed,
        versions=tuple(seat.version_id for seat in known),
        crashed=tuple(not closed or (seat.missed or {}).get(CRASH, 0) > 0 for seat in known),
        at=int((bout.match.closed_at or bout.match.created_at).timestamp()),
    )


def _bench(ladder: ContinuousLadder, ended: BoutEnded) -> None:
    """Bench versions that have reached the limit of crashes in a row."""
    most = settings.BENCH_AFTER
    rows = ladder.versions.filter(version__in=ended.versions, crashes__gte=most, benched="") if most else ()
    for row in rows:
        why = f"it crashed in {row.crashes} matches of the continuous ladder in a row"
        name = f"{row.version.bot.slug} v{row.version.number}"
        append(ladder, [VersionBenched(version=row.version_id, name=name, why=why, at=ended.at)])


@transaction.atomic
def put_back(version_id: int, by: str, at: int) -> bool:
    """Readmit a benched version; return False if it was not benched."""
    ladder = ContinuousLadder.objects.select_for_update(of=("self",)).filter(versions__version=version_id).first()
    row = ladder.versions.filter(version=version_id).exclude(benched="").first() if ladder else None
    if ladder is None or row is None:
        return False
    append(ladder, [VersionReturned(version=version_id, name=row.version.label, by=by, at=at)])
    return True


@transaction.atomic
def rebuild(game: str) -> int:
    """Rebuild the tables of a game's continuous ladder from its stream; return the number of facts."""
    row = ContinuousLadder.objects.select_for_update().filter(game=game).first()
    return fold_again(row) if row else 0
