"""Workers that are killed, or paused, at a chosen entry of their match, or fact of their review.

They are real processes, and do it to themselves. A victim is forked from the test's own process, which is warm, and
works on connections of its own. It is the worker as it is; only its log is one that knows when its hour has come.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Sequence
from datetime import timedelta
from multiprocessing.context import ForkProcess
from typing import Literal

import psycopg
from django.db import connection, connections, transaction
from django.dispatch import Signal
from django.utils import timezone

from bots.turns import do_next
from ftk_core.log import Page, next_page
from replays.models import Match, MatchSeat
from replays.models import Page as PageRow
from replays.playing import leases, runner
from replays.playing.pokes import Poker
from replays.review_models import Review
from replays.reviews import working
from replays.store import APPEND, StreamLog

Moment = Literal["unwritten", "on its way", "written", "told"]
MOMENTS: tuple[Moment, ...] = ("unwritten", "on its way", "written", "told")
"""Before an entry is sent to the database; sent, unanswered; stored, nobody poked; stored and poked."""
FORK = multiprocessing.get_context("fork")


SPARED, GAVE_UP = 17, 18
"""What a worker ends with that came to its end, and one that found nothing of its own to do."""


def end_here() -> None:
    """End as a power cut would have it."""
    os.kill(os.getpid(), signal.SIGKILL)


def pause_here() -> None:
    """Stop, like a machine that is put to sleep, until somebody goes on with us."""
    os.kill(os.getpid(), signal.SIGSTOP)


class DoomedLog(StreamLog):
    """A stream whose writer meets its fate at one entry."""

    entry = 0
    moment: Moment = "unwritten"
    fate: Callable[[], None] = staticmethod(end_here)

    def append(self, lines: Sequence[bytes], expected: int) -> Page:
        """Append like any other, up to the entry."""
        if expected != self.entry or self.moment == "told":
            return super().append(lines, expected)
        if self.moment == "on its way":
            self._send(lines, expected)
        page = super().append(lines, expected) if self.moment == "written" else None
        self.fate()
        return page or super().append(lines, expected)

    def _send(self, lines: Sequence[bytes], expected: int) -> None:
        """Send the statement and hear no answer."""
        page = next_page(self.length, self.head, lines)
        values = {"stream": self.stream_id, "expected": expected, "fence": self.fence, "length": page.last + 1}
        values |= {"last": page.last, "body": page.body, "head": page.head}
        with connection.cursor() as cursor:
            cursor.execute("SELECT")  # where there is to be a transaction, it is begun
        raw = connection.connection
        raw.pgconn.send_query(psycopg.ClientCursor(raw).mogrify(APPEND, values).encode())
        raw.pgconn.flush()


def _play(match_id: str, entry: int, moment: Moment, fate: Callable[[], None]) -> None:
    DoomedLog.entry, DoomedLog.moment, DoomedLog.fate = entry, moment, staticmethod(fate)
    durable = runner._durable

    def told(page: Page, poker: Poker, beat: runner.Heartbeat) -> None:
        durable(page, poker, beat)
        if moment == "told" and page.first == entry:
            fate()

    vars(leases)["StreamLog"], vars(runner)["_durable"] = DoomedLog, told
    os._exit(SPARED if runner.play_match(match_id) else GAVE_UP)


def _reckon(review_id: int, step: int, moment: Moment, fate: Callable[[], None]) -> None:
    DoomedLog.entry, DoomedLog.moment, DoomedLog.fate = step, moment, staticmethod(fate)

    class Doomed(working._Reckoner):
        def _store(self, lines: list[bytes], *, last: bool = False) -> None:
            before = self._stream.length
            super()._store(lines, last=last)
            if moment == "told" and before == step:
                fate()

    vars(working).update(StreamLog=DoomedLog, _Reckoner=Doomed)
    os._exit(SPARED if working.reckon(review_id) else GAVE_UP)


def reviewer(row: Review, step: int, moment: Moment, fate: Callable[[], None] = end_here) -> ForkProcess:
    """Return a worker that reckons the review, one fact a page, up to its fate."""
    return forked(_reckon, row.pk, step, moment, fate)


def kill_reviewing(row: Review, step: int, moment: Moment) -> None:
    """Have a worker reckon the review until it is killed at that fact, and let its lease run out."""
    victim = reviewer(row, step, moment)
    victim.join(60)
    assert victim.exitcode == -signal.SIGKILL, f"it was to die at fact {step}, it ended with {victim.exitcode}"
    expire(row)


def _take_next(kind: str) -> None:
    os._exit(SPARED if do_next(kind) else GAVE_UP)


def next_worker(kind: str) -> int | None:
    """Have a worker of its own do what is next of a kind, as when it is rung for; return what it ended with."""
    heir = forked(_take_next, kind)
    heir.join(60)
    return heir.exitcode


def forked(work: Callable[..., None], *words: object) -> ForkProcess:
    """Return a process that is warm already and shares no connection with us."""
    connections.close_all()
    process = FORK.Process(target=work, args=words)
    process.start()
    return process


def worker(match: Match, entry: int, moment: Moment, fate: Callable[[], None] = end_here) -> ForkProcess:
    """Return a worker that plays the match up to its fate."""
    return forked(_play, match.pk, entry, moment, fate)


def kill_at(match: Match, entry: int, moment: Moment) -> None:
    """Have a worker play the match until it is killed there, and let its lease run out."""
    victim = worker(match, entry, moment)
    victim.join(60)
    assert victim.exitcode == -signal.SIGKILL, f"it was to die at {entry}, it ended with {victim.exitcode}"
    expire(match)


def _play_before(match_id: str, step: str) -> None:
    if step == "close":
        vars(runner)[step] = lambda *_words: end_here()
    else:
        vars(runner)[step] = doomed = Signal()
        doomed.connect(lambda **_words: end_here(), weak=False)
    runner.play_match(match_id)


def kill_before(match: Match, step: str) -> None:
    """Have a worker play the match and be killed before a step that follows the last entry."""
    victim = forked(_play_before, match.pk, step)
    victim.join(60)
    assert victim.exitcode == -signal.SIGKILL
    expire(match)


def wait_until_paused(process: ForkProcess) -> None:
    """Wait until the worker has stopped itself."""
    assert process.pid
    _, status = os.waitpid(process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status), f"the worker was to pause, it ended: {status}"


def wake(process: ForkProcess) -> None:
    """Let a paused worker go on, and wait for its end."""
    assert process.pid
    os.kill(process.pid, signal.SIGCONT)
    process.join(60)


def expire(thing: Match | Review) -> None:
    """Let the lease on a match or a review run out."""
    type(thing).objects.filter(pk=thing.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


@transaction.atomic
def unplayed(match: Match) -> None:
    """Make the match one that nobody has played, under the same name; past the triggers that forbid it."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = 'replica'")
        cursor.execute("DELETE FROM replays_page WHERE stream_id = %s", [match.stream_id])
        cursor.execute("DELETE FROM replays_stream WHERE id = %s", [match.stream_id])
    Match.objects.filter(pk=match.pk).update(status=Match.Status.WAITING, attempts=0, holder="", opened_at=None)
    MatchSeat.objects.filter(match=match).update(place=None, score=None, role="", excuses=0, faults=[], stderr="")


def pages(thing: Match | Review) -> list[tuple[int, int, bytes, bytes]]:
    """Return all that is stored of a match's log or a review's facts, hashes included."""
    rows = PageRow.objects.filter(stream_id=thing.stream_id).order_by("first")
    return [
        (first, last, bytes(body), bytes(head))
        for first, last, body, head in rows.values_list("first", "last", "body", "head")
    ]


def told_of(match: Match) -> list[tuple[object, ...]]:
    """Return what the match's seats were given: result, faults, excuses."""
    return list(match.seats.order_by("seat").values_list("place", "score", "role", "excuses", "faults", "stderr"))
