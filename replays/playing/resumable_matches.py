"""Selection of the matches that this process can play."""
# It needs the code of the match's rules and support for the bots' programming languages.

from __future__ import annotations

from collections import Counter

from django.db.models import BooleanField, QuerySet
from django.db.models.expressions import RawSQL

from ftk_core.games import build_of, list_games, versions
from replays.models import Match

RUNNING_STATUSES = (Match.Status.WAITING, Match.Status.PLAYING, Match.Status.ADJOURNED)
PLAYABLE_SQL = """(
    replays_match.build = ''
    OR concat_ws(' ', replays_match.game, replays_match.version, replays_match.build) = ANY (string_to_array(%s, ','))
    OR concat_ws(' ', replays_match.game, replays_match.version) = ANY (string_to_array(%s, ','))
)"""
"""SQL condition for matches that this process can play.

Such a match has not begun, or the same build of the game began it, or it began under earlier rules of the game that
are still registered.
"""

SUPPORTED_SQL = """coalesce((
    SELECT bool_and(package.command ->> 0 = ANY (%s::text[])) FROM replays_matchseat AS seat
    JOIN bots_botversion AS version ON version.id = seat.version_id
    JOIN bots_bot AS bot ON bot.id = version.bot_id
    JOIN bots_package AS package ON package.digest = version.package_id
    WHERE seat.match_id = replays_match.id AND bot.kind = 'uploaded'
), TRUE)"""
"""SQL condition for matches whose bots are all in given programming languages; remote bots and people need none.

It is a scalar subquery because PostgreSQL could replace EXISTS with a join that reads all seats.
"""


def list_known_builds() -> list[str]:
    """Return the versions of the game code that this process can play, as the two parameters of `PLAYABLE_SQL`.

    The first text has an item ``<game> <version> <build>`` for the current code of each game. The build identifies the
    code. The second text has an item ``<game> <version>`` for each earlier version of the rules. Commas separate items.
    """
    today = [f"{name} {rules.version} {build_of(name)}" for name, rules in list_games().items()]
    earlier = [
        f"{name} {number}" for name, now in list_games().items() for number in versions(name) if number != now.version
    ]
    return [",".join(today), ",".join(earlier)]


def select_resumable_elsewhere() -> QuerySet[Match]:
    """Return the unfinished matches that were begun with game code that this process does not have."""
    ours = RawSQL(PLAYABLE_SQL, list_known_builds(), output_field=BooleanField())  # noqa: S611 - made of constants
    return Match.objects.filter(status__in=RUNNING_STATUSES).exclude(ours)


def count_other_builds() -> dict[str, int]:
    """Return the number of unfinished matches that this process cannot resume, by the build that began them."""
    return dict(Counter(select_resumable_elsewhere().order_by("build").values_list("build", flat=True)))
