"""Script that opens leagues, or measures their cost, in the database of DATABASE_URL.

Usage: ``python -m tools.capacity.league_cost_measurement <command> <arguments>``. The commands are:

* ``open <slug> <game> <seats> <bots> <rounds> <games> <pace_ms>`` starts a league of built-in bots. Opponents play
  ``games`` matches in each round, with ``pace_ms`` milliseconds between two choices.
* ``locks <entries>`` prints for how many seconds three operations lock a league of that many bots: record one result,
  record each further result, and end a round.
* ``kept <game> <seats> <rounds>`` prints how many bytes an archived match leaves in the database.
"""

from __future__ import annotations

import sys
import time
from itertools import cycle, islice
from statistics import median

import django

BEHIND, ROUNDS, RESULTS = 4, 8, 8


def open_league(slug: str, game: str, numbers: list[int]) -> None:
    """Open and start a league of built-in bots.

    `numbers` are the arguments ``seats``, ``bots``, ``rounds``, ``games`` and ``pace_ms``.
    """
    # Bots that break the rules on purpose are left out.
    from ftk_core.kit.built_in_bots import UNSTEADY_BOTS, list_built_in_bots
    from tests.support.factories import CLOCK, AuthorFactory, create_active_version
    from tournaments.leagues import services
    from tournaments.leagues.league_settings import LeagueSettings

    seats, bots, rounds, games, pace_ms = numbers
    sources = [bot for name, bot in list_built_in_bots(game).items() if name not in UNSTEADY_BOTS]
    terms = {"slug": slug, "name": slug, "game": game, "clock": CLOCK, "pace_ms": pace_ms}
    league = services.open_league(LeagueSettings(**terms, seats=seats, rounds=rounds, games=games, per_author=bots))
    owner = AuthorFactory.create(username=slug)
    for number, source in enumerate(islice(cycle(sources), bots)):
        services.enter_bot(league.pk, create_active_version(source, slug=f"{slug}-{number}", game=game, owner=owner))
    services.start(league.pk)


def locks(entries: int) -> tuple[float, float, float]:
    """Return three medians in seconds: record one result, record a further result, end a round.

    `entries` is the number of bots in the measured league.
    """
    # Further results are recorded in the same transaction. The end of a round includes the pairing of the next one.
    from tools.bench.league_database_filler import create_large_league, end_matches
    from tournaments.leagues import services
    from tournaments.models import LeagueMatch

    league = create_large_league(entries, ROUNDS, BEHIND)

    def recorded(most: int | None) -> float:
        matches = end_matches(league, most)
        started = time.perf_counter()
        assert services.record_match(matches[0])
        return time.perf_counter() - started

    left = LeagueMatch.objects.filter(league=league, recorded=False).values_list("match", flat=True)
    services.record_match(left.get())
    singles, further, turns = list[float](), list[float](), list[float]()
    for _ in range(ROUNDS - BEHIND - 1):
        singles += [recorded(1) for _ in range(RESULTS)]
        together = entries // 2 - RESULTS - 1
        further.append((recorded(together) - median(singles)) / (together - 1))
        turns.append(recorded(1))
    return median(singles), max(0.0, median(further)), max(0.0, median(turns) - median(singles))


def main(what: str, *words: str) -> None:
    """Run the command ``open``, ``locks`` or ``kept`` with its arguments."""
    django.setup()
    if what == "open":
        open_league(words[0], words[1], [int(word) for word in words[2:]])
    elif what == "kept":
        from tools.bench.archived_match_size import measure_stored_bytes_by_table

        kept, _ = measure_stored_bytes_by_table(words[0], int(words[1]), int(words[2]))
        sys.stdout.write(f"{sum(map(sum, kept.values())):.1f}\n")
    else:
        sys.stdout.write("{:.6f} {:.6f} {:.6f}\n".format(*locks(int(words[0]))))


if __name__ == "__main__":
    main(*sys.argv[1:])
