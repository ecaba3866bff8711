"""Workers that are killed or paused at a chosen entry of their match's log, or at a chosen fact of their review.

They are real processes that kill or pause themselves. Each is forked from the test's process, which has imported all
modules, and uses its own database connections. It runs the real worker code; only its log is replaced by `DoomedLog`.
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

from bots.jobs.fair_job_scheduling import do_next_job
from ftk_core.hash_chained_log import LogPage, next_page
from replays.event_stream_storage import APPEND_SQL, EventAppender
from replays.models import EventStreamPage as PageRow, Match, MatchSeat
from replays.models.reviews import MatchReview
from replays.playing import match_leases, match_runner
from replays.playing.spectator_notifications import SpectatorNotifier
from replays.reviews import review_computation

Moment = Literal["unwritten", "on its way", "written", "told"]
MOMENTS: tuple[Moment, ...] = ("unwritten", "on its way", "written", "told")
"""Moments of a kill: before the INSERT of an entry, during it, after it, and after the notification of subscribers."""
FORK = multiprocessing.get_context("fork")


SPARED, GAVE_UP = 17, 18
"""Exit codes of a worker that survived, and of a worker that had no job to do."""


def end_here() -> None:
    """Kill this process, as a power cut would."""
    os.kill(os.getpid(), signal.SIGKILL)


def pause_here() -> None:
    """Stop this process, like a suspended machine, until it gets SIGCONT."""
    os.kill(os.getpid(), signal.SIGSTOP)


class DoomedLog(EventAppender):
    """A stream whose writer is killed or paused at one entry: `fate` is called at the chosen moment of the entry."""

    entry = 0
    moment: Moment = "unwritten"
    fate: Callable[[], None] = staticmethod(end_here)

    def append(self, lines: Sequence[bytes], expected: int) -> LogPage:
        """Append lines as usual; at the chosen entry, call `fate` at the chosen moment."""
        if expected != self.entry or self.moment == "told":
            return super().append(lines, expected)
        if self.moment == "on its way":
            self._send(lines, expected)
        page = super().append(lines, expected) if self.moment == "written" else None
        self.fate()
        return page or super().append(lines, expected)

    def _send(self, lines: Sequence[bytes], expected: int) -> None:
        """Send the statement without waiting for its result."""
        page = next_page(self.length, self.head, lines)
        values = {"stream": self.stream_id, "expected": expected, "fence": self.fence, "length": page.last + 1}
        values |= {"last": page.last, "body": page.body, "head": page.head}
        with connection.cursor() as cursor:
            cursor.execute("SELECT")  # opens the transaction, if the statement belongs to one
        raw = connection.connection
        raw.pgconn.send_query(psycopg.ClientCursor(raw).mogrify(APPEND_SQL, values).encode())
        raw.pgconn.flush()


def _play(match_id: str, entry: int, moment: Moment, fate: Callable[[], None]) -> None:
    DoomedLog.entry, DoomedLog.moment, DoomedLog.fate = entry, moment, staticmethod(fate)
    durable = match_runner._after_page_stored

    def told(page: LogPage, poker: SpectatorNotifier, beat: match_runner.LeaseHeartbeat) -> None:
        durable(page, poker, beat)
        if moment == "told" and page.first == entry:
            fate()

    vars(match_leases)["EventAppender"], vars(match_runner)["_after_page_stored"] = DoomedLog, told
    os._exit(SPARED if match_runner.play_match(match_id) else GAVE_UP)


def _review(review_id: int, step: int, moment: Moment, fate: Callable[[], None]) -> None:
    DoomedLog.entry, DoomedLog.moment, DoomedLog.fate = step, moment, staticmethod(fate)

    class Doomed(review_computation._ReviewComputation):
        def _store(self, lines: list[bytes]) -> None:
            before = self._stream.length
            super()._store(lines)
            if moment == "told" and before == step:
                fate()

    vars(review_computation).update(EventAppender=DoomedLog, _ReviewComputation=Doomed)
    os._exit(SPARED if review_computation.compute_review(review_id) else GAVE_UP)


def fork_reviewer(row: MatchReview, step: int, moment: Moment, fate: Callable[[], None] = end_here) -> ForkProcess:
    """Start and return a worker that computes a review up to a chosen fact.

    Set `review_computation.PAGE_SECONDS` to 0 before, so that each page has one fact.
    """
    return fork_process(_review, row.pk, step, moment, fate)


def kill_reviewer_at(row: MatchReview, step: int, moment: Moment) -> None:
    """Run a worker on the review until it is killed at fact `step`, and expire its lease."""
    victim = fork_reviewer(row, step, moment)
    victim.join(60)
    assert victim.exitcode == -signal.SIGKILL, f"it was to die at fact {step}, it ended with {victim.exitcode}"
    expire_lease(row)


def _take_next(kind: str) -> None:
    os._exit(SPARED if do_next_job(kind) else GAVE_UP)


def run_next_worker(kind: str) -> int | None:
    """Run a new worker on the next job of a kind; return its exit code."""
    heir = fork_process(_take_next, kind)
    heir.join(60)
    return heir.exitcode


def fork_process(work: Callable[..., None], *words: object) -> ForkProcess:
    """Fork a process that calls `work` and shares no database connection with this process; return it."""
    connections.close_all()
    process = FORK.Process(target=work, args=words)
    process.start()
    return process


def fork_worker(match: Match, entry: int, moment: Moment, fate: Callable[[], None] = end_here) -> ForkProcess:
    """Start and return a worker that plays the match up to a chosen entry."""
    return fork_process(_play, match.pk, entry, moment, fate)


def kill_worker_at(match: Match, entry: int, moment: Moment) -> None:
    """Run a worker on the match until it is killed at that entry, and expire its lease."""
    victim = fork_worker(match, entry, moment)
    victim.join(60)
    assert victim.exitcode == -signal.SIGKILL, f"it was to die at {entry}, it ended with {victim.exitcode}"
    expire_lease(match)


def _play_before(match_id: str, step: str) -> None:
    if step == "close_match":
        vars(match_runner)[step] = lambda *_words: end_here()
    else:
        vars(match_runner)[step] = doomed = Signal()
        doomed.connect(lambda **_words: end_here(), weak=False)
    match_runner.play_match(match_id)


def kill_worker_before(match: Match, step: str) -> None:
    """Run a worker on the match and kill it after the last entry, before a step of `match_runner`; expire its lease."""
    victim = fork_process(_play_before, match.pk, step)
    victim.join(60)
    assert victim.exitcode == -signal.SIGKILL
    expire_lease(match)


def wait_until_paused(process: ForkProcess) -> None:
    """Wait until the worker has paused itself."""
    assert process.pid
    _, status = os.waitpid(process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status), f"the worker was to pause, it ended: {status}"


def resume_paused(process: ForkProcess) -> None:
    """Resume a paused worker, and wait for its end."""
    assert process.pid
    os.kill(process.pid, signal.SIGCONT)
    process.join(60)


def expire_lease(thing: Match | MatchReview) -> None:
    """Expire the lease on a match or a review."""
    type(thing).objects.filter(pk=thing.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


@transaction.atomic
def reset_to_unplayed(match: Match) -> None:
    """Reset the match to unplayed under the same id; the triggers that forbid this are switched off meanwhile."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = 'replica'")
        cursor.execute("DELETE FROM replays_page WHERE stream_id = %s", [match.stream_id])
        cursor.execute("DELETE FROM replays_stream WHERE id = %s", [match.stream_id])
    Match.objects.filter(pk=match.pk).update(status=Match.Status.WAITING, attempts=0, holder="", opened_at=None)
    MatchSeat.objects.filter(match=match).update(place=None, score=None, role="", excuses=0, faults=[], stderr="")


def list_pages(thing: Match | MatchReview) -> list[tuple[int, int, bytes, bytes]]:
    """Return all stored pages of a match's log or a review's facts, with their hashes."""
    rows = PageRow.objects.filter(stream_id=thing.stream_id).order_by("first")
    return [
        (first, last, bytes(body), bytes(head))
        for first, last, body, head in rows.values_list("first", "last", "body", "head")
    ]


def read_seat_results(match: Match) -> list[tuple[object, ...]]:
    """Return the stored result, faults and excuses of the match's seats."""
    return list(match.seats.order_by("seat").values_list("place", "score", "role", "excuses", "faults", "stderr"))
