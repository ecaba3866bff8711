"""Commands that rate matches on a game's ladders."""
# Streams list matches by arrival of their results. Ratings are computed by league and round, so that they do not depend
# on delays. A late or corrected result recomputes the ratings from its match on.

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

from django.db import transaction

from foundation.celery_task_messages import enqueue_task
from ftk_core.facts import encode
from replays import match_tracing
from replays.background_work_retries import run_with_retries
from replays.event_stream_queries import list_heads, list_streams
from replays.event_stream_storage import EventAppender
from tournaments.ladders.ladder_event_types import (
    LadderFact,
    LeagueMatchRated,
    NonLeagueMatchRated,
    ResultCorrected,
    ladder_of,
    stream_of,
)
from tournaments.ladders.ladder_match_lookup import (
    find_ladders,
    find_match,
    must_read_stream,
    read_facts,
    read_renamed_facts,
)
from tournaments.ladders.ladder_storage import (
    delete_tables,
    read_from,
    read_last_changes,
    read_states,
    store_meetings,
    store_ratings,
    store_seats,
)
from tournaments.ladders.match_rating_order import (
    BotEloAndMatchCounts,
    MatchWithEloChange,
    OrderedLadderMatch,
    correct_match,
    drop_prunable_matches,
    make_ladder_match,
    rate_matches_in_order,
    sort_facts,
)
from tournaments.models import ALL_TIME, LadderProjection, RatedMatchSeat, Rating


class RecomputedRatings(NamedTuple):
    """Ratings of a ladder, recomputed for all matches from the first new or corrected one on."""

    moved: list[MatchWithEloChange]
    """The recomputed matches in rating order, each with the bots' ratings before and after it."""
    after: dict[str, BotEloAndMatchCounts]
    """Rating state of each bot after the last match in `moved`, by slug."""


def rate(game: str, season: str, played: Sequence[LeagueMatchRated], *, of_all_time: bool = True) -> None:
    """Rate league matches on the ladder of a season; call it in a transaction.

    With `of_all_time`, rate them on the all-time ladder too. Raises ValueError if a match is rated already.
    """
    # After the commit, a task recomputes the court ratings, the second kind of rating on a ladder.
    # the all-time ladder is always locked before the ladder of a season, so that deadlocks are impossible
    with match_tracing.trace_rating((fact.match for fact in played), game=game, ladder=season):
        for which in dict.fromkeys((ALL_TIME, season) if of_all_time else (season,)):
            _count_on_ladder(game, which, played)
    transaction.on_commit(lambda: enqueue_task("tournaments.refit", game))


def rate_bouts(game: str, label: str, played: Sequence[NonLeagueMatchRated]) -> None:
    """Rate matches outside leagues on a ladder; call it in a transaction.

    `label` is the season label of the ladder. Raises ValueError if the ladder already has a match with the same
    `number`.
    """
    with match_tracing.trace_rating((fact.match for fact in played), game=game, ladder=label):
        _count_on_ladder(game, label, played)
    transaction.on_commit(lambda: enqueue_task("tournaments.refit", game))


def _count_on_ladder(game: str, season: str, played: Sequence[LeagueMatchRated | NonLeagueMatchRated]) -> None:
    if not played:
        return
    stream, ladder = lock_ladder(game, season)
    matches = [make_ladder_match(fact) for fact in played]
    places = [match.at for match in matches]
    if len(set(places)) < len(places) or not _list_taken_places(stream, ladder, places).isdisjoint(places):
        raise ValueError(f"a match counts already on the ladder of {ladder} at one of these places: {played}")
    _append(stream, ladder, played)
    if min(places) < ladder.pruned_before:
        _rebuild_tables(stream, ladder)
    else:
        _store_replay(ladder, _replay_from(ladder, matches))
        store_meetings(ladder, matches)


def _list_taken_places(stream: EventAppender, ladder: LadderProjection, places: Sequence[int]) -> set[int]:
    """Return the positions in the rating order at which the ladder already has a match."""
    # The result is complete only from the lowest to the highest of `places`, the positions of new matches.
    if min(places) < ladder.pruned_before:
        return {match.at for match in sort_facts(read_facts(stream))}
    taken = RatedMatchSeat.objects.filter(ladder=ladder, at__range=(min(places), max(places)))
    return set(taken.values_list("at", flat=True))


@transaction.atomic
def correct(match: str, places: Sequence[int] | None, why: str) -> None:
    """Correct the result of a match on all its ladders.

    `places` are by seat; None removes the result. Raises LookupError for an unrated match, and ValueError for a wrong
    number of places.
    """
    ladders = find_ladders(match)
    if not ladders:
        raise LookupError(f"match {match} counts on no ladder")
    for game, season in ladders:
        _correct_on_ladder(game, season, match, places, why)
    transaction.on_commit(lambda: enqueue_task("tournaments.refit", ladders[0][0]))


