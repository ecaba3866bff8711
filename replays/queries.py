"""Queries of matches for pages."""

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
"""Maximum number of matches in one query."""
SEAT = ("match", "seat", "place", "score", "excuses", "reproducible")
LISTED = (*SEAT, "version__number", "version__bot__slug", "version__bot__kind")
"""Columns of seats in lists of matches: nothing that bots wrote."""
PLAYING, CLOSED, VOID = Match.Status.PLAYING, Match.Status.CLOSED, Match.Status.VOID
Kind = Match.Kind
"""Kinds of matches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRow:
    """A seat of a match."""

    seat: int
    name: str
    bot_slug: str
    kind: str
    """``remote`` or ``by hand``; empty for a bot that runs here."""
    place: int | None
    score: int | None
    excuses: int
    """0 if the match is not released."""
    reproducible: bool
    """True if the match is not released."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOverview:
    """A match in lists and on its page."""

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
    """True if everybody may see its inside."""


def read_matches(matches: Iterable[Match]) -> list[MatchOverview]:
    """Return overviews of matches in the given order, by two queries.

    Matches of games that no longer exist are left out.
    """
    found = [match for match in matches if match.game in shelf()]
    seats = MatchSeat.objects.select_related("version__bot").only(*LISTED)
    prefetch_related_objects(found, Prefetch("seats", seats))
    ends = read_ends([match.stream_id for match in found])
    return [_page(match, *ends.get(match.stream_id, (0, b""))) for match in found]


def read_kind(match_id: str) -> str | None:
    """Return a match's kind; None if it does not exist."""
    return Match.objects.filter(pk=match_id).values_list("kind", flat=True).first()


def list_players(match: Match) -> list[PlayerRow]:
    """Return the players of a match by seat; prefetch its seats with their versions and bots."""
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
    """Return the overview of a match; raises Match.DoesNotExist, or UnknownGame for a removed game."""
    match = Match.objects.get(pk=match_id)
    game(match.game)
    return read_matches([match])[0]


def read_story(
    match_id: str, eyes: str = "public", user_id: int | None = None, language: str = "en"
) -> list[tuple[int, str]]:
    """Return (frame, sentence) of a match for this viewer; raises EyesClosed or UnknownEyes."""
    _, viewer = admitted(match_id, eyes, user_id)
    return PROJECTOR.reel(match_id, viewer, language).story()


def read_public(match_id: str) -> Reel:
    """Return the public reel of a match; raises Match.DoesNotExist, or EyesClosed until it is released.

    The caller is anonymous, so the result may be cached and published.
    """
    admitted(match_id, "public", None)
    return PROJECTOR.reel(match_id, PUBLIC)


@dataclass(frozen=True, slots=True)
class PublicPoints:
    """Points of each seat in the public view; empty if the game shows none, or had not begun."""

    now: tuple[int, ...]
    before: tuple[int, ...]
    """The points `back` frames ago."""


def read_points(match_ids: Sequence[str], back: int = 0) -> dict[str, PublicPoints]:
    """Return, by match, the points at the newest frame and `back` frames before it.

    Only for released matches; two statements for all of them.
    """
    reels = PROJECTOR.reels(sorted(list_released(match_ids)), PUBLIC)
    return {match: PublicPoints(reel.points(), reel.points(back)) for match, reel in reels.items()}


def is_shown(match_id: str, user_id: int | None) -> bool:
    """Return True if the user may see the inside of a match; raises Match.DoesNotExist."""
    return shows(Match.objects.get(pk=match_id), user_id)


def list_released(match_ids: Sequence[str]) -> set[str]:
    """Return the released ones among these matches."""
    return set(Match.objects.filter(pk__in=match_ids, released=True).values_list("pk", flat=True))


def read_heads(match_ids: Sequence[str]) -> dict[str, str]:
    """Return the heads of matches' streams in hexadecimal, by match; raises LookupError if one has no stream."""
    ends = read_ends([stream_of(match_id) for match_id in match_ids])
    return {match_id: ends[stream_of(match_id)][1].hex() for match_id in match_ids}


def find_blamed(match_id: str) -> int | None:
    """Return the seat whose answer was due at the end of a void match; None if its log does not name one."""
    *_, last = (b"", *lines_of(StreamLog(stream_of(match_id))))
    entry = read_entry(last) if last else None
    return entry.seat if isinstance(entry, Voided) and isinstance(entry.seat, int) else None


def read_log(match_id: str, user_id: int | None = None) -> Iterator[bytes]:
    """Yield the log of an ended match as a file, page by page.

    Raises Match.DoesNotExist unless it has ended, or EyesClosed for a user who may not see its inside.
    """
    match = Match.objects.get(pk=match_id, status__in=(Match.Status.CLOSED, Match.Status.VOID))
    check_eyes(match, OMNISCIENT, user_id)
    return dump(pages_of(match.stream_id))


def list_bill(live: int, ended: int, wanted: str = "") -> list[MatchOverview]:
    """Return the latest live matches, then the latest ended ones, with the wanted one among them.

    Only released ones; raises Match.DoesNotExist if the wanted one does not qualify.
    """
    shown = Match.objects.filter(released=True)
    playing = list(shown.filter(status=PLAYING).order_by("-opened_at", "-id")[:live])
    recent = list(shown.filter(status=CLOSED).order_by("-closed_at", "-id")[:ended])
    if wanted and wanted not in {match.pk for match in playing + recent}:
        recent.append(shown.get(pk=wanted))
    return read_matches(playing + recent)


def read_versions(match_ids: Sequence[str], bot_slug: str) -> dict[str, int]:
    """Return the bot's version number in each of these matches, by match; those without the bot are left out."""
    seats = MatchSeat.objects.filter(match__in=match_ids, bot=select_bot(bot_slug))
    return dict(seats.values_list("match_id", "version__number"))


def read_seats(match_ids: Sequence[str]) -> dict[str, list[int]]:
    """Return the version keys of each match's seats, by match."""
    found: dict[str, list[int]] = {}
    for start in range(0, len(match_ids), AT_ONCE):
        seats = MatchSeat.objects.filter(match__in=match_ids[start : start + AT_ONCE]).order_by("match_id", "seat")
        for match, version in seats.values_list("match_id", "version_id"):
            found.setdefault(match, []).append(version)
    return found


def list_streams(beginning: str) -> list[str]:
    """Return the names of the streams with this prefix, sorted."""
    return list(Stream.objects.filter(pk__startswith=beginning).order_by("pk").values_list("pk", flat=True))


def list_heads(beginning: str) -> dict[str, bytes]:
    """Return the heads of non-empty streams with this prefix, by name, sorted."""
    rows = Stream.objects.filter(pk__startswith=beginning, length__gt=0).order_by("pk")
    return {name: bytes(head) for name, head in rows.values_list("pk", "head")}


def list_grown(beginning: str, read: QuerySet[Any]) -> list[str]:
    """Return the names of the streams with this prefix that have more lines than were read, sorted.

    `read` yields the number of lines read of the stream ``OuterRef("pk")``; no row means none.
    """
    rows = Stream.objects.filter(pk__startswith=beginning).annotate(read=Coalesce(Subquery(read), 0))
    return list(rows.filter(length__gt=F("read")).order_by("pk").values_list("pk", flat=True))
