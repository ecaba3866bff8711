"""Selection of the versions for the next bout of a continuous ladder."""

from __future__ import annotations

from collections import Counter

from bots.queries import list_active
from bots.version_queries import Newest, list_newest_active
from foundation.seeds import new_seed
from ftk_core.entries import Clock
from ftk_core.league.bouts import Contender, call_table
from ftk_core.league.court.fitting import MEAN
from ftk_core.rng import seed_of
from replays.services import Order, order_matches
from tournaments.bounds import CONTINUOUS
from tournaments.bout_facts import BoutCalled
from tournaments.bout_models import Bout, CalledVersion, ContinuousLadder
from tournaments.bout_rows import append
from tournaments.models import CourtRating, MeetingSum


def call_bout(ladder: ContinuousLadder, at: int) -> bool:
    """Call the next table and order its match; return False with too few bots. The ladder's row must be locked."""
    number = ladder.called + 1
    free = list_free(ladder)
    if (size := _size_of(ladder, number, len(free))) is None:
        return False
    seed = seed_of("bouts", ladder.game, number)
    table = call_table(_contenders(ladder, free, size), size, seed, lambda bot: _met(ladder, bot))
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


def has_newcomer(ladder: ContinuousLadder) -> bool:
    """Return True if a version that was never called is available; `call_table` takes it first."""
    return not {version.id for version in list_free(ladder)} <= set(
        ladder.versions.values_list("version_id", flat=True)
    )


def list_free(ladder: ContinuousLadder) -> list[Newest]:
    """Return the newest active version of every bot of the game, without benched ones."""
    benched = set(ladder.versions.exclude(benched="").values_list("version_id", flat=True))
    return [version for version in list_newest_active(ladder.game) if version.id not in benched]


def _size_of(ladder: ContinuousLadder, number: int, free: int) -> int | None:
    """Return the next table size in turn for which there are enough bots; None without any."""
    turned = (ladder.sizes[(number + step) % len(ladder.sizes)] for step in range(len(ladder.sizes)))
    return next((size for size in turned if size <= free), None)


def _contenders(ladder: ContinuousLadder, free: list[Newest], size: int) -> list[Contender]:
    rated = CourtRating.objects.filter(game=ladder.game, season=CONTINUOUS)
    values = {bot: value / 100 for bot, value in rated.values_list("bot_id", "value")}
    rows = {row.version_id: row for row in CalledVersion.objects.filter(ladder=ladder)}
    return [_contender(bot, values.get(bot.bot_id, MEAN), rows.get(bot.id, CalledVersion()), size) for bot in free]


def _contender(bot: Newest, value: float, row: CalledVersion, size: int) -> Contender:
    return Contender(
        key=bot.bot_id,
        owner=bot.owner_id,
        value=value,
        called=sum(sum(seats) for seats in row.sat.values()),
        last=row.last,
        sat=dict(enumerate(row.sat.get(str(size), ()))),
    )


def _met(ladder: ContinuousLadder, bot: int) -> Counter[int]:
    """Return the number of finished and open meetings of a bot with each other bot."""
    rows = MeetingSum.objects.filter(ladder__game=ladder.game, ladder__season=CONTINUOUS, bot=bot)
    open_bouts = ladder.bouts.filter(ended=False, match__seats__version__bot=bot).values("pk")
    about = Bout.objects.filter(pk__in=open_bouts).values_list("match__seats__version__bot", flat=True)
    return Counter(dict(rows.values_list("other_id", "matches"))) + Counter(about)
