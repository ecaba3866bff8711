"""Report on a bot's thinking times, memory and missing answers in its latest matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
import structlog

from ftk_core.kit.sandboxing.sandbox_limits import MIB, SANDBOX_LIMITS
from ftk_core.log_entries import Excuse, is_choice_line, stream_of
from replays.archive.archive_errors import ArchiveUnavailable
from replays.archive.archived_log_reading import read_block
from replays.models import EventStreamPage
from replays.models.archive_blocks import ArchivedMatchLog
from replays.result_totals_by_seat import newest_seats

log = structlog.get_logger(__name__)
MAX_MATCHES = 10
"""Maximum number of latest matches that the report covers."""


class _Choice(msgspec.Struct):
    """Fields of a choice in a log that the report needs; other fields are not decoded."""

    seat: int
    excuse: Excuse | None = None
    charged_us: int = 0


_decoder = msgspec.json.Decoder(_Choice)


@dataclass(frozen=True, slots=True, kw_only=True)
class BotTiming:
    """Thinking times, memory and missing answers of a bot in its latest matches."""

    matches: int
    decisions: int
    """Number of choices that the log records; forced moves with only one action are not recorded."""
    half_ms: str
    """Median thinking time per choice, in milliseconds."""
    most_ms: str
    """99th percentile of the thinking time per choice, in milliseconds."""
    allowed_ms: int
    """Shortest time limit per choice in the matches of the report, in milliseconds, without the time bank."""
    half_mib: str
    """Median of the bot's peak memory per match, in MiB; empty if not measured."""
    most_mib: str
    """99th percentile of the bot's peak memory per match, in MiB; empty if not measured."""
    allowed_mib: int
    """Memory limit of a bot, in MiB."""
    excuses: list[tuple[str, int]]
    """Pairs (reason, number of questions) for questions without a valid answer, the most frequent reason first."""


def read_timing(bot_slug: str, number: int | None = None) -> BotTiming | None:
    """Return a report on a bot's time and memory in its latest public matches, or None."""
    # Archived logs that cannot be read are left out.
    rows = newest_seats(bot_slug, number, MAX_MATCHES)
    if not rows:
        return None
    own = {(row.match_id, row.seat) for row in rows}
    memory = sorted(row.memory for row in rows if row.memory is not None)
    streams = {stream_of(match): match for match, _ in own}
    spent: list[int] = []
    excuses: Counter[str] = Counter()
    for stream, body in _page_bodies(set(streams)):
        for choice in _choices(body):
            if (streams[stream], choice.seat) in own:
                spent.append(choice.charged_us)
                excuses.update([choice.excuse] if choice.excuse else [])
    spent.sort()
    return BotTiming(
        matches=len(streams),
        decisions=len(spent),
        half_ms=_quantile(spent, 0.5, 1000) or "0",
        most_ms=_quantile(spent, 0.99, 1000) or "0",
        allowed_ms=min(row.match.clock.move_ms for row in rows),
        half_mib=_quantile(memory, 0.5, MIB),
        most_mib=_quantile(memory, 0.99, MIB),
        allowed_mib=SANDBOX_LIMITS.memory_bytes // MIB,
        excuses=excuses.most_common(),
    )


def _page_bodies(streams: set[str]) -> Iterator[tuple[str, bytes]]:
    """Yield (log name, text) for each stored page and each archived log."""
    # Archived logs that cannot be read are left out.
    left = set(streams)
    for stream, body in (
        EventStreamPage.objects.filter(stream_id__in=streams).values_list("stream_id", "body").iterator()
    ):
        left.discard(stream)
        yield stream, bytes(body)
    for block in ArchivedMatchLog.objects.filter(pk__in=left) if left else ():
        try:
            yield block.pk, b"".join(page.body for page in read_block(block))
        except ArchiveUnavailable as error:
            log.warning("timing_without", stream=block.pk, reason=str(error))


def _choices(body: bytes) -> list[_Choice]:
    return [_decoder.decode(line) for line in body.splitlines() if is_choice_line(line)]


def _quantile(values: list[int], share: float, unit: int) -> str:
    """Return the quantile `share` (0 to 1) of sorted values, divided by `unit`, as text. Return "" without values."""
    return f"{values[min(len(values) - 1, int(share * len(values)))] / unit:.1f}" if values else ""
