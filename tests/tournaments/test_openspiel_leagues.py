"""Leagues of the games of OpenSpiel, for which `make openspiel` installs the plug-in and runs these tests."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ftk_core.facts import OMNISCIENT, PUBLIC, Viewer
from ftk_core.games import game
from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.kit.verify.league_export_verification import verify_export
from ftk_core.kit.verify.match_log_verification import verify_matches
from ftk_core.match_log_file import dump_pages
from ftk_core.views.replay_frame_messages import SpectatorFrame
from replays.event_stream_storage import EventAppender
from replays.models import Match, MatchSeat
from replays.playing.match_runner import play_match
from replays.replay_frame_cache import REEL_CACHE
from tests.support.factories import create_active_version
from tests.support.leagues import play_all
from tests.support.reviewable import create_reviewed_match
from tests.support.served import WebServer, serve
from tests.support.sockets import RawSocket
from tournaments.leagues import finished_league_export, services
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import League

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
GAMES = ("backgammon", "connect_four", "gin_rummy", "hearts", "hex", "kuhn_poker", "leduc_poker", "liars_dice")
WITHOUT_PUBLIC_PICTURE = {"hearts", "liars_dice"}
"""Games in which OpenSpiel cannot tell the public part of the table from hidden cards and dice."""
MATCH_SECONDS = 300.0
"""Maximum time of a match; gin rummy takes 20 s on two idle cores."""


def start_bot_league(name: str) -> League:
    """Start a league of the plug-in's own bots, alternately ``random`` and ``mcts``, at tables of the smallest size."""
    seats, bots = game(name).seats.start, list_built_in_bots(name)
    league = services.open_league(LeagueSettings(slug="night", name="Night", game=name, seats=seats, rounds=2, games=1))
    for number in range(seats):
        source = bots["mcts" if number % 2 else "random"]
        services.enter_bot(league.pk, create_active_version(source, slug=f"b{number}", game=name))
    services.start(league.pk)
    return league


@pytest.fixture(params=GAMES)
def league(request: pytest.FixtureRequest) -> League:
    return start_bot_league(request.param)


@pytest.fixture
def arena() -> Iterator[WebServer]:
    with serve() as running:
        yield running


def read_frames(match: Match, viewer: Viewer) -> list[SpectatorFrame]:
    """Return all frames of a match as the server draws them."""
    reel = REEL_CACHE.reel(match.pk, viewer)
    return [msgspec.json.decode(line, type=SpectatorFrame) for line in reel.frames(reel.span(-1), whole=True)]


def read_to_the_end(messages: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the messages to a spectator up to the one that ends the match."""
    for message in messages:
        yield message
        if not message["open"] and message["frames"][-1:] and message["frames"][-1]["kind"] == "closed":
            return


def test_a_swiss_league_of_an_openspiel_game_can_be_played_displayed_and_verified(
    league: League, tmp_path: Path
) -> None:
    play_all(league)
    matches = list(Match.objects.filter(table__league=league))
    assert [match.status for match in matches] == [Match.Status.CLOSED] * 2
    assert not any(seat.excuses for seat in MatchSeat.objects.all()), "each bot answered in time, with an item"
    for match in matches:
        for viewer in (PUBLIC, 0, OMNISCIENT):
            frames = read_frames(match, viewer)
            assert all(frame.say for frame in frames)
            assert len(frames[-1].result) == game(league.game).seats.start
            if viewer != PUBLIC or league.game not in WITHOUT_PUBLIC_PICTURE:
                zones = [zone for frame in frames for zone in frame.zones]
                assert any(piece.label for zone in zones for piece in zone.pieces), "the table is drawn"
        log = tmp_path / f"{match.pk}.jsonl"
        log.write_bytes(b"".join(dump_pages(EventAppender(match.stream_id).pages())))
        assert list(verify_matches(log))
    finished_league_export.export_league("night", tmp_path / "night.tar")
    assert verify_export(tmp_path / "night.tar").flaws == ()


def test_a_match_of_an_openspiel_game_can_be_watched_while_it_is_played(league: League, arena: WebServer) -> None:
    match = Match.objects.get(table__league=league)
    watcher = RawSocket(arena.port, f"/ws/match/{match.pk}/", wait=MATCH_SECONDS)
    with closing(watcher), ThreadPoolExecutor(1) as pool:
        watcher.watch()
        received = watcher.messages()
        first = next(received)  # the spectator is subscribed before the match begins
        watching = pool.submit(lambda: [first, *read_to_the_end(received)])
        assert play_match(match.pk)
        messages = watching.result()
    frames = [frame for message in messages for frame in message["frames"]]
    assert [frame["at"] for frame in frames] == [*range(messages[-1]["length"])]
    assert (frames[0]["kind"], frames[-1]["kind"]) == ("opened", "closed")
    assert messages[0]["open"], "it was watched before its end"


@pytest.mark.parametrize("name", ["leduc_poker", "kuhn_poker"])
def test_openspiel_games_that_can_resample_hidden_information_are_reviewed_from_every_viewpoint(name: str) -> None:
    league = start_bot_league(name)
    match = Match.objects.get(table__league=league)
    assert play_match(match.pk)
    match.refresh_from_db()
    for eyes in ("own", "public", "all"):
        review = create_reviewed_match(match, eyes)
        assert (review.done, review.status) == (review.total, "done")
