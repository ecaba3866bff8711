"""Prometheus metrics of playing and watching matches; no label names a match, a bot or a person."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from msgspec import UNSET
from prometheus_client import Counter, Gauge, Histogram

from ftk_core.log_entries import ChoiceMade, Excuse

DURATION_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
"""Upper bounds in seconds of the histogram buckets for decision times."""
DECISIONS = Counter("ftk_decisions_total", "Choices that became durable in logs of matches.")
EXCUSES = Counter("ftk_excuses_total", "Choices made for seats that gave none.", ["reason"])
CHARGED_SECONDS = Histogram(
    "ftk_decision_charged_seconds", "Time charged to seats for choices.", buckets=DURATION_BUCKETS
)
WALL_SECONDS = Histogram(
    "ftk_decision_wall_seconds", "Time that metered bots took for choices.", buckets=DURATION_BUCKETS
)
PAGES = Counter("ftk_pages_total", "Pages appended to streams.", ["stream"])
PLAYING = Gauge("ftk_matches_under_way", "Matches that workers play now.", multiprocess_mode="livesum")
LEASES_LOST = Counter("ftk_leases_lost_total", "Matches that a worker had to leave to others while it played.")
SUBSCRIBERS = Gauge("ftk_watchers", "Sockets that watch matches.", multiprocess_mode="livesum")
FRAMES = Counter("ftk_frames_sent_total", "Frames sent to watchers.")
REELS = Gauge("ftk_reels_kept", "Reels kept in memory.", multiprocess_mode="livesum")
REELS_ASKED = Counter("ftk_reels_asked_total", "Reels that were asked for, by whether they were kept.", ["kept"])
for _reason in get_args(Excuse):
    EXCUSES.labels(_reason)
for _kept in ("yes", "no"):
    REELS_ASKED.labels(_kept)


def count_choices(choices: Iterable[ChoiceMade]) -> None:
    """Add choices to the metrics: their number, the time that they used, and the answers that are missing."""
    # Called for the choices that this worker has just stored.
    for entry in choices:
        DECISIONS.inc()
        CHARGED_SECONDS.observe(entry.charged_us / 1e6)
        if entry.wall_us is not UNSET:
            WALL_SECONDS.observe(entry.wall_us / 1e6)
        if entry.excuse:
            EXCUSES.labels(entry.excuse).inc()


def count_page(stream_id: str) -> None:
    """Count a stored page of an event log, labelled with the first part of the log's name."""
    PAGES.labels(stream_id.partition("/")[0]).inc()
