"""Database queries for the web pages of leagues."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime

from django.db.models import Count, Max, Min, Q, QuerySet
from django.utils.translation import gettext

from ftk_core.kit.verify.public_keys import public_pem
from ftk_core.league.league_facts import LeagueOpened
from ftk_core.league.league_state import CommandRejected
from ftk_core.league.statistics.variance_components import MIN_REPEATED_DEALS, SOURCES
from replays.queries import CLOSED, VOID
from tournaments.comment_publication_modes import takes_comments
from tournaments.league_log_signing_key import load_signer
from tournaments.leagues.finished_league_export import stream_export
from tournaments.leagues.league_event_projection import HAS_BEGUN, load
from tournaments.models import Entrant, League, LeagueMatch
from tournaments.models.luck_measures import LuckMeasure
from tournaments.summaries.league_and_leaderboard_overviews import (
    LuckOverview,
    MatchLeagueReference,
    NextMatch,
    ResultVarianceShare,
    RoundStartAndEnd,
)
from tournaments.summaries.league_terms import RELEASE_NAMES, SHARED_DEAL_RELEASE

MAX_LEAGUES_OF_A_BOT = 5
"""Number of the newest running leagues in which the next match of a bot is looked for."""


def read_terms(slug: str) -> LeagueOpened:
    """Return a league's first event, which has its settings; raises League.DoesNotExist."""
    return load(League.objects.readable().get(slug=slug))[1].header


def list_round_times(slug: str) -> list[RoundStartAndEnd]:
    """Return the start and end of each round that has begun, in order."""
    count_ended = Count("pk", filter=Q(match__status__in=(CLOSED, VOID)))
    rows = (
        LeagueMatch.objects.filter(league__slug=slug)
        .values_list("round")
        .annotate(of=Count("pk"), done=count_ended, begun=Min("match__opened_at"), end=Max("match__closed_at"))
        .order_by("round")
    )
    return [
        RoundStartAndEnd(
            number=number,
            matches=matches,
            closed=ended_matches,
            opened_at=begun,
            closed_at=end if ended_matches == matches else None,
        )
        for number, matches, ended_matches, begun, end in rows
        if begun
    ]


def list_slugs(limit: int = 200) -> list[str]:
    """Return the slugs of the newest leagues, newest first, for the choices of a form field."""
    return list(select_slugs()[:limit])


def select_slugs() -> QuerySet[League, str]:
    """Return a query for the slugs of all leagues, newest first."""
    return League.objects.readable().order_by("-pk").values_list("slug", flat=True)


def count_invalid() -> int:
    """Return the number of leagues whose database row breaks a constraint. Pages leave these leagues out."""
    return League.objects.count() - League.objects.readable().count()


def list_due(at: datetime) -> list[int]:
    """Return the ids of leagues that have results to record or may be ready for their next step, such as a round."""
    ended = LeagueMatch.objects.filter(HAS_BEGUN, recorded=False, match__status__in=(CLOSED, VOID)).values("league")
    unfinished = League.objects.valid().exclude(status=League.Status.CLOSED)
    is_due_to_begin = Q(status=League.Status.OPEN, entries_until__lte=at)
    is_between_rounds = Q(status=League.Status.RUNNING, paused=False) & ~Q(tables__recorded=False)
    rows = unfinished.filter(Q(pk__in=ended) | is_due_to_begin | is_between_rounds)
    return list(rows.order_by("pk").values_list("pk", flat=True).distinct())


def has_known_rules(league_id: int) -> bool:
    """Return False if a league was announced under newer league rules than this release knows."""
    try:
        load(League.objects.get(pk=league_id))[1].check_rules()
    except CommandRejected:
        return False
    return True


def league_exists(slug: str) -> bool:
    """Return True if a valid league with this slug exists."""
    return League.objects.readable().filter(slug=slug).exists()


def find_names(slugs: Collection[str]) -> dict[str, str]:
    """Return the names of leagues by slug; unknown slugs are left out."""
    return dict(League.objects.filter(slug__in=slugs).values_list("slug", "name"))


def find_table(league_id: int, match_id: str) -> tuple[int, int, int]:
    """Return the position of a match in its league: (round, group of bots, number in the group).

    Raises CommandRejected if the match is not in this league, or if a rematch replaced it.
    """
    table = LeagueMatch.objects.filter(league=league_id, match_id=match_id).first()
    if table is None:
        raise CommandRejected(
            gettext("the league has no match %(match_id)r; a match that was replaced by another does not count")
            % {"match_id": match_id}
        )
    return table.round, table.number, table.game


def find_league_of_match(match_id: str) -> MatchLeagueReference | None:
    """Return a match's league, round and table (group of bots) as `MatchLeagueReference`; None outside leagues."""
    table_match = LeagueMatch.objects.select_related("league").filter(match_id=match_id).first()
    if table_match is None:
        return None
    return MatchLeagueReference(
        league=table_match.league.slug,
        name=table_match.league.name,
        round=table_match.round,
        table=table_match.number,
        has_comments=takes_comments(table_match.league.comments, table_match.league.game),
        next_match=_find_next(table_match),
    )


