"""Measurement of how much chance decides the results of each game."""
# It compares league matches that were played with the same random setup.

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from msgspec.structs import asdict

from ftk_core.games import list_games
from ftk_core.league.intervention_facts import MatchReplaced
from ftk_core.league.league_state import LeagueState
from ftk_core.league.league_state_from_events import fold_facts
from ftk_core.league.statistics.variance_components import count_repeated_deals, result_arrays_of, variance_shares
from tournaments.league_player_kinds import is_rated_on_all_time_ladder
from tournaments.leagues.league_event_projection import read_facts
from tournaments.models import ALL_TIME, CourtRatingFit, League
from tournaments.models.luck_measures import LuckMeasure

MAX_MATCHES = 100_000
"""Maximum number of matches used for a measurement, from the newest leagues."""
GROWTH_DIVISOR = 10
"""A game is measured again when its number of matches has grown by one tenth."""
DealtMatch = tuple[tuple[int, int, int, int], tuple[int, ...], tuple[int, ...]]
"""One match: (deal, version ids by seat, places by seat). The deal is (league, round, table, number of the deal)."""


def _count_matches() -> dict[str, int]:
    """Return the number of rated matches on the all-time ladder by game."""
    # These numbers were stored when the fitted ratings were last computed.
    fits = CourtRatingFit.objects.filter(season=ALL_TIME, game__in=list_games(), matches__gt=0)
    return dict(fits.values_list("game", "matches"))


def list_due() -> list[str]:
    """Return the games with enough new matches since the last measurement."""
    measured = dict(LuckMeasure.objects.values_list("game", "known"))
    return [
        game
        for game, count in _count_matches().items()
        if GROWTH_DIVISOR * (count - measured.get(game, 0)) >= max(measured.get(game, 0), 1)
    ]


def measure(game: str) -> bool:
    """Measure and store how much chance decides a game; return False if there are too few matches."""
    # Only the newest league matches are used. Without enough matches, an empty result is stored.
    match_count = _count_matches().get(game, 0)
    by_size: dict[int, list[DealtMatch]] = defaultdict(list)
    for match in _read_matches(game):
        by_size[len(match[1])].append(match)
    size = max(by_size, key=lambda seats: len(by_size[seats]), default=0)
    matches = by_size[size]
    numbers = {deal: number for number, deal in enumerate(dict.fromkeys(deal for deal, _, _ in matches))}
    deals = np.array([numbers[deal] for deal, _, _ in matches], dtype=np.int64)
    versions, places = (np.array([match[at] for match in matches], dtype=np.int64) for at in (1, 2))
    luck_shares = variance_shares(result_arrays_of(deals, versions, places)) if matches else None
    LuckMeasure.objects.update_or_create(
        game=game,
        defaults={
            "known": match_count,
            "seats": size,
            "matches": len(matches),
            "deals": count_repeated_deals(deals),
            "shares": {name: asdict(share) for name, share in (luck_shares or {}).items()},
        },
    )
    return luck_shares is not None


def _read_matches(game: str) -> Iterator[DealtMatch]:
    """Yield at most `MAX_MATCHES` league matches of a game, beginning with the newest league.

    Only stages that give all matches of a table (group of bots) the same random setup are included.
    """
    remaining = MAX_MATCHES
    for league in League.objects.valid().filter(game=game).order_by("-created_at", "-pk").iterator():
        # not from the cache of states, because finished leagues would evict the running ones
        state = fold_facts(read_facts(league))
        if not is_rated_on_all_time_ladder(state.header.kinds, mixed=state.header.mixed):
            continue  # its matches are not in `known`, which says when to measure again
        for match in _list_repeated_deals(league.pk, state):
            yield match
            remaining -= 1
            if not remaining:
                return


def _list_repeated_deals(league: int, state: LeagueState) -> Iterator[DealtMatch]:
    deal_numbers = {fact.new: fact.deal for fact in state.noted if isinstance(fact, MatchReplaced)}
    for result in state.results:
        if not result.ruled and state.terms_of(result.round).deals == "same":
            deal = league, result.round, result.table, deal_numbers.get(result.match, 0)
            yield deal, tuple(state.entrant(entry).version for entry in result.seating), result.places
