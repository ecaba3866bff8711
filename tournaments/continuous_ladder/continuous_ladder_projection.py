"""Projection of a continuous ladder's events into database tables."""
# Callers must lock the ladder's row, so that two processes do not change the same ladder at once.

from __future__ import annotations

from collections.abc import Sequence

from ftk_core.hash_chained_log import lines_of
from ftk_core.log_entries import TimeControl
from replays.event_stream_storage import EventAppender
from tournaments.continuous_ladder.continuous_ladder_facts import (
    BotVersionExcluded,
    BotVersionReadmitted,
    BoutEnded,
    BoutFact,
    BoutOrdered,
    LadderSettingsChanged,
    read,
    stream_of,
    write,
)
from tournaments.models.continuous_ladders import Bout, ContinuousLadder, ContinuousLadderBotVersion

SECONDS_PER_HOUR = 3600
CATCH_UP_SECONDS = 5
MAX_MATCHES_AHEAD = 12
"""Maximum distance of the time of the next match, in matches of the ladder's rate. It is larger only if the clock was
ahead when a match began."""
"""A bout that starts late by at most this number of seconds does not delay the bout after it.

Small delays are normal, because a periodic task starts bouts and runs every two seconds.
"""


def append(ladder: ContinuousLadder, facts: Sequence[BoutFact]) -> None:
    """Append events to the stream of a ladder and update its database tables.

    The caller must hold a lock on the ladder's row.
    """
    stream = EventAppender.open_locked(stream_of(ladder.game))
    stream.append([write(fact) for fact in facts], stream.length)
    project(ladder, facts)


def rebuild_tables(ladder: ContinuousLadder) -> int:
    """Rebuild the database tables of a ladder from its events; return the number of events."""
    facts = [read(line) for line in lines_of(EventAppender.open_locked(stream_of(ladder.game)))]
    ladder.bouts.all().delete()
    ladder.versions.all().delete()
    ladder.rate, ladder.due, ladder.called = 0, 0, 0
    project(ladder, facts)
    return len(facts)


def project(ladder: ContinuousLadder, facts: Sequence[BoutFact]) -> None:
    """Update a ladder's database tables from events that its stream already contains."""
    for fact in facts:
        _apply_fact(ladder, fact)
    ladder.save()


def _apply_fact(ladder: ContinuousLadder, fact: BoutFact) -> None:
    match fact:
        case LadderSettingsChanged():
            ladder.rate, ladder.sizes, ladder.options = fact.rate, list(fact.sizes), fact.options
            ladder.due = fact.at
            for part, value in TimeControl.of(fact).parts.items():
                setattr(ladder, part, value)
        case BoutOrdered():
            ladder.called, ladder.due = fact.number, compute_next_due(ladder.due, fact.at, ladder.rate)
            Bout.objects.create(ladder=ladder, number=fact.number, match_id=fact.match)
            _count_seats(ladder, fact)
        case BoutEnded():
            ladder.bouts.filter(number=fact.number).update(ended=True)
            for version, crashed in zip(fact.versions, fact.crashed, strict=True):
                version_row = _get_version_row(ladder, version)
                version_row.crashes = version_row.crashes + 1 if crashed else 0
                version_row.save(update_fields=("crashes",))
        case BotVersionExcluded():
            _get_version_row(ladder, fact.version)
            ladder.versions.filter(version=fact.version).update(benched=fact.why)
        case BotVersionReadmitted():
            ladder.versions.filter(version=fact.version).update(benched="", crashes=0)


def _count_seats(ladder: ContinuousLadder, fact: BoutOrdered) -> None:
    size = str(len(fact.versions))
    for seat, version in enumerate(fact.versions):
        version_row = _get_version_row(ladder, version)
        counts = version_row.sat.setdefault(size, [0] * len(fact.versions))
        counts[seat] += 1
        version_row.last = fact.number
        version_row.save(update_fields=("sat", "last"))


def _get_version_row(ladder: ContinuousLadder, version: int) -> ContinuousLadderBotVersion:
    return ContinuousLadderBotVersion.objects.get_or_create(version_id=version, defaults={"ladder": ladder})[0]


def compute_next_due(due: float, at: int, rate: int) -> float:
    """Return the time at which a ladder's next match is due, in seconds since 1970.

    The last match was due at `due` and started at `at`. `rate` is in matches an hour. The next match is due
    3600 / `rate` seconds after `due`. If the last match started over 5 seconds (`CATCH_UP_SECONDS`) late, this time is
    counted from 5 seconds before `at` instead.

    In the examples, one match is due every 60 seconds:

    >>> compute_next_due(100, 100, 60), compute_next_due(100, 103, 60), compute_next_due(100, 500, 60)
    (160.0, 160.0, 555.0)
    """
    # A `due` more than `MAX_MATCHES_AHEAD` intervals after `at` counts as `at`.
    seconds_per_match = SECONDS_PER_HOUR / max(1, rate)
    if due - at > MAX_MATCHES_AHEAD * seconds_per_match:
        due = at
    return max(due, at - CATCH_UP_SECONDS) + seconds_per_match
