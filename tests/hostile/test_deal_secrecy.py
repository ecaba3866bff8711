"""Secrecy of deals: no deal is public before its last match ends, whatever the order of ends and replays."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from django.db.models import Q
from django.test import Client

from bots.models import BotVersion
from ftk_core.games import game
from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.league.league_event_actors import LeagueActor
from ftk_core.league.league_state import CommandRejected, LeagueState
from ftk_core.players import PlayerAnswer, QuestionToSeat, RandomPlayer
from ftk_core.random_streams import MatchRandomness, seal_of, seed_of
from ftk_core.referee import play
from replays.event_stream_storage import EventAppender
from replays.models import Match
from tests.support.addresses import fill_url_pattern, list_url_patterns
from tests.support.leagues import create_entrants, perform_act, start_league
from tests.support.lengths import short_or_long
from tournaments.challenges import services as challenge_services
from tournaments.leagues import services, void_match_resolution
from tournaments.models import League, LeagueMatch

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HAND = LeagueActor(by="ada", at=1_800_000_000, why="the test says so")
WAITING, CLOSED, VOID = Match.Status.WAITING, Match.Status.CLOSED, Match.Status.VOID
HEX = re.compile(r"[0-9a-f]{64}")


def play_out(match: Match, first: Any = None) -> bool:
    """Play a match on its own seed, close it and record it; return True if seat 0 won."""
    log = InMemoryLog()
    players = [first or Roller(), *(Roller() for _ in range(match.seats.count() - 1))]
    result = play(game("pig"), players, bytes(match.seed), log=log)
    EventAppender(match.stream_id).append([line + b"\n" for line in lines_of(log)], 0)
    for seat in match.seats.all():
        match.seats.filter(pk=seat.pk).update(place=result.places[seat.seat], score=result.scores[seat.seat])
    Match.objects.filter(pk=match.pk).update(status=CLOSED, opened_at=NOW, closed_at=NOW)
    _ = services.record_match(match.pk) or challenge_services.record(match.pk)
    return result.places[0] == 1


class Roller(RandomPlayer):
    """Player that holds at 20; one that knows the coming dice rolls until just before a one."""

    def __init__(self, seeds: frozenset[bytes] = frozenset(), seal: str = "") -> None:
        super().__init__(seed_of("roller"), "roller")
        self.chance = next((MatchRandomness(seed) for seed in seeds if seal_of(seed) == seal), None)

    def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
        table = ask.view
        if len(ask.menu) == 1:
            return PlayerAnswer(0)
        if self.chance is None:
            return PlayerAnswer(int(table.gathered < 20))
        following = 1 + self.chance.at("roll", table.turns, table.rolls).below(6)
        return PlayerAnswer(int(following > 1 and table.gathered + table.banked[ask.seat] < 100))


def give_up(match: Match) -> None:
    """Void a match that is half played, after its spectators could watch part of it."""
    log = InMemoryLog()
    play(game("pig"), [Roller(), Roller()], bytes(match.seed), log=log)
    EventAppender(match.stream_id).append([line + b"\n" for line in lines_of(log)][:9], 0)
    Match.objects.filter(pk=match.pk).update(status=VOID, opened_at=NOW, closed_at=NOW)


def leaks() -> list[str]:
    """Return each public match whose deal a match without a final result also uses."""
    over = Q(status=CLOSED) | (Q(status=VOID) & ~Q(table__isnull=False, table__recorded=False))
    going = {(bytes(match.seed), match.pk) for match in Match.objects.exclude(over)}
    shown = [(bytes(match.seed), match.pk) for match in Match.objects.filter(released=True)]
    return [pk for seed, pk in shown if any(seed == other and pk != match for other, match in going)]


def a_league(draw: Random, number: int) -> League:
    """Return a league of two tables with randomly drawn terms, and its first round paired."""
    terms = {
        "games": draw.choice([1, 2, 3]),
        "deals": draw.choice(["same", "same", "fresh"]),
        "release": draw.choice(["at_once", "at_once", "after_round", "after_league"]),
        "tries": draw.choice([0, 1, 2]),
        "ruling": draw.choice(["replay", "share"]),
        "format": draw.choice(["swiss", "round_robin"]),
    }
    return start_league(VERSIONS[:4], rounds=2, slug=f"night{number}", **terms)


VERSIONS: list[BotVersion] = []


@pytest.fixture(autouse=True)
def _versions() -> Iterator[None]:
    VERSIONS[:] = create_entrants(4)
    yield
    VERSIONS.clear()


def step(league: League, draw: Random) -> None:
    """Let a random event happen in a league: a match ends, fails or is replayed, or a round is released."""
    table = draw.choice(list(LeagueMatch.objects.filter(league=league).select_related("match").order_by("pk")))
    match table.match.status, draw.randrange(6):
        case Match.Status.WAITING, 0 | 1 | 2:
            play_out(table.match)
        case Match.Status.WAITING, 3:
            give_up(table.match)
        case ((Match.Status.WAITING | Match.Status.CLOSED), 4):
            void_match_resolution.void_and_play_again(league.pk, table.match_id, HAND)
        case Match.Status.VOID, 0 | 1 | 2:
            void_match_resolution.replace_void(table.match_id, by="ada", why="it failed")
        case _, 5 if draw.random() < 0.2:
            perform_act(league, "release", {"round": table.round}, HAND)
        case _:
            services.do_due_work(league.pk, NOW)


def leaks_in_leagues(numbers: range) -> list[str]:
    """Return the leaks in leagues with random events."""
    found = list[str]()
    for number in numbers:
        league = a_league(draw := Random(number), number)
        for _ in range(30):
            with suppress(CommandRejected):
                step(league, draw)
            found += leaks()
        Match.objects.filter(status=WAITING).update(status=CLOSED, released=False)
    return found


@pytest.mark.parametrize("part", range(2))
def test_no_random_deal_becomes_known_before_the_last_match_with_this_deal_ends(part: int) -> None:
    assert leaks_in_leagues(range(100 * part, 100 * part + short_or_long(3, 100))) == []


@pytest.mark.nightly
@pytest.mark.parametrize("planted", ["is_public", "_next_deal"])
def test_the_secrecy_check_of_deals_detects_a_planted_leak(planted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if planted == "is_public":
        monkeypatch.setattr("tournaments.leagues.league_event_projection.is_public", LeagueState.is_released)
    else:
        monkeypatch.setattr("ftk_core.league.voided_match_rules._next_deal", lambda *_, given_up: 0 if given_up else 1)
    assert leaks_in_leagues(range(12))


# --- a cheat that reads the site while it plays


def league_of(**terms: Any) -> Match:
    """Return the first match of a league of two bots."""
    start_league(VERSIONS[:2], rounds=1, slug=f"cup{League.objects.count()}", **terms)
    return Match.objects.filter(status=WAITING).latest("table__pk")


def after_one_ended(**terms: Any) -> Match:
    """Return the second match of a table whose first match has ended."""
    play_out(league_of(games=2, **terms))
    return Match.objects.get(status=WAITING)


def after_one_failed(**terms: Any) -> Match:
    """Return the replay of a match that failed."""
    match = league_of(**terms)
    give_up(match)
    return Match.objects.get(pk=void_match_resolution.replace_void(match.pk, by="ada", why="it failed"))


def after_an_organiser_wanted_it(**terms: Any) -> Match:
    """Return the replay of a match that had ended, ordered by the organiser."""
    match = league_of(games=2, **terms)
    play_out(match)
    table = LeagueMatch.objects.get(match=match)
    void_match_resolution.void_and_play_again(table.league_id, match.pk, HAND)
    return Match.objects.get(table=table)


def in_a_challenge() -> Match:
    """Return the second match of a duplicate challenge whose first match has ended."""
    # make earlier challenges old, so that the daily quota allows another one
    Match.objects.exclude(asked_by=None).update(created_at=NOW)
    wanted = challenge_services.ChallengeRequest(bot="b0", against=("b1",), matches=2, duplicate=True)
    row = challenge_services.challenge(VERSIONS[0].bot.owner, wanted)
    one, other = (each.match for each in row.matches.order_by("number"))
    play_out(one)
    return other


WAYS: dict[str, Callable[[], Match]] = {
    "one of a table has ended": after_one_ended,
    "one of a table has ended and replays come after the round": lambda: after_one_ended(release="after_round"),
    "one on a deal of its own has ended": lambda: after_one_ended(deals="fresh"),
    "it failed in public": lambda: after_one_failed(tries=0),
    "it failed unseen": lambda: after_one_failed(tries=0, release="after_league"),
    "it failed at a table of two matches": lambda: after_one_failed(tries=0, games=2),
    "an organiser has it played again": after_an_organiser_wanted_it,
    "it is of a duplicate challenge": in_a_challenge,
}


def body_of(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def read_everything(match: Match) -> frozenset[bytes]:
    """Return every seed that an anonymous reader finds at the URLs of the other matches."""
    client, seeds = Client(raise_request_exception=False), set[str]()
    for other in Match.objects.exclude(pk=match.pk).order_by("-created_at")[:2]:
        known = {"match": other.pk, "ada": VERSIONS[0]}
        for path in list_url_patterns():
            if "match" in path or path.startswith(("/api/v1/matches", "/leagues", "/api/v1/leagues")):
                answer = client.get(fill_url_pattern(path, known))
                seeds.update(HEX.findall(body_of(answer).decode(errors="replace")))
    return frozenset(map(bytes.fromhex, seeds))


def wins(way: Callable[[], Match], matches: int) -> tuple[int, int]:
    """Return the number of matches won by a cheat, and by its honest twin on the same deals."""
    cheated = honest = 0
    for _ in range(matches):
        match = way()
        seeds, seal = read_everything(match), seal_of(bytes(match.seed))
        honest += play(game("pig"), [Roller(), Roller()], bytes(match.seed)).places[0] == 1
        cheated += play_out(match, Roller(seeds, seal))
        Match.objects.filter(status=WAITING).update(status=CLOSED, released=False)
    return cheated, honest


@pytest.mark.nightly
@pytest.mark.parametrize("way", WAYS)
def test_a_bot_that_reads_all_public_urls_wins_exactly_as_often_as_an_honest_bot(way: str, settings: Any) -> None:
    settings.THROTTLES = dict.fromkeys(settings.THROTTLES, "1000000/s")
    assert len(set(wins(WAYS[way], short_or_long(1, 25)))) == 1


@pytest.mark.nightly
@pytest.mark.parametrize("way", ["it is of a duplicate challenge", *short_or_long([], ["one of a table has ended"])])
def test_a_bot_that_sees_deals_early_wins_more_often(way: str, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.THROTTLES = dict.fromkeys(settings.THROTTLES, "1000000/s")
    monkeypatch.setattr("replays.match_access.can_see_match", lambda match, user_id: True)
    cheated, honest = wins(WAYS[way], 10)
    assert cheated > honest
