"""What can be done with matches: order one, ring for it, check it."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from bots.doorbell import ring
from bots.models import BotVersion
from ftk_core.entries import Clock
from ftk_core.filelog import dump
from ftk_core.fold import check_options, read_options
from ftk_core.games import game
from ftk_core.kit.verify import Verdict, verify_lines
from replays.models import Match, MatchSeat
from replays.store import pages_of
from replays.tasks import run_match


def order_match(
    game_name: str, versions: Sequence[BotVersion], seed: bytes, clock: Clock, options: str = "", pace_ms: int = 0
) -> Match:
    """Make a match that waits for a worker, and ring for one when the transaction is through.

    `options` is JSON in the game's own terms, `pace_ms` the least time between choices; raises ValueError for options
    that it cannot be played with.
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
    )
    MatchSeat.objects.bulk_create(
        MatchSeat(match=match, seat=seat, version=version) for seat, version in enumerate(versions)
    )
    transaction.on_commit(lambda: ring(run_match, match.pk))
    return match


def verify_match(match_id: str) -> Verdict:
    """Return the verdict on a stored match: chain, fold and rerun; raises Unsound."""
    chunks = b"".join(dump(pages_of(f"match/{match_id}"))).splitlines(keepends=True)
    return verify_lines(chunks)
