"""Overview of a league's current round for its organisers. It needs a constant number of database queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Avg, Case, CharField, Count, F, Q, QuerySet, Value, When, Window
from django.db.models.functions import RowNumber
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from ftk_core.league.drafted_round_validation import flaw_of_draft
from ftk_core.league.intervention_facts import MatchVoided
from ftk_core.league.league_state import LeagueState
from ftk_core.league.match_seating_and_random_seeds import rotate_seating
from replays.background_work_retries import find_given_up
from replays.queries import CLOSED, PLAYING, VOID
from tournaments.leagues.league_event_projection import load, read_time
from tournaments.models import League, LeagueMatch

MAX_LISTED = 12
"""Maximum length of each list on the page: matches of one state, slow bots, and bots that gave no valid answer."""
MAX_ABSENT = 40
"""Maximum number of listed entries that are excused from the current or a later round."""
SLOW_SHARE = 0.5
"""A bot is listed as slow if it used at least this share (0 to 1) of its thinking time in a match."""
STATE_ORDER = (PLAYING, "waiting", "adjourned", VOID, CLOSED)
"""Match states in the order in which the page lists them, most urgent first."""
MISSED_ANSWERS = {
    "timeout": gettext_lazy("%(count)s × no answer in time"),
    "crash": gettext_lazy("%(count)s × crashed"),
    "nonsense": gettext_lazy("%(count)s × nonsense"),
}


@dataclass(frozen=True, slots=True)
class FailedLeagueBackgroundJob:
    """Background work of a league that failed too often and is no longer retried."""

    kind: str
    name: str
    """Id of the match that cannot be recorded, number of the round that cannot be rated, or else id of the league."""
    reason: str
    """Reason of the failure, in words that organisers may see."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundOverviewMatch:
    """One match of the current round, with its worker and its duration."""

    number: int
    game: int
    match_id: str
    names: list[str]
    """Names of the entries, by seat."""
    worker: str
    """Name of the worker that plays the match; empty unless it is being played."""
    seconds: int | None
    """Duration of the match so far, or in all, in seconds; None before the match begins."""
    reason: str
    """Reason why the match is void; empty for other matches."""


@dataclass(frozen=True, slots=True)
class MatchesByStatus:
    """Number of the round's matches with one status, and the first few of these matches."""

    status: str
    of: int
    tables: list[RoundOverviewMatch]
    """The first `MAX_LISTED` matches, in table order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlowOrUnresponsiveBot:
    """A bot that was slow, or gave no valid answer, in a finished match of the round."""

    name: str
    number: int
    match_id: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundOverview:
    """Data for the organisers' page about the current round of a league."""

    slug: str
    verbs: Sequence[str]
    """Names of the actions that the viewer may execute now."""
    status: str
    paused: bool
    round: int
    """Number of the current round; 0 before the first round begins."""
    rounds: int
    draft: int
    """Number of the drafted round, which waits for an organiser; 0 without a drafted round."""
    outdated: str
    """Reason why the drafted round cannot begin any more; empty if it can."""
    since: datetime | None
    """Start of the round; None if unknown."""
    played: int
    """Number of finished and void matches of the round."""
    of: int
    """Number of all matches of the round."""
    ends: datetime | None
    """Estimated end of the round at the current pace; None if unknown."""
    mean_seconds: int | None
    """Mean duration of the round's finished matches in seconds; None before the first."""
    states: list[MatchesByStatus]
    slow: list[SlowOrUnresponsiveBot]
    missed: list[SlowOrUnresponsiveBot]
    hidden: bool
    """True if data of unreleased matches is left out because the viewer may not see it."""
    failures: list[FailedLeagueBackgroundJob]
    absent: list[tuple[str, str]]
    """(name of the entry, round numbers as text) for each entry that is excused from the current or a later round."""


def build_round_overview(league: League, verbs: Sequence[str] = (), *, within: bool) -> RoundOverview:
    """Return the overview of a league's current round for a viewer who may execute the actions `verbs`.

    If `within` is False, the lists of slow and silent bots leave out matches that are not public.
    """
    _, state = load(league)
    voided = {act.match: act.why for act in state.noted if isinstance(act, MatchVoided) and act.round == league.round}
    status = Case(When(match_id__in=voided, then=Value(VOID)), default=F("match__status"), output_field=CharField())
    here = league.tables.filter(round=league.round).annotate(status=status)
    counts = {row["status"]: row["of"] for row in here.values("status").annotate(of=Count("pk"))}
    mean = here.aggregate(of=Avg(F("match__closed_at") - F("match__opened_at"), filter=Q(match__status=CLOSED)))["of"]
    played, of = counts.get(CLOSED, 0) + counts.get(VOID, 0), sum(counts.values())
    since = find_round_start(state)
    known = here if within else here.filter(match__released=True)
    tables = _list_tables(here, state, voided) if state.rounds else {}
    return RoundOverview(
        slug=league.slug,
        verbs=verbs,
        status=league.status,
        paused=state.paused,
        round=league.round,
        rounds=league.rounds,
        draft=state.draft.round if state.draft else 0,
        outdated=flaw_of_draft(state),
        since=since,
        played=played,
        of=of,
        ends=estimate_round_end(since, played, of),
        mean_seconds=round(mean.total_seconds()) if isinstance(mean, timedelta) else None,
        states=[
            MatchesByStatus(status, counts[status], tables.get(status, []))
            for status in STATE_ORDER
            if status in counts
        ],
        slow=_list_slow(known, state),
        missed=_list_missed(known, state),
        hidden=not within and here.filter(match__released=False).exists(),
        failures=_list_failures(league),
        absent=_list_absent(state),
    )