def _find_next(table_match: LeagueMatch) -> str | None:
    """Return the id of the league's next match after `table_match` with a public replay; None without one."""
    in_round, at_table = Q(round=table_match.round), Q(round=table_match.round, number=table_match.number)
    later = Q(round__gt=table_match.round) | in_round & Q(number__gt=table_match.number)
    rows = LeagueMatch.objects.filter(later | at_table & Q(game__gt=table_match.game), league=table_match.league_id)
    shown = rows.filter(match__status=CLOSED, match__released=True).order_by("round", "number", "game")
    return shown.values_list("match_id", flat=True).first()


def find_next_match(bot: str) -> NextMatch | None:
    """Return the bot's next league match that has not begun; None if no such match is paired."""
    # The match can belong to a round that waits for an organiser to begin it. Of several leagues, the newest counts.
    entries = Entrant.objects.filter(version__bot__slug=bot, league__status=League.Status.RUNNING, withdrawn=False)
    for entrant in entries.select_related("league").order_by("-league")[:MAX_LEAGUES_OF_A_BOT]:
        if found := _find_next_in_league(entrant):
            return found
    return None


def _find_next_in_league(entrant: Entrant) -> NextMatch | None:
    league, state = entrant.league, load(entrant.league)[1]
    plans = (*state.rounds[state.closed_rounds :], *((state.draft,) if state.draft else ()))
    for plan in plans:
        table = next((table for table in plan.tables if entrant.number in table.seating), None)
        if table is None:
            continue
        matches = league.tables.filter(round=plan.round, number=table.number, match__opened_at=None)
        match_id = matches.order_by("game").values_list("match_id", flat=True).first()
        if match_id is None and plan is not state.draft:
            continue
        return NextMatch(
            league=league.slug,
            name=league.name,
            round=plan.round,
            table=table.number,
            opponents=[state.entrant(entry).name for entry in table.seating if entry != entrant.number],
            match=match_id or "",
        )
    return None


def read_release(slug: str, round_: int) -> str:
    """Return a text that says when the replays of a round become public. Raise League.DoesNotExist."""
    _, state = load(League.objects.get(slug=slug))
    return SHARED_DEAL_RELEASE if state.is_released(round_) else RELEASE_NAMES[state.header.release]


def read_progress(slug: str) -> tuple[str, int, int]:
    """Return (status, number of finished matches, expected total number of matches) of a league."""
    league = League.objects.readable().get(slug=slug)
    _, state = load(league)
    unpaired = range(len(state.rounds) + 1, league.rounds + 1)
    stages = [state.terms_of(number) for number in unpaired]
    expected = sum(-(-len(state.entrants) // stage.seats) * stage.games for stage in stages)
    return league.status, len(state.results), league.tables.count() + expected


def list_closed_matches(slug: str) -> list[str]:
    """Return the ids of a league's finished matches, by round and by group of bots."""
    rows = LeagueMatch.objects.filter(league__slug=slug, match__status=CLOSED)
    return list(rows.order_by("round", "number", "game").values_list("match_id", flat=True))


def export(slug: str) -> Iterator[bytes]:
    """Return the chunks of a tar file with a finished league.

    Raises League.DoesNotExist, or CommandRejected before the league is closed and signed.
    """
    return stream_export(slug)


def read_signing_key() -> bytes:
    """Return the public key that verifies the server's signatures of leagues, in PEM format."""
    return public_pem(load_signer().public)


def read_luck(game_name: str) -> LuckOverview:
    """Return the latest measurement of how much chance decides a game's results.

    If the game was never measured, `LuckOverview.parts` is empty.
    """
    measure = LuckMeasure.objects.filter(game=game_name).first() or LuckMeasure(seats=0, matches=0, deals=0)
    values = {name: max(0.0, measure.shares[name]["value"]) for name in SOURCES if measure.shares}
    parts, begin = list[ResultVarianceShare](), 0.0
    for name, value in values.items():
        width = 100 * value / sum(values.values())
        low, high = (_format_percent(measure.shares[name][end]) for end in ("low", "high"))
        parts.append(
            ResultVarianceShare(
                source=name,
                percent=_format_percent(value),
                low=low,
                high=high,
                begin=round(begin, 2),
                width=round(width, 2),
            )
        )
        begin += width
    return LuckOverview(
        seats=measure.seats, matches=measure.matches, deals=measure.deals, least=MIN_REPEATED_DEALS, parts=parts
    )


def _format_percent(share: float) -> str:
    """Return a share from 0 to 1 as a whole percentage, without the percent sign."""
    return f"{100 * min(1.0, max(0.0, share)):.0f}"
