"""What a bot uses of its clock and memory, and how often and why it gave no answer, in its last matches."""

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
"""How many of the last matches are looked at."""


class _Choice(msgspec.Struct):
    """What is read of a choice; everything else in the line is passed over."""

    seat: int
    excuse: Excuse | None = None
    charged_us: int = 0


_decoder = msgspec.json.Decoder(_Choice)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """How a bot answered in its last matches."""

    matches: int
    decisions: int
    """Questions with more than one item on the menu."""
    half_ms: str
    """The most that half of its decisions took, in milliseconds."""
    most_ms: str
    """The most that 99 in 100 of them took, in milliseconds."""
    allowed_ms: int
    """The least that it was given for a choice, in milliseconds, the bank left out."""
    half_mib: str
    """The most memory that half of its matches saw it use, in MiB; empty where nobody looked."""
    most_mib: str
    """The most that 99 in 100 of them saw."""
    allowed_mib: int
    """How much it may use."""
    excuses: list[tuple[str, int]]
    """(reason, how often the menu's first item was played for it)."""


def read_timing(bot_slug: str, number: int | None = None) -> Timing | None:
    """Return how a bot, or one version of it, answered in its last matches that are released, None before the first.

    Three queries, and one more where a match is in the archive; one that cannot be read there is left out.
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
    """Yield the pages of the streams, from wherever they are."""
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
    """Return what this share of them, sorted, did not exceed, in a unit; empty where there are none."""
    return f"{values[min(len(values) - 1, int(share * len(values)))] / unit:.1f}" if values else ""
