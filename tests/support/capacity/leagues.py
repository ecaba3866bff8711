"""Leagues in the arena that the environment names: ``python -m tests.support.capacity.leagues open|locks|kept ...``.

``open <slug> <game> <seats> <bots> <rounds> <games> <pace_ms>`` opens one for bots of the house and starts it.
``locks <entries>`` prints for how many seconds a league of so many entries is locked by a result, by each further one
that is recorded with it, and by the turn of a round: the services themselves, on matches that are said to have ended.
``kept <game> <seats> <rounds>`` prints how many bytes of a match stay in the database once it is in the archive.
"""

from __future__ import annotations

import sys
import time
from itertools import cycle, islice
from statistics import median

import django

BEHIND, ROUNDS, RESULTS = 4, 8, 8


def open_league(slug: str, game: str, numbers: list[int]) -> None:
    """Open a league for bots of the house that make no mistakes, and start it."""
    from ftk_core.kit.house import UNSTEADY, house_bots
    from tests.support.factories import CLOCK, AuthorFactory, active_version
    from tournaments import services
    from tournaments.terms import Terms

    seats, bots, rounds, games, pace_ms = numbers
    sources = [bot for name, bot in house_bots(game).items() if name not in UNSTEADY]
    terms = {"slug": slug, "name": slug, "game": game, "clock": CLOCK, "pace_ms": pace_ms}
    league = services.open_league(Terms(**terms, seats=seats, rounds=rounds, games=games, per_author=bots))
    owner = AuthorFactory.create(username=slug)
    for number, source in enumerate(islice(cycle(sources), bots)):
        services.enter_bot(league.pk, active_version(source, slug=f"{slug}-{number}", game=game, owner=owner))
    services.start(league.pk)


def locks(entries: int) -> tuple[float, float, float]:
    """Return the median seconds of recording a result, of each further one with it, and of the turn of a round.

    A turn is the last result of a round, its closing, and the pairing of the next.
    """
    from tests.support.bench.leagues import end_matches, large_league
    from tournaments import services
    from tournaments.models import TableMatch

    league = large_league(entries, ROUNDS, BEHIND)

    def recorded(most: int | None) -> float:
        matches = end_matches(league, most)
        started = time.perf_counter()
        assert services.record_match(matches[0])
        return time.perf_counter() - started

    left = TableMatch.objects.filter(league=league, recorded=False).values_list("match", flat=True)
    services.record_match(left.get())
    singles, further, turns = list[float](), list[float](), list[float]()
    for _ in range(ROUNDS - BEHIND - 1):
        singles += [recorded(1) for _ in range(RESULTS)]
        together = entries // 2 - RESULTS - 1
        further.append((recorded(together) - median(singles)) / (together - 1))
        turns.append(recorded(1))
    return median(singles), max(0.0, median(further)), max(0.0, median(turns) - median(singles))


def main(what: str, *words: str) -> None:
    """Do one of the three."""
    django.setup()
    if what == "open":
        open_league(words[0], words[1], [int(word) for word in words[2:]])
    elif what == "kept":
        from tests.support.bench.archived_rows import measure_kept

        kept, _ = measure_kept(words[0], int(words[1]), int(words[2]))
        sys.stdout.write(f"{sum(map(sum, kept.values())):.1f}\n")
    else:
        sys.stdout.write("{:.6f} {:.6f} {:.6f}\n".format(*locks(int(words[0]))))


if __name__ == "__main__":
    main(*sys.argv[1:])
