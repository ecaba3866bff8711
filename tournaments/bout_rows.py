"""Projection of a continuous ladder's facts into tables; the caller must hold a lock on the ladder's row."""

from __future__ import annotations

from collections.abc import Sequence

from ftk_core.log import lines_of
from replays.store import StreamLog
from tournaments.bout_facts import (
    BoutCalled,
    BoutEnded,
    BoutFact,
    LadderSet,
    VersionBenched,
    VersionReturned,
    read,
    stream_of,
    write,
)
from tournaments.bout_models import Bout, CalledVersion, ContinuousLadder

HOUR = 3600
SWEPT = 5
"""Seconds of delay of a bout that are caught up: sweeps run every two seconds."""


def append(ladder: ContinuousLadder, facts: Sequence[BoutFact]) -> None:
    """Append facts to a ladder's stream and project them; call it in a transaction that locks the row."""
    stream = StreamLog.alone(stream_of(ladder.game))
    stream.append([write(fact) for fact in facts], stream.length)
    project(ladder, facts)


def fold_again(ladder: ContinuousLadder) -> int:
    """Rebuild a ladder's tables from its stream; return the number of facts."""
    facts = [read(line) for line in lines_of(StreamLog.alone(stream_of(ladder.game)))]
    ladder.bouts.all().delete()
    ladder.versions.all().delete()
    ladder.rate, ladder.due, ladder.called = 0, 0, 0
    project(ladder, facts)
    return len(facts)


def project(ladder: ContinuousLadder, facts: Sequence[BoutFact]) -> None:
    """Apply facts to the tables."""
    for fact in facts:
        _project(ladder, fact)
    ladder.save()


def _project(ladder: ContinuousLadder, fact: BoutFact) -> None:
    match fact:
        case LadderSet():
            ladder.rate, ladder.sizes, ladder.options = fact.rate, list(fact.sizes), fact.options
            ladder.move_ms, ladder.bank_ms, ladder.due = fact.move_ms, fact.bank_ms, fact.at
        case BoutCalled():
            ladder.called, ladder.due = fact.number, due_after(ladder.due, fact.at, ladder.rate)
            Bout.objects.create(ladder=ladder, number=fact.number, match_id=fact.match)
            _seat(ladder, fact)
        case BoutEnded():
            ladder.bouts.filter(number=fact.number).update(ended=True)
            for version, crashed in zip(fact.versions, fact.crashed, strict=True):
                row = _row(ladder, version)
                row.crashes = row.crashes + 1 if crashed else 0
                row.save(update_fields=("crashes",))
        case VersionBenched():
            _row(ladder, fact.version)
            ladder.versions.filter(version=fact.version).update(benched=fact.why)
        case VersionReturned():
            ladder.versions.filter(version=fact.version).update(benched="", crashes=0)


def _seat(ladder: ContinuousLadder, fact: BoutCalled) -> None:
    size = str(len(fact.versions))
    for seat, version in enumerate(fact.versions):
        row = _row(ladder, version)
        had = row.sat.setdefault(size, [0] * len(fact.versions))
        had[seat] += 1
        row.last = fact.number
        row.save(update_fields=("sat", "last"))


def _row(ladder: ContinuousLadder, version: int) -> CalledVersion:
    return CalledVersion.objects.get_or_create(version_id=version, defaults={"ladder": ladder})[0]


def due_after(due: float, at: int, rate: int) -> float:
    """Return when the bout after this one is due; only a short delay is caught up.

    >>> due_after(100, 100, 60), due_after(100, 103, 60), due_after(100, 500, 60)
    (160.0, 160.0, 555.0)
    """
    return max(due, at - SWEPT) + HOUR / max(1, rate)
