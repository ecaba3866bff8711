"""What the pages ask of the matches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, Prefetch, QuerySet, Subquery, prefetch_related_objects
from django.db.models.functions import Coalesce

from bots.outside import is_outside
from bots.version_queries import select_bot
from ftk_core.entries import Voided, stream_of
from ftk_core.entries import read as read_entry
from ftk_core.facts import OMNISCIENT, PUBLIC
from ftk_core.filelog import dump
from ftk_core.games import game, shelf
from ftk_core.log import lines_of
from ftk_core.reel import Reel
from replays.access import admitted, check_eyes, disclose, shows
from replays.models import Match, MatchSeat, Stream
from replays.projector import PROJECTOR
from replays.store import StreamLog, pages_of, read_ends

AT_ONCE = 5_000
"""No more matches are named in one query."""
SEAT = ("match", "seat", "place", "score", "excuses", "reproducible")
LISTED = (*SEAT, "version__number", "version__bot__slug", "version__bot__kind")
"""The columns that a list of matches shows of its seats: none of what their bots wrote."""
PLAYING, CLOSED, VOID = Match.Status.PLAYING, Match.Status.CLOSED, Match.Status.VOID
Kind = Match.Kind
"""What matches are played for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRow:
    """One seat of a match."""

    seat: int
    name: str
    bot_slug: str
    kind: str
    """``remote`` or ``by hand``; empty for a bot that plays here."""
    place: int | None
    score: int | None
    excuses: int
    """0, too, where the match is not released;"""
    reproducible: bool
    """and this is true there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOverview:
    """A match's page."""

    id: str
    game: str
    game_title: str
    status: str
    players: list[PlayerRow]
    length: int
    head: str
    attempts: int
    reason: str
    opened_at: datetime | None
    closed_at: datetime | None
    released: bool
    """Whether everybody may see what happens within it."""


def read_matches(matches: Iterable[Match]) -> list[MatchOverview]:
    """Return how matches are listed, in the order in which they are given: two queries for all of them.

    A match of a game that has left the shelf is left out.
    """
    found = [match for match in matches if match.game in shelf()]
    seats = MatchSeat.objects.select_related("version__bot").only(*LISTED)
    prefetch_related_objects(found, Prefetch("seats", seats))
    ends = read_ends([match.stream_id for match in found])
    return [_page(match, *ends.get(match.stream_id, (0, b""))) for match in found]


def read_kind(match_id: str) -> str | None:
    """Return what a match is played for; None where there is none of that number."""
    return Match.objects.filter(pk=match_id).values_list("kind", flat=True).first()


def list_players(match: Match) -> list[PlayerRow]:
    """Return who sits at a match, by seat; its seats should be prefetched, with their versions and bots."""
    return [
        PlayerRow(
            seat=s.seat,
            name=s.version.label,
            bot_slug=s.version.bot.slug,
            kind=s.version.bot.get_kind_display() if is_outside(s.version.bot) else "",
            place=s.place,
            score=s.score,
            excuses=disclose(s.excuses, released=match.released) or 0,
            reproducible=disclose(s.reproducible, released=match.released) is not False,
        )
        for s in match.seats.all()
    ]


def _page(match: Match, length: int, head: bytes) -> MatchOverview:
    # while a match goes on its length would tell who had a choice, and the hash of its last page let anybody try out
    # which card was drawn
    told = match.ended and match.released
    return MatchOverview(
        id=match.pk,
        game=match.game,
        game_title=game(match.game).title,
        status=match.status,
        players=list_players(match),
        length=length if told else 0,
        head=head.hex() if told else "",
        attempts=match.attempts,
        reason=match.reason,
        opened_at=match.opened_at,
        closed_at=match.closed_at,
        released=match.released,
    )


def read_match(match_id: str) -> MatchOverview:
    """Return the page of a match; raises Match.DoesNotExist, or UnknownGame for one that has left the shelf."""
    match = Match.objects.get(pk=match_id)
    game(match.game)
    return read_matches([match])[0]


def read_story(
    match_id: str, eyes: str = "public", user_id: int | None = None, language: str = "en"
) -> list[tuple[int, str]]:
    """Return (frame, sentence) of a match as told to these eyes; raises EyesClosed or UnknownEyes."""
    _, viewer = admitted(match_id, eyes, user_id)
    return PROJECTOR.reel(match_id, viewer, language).story()


def read_public(match_id: str) -> Reel:
    """Return what the public eyes see of a match; raises Match.DoesNotExist, or EyesClosed until it is released.

    Whoever asks is nobody: what comes of it may be kept and handed on by anybody.
    """
    admitted(match_id, "public", None)
    return PROJECTOR.reel(match_id, PUBLIC)