def _correct_on_ladder(game: str, season: str, match: str, places: Sequence[int] | None, why: str) -> None:
    stream, ladder = lock_ladder(game, season)
    old = find_match(ladder, match)
    new = correct_match(old, places)
    _append(stream, ladder, [ResultCorrected(match, new.places, why)])
    if must_read_stream(ladder, old.at):
        _rebuild_tables(stream, ladder)
    else:
        _store_replay(ladder, _replay_from(ladder, [new]))
        store_meetings(ladder, [new], [old])


def catch_up() -> int:
    """Rebuild the tables of all ladders that lag behind their streams; return their number."""
    folded = {(row.game, row.season): bytes(row.head) for row in LadderProjection.objects.all()}
    behind = [stream for stream, head in list_heads("ladder/").items() if folded.get(ladder_of(stream)) != head]
    return sum(
        run_with_retries("ladder", stream, partial(_catch_up_ladder, stream), otherwise=False) for stream in behind
    )


@transaction.atomic
def _catch_up_ladder(stream: str) -> bool:
    lock_ladder(*ladder_of(stream))
    return True


@transaction.atomic
def rebuild(game: str) -> int:
    """Rebuild the database tables of a game's ladders from the event streams.

    Return the number of events in the stream of the all-time ladder.
    """
    all_time = EventAppender.open_locked(stream_of(game))  # locked first, as in `rate`: no season begins meanwhile
    Rating.objects.filter(game=game).delete()
    for season in (ALL_TIME, *_list_seasons(game)):
        _rebuild_tables(
            EventAppender.open_locked(stream_of(game, season)),
            LadderProjection.objects.get_or_create(game=game, season=season)[0],
        )
    return all_time.length


def _list_seasons(game: str) -> list[str]:
    """Return the labels of the game's ladders other than the all-time ladder, sorted."""
    beginning = f"{stream_of(game)}/"
    return [name.removeprefix(beginning) for name in list_streams(beginning)]


def lock_ladder(game: str, season: str) -> tuple[EventAppender, LadderProjection]:
    """Lock a ladder until the transaction ends; return its event stream and its database row."""
    # Tables that lag behind the stream are rebuilt first.
    stream = EventAppender.open_locked(stream_of(game, season))
    ladder, _ = LadderProjection.objects.get_or_create(game=game, season=season)
    if bytes(ladder.head) != stream.head and stream.length:
        _rebuild_tables(stream, ladder)
    return stream, ladder


def _append(stream: EventAppender, ladder: LadderProjection, facts: Sequence[LadderFact]) -> None:
    stream.append([encode(fact) + b"\n" for fact in facts], stream.length)
    ladder.head = stream.head
    ladder.save(update_fields=("head",))


def _rebuild_tables(stream: EventAppender, ladder: LadderProjection) -> None:
    delete_tables(ladder)
    replay = _replay_facts(read_renamed_facts(stream))
    _store_replay(ladder, replay)
    store_meetings(ladder, [rated.match for rated in replay.moved])
    ladder.head = stream.head
    ladder.save(update_fields=("head",))


def _replay_facts(facts: Iterable[LadderFact]) -> RecomputedRatings:
    return _replay_matches(sort_facts(facts), {})


def _replay_from(ladder: LadderProjection, changed: Sequence[OrderedLadderMatch]) -> RecomputedRatings:
    """Compute a ladder's ratings from the first new or corrected match on, without storing them."""
    first = min(match.at for match in changed)
    matches = {match.at: match for match in (*read_from(ladder, first), *changed)}
    names = {name for match in matches.values() for name in match.names}
    return _replay_matches([matches[at] for at in sorted(matches)], read_states(ladder, first, names))


def _replay_matches(
    matches: Sequence[OrderedLadderMatch], stands: dict[str, BotEloAndMatchCounts]
) -> RecomputedRatings:
    moved = list(rate_matches_in_order(matches, stands))
    for match in matches:
        for name in match.names:
            stands.setdefault(name, BotEloAndMatchCounts())  # a bot whose matches were all withdrawn
    return RecomputedRatings(moved, stands)


def _store_replay(ladder: LadderProjection, replay: RecomputedRatings) -> None:
    last_changes = {
        name: after.value - before.value
        for rated in replay.moved
        if rated.match.places  # a match whose result was withdrawn changes no rating
        for name, before, after in zip(rated.match.names, rated.before, rated.after, strict=True)
    }
    store_seats(ladder, drop_prunable_matches(replay.moved, ladder.pruned_before))
    if unchanged := [name for name in replay.after if name not in last_changes]:
        last_changes |= read_last_changes(ladder, unchanged)
    store_ratings(ladder, replay.after, last_changes)
