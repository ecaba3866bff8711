"""``manage.py rebuild``: make leagues, standings, ratings and sums of seats again from what happened."""

from __future__ import annotations

from typing import Any

from foundation.shell import ArenaCommand
from ftk_core.games import shelf
from replays.services import count_seats_anew
from tournaments import continuous, court_ratings, ladder, services
from tournaments.models import League


class Command(ArenaCommand):
    """Rebuilds every projection; the streams are only read."""

    help = __doc__

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Rebuild everything and print the amounts."""
        leagues = list(League.objects.values_list("pk", flat=True))
        for pk in leagues:
            services.rebuild(pk)
        rated = sum(ladder.rebuild(name) for name in shelf())
        bouts = sum(continuous.rebuild(name) for name in shelf())
        fitted = sum(court_ratings.rebuild(name) for name in shelf())
        made = f"{len(leagues)} leagues, {bouts} facts of continuous ladders and {rated} rated matches made again"
        counted = count_seats_anew()
        self.stdout.write(f"{made}, {fitted} ladders fitted, the seats of {counted} matches added up")
