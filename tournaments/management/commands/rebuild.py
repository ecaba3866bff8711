"""``manage.py rebuild``: rebuild all projections (tables computed from the event streams), such as ratings."""

from __future__ import annotations

from typing import Any

from foundation.management_commands import ArenaCommand
from ftk_core.games import list_games
from ftk_core.league.league_state import CommandRejected
from replays.services import rebuild_seat_sums
from tournaments.continuous_ladder import services as continuous_services
from tournaments.ladders import ladder_court_ratings, ladder_match_rating
from tournaments.league_series.services import rebuild_all_series
from tournaments.leagues import services
from tournaments.models import League


class Command(ArenaCommand):
    """Command that rebuilds every projection, such as standings and ratings. It does not change the event streams."""

    help = __doc__

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Rebuild all projections, and print how many leagues, series, matches and ladders they cover."""
        leagues = sum(self._rebuild_league(pk) for pk in list(League.objects.values_list("pk", flat=True)))
        rated = sum(ladder_match_rating.rebuild(name) for name in list_games())
        bouts = sum(continuous_services.rebuild(name) for name in list_games())
        fitted = sum(ladder_court_ratings.rebuild(name) for name in list_games())
        games = f"{bouts} facts of continuous ladders and {rated} rated matches"
        made = f"{leagues} leagues, {rebuild_all_series()} series, {games} made again"
        counted = rebuild_seat_sums()
        self.stdout.write(f"{made}, {fitted} ladders fitted, the seats of {counted} matches added up")

    def _rebuild_league(self, pk: int) -> bool:
        """Rebuild a league's tables. If only a newer release can do this, print the reason and return False."""
        try:
            services.rebuild(pk)
        except CommandRejected as error:
            self.stderr.write(str(error))
            return False
        return True