def _list_failures(league: League) -> list[FailedLeagueBackgroundJob]:
    waiting = league.tables.filter(recorded=False).values_list("match_id", flat=True)
    left = find_given_up(("result", "league", "ban", "rating"), [str(league.pk), *waiting], f"{league.pk}/")
    return [FailedLeagueBackgroundJob(work.kind, work.subject.rpartition("/")[2], work.reason) for work in left]


def find_round_start(state: LeagueState) -> datetime | None:
    """Return the time when the current round began; None if it is unknown."""
    return read_time(state.rounds[state.playing - 1].at) if state.rounds else None


def estimate_round_end(since: datetime | None, played: int, of: int) -> datetime | None:
    """Estimate the end of a round at the pace of its finished matches; None if unknown."""
    if since is None or not 0 < played < of:
        return None
    return since + (timezone.now() - since) * of / played


def _list_tables(
    here: QuerySet[Any], state: LeagueState, voided: Mapping[str, str]
) -> dict[str, list[RoundOverviewMatch]]:
    """Return the first `MAX_LISTED` matches of the round in each state, by state."""
    # `voided` has the reasons of matches that organisers voided, by match id.
    order = Window(RowNumber(), partition_by=F("status"), order_by=("number", "game"))
    found: dict[str, list[RoundOverviewMatch]] = {}
    for row in here.annotate(nth=order).filter(nth__lte=MAX_LISTED).select_related("match").order_by("number", "game"):
        match = row.match
        until = match.closed_at or timezone.now()
        found.setdefault(row.status, []).append(
            RoundOverviewMatch(
                number=row.number,
                game=row.game,
                match_id=row.match_id,
                names=_names(state, row.round, row.number, row.game),
                worker=match.holder if row.status == PLAYING else "",
                seconds=round((until - match.opened_at).total_seconds()) if match.opened_at else None,
                reason=match.reason or voided.get(row.match_id, ""),
            )
        )
    return found


def _names(state: LeagueState, round_: int, number: int, game: int) -> list[str]:
    return [
        state.entrant(entry).name for entry in rotate_seating(state.rounds[round_ - 1].tables[number - 1].seating, game)
    ]


def _list_slow(here: QuerySet[LeagueMatch], state: LeagueState) -> list[SlowOrUnresponsiveBot]:
    """Return the bots that used at least half of their thinking time in a match, slowest first."""
    rows = here.filter(match__status=CLOSED, match__seats__spent__gte=SLOW_SHARE).order_by(
        "-match__seats__spent", "number"
    )
    told = rows.values_list("round", "number", "game", "match_id", "match__seats__seat", "match__seats__spent")
    text = gettext("%(percent)s %% of its clock")
    return [_trouble(state, *row[:5], text % {"percent": round(100 * (row[5] or 0))}) for row in told[:MAX_LISTED]]


def _list_missed(here: QuerySet[LeagueMatch], state: LeagueState) -> list[SlowOrUnresponsiveBot]:
    """Return the bots with missing or invalid answers in a match, those with the most such answers first."""
    rows = here.filter(match__status=CLOSED, match__seats__excuses__gt=0).order_by("-match__seats__excuses", "number")
    told = rows.values_list(
        "round", "number", "game", "match_id", "match__seats__seat", "match__seats__excuses", "match__seats__missed"
    )
    return [_trouble(state, *row[:5], _tell_missed(*row[5:])) for row in told[:MAX_LISTED]]


def _tell_missed(excuses: int, missed: dict[str, int] | None) -> str:
    unknown = gettext("%(count)s × no valid answer")
    counts = (missed or {"": excuses}).items()
    return ", ".join(MISSED_ANSWERS.get(reason, unknown) % {"count": count} for reason, count in counts)


def _trouble(
    state: LeagueState, round_: int, number: int, game: int, match: str, seat: int, what: str
) -> SlowOrUnresponsiveBot:
    names = _names(state, round_, number, game)
    return SlowOrUnresponsiveBot(name=names[seat], number=number, match_id=match, what=what)


def _list_absent(state: LeagueState) -> list[tuple[str, str]]:
    number = max(1, state.playing)
    told = ((one.name, sorted(each for each in one.excused if each >= number)) for one in state.entrants)
    return [(name, ", ".join(map(str, rounds))) for name, rounds in told if rounds][:MAX_ABSENT]
