"""Read queries about matches and streams, for pages and other apps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch, prefetch_related_objects

from bots.remote_bots import runs_outside_server
from bots.versions.queries import select_bot
from ftk_core.facts import OMNISCIENT, PUBLIC
from ftk_core.games import list_games, title_of
from ftk_core.hash_chained_log import lines_of
from ftk_core.log_entries import MatchAbandoned, read as read_entry, stream_of
from ftk_core.match_log_file import dump_pages
from ftk_core.match_replay_frames import MatchFrames
from replays.event_stream_storage import EventAppender, pages_of, read_ends
from replays.match_access import admitted_viewer, can_see_match, check_viewer, hide_unless_released
from replays.models import Match, MatchSeat
from replays.replay_frame_cache import REEL_CACHE

BATCH_SIZE = 5_000
"""Maximum number of match ids in one query."""
SEAT_FIELDS = ("match", "seat", "place", "score", "excuses", "reproducible")
LISTED_FIELDS = (*SEAT_FIELDS, "version__number", "version__bot__slug", "version__bot__kind")
"""Columns of seats that lists of matches need, without the texts that bots wrote."""
PLAYING, CLOSED, VOID = Match.Status.PLAYING, Match.Status.CLOSED, Match.Status.VOID
Kind = Match.Kind
"""Kinds of matches, for other apps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatWithBotAndResult:
    """A seat of a match, with its bot and its result."""

    seat: int
    name: str
    bot_slug: str
    kind: str
    """``remote`` or ``by hand``; empty for a bot that runs in the arena's sandbox."""
    place: int | None
    score: int | None
    excuses: int
    """Number of default choices, made because the bot gave no valid answer; 0 if the match is not released."""
    reproducible: bool
    """False if the bot answered differently when a resumed match repeated a question.

    Always True if the match is not released.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOverview:
    """A match, as shown in lists and on its page."""

    id: str
    game: str
    game_title: str
    status: str
    players: list[SeatWithBotAndResult]
    length: int
    head: str
    """Hash of the whole log in hexadecimal; empty, and `length` is 0, until the match has ended and is released."""
    attempts: int
    reason: str
    opened_at: datetime | None
    closed_at: datetime | None
    released: bool
    """True if everybody may see the whole match; if False, only its result is public."""

    @property
    def ended(self) -> bool:
        """True if the match is closed (has a result) or void (ended without a result)."""
        return self.status in (Match.Status.CLOSED, Match.Status.VOID)


def read_matches(matches: Iterable[Match]) -> list[MatchOverview]:
    """Return a list of overviews of the given matches, in their order."""
    found = list(matches)
    seats = MatchSeat.objects.select_related("version__bot").only(*LISTED_FIELDS)
    prefetch_related_objects(found, Prefetch("seats", seats))
    ends = read_ends([match.stream_id for match in found])
    return [_make_match_overview(match, *ends.get(match.stream_id, (0, b""))) for match in found]


def read_kind(match_id: str) -> str | None:
    """Return the kind of a match, such as friendly, or None if the match does not exist."""
    return Match.objects.filter(pk=match_id).values_list("kind", flat=True).first()


def list_players(match: Match) -> list[SeatWithBotAndResult]:
    """Return the seats of a match in order, with bots and results."""
    # Callers prefetch the seats with their versions and bots.
    return [
        SeatWithBotAndResult(
            seat=s.seat,
            name=s.version.label,
            bot_slug=s.version.bot.slug,
            kind=s.version.bot.get_kind_display() if runs_outside_server(s.version.bot) else "",
            place=s.place,
            score=s.score,
            excuses=hide_unless_released(s.excuses, released=match.released) or 0,
            reproducible=hide_unless_released(s.reproducible, released=match.released) is not False,
        )
        for s in match.seats.all()
    ]


def _make_match_overview(match: Match, length: int, head: bytes) -> MatchOverview:
    # While a match goes on, its length would reveal who had a choice, and with the hash of its last page anybody could
    # find out by trial which card was drawn.
    told = match.ended and match.released
    return MatchOverview(
        id=match.pk,
        game=match.game,
        game_title=title_of(match.game),
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
    """Return the overview of a match; raises Match.DoesNotExist."""
    return read_matches([Match.objects.get(pk=match_id)])[0]


def read_story(
    match_id: str, eyes: str = "public", user_id: int | None = None, language: str = "en"
) -> list[tuple[int, str]]:
    """Return the course of a match as pairs (frame number, sentence), in order.

    Raises Match.DoesNotExist, InvalidViewpointError, or MatchViewForbiddenError if the user may not see it.
    """
    _, viewer = admitted_viewer(match_id, eyes, user_id)
    return REEL_CACHE.reel(match_id, viewer, language).story()


def read_public(match_id: str) -> MatchFrames:
    """Return all frames of a match in the public view.

    Raises Match.DoesNotExist, or MatchViewForbiddenError before the match is public.
    """
    # The frames contain only what everybody may see, so that they may be cached and published.
    admitted_viewer(match_id, "public", None)
    return REEL_CACHE.reel(match_id, PUBLIC)


@dataclass(frozen=True, slots=True)
class CurrentAndEarlierSeatPoints:
    """Points of each seat of a match now and at an earlier time, as shown to the public."""

    # Both are empty if the game shows no points, or before the first frame.

    now: tuple[int, ...]
    before: tuple[int, ...]
    """Points of each seat at an earlier frame, in seat order."""


def read_points(match_ids: Sequence[str], back: int = 0) -> dict[str, CurrentAndEarlierSeatPoints]:
    """Return the players' points in public matches, now and `back` frames earlier, by match id."""
    # Two queries serve all matches.
    shown = Match.objects.filter(pk__in=match_ids, released=True, game__in=list_games()).values_list("pk", flat=True)
    reels = REEL_CACHE.reels(sorted(shown), PUBLIC)
    return {match: CurrentAndEarlierSeatPoints(reel.points(), reel.points(back)) for match, reel in reels.items()}


