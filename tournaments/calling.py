"""Who is called to the next bout of a continuous ladder, from what is stored of everybody who may be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import hypot

from bots.queries import list_active
from bots.version_queries import Newest, list_newest_active
from foundation.seeds import new_seed
from ftk_core.entries import Clock
from ftk_core.league.bouts import CHANGE, NEWCOMER, Contender, call_table
from ftk_core.league.court.fitting import SURE
from ftk_core.rng import seed_of
from replays.services import Order, order_matches
from tournaments.bounds import CONTINUOUS
from tournaments.bout_facts import BoutCalled
from tournaments.bout_models import Bout, CalledVersion, ContinuousLadder
from tournaments.bout_rows import append
from tournaments.models import CourtRating, MeetingSum


def call_bout(ladder: ContinuousLadder, at: int) -> bool:
    """Call the next table and order its match; False where too few bots may be called. The ladder's row is held."""
    number = ladder.called + 1
    free = list_free(ladder)
    if (size := _size_of(ladder, number, len(free))) is None:
        return False
    seed = seed_of("bouts", ladder.game, number)
    table = call_table(_contenders(ladder, free, size), size, seed, lambda bot: _met(ladder.game, bot))
    version_of = {bot.bot_id: bot.id for bot in free}
    versions = list_active([version_of[bot] for bot in table])
    order = Order(
        game=ladder.game,
        versions=versions,
        seed=new_seed(),
        clock=Clock(ladder.move_ms, ladder.bank_ms),
        options=ladder.options,
        on_ladder=True,
    )
    (match,) = order_matches([order])
    append(ladder, [BoutCalled(number=number, match=match.pk, versions=tuple(v.pk for v in versions), at=at)])
    return True


def list_free(ladder: ContinuousLadder) -> list[Newest]:
    """Return the newest active version of every bot of the game, but for those that are benched."""
    benched = set(ladder.versions.exclude(benched="").values_list("version_id", flat=True))
    return [version for version in list_newest_active(ladder.game) if version.id not in benched]


def _size_of(ladder: ContinuousLadder, number: int, free: int) -> int | None:
    """Return the size of a table: the next in turn that there are enough bots for, if there is one."""
    turned = (ladder.sizes[(number + step) % len(ladder.sizes)] for step in range(len(ladder.sizes)))
    return next((size for size in turned if size <= free), None)


def _contenders(ladder: ContinuousLadder, free: list[Newest], size: int) -> list[Contender]:
    rated = {
        bot: (version, value / 100, (high - low) / 200 / SURE)
        for bot, version, value, low, high in CourtRating.objects.filter(
            game=ladder.game, season=CONTINUOUS
        ).values_list("bot_id", "version", "value", "low", "high")
    }
    waits = Counter(Bout.objects.filter(ladder=ladder, ended=False).values_list("match__seats__version_id", flat=True))
    sat = dict(CalledVersion.objects.filter(ladder=ladder).values_list("version_id", "sat"))
    return [_contender(bot, rated.get(bot.bot_id), waits[bot.id], sat.get(bot.id, {}), size) for bot in free]


def _contender(
    bot: Newest, rated: tuple[int, float, float] | None, waits: int, sat: Mapping[str, list[int]], size: int
) -> Contender:
    value, deviation = NEWCOMER
    if rated is not None:
        version, value, deviation = rated
        if version != bot.number:  # of the version before it that is known; how much they differ is not
            deviation = hypot(deviation, CHANGE)
    return Contender(
        key=bot.bot_id,
        owner=bot.owner_id,
        value=value,
        deviation=max(deviation, 1.0),
        waits=waits,
        sat=dict(enumerate(sat.get(str(size), ()))),
    )


def _met(game: str, bot: int) -> dict[int, int]:
    rows = MeetingSum.objects.filter(ladder__game=game, ladder__season=CONTINUOUS, bot=bot)
    return dict(rows.values_list("other_id", "matches"))
