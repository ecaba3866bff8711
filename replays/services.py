"""What can be done with matches: order one, ring for it, check it."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction

from bots.models import BotVersion
from common.doorbell import ring
from ftk_core.entries import Clock, stream_of
from ftk_core.filelog import dump
from ftk_core.fold import check_options, read_options
from ftk_core.games import game
from ftk_core.kit.verify import Verdict, verify_lines
from replays.models import Match, MatchSeat
from replays.store import pages_of


def order_match(
    game_name: str,
    versions: Sequence[BotVersion],
    seed: bytes,
    clock: Clock,
    options: str = "",
    pace_ms: int = 0,
    asked_by: User | None = None,
) -> Match:
    """Make a match that waits for a worker, and ring for one when the transaction is through.

    `options` is JSON in the game's own terms, `pace_ms` the least time between choices; with `asked_by` it is friendly,
    else of a league. Raises ValueError for options that it cannot be played with.
    """
    rules = game(game_name)
    check_options(rules, len(versions), read_options(rules, options or "{}"))
    match = Match.objects.create(
        game=game_name,
        seed=seed,
        move_ms=clock.move_ms,
        bank_ms=clock.bank_ms,
        options=options,
        pace_ms=pace_ms,
        kind=Match.Kind.FRIENDLY if asked_by else Match.Kind.LEAGUE,
        asked_by=asked_by,
    )
    MatchSeat.objects.bulk_create(
        MatchSeat(match=match, seat=seat, version=version) for seat, version in enumerate(versions)
    )
    transaction.on_commit(lambda: ring("bots.work", match.kind, queue=match.kind))
    return match


def verify_match(match_id: str) -> Verdict:
    """Return the verdict on a stored match: chain, fold and rerun; raises Unsound."""
    chunks = b"".join(dump(pages_of(stream_of(match_id)))).splitlines(keepends=True)
    return verify_lines(chunks)