def can_user_see_match(match_id: str, user_id: int | None) -> bool:
    """Return True if the user may see the public view of a match; raises Match.DoesNotExist."""
    return can_see_match(Match.objects.get(pk=match_id), user_id)


def list_released(match_ids: Sequence[str]) -> set[str]:
    """Return the ids of the given matches that are released (open to everybody)."""
    return set(Match.objects.filter(pk__in=match_ids, released=True).values_list("pk", flat=True))


def read_heads(match_ids: Sequence[str]) -> dict[str, str]:
    """Return the hash of each match's whole log in hexadecimal, by match id.

    Raises LookupError if a match has no log.
    """
    ends = read_ends([stream_of(match_id) for match_id in match_ids])
    return {match_id: ends[stream_of(match_id)][1].hex() for match_id in match_ids}


def find_abandonment(match_id: str) -> MatchAbandoned | None:
    """Return the entry that ends the log of a match without a result; None if the log ends otherwise."""
    *_, last = (b"", *lines_of(EventAppender(stream_of(match_id))))
    entry = read_entry(last) if last else None
    return entry if isinstance(entry, MatchAbandoned) else None


def find_seat_at_fault(match_id: str) -> int | None:
    """Return the seat that made a match end without a result, or None."""
    entry = find_abandonment(match_id)
    return entry.seat if entry and isinstance(entry.seat, int) else None


def read_log(match_id: str, user_id: int | None = None) -> Iterator[bytes]:
    """Return the log file of an ended match in chunks of bytes.

    Raises Match.DoesNotExist before the match has ended, and MatchViewForbiddenError if the user may not see all of
    it.
    """
    match = Match.objects.get(pk=match_id, status__in=(Match.Status.CLOSED, Match.Status.VOID))
    check_viewer(match, OMNISCIENT, user_id)
    return dump_pages(pages_of(match.stream_id))


def list_programme(live: int, ended: int, wanted: str = "") -> list[MatchOverview]:
    """Return up to `live` public matches in progress, then up to `ended` public matches with a result, newest first.

    If the match `wanted` is missing, add it at the end. Raises Match.DoesNotExist if this match is not public.
    """
    shown = Match.objects.filter(released=True, game__in=list_games())
    playing = list(shown.filter(status=PLAYING).order_by("-opened_at", "-id")[:live])
    recent = list(shown.filter(status=CLOSED).order_by("-closed_at", "-id")[:ended])
    if wanted and wanted not in {match.pk for match in playing + recent}:
        recent.append(shown.get(pk=wanted))
    return read_matches(playing + recent)


def read_versions(match_ids: Sequence[str], bot_slug: str) -> dict[str, int]:
    """Return the version number with which a bot played in each match, by match id."""
    # Matches without the bot are left out.
    seats = MatchSeat.objects.filter(match__in=match_ids, bot=select_bot(bot_slug))
    return dict(seats.values_list("match_id", "version__number"))


def read_seats(match_ids: Sequence[str]) -> dict[str, list[int]]:
    """Return the ids of the bot versions in each match in seat order, by match id."""
    found: dict[str, list[int]] = {}
    for start in range(0, len(match_ids), BATCH_SIZE):
        seats = MatchSeat.objects.filter(match__in=match_ids[start : start + BATCH_SIZE]).order_by("match_id", "seat")
        for match, version in seats.values_list("match_id", "version_id"):
            found.setdefault(match, []).append(version)
    return found
