"""Matchmaking of continuous ladders: choice of the bot versions that play the next match."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bots.versions.queries import NewestActiveBotVersion, list_active, list_newest_active
from foundation.random_seeds import new_seed
from ftk_core.league.court_rating.rating_fit import MEAN
from ftk_core.league.matchmaking import MatchmakingBotCandidate, choose_bout_seating
from ftk_core.random_streams import seed_of
from replays.services import MatchRequest, order_matches
from tournaments.continuous_ladder.continuous_ladder_facts import BoutOrdered
from tournaments.continuous_ladder.continuous_ladder_projection import append
from tournaments.league_limits import CONTINUOUS
from tournaments.models import CourtRating, HeadToHeadTotal
from tournaments.models.continuous_ladders import Bout, ContinuousLadder, ContinuousLadderBotVersion

FIRST_BOUTS, EARNING_BOUTS = 10, 50
"""A new version is chosen first in its first 10 bouts if the version before it played 50 or more. Otherwise the bouts
of the bot's earlier versions count, too."""


@dataclass(frozen=True, slots=True)
class BotVersionBoutCounts:
    """Counts of the matches (bouts) for which a bot version was chosen on a continuous ladder."""

    sat: Mapping[str, Sequence[int]]
    """Number of seats of a table -> number of bouts in each seat."""
    last: int
    """Number of the last bout."""

    @property
    def total(self) -> int:
        """Number of all bouts of the version."""
        return sum(map(sum, self.sat.values()))


def start_next_bout(ladder: ContinuousLadder, at: int) -> bool:
    """Create a ladder's next match; return False if too few bots are available.

    `at` is the current time in seconds since 1970. The caller must hold a lock on the ladder's row.
    """
    number = ladder.called + 1
    free = list_available_versions(ladder)
    if (size := _choose_table_size(ladder, number, len(free))) is None:
        return False
    seed = seed_of("bouts", ladder.game, number)
    table = choose_bout_seating(
        _list_contenders(ladder, free, size), size, seed, lambda bot: _count_meetings(ladder, bot)
    )
    version_of = {bot.bot_id: bot.id for bot in free}
    versions = list_active([version_of[bot] for bot in table])
    if len(versions) < size:  # a version was retired, activated or banned meanwhile
        return False
    order = MatchRequest(
        game=ladder.game,
        versions=versions,
        seed=new_seed(),
        clock=ladder.clock,
        options=ladder.options,
        on_ladder=True,
    )
    (match,) = order_matches([order])
    append(ladder, [BoutOrdered(number=number, match=match.pk, versions=tuple(v.pk for v in versions), at=at)])
    return True


def has_new_version(ladder: ContinuousLadder) -> bool:
    """Return True if an available bot version has never played on this ladder."""
    return not {version.id for version in list_available_versions(ladder)} <= set(
        ladder.versions.values_list("version_id", flat=True)
    )


def list_available_versions(ladder: ContinuousLadder) -> list[NewestActiveBotVersion]:
    """Return each uploaded bot's newest active version, except versions excluded after crashes."""
    benched = set(ladder.versions.exclude(benched="").values_list("version_id", flat=True))
    return [version for version in list_newest_active(ladder.game) if version.id not in benched]


def _choose_table_size(ladder: ContinuousLadder, number: int, free: int) -> int | None:
    """Return the number of seats of a ladder's next match, or None if too few bots are free."""
    # The sizes in the ladder's settings take turns. Sizes above the number of free bots are skipped.
    sizes_in_turn = (ladder.sizes[(number + step) % len(ladder.sizes)] for step in range(len(ladder.sizes)))
    return next((size for size in sizes_in_turn if size <= free), None)


def _list_contenders(
    ladder: ContinuousLadder, free: list[NewestActiveBotVersion], size: int
) -> list[MatchmakingBotCandidate]:
    rated = CourtRating.objects.filter(game=ladder.game, season=CONTINUOUS)
    values = {bot: value / 100 for bot, value in rated.values_list("bot_id", "value")}
    rows = ContinuousLadderBotVersion.objects.filter(ladder=ladder).order_by("version__number")
    bouts_by_bot = defaultdict[int, dict[int, BotVersionBoutCounts]](dict)
    for version, bot, sat, last in rows.values_list("version_id", "version__bot_id", "sat", "last"):
        bouts_by_bot[bot][version] = BotVersionBoutCounts(sat, last)
    return [
        _make_contender(version, values.get(version.bot_id, MEAN), bouts_by_bot[version.bot_id], size)
        for version in free
    ]


def _make_contender(
    version: NewestActiveBotVersion, value: float, bouts: Mapping[int, BotVersionBoutCounts], size: int
) -> MatchmakingBotCandidate:
    """Return a bot version as a candidate for the next match with `size` seats.

    `value` is the rating of the bot. `bouts` maps the id of each version of this bot to the numbers of its
    matches, oldest version first. It lacks versions that were never chosen for a match.
    """
    own = bouts.get(version.id, BotVersionBoutCounts({}, 0))
    earlier = [counts for key, counts in bouts.items() if key < version.id]
    # A version that has never played comes first once. Later ones must earn it, lest their author play every bout.
    has_earned = own.total < FIRST_BOUTS and bool(earlier) and earlier[-1].total >= EARNING_BOUTS
    comes_first = not own.total or has_earned
    return MatchmakingBotCandidate(
        key=version.bot_id,
        owner=version.owner_id,
        value=value,
        called=own.total if comes_first else sum(counts.total for counts in bouts.values()),
        last=max((counts.last for counts in bouts.values()), default=0),
        sat=dict(enumerate(own.sat.get(str(size), ()))),
    )


def _count_meetings(ladder: ContinuousLadder, bot: int) -> Counter[int]:
    """Count a bot's ladder matches by opponent id, including unfinished matches."""
    finished = HeadToHeadTotal.objects.filter(ladder__game=ladder.game, ladder__season=CONTINUOUS, bot=bot)
    open_bouts = ladder.bouts.filter(ended=False, match__seats__version__bot=bot).values("pk")
    opponents = Bout.objects.filter(pk__in=open_bouts).values_list("match__seats__version__bot", flat=True)
    return Counter(dict(finished.values_list("other_id", "matches"))) + Counter(opponents)
