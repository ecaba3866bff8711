"""The picture of a table at one moment: any frame, the public eyes, and nothing before the match is released."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from PIL import Image

from frontend.drawing import ink, pieces
from frontend.drawing.table import SIZE, Moment, draw, fingerprint
from ftk_core.facts import OMNISCIENT, PUBLIC
from ftk_core.games import shelf
from ftk_core.reel import Reel
from ftk_core.scene import Piece
from replays.models import Match
from tests.support.live import LiveMatch, lines_played

BIG = [(name, max(game.seats)) for name, game in sorted(shelf().items())]


def reel_of(name: str, seats: int, viewer: Any = PUBLIC) -> Reel:
    """Return a whole match as somebody sees it."""
    reel = Reel(viewer)
    reel.extend(lines_played(name, seats))
    return reel


def moment(name: str, reel: Reel, at: int) -> Moment:
    say, scene = reel.moment(at)
    return Moment(game=name, title=shelf()[name].title, names=reel.names, at=at, say=say, scene=scene)


def colours(png: bytes) -> set[Any]:
    return {colour for _, colour in Image.open(BytesIO(png)).convert("RGB").getcolors(2**21) or []}


@pytest.fixture
def live() -> LiveMatch:
    """A released match, ten entries of which have been played."""
    match = LiveMatch()
    match.grow(10)
    return match


def address(live: LiveMatch, at: int | str = "") -> str:
    return f"/matches/{live.match.pk}/picture.png" + (f"?at={at}" if at != "" else "")


@pytest.mark.django_db
def test_every_frame_has_a_picture_and_the_address_without_a_number_shows_the_newest(
    live: LiveMatch, client: Client
) -> None:
    shown = [client.get(address(live, at)) for at in live.pictured]
    assert {(one.status_code, one.headers["Content-Type"]) for one in shown} == {(200, "image/png")}
    assert len({one.content for one in shown}) == len(live.pictured)
    assert client.get(address(live)).content == shown[-1].content
    image = Image.open(BytesIO(shown[0].content))
    assert (image.format, image.size) == ("PNG", SIZE)


@pytest.mark.django_db
def test_a_frame_that_is_not_there_is_not_found_and_a_word_that_is_no_number_is_refused(
    live: LiveMatch, client: Client
) -> None:
    assert client.get(address(live, len(live.pictured))).status_code == 404
    refused = client.get(address(live, "-1"))
    assert refused.status_code == 400
    assert client.get("/matches/nope/picture.png").status_code == 404


@pytest.mark.django_db
def test_nothing_is_drawn_before_the_match_is_released(live: LiveMatch, client: Client) -> None:
    Match.objects.filter(pk=live.match.pk).update(released=False)
    refused = client.get(address(live, 3))
    assert refused.status_code == 403
    assert "is not released yet" in refused.content.decode()


@pytest.mark.django_db
def test_it_is_kept_by_whoever_has_it(live: LiveMatch, client: Client) -> None:
    first = client.get(address(live, 2))
    assert first.headers["Cache-Control"] == "public, max-age=86400"
    assert re.fullmatch('"[0-9a-f]{32}"', first.headers["ETag"])
    again = client.get(address(live, 2), headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(address(live)).headers["Cache-Control"] == "public, max-age=10"


@pytest.mark.django_db
def test_whoever_wants_too_many_waits_but_not_for_one_that_they_have(
    live: LiveMatch, client: Client, settings: Any
) -> None:
    settings.THROTTLES = settings.THROTTLES | {"picture": "1/hour"}
    first = client.get(address(live, 2))
    refused = client.get(address(live, 3))
    assert (first.status_code, refused.status_code) == (200, 429)
    assert client.get(address(live, 2), headers={"If-None-Match": first.headers["ETag"]}).status_code == 304


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), BIG)
def test_every_table_of_every_game_is_drawn_in_few_bytes(name: str, seats: int) -> None:
    reel = reel_of(name, seats)
    for at in range(0, reel.length, max(1, reel.length // 6)):
        assert len(draw(moment(name, reel, at))) < 300_000


@pytest.mark.parametrize(("name", "seats"), BIG)
def test_a_picture_differs_only_where_the_public_scene_does(name: str, seats: int) -> None:
    public, other = reel_of(name, seats), reel_of(name, seats)
    at = public.length // 2
    assert fingerprint(moment(name, public, at)) == fingerprint(moment(name, other, at))
    assert draw(moment(name, public, at)) == draw.__wrapped__(moment(name, other, at))


def test_hidden_cards_are_backs_and_open_ones_have_the_colours_of_the_viewers_own_style_sheets() -> None:
    name = "for_the_king"
    public, all_eyes = (reel_of(name, 3, viewer) for viewer in (PUBLIC, OMNISCIENT))
    assert draw(moment(name, public, 1)) != draw(moment(name, all_eyes, 1))
    tone = pieces.tones(name)["diplomacy"]
    assert tone == "#2560a8"
    assert tuple(bytes.fromhex(tone[1:])) in colours(draw(moment(name, all_eyes, 1)))


def test_the_players_are_seen_in_their_colours() -> None:
    seats = {tuple(bytes.fromhex(colour[1:])) for colour in ink.SEATS[:6]}
    assert seats <= colours(draw(moment("pig", reel_of("pig", 6), 3)))


def test_a_game_without_a_style_sheet_has_plain_pieces() -> None:
    assert pieces.tones("pig") == {}
    assert pieces.tone_of(Piece(key="a", kind="card", tags=("king",)), "pig") == pieces.LETTERS
