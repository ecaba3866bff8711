"""A clip of a stretch of a match: short, small, kept, and the same for everybody whatever the public does not know."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape
from PIL import Image

from frontend.drawing.clip import MOST, MOST_BYTES, animated, name_of
from frontend.drawing.table import Moment, draw
from ftk_core.facts import PUBLIC
from ftk_core.games import game, shelf
from ftk_core.reel import Reel
from ftk_core.referee import Referee
from replays.models import Match
from replays.queries import read_story
from tests.support.laws.by_game import options_for, other_world
from tests.support.laws.rigged import Impossible
from tests.support.laws.worlds import compare, played
from tests.support.live import LiveMatch, lines_played


def moments(name: str, reel: Reel, span: range) -> list[Moment]:
    row = game(name)
    shown = [(at, *reel.moment(at)) for at in span]
    return [
        Moment(game=name, title=row.title, names=reel.names, at=at, say=say, scene=scene) for at, say, scene in shown
    ]


def opened(webp: bytes) -> Any:
    return Image.open(BytesIO(webp))


@pytest.fixture(autouse=True)
def _clips(settings: Any, tmp_path: Path) -> None:
    settings.CLIPS_FOLDER = tmp_path / "clips"


@pytest.fixture
def live() -> LiveMatch:
    """A released match, thirty entries of which have been played."""
    match = LiveMatch()
    match.grow(30)
    return match


def asked(client: Client, live: LiveMatch, **words: object) -> Any:
    return client.get(f"/matches/{live.match.pk}/clip.webp", words)


@pytest.mark.django_db
def test_a_clip_moves_through_the_frames_that_its_address_names(live: LiveMatch, client: Client) -> None:
    answer = asked(client, live, **{"from": 2, "until": 6})
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/webp")
    clip = opened(answer.content)
    assert (clip.format, clip.size, clip.n_frames) == ("WEBP", (800, 420), 5)


@pytest.mark.django_db
def test_without_numbers_it_shows_the_last_frames(live: LiveMatch, client: Client) -> None:
    last = len(live.pictured) - 1
    newest = asked(client, live)
    assert newest.content == asked(client, live, **{"from": max(0, last - MOST + 1), "until": last}).content
    assert "max-age=0" in newest.headers["Cache-Control"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "status"),
    [
        ({"from": 5, "until": 4}, 400),
        ({"from": 0, "until": 9999}, 404),
        ({"from": "x", "until": 4}, 400),
        ({"from": 0, "until": MOST}, 400),
    ],
)
def test_what_is_no_stretch_of_the_match_is_refused(
    live: LiveMatch, client: Client, words: dict[str, object], status: int
) -> None:
    live.grow(live.left)
    assert asked(client, live, **words).status_code == status


@pytest.mark.django_db
def test_nothing_is_shown_before_the_match_is_released_not_even_what_was_drawn(live: LiveMatch, client: Client) -> None:
    stretch = {"from": 2, "until": 3}
    assert asked(client, live, **stretch).status_code == 200
    Match.objects.filter(pk=live.match.pk).update(released=False)
    refused = asked(client, live, **stretch)
    assert refused.status_code == 403
    assert "is not released yet" in refused.content.decode()


@pytest.mark.django_db
def test_it_is_drawn_once_and_only_drawing_is_counted(live: LiveMatch, client: Client, settings: Any) -> None:
    settings.THROTTLES = settings.THROTTLES | {"clip": "1/hour"}
    first = asked(client, live, **{"from": 2, "until": 3})
    again = asked(client, live, **{"from": 2, "until": 3})
    assert (again.status_code, again.content) == (200, first.content)
    assert asked(client, live, **{"from": 2, "until": 4}).status_code == 429
    path = f"/matches/{live.match.pk}/clip.webp?from=2&until=3"
    assert client.get(path, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304


@pytest.mark.django_db
def test_the_folder_keeps_so_many_clips_and_lets_the_oldest_go(live: LiveMatch, client: Client, settings: Any) -> None:
    settings.CLIPS = 2
    for until in (2, 3, 4):
        assert asked(client, live, **{"from": 2, "until": until}).status_code == 200
    assert len(list(settings.CLIPS_FOLDER.iterdir())) == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shelf()))
def test_the_longest_clip_of_the_largest_table_is_short_and_small(name: str) -> None:
    reel = Reel(PUBLIC)
    reel.extend(lines_played(name, max(game(name).seats)))
    middle = reel.length // 2
    webp = animated(moments(name, reel, range(middle, middle + MOST)))
    clip, lasting = opened(webp), 0
    for number in range(clip.n_frames):
        clip.seek(number)
        clip.load()
        lasting += clip.info["duration"]
    assert lasting <= 20_000
    assert len(webp) <= MOST_BYTES


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shelf()))
def test_two_worlds_that_differ_only_in_what_the_public_does_not_know_give_the_same_picture_and_the_same_clip(
    name: str,
) -> None:
    """The other world's public frames are those of the first until something is rightly shown that differs."""
    reels: list[Reel] = []

    class Kept(Reel):
        def __init__(self, viewer: Any, language: str = "en") -> None:
            super().__init__(viewer, language)
            reels.append(self)

    row, draws = game(name), Random(name)
    world, diary = played(row, row.seats[0], options_for(name, row.seats[0], 0), 0, PUBLIC, Referee, Kept)
    common = 0
    for _ in range(8):
        try:
            common = compare(world, diary, other_world(name)(world, PUBLIC, draws), Referee, Kept)[1]
        except Impossible:
            continue
        if common > 4:
            break
    assert common > 4, f"{common} frames are the same"
    one, other = reels[0], reels[-1]
    stretch = range(max(0, common - 4), common)
    ours, theirs = moments(name, one, stretch), moments(name, other, stretch)
    assert name_of(ours) == name_of(theirs)
    assert animated(ours) == animated(theirs)
    assert draw.__wrapped__(ours[-1]) == draw.__wrapped__(theirs[-1])


@pytest.mark.django_db
def test_the_page_of_a_clip_shows_it_and_tells_it_in_words(live: LiveMatch, client: Client) -> None:
    page = client.get(f"/matches/{live.match.pk}/clip/", {"from": 2, "until": 5}).content.decode()
    assert f'<img src="/matches/{live.match.pk}/clip.webp?from=2&amp;until=5"' in page
    assert f'content="http://testserver/matches/{live.match.pk}/clip.webp?from=2&amp;until=5"' in page
    story = read_story(live.match.pk)
    told = [f'<li value="{at}">{escape(sentence)}</li>' for at, sentence in story]
    assert [at for at, line in enumerate(told) if line in page] == [2, 3, 4, 5]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "status"), [({"from": 5, "until": 2}, 400), ({"until": 999}, 404), ({"from": "x"}, 400)]
)
def test_the_page_of_a_clip_refuses_what_the_clip_refuses(
    live: LiveMatch, client: Client, words: dict[str, object], status: int
) -> None:
    addresses = (f"/matches/{live.match.pk}/clip/", f"/matches/{live.match.pk}/clip.webp")
    assert [client.get(address, words).status_code for address in addresses] == [status, status]
