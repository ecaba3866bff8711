"""State of the current round for organisers: plain values, by a constant number of queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Avg, Case, CharField, Count, F, Q, QuerySet, Value, When, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from ftk_core.league.acts import MatchVoided
from ftk_core.league.deals import turned
from ftk_core.league.drafts import flaw_of_draft
from ftk_core.league.state import LeagueState
from replays.failed_work import find_left
from replays.queries import CLOSED, PLAYING, VOID
from tournaments.models import League, TableMatch
from tournaments.projections import load

SHOWN = 12
"""Maximum number of tables per state, and of slow and failing bots, shown."""
ABSENT = 40
SLOW = 0.5
"""Share of the clock above which a bot counts as slow."""
ORDER = (PLAYING, "waiting", VOID, CLOSED)
"""States of matches by urgency."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Background work of the league that is no longer retried."""

    kind: str
    name: str
    """The match that cannot be recorded, or the number of the round that cannot be rated."""
    reason: str
    """The party at fault, in public words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomTable:
    """A match of the round."""

    number: int
    game: int
    match_id: str
    names: list[str]
    """By seat."""
    worker: str
    """Holder of the lease; empty without one."""
    seconds: int | None
    """Duration so far, or in total."""
    reason: str
    """Reason why it is void."""


@dataclass(frozen=True, slots=True)
class RoomState:
    """Matches of the round in one state."""

    status: str
    of: int
    tables: list[RoomTable]
    """Some of them, in table order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """A bot that was slow, or gave no valid answer, in an ended match of the round."""

    name: str
    number: int
    match_id: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRoom:
    """State of the round."""

    slug: str
    status: str
    paused: bool
    round: int
    """0 before the first one."""
    rounds: int
    draft: int
    """The drafted round; 0 without one."""
    outdated: str
    """The reason why the draft cannot begin any more; empty if it can."""
    since: datetime | None
    played: int
    of: int
    ends: datetime | None
    """Estimated end at the current pace; None if unknown."""
    mean_seconds: int | None
    """Mean duration of its matches."""
    states: list[RoomState]
    slow: list[Trouble]
    missed: list[Trouble]
    hidden: bool
    """True if the viewer may not see the bots' answers, because the round is not released."""
    failures: list[Failure]
    absent: list[tuple[str, str]]
    """Entries that asked for rests, with the rounds from this one on."""


def look_in(league: League, *, within: bool) -> RunRoom:
    """Return the state of the round; `within` includes the bots' answers in unreleased matches."""
    _, state = load(league)
    voided = {act.match: act.why for act in state.noted if isinstance(act, MatchVoided) and act.round == league.round}
    status = Case(When(match_id__in=voided, then=Value(VOID)), default=F("match__status"), output_field=CharField())
    here = league.tables.filter(round=league.round).annotate(status=status)
    counts = {row["status"]: row["of"] for row in here.values("status").annotate(of=Count("pk"))}
    lasted = here.aggregate(mean=Avg(F("match__closed_at") - F("match__opened_at"), filter=Q(match__status=CLOSED)))
    mean = lasted["mean"]
    played, of = counts.get(CLOSED, 0) + counts.get(VOID, 0), sum(counts.values())
    since = _moment(state.rounds[state.playing - 1].at) if state.rounds else None
    known = here if within else here.filter(match__released=True)
    tables = _list_tables(here, state, voided) if state.rounds else {}
    return RunRoom(
        slug=league.slug,
        status=league.status,
        paused=state.paused,
        round=league.round,
        rounds=league.rounds,
        draft=state.draft.round if state.draft else 0,
        outdated=flaw_of_draft(state),
        since=since,
        played=played,
        of=of,
        ends=_foretell(since, played, of),
        mean_seconds=round(mean.total_seconds()) if isinstance(mean, timedelta) else None,
        states=[RoomState(status, counts[status], tables.get(status, [])) for status in ORDER if status in counts],
        slow=_list_slow(known, state),
        missed=_list_missed(known, state),
        hidden=not within and here.filter(match__released=False).exists(),
        failures=_list_failures(league),
        absent=_list_absent(state),
    )


def _list_failures(league: League) -> list[Failure]:
    waiting = league.tables.filter(recorded=False).values_list("match_id", flat=True)
    left = find_left(("result", "league", "ban", "rating"), [str(league.pk), *waiting], f"{league.pk}/")
    return [Failure(work.kind, work.subject.rpartition("/")[2], work.reason) for work in left]


def _moment(seconds: int) -> datetime | None:
    return datetime.fromtimestamp(seconds, UTC) if seconds else None


def _foretell(since: datetime | None, played: int, of: int) -> datetime | None:
    if since is None or not 0 < played < of:
        return None
    return since + (timezone.now() - since) * of / played


def _list_tables(here: QuerySet[Any], state: LeagueState, voided: Mapping[str, str]) -> dict[str, list[RoomTable]]:
    """Return the first tables of each state, in one query; `voided` has the reasons by match."""
    order = Window(RowNumber(), partition_by=F("status"), order_by=("number", "game"))
    found: dict[str, list[RoomTable]] = {}
    for row in here.annotate(nth=order).filter(nth__lte=SHOWN).select_related("match").order_by("number", "game"):
        match = row.match
        until = match.closed_at or timezone.now()
        found.setdefault(row.status, []).append(
            RoomTable(
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
    return [state.entrant(entry).name for entry in turned(state.rounds[round_ - 1].tables[number - 1], game)]


def _list_slow(here: QuerySet[TableMatch], state: LeagueState) -> list[Trouble]:
    """Return the bots that used most of a clock, slowest first."""
    rows = here.filter(match__status=CLOSED, match__seats__spent__gte=SLOW).order_by("-match__seats__spent", "number")
    told = rows.values_list("round", "number", "game", "match_id", "match__seats__seat", "match__seats__spent")
    return [_trouble(state, *row[:5], f"{100 * (row[5] or 0):.0f} % of its clock") for row in told[:SHOWN]]


def _list_missed(here: QuerySet[TableMatch], state: LeagueState) -> list[Trouble]:
    """Return the bots with most missing answers, with the reasons."""
    rows = here.filter(match__status=CLOSED, match__seats__excuses__gt=0).order_by("-match__seats__excuses", "number")
    told = rows.values_list(
        "round", "number", "game", "match_id", "match__seats__seat", "match__seats__excuses", "match__seats__missed"
    )
    return [_trouble(state, *row[:5], _tell_missed(*row[5:])) for row in told[:SHOWN]]


def _tell_missed(excuses: int, missed: dict[str, int] | None) -> str:
    words = {"timeout": "no answer in time", "crash": "crashed", "nonsense": "nonsense"}
    told = (missed or {"": excuses}).items()
    return ", ".join(f"{count} × {words.get(reason, 'no valid answer')}" for reason, count in told)


def _trouble(state: LeagueState, round_: int, number: int, game: int, match: str, seat: int, what: str) -> Trouble:
    return Trouble(name=_names(state, round_, number, game)[seat], number=number, match_id=match, what=what)


def _list_absent(state: LeagueState) -> list[tuple[str, str]]:
    number = max(1, state.playing)
    told = ((one.name, sorted(each for each in one.excused if each >= number)) for one in state.entrants)
    return [(name, ", ".join(map(str, rounds))) for name, rounds in told if rounds][:ABSENT]
