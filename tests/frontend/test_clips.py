"""Clips of a match: limited in length and size, cached, and without hidden information."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape
from PIL import Image

from frontend.drawing.animated_match_clip_encoding import MAX_CLIP_BYTES, MAX_MOMENTS, compute_clip_name, encode_clip
from frontend.drawing.game_table_picture import GameTablePictureContent, draw_table
from frontend.drawing.picture_branding import read_picture_brand
from ftk_core.facts import PUBLIC
from ftk_core.games import game, list_games
from ftk_core.match_replay_frames import MatchFrames
from ftk_core.referee import Referee
from replays.models import Match
from replays.queries import read_story
from tests.support.laws.by_game import options_for, other_world
from tests.support.laws.rigged import WorldImpossible
from tests.support.laws.worlds import compare_worlds, play_world
from tests.support.live import LiveMatch, play_log_lines


def moments(name: str, reel: MatchFrames, span: range) -> list[GameTablePictureContent]:
    row = game(name)
    shown = [(at, *reel.moment(at)) for at in span]
    return [
        GameTablePictureContent(game=name, title=row.title, names=reel.names, at=at, say=say, scene=scene)
        for at, say, scene in shown
    ]


def opened(webp: bytes) -> Any:
    return Image.open(BytesIO(webp))


@pytest.fixture(autouse=True)
def _clips(settings: Any, tmp_path: Path) -> None:
    settings.CLIPS_FOLDER = tmp_path / "clips"


@pytest.fixture
def live() -> LiveMatch:
    """A released live match after thirty log entries."""
    match = LiveMatch()
    match.grow(30)
    return match


def asked(client: Client, live: LiveMatch, **words: object) -> Any:
    return client.get(f"/matches/{live.match.pk}/clip.webp", words)


@pytest.mark.slow
@pytest.mark.django_db
def test_a_clip_shows_the_range_of_frames_given_in_its_url(live: LiveMatch, client: Client) -> None:
    answer = asked(client, live, **{"from": 2, "until": 6})
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/webp")
    clip = opened(answer.content)
    assert (clip.format, clip.size, clip.n_frames) == ("WEBP", (800, 420), 5)
    reel = MatchFrames(PUBLIC)
    reel.extend(live.lines[: live.log.length])
    brand = read_picture_brand()
    assert answer.content == encode_clip([replace(shown, brand=brand) for shown in moments("pig", reel, range(2, 7))])


@pytest.mark.slow
@pytest.mark.django_db
def test_the_url_of_a_clip_without_frame_numbers_shows_the_last_frames_of_the_match(
    live: LiveMatch, client: Client
) -> None:
    last = len(live.pictured) - 1
    newest = asked(client, live)
    assert newest.content == asked(client, live, **{"from": max(0, last - MAX_MOMENTS + 1), "until": last}).content
    assert "max-age=0" in newest.headers["Cache-Control"]


@pytest.mark.django_db
def test_no_clip_of_an_unreleased_match_is_shown_even_if_it_is_cached(live: LiveMatch, client: Client) -> None:
    stretch = {"from": 2, "until": 3}
    assert asked(client, live, **stretch).status_code == 200
    Match.objects.filter(pk=live.match.pk).update(released=False)
    refused = asked(client, live, **stretch)
    assert refused.status_code == 403
    assert "is not released yet" in refused.content.decode()


@pytest.mark.django_db
def test_a_clip_already_in_the_cache_is_returned_despite_the_rate_limit(
    live: LiveMatch, client: Client, settings: Any
) -> None:
    settings.THROTTLES = settings.THROTTLES | {"clip": "1/hour"}
    first = asked(client, live, **{"from": 2, "until": 3})
    again = asked(client, live, **{"from": 2, "until": 3})
    assert (again.status_code, again.content) == (200, first.content)
    assert asked(client, live, **{"from": 2, "until": 4}).status_code == 429
    path = f"/matches/{live.match.pk}/clip.webp?from=2&until=3"
    assert client.get(path, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304


@pytest.mark.django_db
def test_the_clip_cache_has_a_size_limit_and_evicts_the_oldest_clip(
    live: LiveMatch, client: Client, settings: Any
) -> None:
    settings.CLIPS, cached = 2, list[set[str]]()
    for until in (2, 3, 4):
        assert asked(client, live, **{"from": 2, "until": until}).status_code == 200
        cached.append({file.name for file in settings.CLIPS_FOLDER.iterdir()})
    assert [len(names) for names in cached] == [1, 2, 2]
    assert cached[0].isdisjoint(cached[2])


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(list_games()))
def test_the_longest_clip_with_the_most_players_stays_within_its_size_limit(name: str) -> None:
    reel = MatchFrames(PUBLIC)
    reel.extend(play_log_lines(name, max(game(name).seats)))
    middle = reel.length // 2
    webp = encode_clip(moments(name, reel, range(middle, middle + MAX_MOMENTS)))
    clip, lasting = opened(webp), 0
    for number in range(clip.n_frames):
        clip.seek(number)
        clip.load()
        lasting += clip.info["duration"]
    assert lasting <= 20_000
    assert len(webp) <= MAX_CLIP_BYTES


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(list_games()))
def test_different_hidden_cards_give_identical_public_pictures_and_clips(name: str) -> None:
    """Matches that differ only in hidden cards have the same public frames up to the first public difference."""
    reels: list[MatchFrames] = []

    class StoredReel(MatchFrames):
        def __init__(self, viewer: Any, language: str = "en") -> None:
            super().__init__(viewer, language)
            reels.append(self)

    row, draws = game(name), Random(name)
    world, diary = play_world(row, row.seats[0], options_for(name, row.seats[0], 0), 0, PUBLIC, Referee, StoredReel)
    common = 0
    for _ in range(8):
        try:
            common = compare_worlds(world, diary, other_world(name)(world, PUBLIC, draws), Referee, StoredReel)[1]
        except WorldImpossible:
            continue
        if common > 4:
            break
    assert common > 4, f"{common} frames are the same"
    one, other = reels[0], reels[-1]
    stretch = range(max(0, common - 4), common)
    ours, theirs = moments(name, one, stretch), moments(name, other, stretch)
    assert compute_clip_name(ours) == compute_clip_name(theirs)
    assert encode_clip(ours) == encode_clip(theirs)
    assert draw_table.__wrapped__(ours[-1]) == draw_table.__wrapped__(theirs[-1])


@pytest.mark.django_db
def test_the_page_of_a_clip_shows_the_clip_and_a_description_as_text(live: LiveMatch, client: Client) -> None:
    page = client.get(f"/matches/{live.match.pk}/clip/", {"from": 2, "until": 5}).content.decode()
    assert f'<img src="/matches/{live.match.pk}/clip.webp?from=2&amp;until=5"' in page
    assert f'content="http://testserver/matches/{live.match.pk}/clip.webp?from=2&amp;until=5"' in page
    story = read_story(live.match.pk)
    told = [f'<li value="{at}">{escape(sentence)}</li>' for at, sentence in story]
    assert [at for at, line in enumerate(told) if line in page] == [2, 3, 4, 5]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "status"),
    [
        ({"from": 5, "until": 4}, 400),
        ({"until": 9999}, 404),
        ({"from": "x", "until": 4}, 400),
        ({"from": 0, "until": MAX_MOMENTS}, 400),
    ],
)
def test_the_page_and_the_image_of_a_clip_with_an_invalid_frame_range_are_refused(
    live: LiveMatch, client: Client, words: dict[str, object], status: int
) -> None:
    live.grow(live.left)
    addresses = (f"/matches/{live.match.pk}/clip/", f"/matches/{live.match.pk}/clip.webp")
    assert [client.get(address, words).status_code for address in addresses] == [status, status]
