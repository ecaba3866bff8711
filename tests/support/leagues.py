"""Leagues of Pig in the database, played by built-in bots."""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import Any

from django.utils import timezone

from bots.models import BotVersion
from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.league.league_event_actors import LeagueActor
from ftk_core.log_entries import stream_of
from replays.models import EventStream, Match, MatchSeat
from replays.playing.match_runner import play_match
from tests.support.factories import create_active_version
from tournaments.leagues import services
from tournaments.leagues.league_event_projection import HAS_BEGUN, read_facts
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import Entrant, League, LeagueMatch, Rating
from tournaments.organisers.organiser_action_definition import OrganiserActionRequest
from tournaments.organisers.organiser_actions import actions_by_verb


def start_league(
    versions: list[BotVersion],
    seats: int = 2,
    rounds: int = 2,
    games: int = 1,
    slug: str = "night",
    season: str | None = None,
    **terms: Any,
) -> League:
    """Open and start a league of Pig."""
    league = services.open_league(
        LeagueSettings(
            slug=slug, name=slug.title(), game="pig", seats=seats, rounds=rounds, games=games, season=season, **terms
        )
    )
    for version in versions:
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    return league


def create_entrants(count: int = 4) -> list[BotVersion]:
    """Return versions of new bots ``b0``, ``b1`` and so on, which are alternately weak and strong built-in bots."""
    house = list_built_in_bots("pig")
    return [create_active_version(house["hold20" if n % 2 else "random"], slug=f"b{n}") for n in range(count)]


def play_all(league: League, order: Random | None = None) -> None:
    """Play and record all matches until the league is closed; `order` shuffles the matches that are played next."""
    while True:
        league.refresh_from_db()
        if league.status == League.Status.CLOSED:
            return
        waiting = list(Match.objects.filter(status=Match.Status.WAITING).values_list("pk", flat=True))
        assert waiting
        if order:
            order.shuffle(waiting)
        for match_id in waiting:
            assert play_match(match_id)
            early = LeagueMatch.objects.filter(~HAS_BEGUN, match=match_id).exists()
            assert services.record_match(match_id) is not early, "at once, or when it is its round's turn"
            assert not services.record_match(match_id), "recorded once"


def end_matches(league: League, draw: Random, share: float = 1.0) -> None:
    """End a share of the waiting matches with drawn places, without playing them, and record their results."""
    waiting = Match.objects.filter(table__league=league, status=Match.Status.WAITING).order_by("pk")
    for match in [match for match in waiting if draw.random() < share]:
        store_drawn_result(match.pk, draw)
        services.record_match(match.pk)


def end_waiting_matches(most: int | None = None) -> list[str]:
    """End waiting matches of all leagues with drawn places, without playing or recording them; return their ids."""
    waiting = list(Match.objects.filter(status=Match.Status.WAITING).values_list("pk", flat=True)[:most])
    for number, match_id in enumerate(waiting):
        store_drawn_result(match_id, Random(number))
    return waiting


def store_drawn_result(match_id: str, draw: Random) -> None:
    """End a waiting match with drawn places, without playing it; no process of a bot is started."""
    seats = list(MatchSeat.objects.filter(match=match_id).order_by("seat"))
    for seat, place in zip(seats, draw.sample(range(1, len(seats) + 1), len(seats)), strict=True):
        MatchSeat.objects.filter(pk=seat.pk).update(place=place, score=10 - place)
    EventStream.objects.create(id=stream_of(match_id), length=1, head=sha256(match_id.encode()).digest())
    Match.objects.filter(pk=match_id).update(status=Match.Status.CLOSED, closed_at=timezone.now())


def read_stored(league: League) -> tuple[Any, ...]:
    """Return everything stored that an organiser's act could change."""
    league = League.objects.get(pk=league.pk)
    entrants = list(Entrant.objects.filter(league=league).order_by("number").values())
    tables = list(LeagueMatch.objects.filter(league=league).order_by("pk").values())
    return read_facts(league), entrants, tables, list(Rating.objects.order_by("pk").values()), Match.objects.count()


def perform_act(league: League, verb: str, arguments: dict[str, Any], actor: LeagueActor) -> None:
    """Execute an act of organisers without a check of rights."""
    actions_by_verb()[verb].perform(OrganiserActionRequest(league=league, arguments=arguments, actor=actor))