@dataclass(frozen=True, slots=True)
class PublicPoints:
    """The points of each seat as the public sees them; empty where the game shows none, or had not begun."""

    now: tuple[int, ...]
    before: tuple[int, ...]
    """So many frames ago as were asked for."""


def read_points(match_ids: Sequence[str], back: int = 0) -> dict[str, PublicPoints]:
    """Return, by match, the points at the newest frame and `back` frames before it.

    Of released matches only; two statements for all of them.
    """
    reels = PROJECTOR.reels(sorted(list_released(match_ids)), PUBLIC)
    return {match: PublicPoints(reel.points(), reel.points(back)) for match, reel in reels.items()}


def is_shown(match_id: str, user_id: int | None) -> bool:
    """Tell whether what happens within a match is shown to a user; raises Match.DoesNotExist."""
    return shows(Match.objects.get(pk=match_id), user_id)


def list_released(match_ids: Sequence[str]) -> set[str]:
    """Return which of these matches are released."""
    return set(Match.objects.filter(pk__in=match_ids, released=True).values_list("pk", flat=True))


def read_heads(match_ids: Sequence[str]) -> dict[str, str]:
    """Return the heads of matches' streams in hexadecimal, by match; raises LookupError if one has no stream."""
    ends = read_ends([stream_of(match_id) for match_id in match_ids])
    return {match_id: ends[stream_of(match_id)][1].hex() for match_id in match_ids}


def find_blamed(match_id: str) -> int | None:
    """Return whose answer was due where a void match ends, by seat; None where its log does not say."""
    *_, last = (b"", *lines_of(StreamLog(stream_of(match_id))))
    entry = read_entry(last) if last else None
    return entry.seat if isinstance(entry, Voided) and isinstance(entry.seat, int) else None


def read_log(match_id: str, user_id: int | None = None) -> Iterator[bytes]:
    """Yield the log of an ended match as a file, page by page.

    Raises Match.DoesNotExist unless it has ended, or EyesClosed for a user who may not see what happened within it.
    """
    match = Match.objects.get(pk=match_id, status__in=(Match.Status.CLOSED, Match.Status.VOID))
    check_eyes(match, OMNISCIENT, user_id)
    return dump(pages_of(match.stream_id))


def list_bill(live: int, ended: int, wanted: str = "") -> list[MatchOverview]:
    """Return the matches begun last that are being played, then those that ended last, and the wanted one somewhere.

    Only those that are released; raises Match.DoesNotExist where the wanted one is none of these.
    """
    shown = Match.objects.filter(released=True)
    playing = list(shown.filter(status=PLAYING).order_by("-opened_at", "-id")[:live])
    recent = list(shown.filter(status=CLOSED).order_by("-closed_at", "-id")[:ended])
    if wanted and wanted not in {match.pk for match in playing + recent}:
        recent.append(shown.get(pk=wanted))
    return read_matches(playing + recent)


def read_versions(match_ids: Sequence[str], bot_slug: str) -> dict[str, int]:
    """Return which version of a bot sat in each of these matches, by match; a match without it is left out."""
    seats = MatchSeat.objects.filter(match__in=match_ids, bot=select_bot(bot_slug))
    return dict(seats.values_list("match_id", "version__number"))


def read_seats(match_ids: Sequence[str]) -> dict[str, list[int]]:
    """Return by match, seat by seat, the keys of the versions that sit there."""
    found: dict[str, list[int]] = {}
    for start in range(0, len(match_ids), AT_ONCE):
        seats = MatchSeat.objects.filter(match__in=match_ids[start : start + AT_ONCE]).order_by("match_id", "seat")
        for match, version in seats.values_list("match_id", "version_id"):
            found.setdefault(match, []).append(version)
    return found


def list_streams(beginning: str) -> list[str]:
    """Return the names of the streams that begin so, in their order."""
    return list(Stream.objects.filter(pk__startswith=beginning).order_by("pk").values_list("pk", flat=True))


def list_heads(beginning: str) -> dict[str, bytes]:
    """Return by name, in their order, the heads of the streams that begin so and hold anything."""
    rows = Stream.objects.filter(pk__startswith=beginning, length__gt=0).order_by("pk")
    return {name: bytes(head) for name, head in rows.values_list("pk", "head")}


def list_grown(beginning: str, read: QuerySet[Any]) -> list[str]:
    """Return the names of the streams that begin so and hold more lines than were read, in their order.

    `read` yields how many were, of the stream that ``OuterRef("pk")`` names; nothing for one that was never read.
    """
    rows = Stream.objects.filter(pk__startswith=beginning).annotate(read=Coalesce(Subquery(read), 0))
    return list(rows.filter(length__gt=F("read")).order_by("pk").values_list("pk", flat=True))
