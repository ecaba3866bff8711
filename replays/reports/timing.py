"""How long a bot thinks, and how often and why it gave no answer, as the logs of its last matches have it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import msgspec

from ftk_core.entries import Excuse, is_chose, stream_of
from replays.models import Match, MatchSeat, Page

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
    excuses: list[tuple[str, int]]
    """(reason, how often the menu's first item was played for it)."""


def read_timing(bot_slug: str, number: int | None = None) -> Timing | None:
    """Return how a bot, or one version of it, answered in its last matches that are released, None before the first.

    Two queries.
    """
    seats = MatchSeat.objects.filter(
        match__status=Match.Status.CLOSED, match__released=True, version__bot__slug=bot_slug
    )
    if number is not None:
        seats = seats.filter(version__number=number)
    own = set(seats.order_by("-match__closed_at", "-match_id").values_list("match_id", "seat")[:MATCHES])
    if not own:
        return None
    streams = {stream_of(match): match for match, _ in own}
    spent: list[int] = []
    excuses: Counter[str] = Counter()
    for stream, body in Page.objects.filter(stream_id__in=streams).values_list("stream_id", "body").iterator():
        for choice in _choices(bytes(body)):
            if (streams[stream], choice.seat) in own:
                spent.append(choice.charged_us)
                excuses.update([choice.excuse] if choice.excuse else [])
    spent.sort()
    return Timing(
        matches=len(streams),
        decisions=len(spent),
        half_ms=_ms(spent, 0.5),
        most_ms=_ms(spent, 0.99),
        excuses=excuses.most_common(),
    )


def _choices(body: bytes) -> list[_Choice]:
    return [_decoder.decode(line) for line in body.splitlines() if is_chose(line)]


def _ms(spent: list[int], share: float) -> str:
    """Return the time that this share of the decisions did not exceed, in milliseconds; `spent` is sorted."""
    if not spent:
        return "0"
    return f"{spent[min(len(spent) - 1, int(share * len(spent)))] / 1000:.1f}"
