"""Report on a bot's use of clock and memory, and its missing answers, in its last matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
import structlog

from bots.cage.limits import CAGE, MIB
from ftk_core.entries import Excuse, is_chose, stream_of
from replays.block_models import Block
from replays.blocks.reading import read_block
from replays.blocks.unread import BlockUnread
from replays.models import Page
from replays.sums import newest_seats

log = structlog.get_logger(__name__)
MATCHES = 10
"""Number of last matches considered."""


class _Choice(msgspec.Struct):
    """Decoded fields of a choice; all others are skipped."""

    seat: int
    excuse: Excuse | None = None
    charged_us: int = 0


_decoder = msgspec.json.Decoder(_Choice)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Times and memory of a bot in its last matches."""

    matches: int
    decisions: int
    """Questions with more than one item on the menu."""
    half_ms: str
    """Median of its decision times, in milliseconds."""
    most_ms: str
    """99th percentile of its decision times, in milliseconds."""
    allowed_ms: int
    """Shortest time limit of a choice, in milliseconds, without the bank."""
    half_mib: str
    """Median of its peak memory per match, in MiB; empty if not measured."""
    most_mib: str
    """99th percentile of its peak memory."""
    allowed_mib: int
    """Memory limit."""
    excuses: list[tuple[str, int]]
    """(reason, number of choices made for it)."""


def read_timing(bot_slug: str, number: int | None = None) -> Timing | None:
    """Return the timing of a bot, or of one version, in its last released matches; None before the first.

    Three queries, and one more if a match is in the archive; unreadable ones are left out.
    """
    rows = newest_seats(bot_slug, number, MATCHES)
    if not rows:
        return None
    own = {(row.match_id, row.seat) for row in rows}
    memory = sorted(row.memory for row in rows if row.memory is not None)
    streams = {stream_of(match): match for match, _ in own}
    spent: list[int] = []
    excuses: Counter[str] = Counter()
    for stream, body in _bodies(set(streams)):
        for choice in _choices(body):
            if (streams[stream], choice.seat) in own:
                spent.append(choice.charged_us)
                excuses.update([choice.excuse] if choice.excuse else [])
    spent.sort()
    return Timing(
        matches=len(streams),
        decisions=len(spent),
        half_ms=_quantile(spent, 0.5, 1000) or "0",
        most_ms=_quantile(spent, 0.99, 1000) or "0",
        allowed_ms=min(row.match.move_ms for row in rows),
        half_mib=_quantile(memory, 0.5, MIB),
        most_mib=_quantile(memory, 0.99, MIB),
        allowed_mib=CAGE.memory_bytes // MIB,
        excuses=excuses.most_common(),
    )


def _bodies(streams: set[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the pages of the streams, from the database or the archive."""
    left = set(streams)
    for stream, body in Page.objects.filter(stream_id__in=streams).values_list("stream_id", "body").iterator():
        left.discard(stream)
        yield stream, bytes(body)
    for block in Block.objects.filter(pk__in=left) if left else ():
        try:
            yield block.pk, b"".join(page.body for page in read_block(block))
        except BlockUnread as error:
            log.warning("timing_without", stream=block.pk, reason=str(error))


def _choices(body: bytes) -> list[_Choice]:
    return [_decoder.decode(line) for line in body.splitlines() if is_chose(line)]


def _quantile(values: list[int], share: float, unit: int) -> str:
    """Return the quantile of sorted values, in a unit; empty without values."""
    return f"{values[min(len(values) - 1, int(share * len(values)))] / unit:.1f}" if values else ""
