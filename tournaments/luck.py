"""Luck measure of each game: a projection of its leagues' streams, recomputed now and then."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from msgspec.structs import asdict

from ftk_core.games import shelf
from ftk_core.league.acts import MatchReplaced
from ftk_core.league.folding import fold
from ftk_core.league.luck_shares import archive_of, repeated, shares
from ftk_core.league.state import LeagueState
from tournaments.models import ALL_TIME, CourtFit, League, LuckMeasure
from tournaments.projections import read_facts

MOST = 100_000
"""Maximum number of matches read, the newest."""
GROWTH = 10
"""The measure is recomputed once the number of matches has grown by one in this many."""
Sat = tuple[tuple[int, int, int, int], tuple[int, ...], tuple[int, ...]]
"""(league, round, table, deal of the table), versions by seat, their places."""


def _count() -> dict[str, int]:
    """Return by game the number of matches in its last ladder fit, from one row each."""
    fits = CourtFit.objects.filter(season=ALL_TIME, game__in=shelf(), matches__gt=0)
    return dict(fits.values_list("game", "matches"))


def list_due() -> list[str]:
    """Return the games with enough new matches since their last measure."""
    known = dict(LuckMeasure.objects.values_list("game", "known"))
    return [game for game, of in _count().items() if GROWTH * (of - known.get(game, 0)) >= max(known.get(game, 0), 1)]


def measure(game: str) -> bool:
    """Measure a game's luck from its newest league matches; return True if there were enough."""
    known = _count().get(game, 0)
    by_size: dict[int, list[Sat]] = defaultdict(list)
    for sat in _read(game):
        by_size[len(sat[1])].append(sat)
    size = max(by_size, key=lambda seats: len(by_size[seats]), default=0)
    matches = by_size[size]
    numbers = {deal: number for number, deal in enumerate(dict.fromkeys(deal for deal, _, _ in matches))}
    deals = np.array([numbers[deal] for deal, _, _ in matches], dtype=np.int64)
    versions, places = (np.array([sat[at] for sat in matches], dtype=np.int64) for at in (1, 2))
    found = shares(archive_of(deals, versions, places)) if matches else None
    LuckMeasure.objects.update_or_create(
        game=game,
        defaults={
            "known": known,
            "seats": size,
            "matches": len(matches),
            "deals": repeated(deals),
            "shares": {name: asdict(share) for name, share in (found or {}).items()},
        },
    )
    return found is not None


def _read(game: str) -> Iterator[Sat]:
    """Yield league matches that share deals, newest leagues first."""
    left = MOST
    for league in League.objects.sound().filter(game=game).order_by("-created_at", "-pk").iterator():
        # without the cache of states, which would evict the running leagues
        for sat in _played(league.pk, fold(read_facts(league))):
            yield sat
            left -= 1
            if not left:
                return


def _played(league: int, state: LeagueState) -> Iterator[Sat]:
    dealt = {fact.new: fact.deal for fact in state.noted if isinstance(fact, MatchReplaced)}
    for result in state.results:
        if not result.ruled and state.terms_of(result.round).deals == "same":
            deal = league, result.round, result.table, dealt.get(result.match, 0)
            yield deal, tuple(state.entrant(entry).version for entry in result.seating), result.places
