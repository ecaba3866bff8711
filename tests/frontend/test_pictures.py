"""Pictures of the table at any frame of a match, in the public view and only after its release."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from PIL import Image

from frontend.drawing import game_piece_painting, shapes_and_fonts
from frontend.drawing.game_table_picture import SIZE, GameTablePictureContent, compute_fingerprint, draw_table
from ftk_core.facts import OMNISCIENT, PUBLIC
from ftk_core.games import list_games
from ftk_core.match_replay_frames import MatchFrames
from ftk_core.views.scene import ScenePiece
from replays.models import Match
from tests.support.live import LiveMatch, play_log_lines

BIG = [(name, max(game.seats)) for name, game in sorted(list_games().items())]


def reel_of(name: str, seats: int, viewer: Any = PUBLIC) -> MatchFrames:
    """Return the reel of a complete match for one viewer."""
    reel = MatchFrames(viewer)
    reel.extend(play_log_lines(name, seats))
    return reel


def moment(name: str, reel: MatchFrames, at: int) -> GameTablePictureContent:
    say, scene = reel.moment(at)
    return GameTablePictureContent(
        game=name, title=list_games()[name].title, names=reel.names, at=at, say=say, scene=scene
    )


def colours(png: bytes) -> set[Any]:
    return {colour for _, colour in Image.open(BytesIO(png)).convert("RGB").getcolors(2**21) or []}


@pytest.fixture
def live() -> LiveMatch:
    """A released live match after ten log entries."""
    match = LiveMatch()
    match.grow(10)
    return match


def address(live: LiveMatch, at: int | str = "") -> str:
    return f"/matches/{live.match.pk}/picture.png" + (f"?at={at}" if at != "" else "")


@pytest.mark.slow
@pytest.mark.django_db
def test_each_frame_has_its_own_picture_and_a_url_without_a_frame_number_shows_the_newest_frame(
    live: LiveMatch, client: Client
) -> None:
    shown = [client.get(address(live, at)) for at in live.pictured]
    assert {(one.status_code, one.headers["Content-Type"]) for one in shown} == {(200, "image/png")}
    assert len({one.content for one in shown}) == len(live.pictured)
    assert client.get(address(live)).content == shown[-1].content
    image = Image.open(BytesIO(shown[0].content))
    assert (image.format, image.size) == ("PNG", SIZE)


@pytest.mark.django_db
def test_a_picture_of_a_missing_frame_is_404_and_a_non_numeric_frame_is_refused(
    live: LiveMatch, client: Client
) -> None:
    assert client.get(address(live, len(live.pictured))).status_code == 404
    assert [client.get(address(live, at)).status_code for at in ("-1", "x", "1.5")] == [400] * 3
    assert client.get("/matches/nope/picture.png").status_code == 404


@pytest.mark.django_db
def test_no_picture_of_a_match_that_is_not_yet_public_is_shown(live: LiveMatch, client: Client) -> None:
    Match.objects.filter(pk=live.match.pk).update(released=False)
    refused = client.get(address(live, 3))
    assert refused.status_code == 403
    assert "is not released yet" in refused.content.decode()


@pytest.mark.django_db
def test_a_picture_of_a_match_is_cached_by_browsers(live: LiveMatch, client: Client) -> None:
    first = client.get(address(live, 2))
    assert first.headers["Cache-Control"] == "public, max-age=86400"
    assert re.fullmatch('"[0-9a-f]{32}"', first.headers["ETag"])
    again = client.get(address(live, 2), headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(address(live)).headers["Cache-Control"] == "public, max-age=10"


@pytest.mark.django_db
def test_requests_for_pictures_of_matches_are_rate_limited_unless_the_picture_is_cached(
    live: LiveMatch, client: Client, settings: Any
) -> None:
    settings.THROTTLES = settings.THROTTLES | {"picture": "1/hour"}
    first = client.get(address(live, 2))
    refused = client.get(address(live, 3))
    assert (first.status_code, refused.status_code) == (200, 429)
    assert client.get(address(live, 2), headers={"If-None-Match": first.headers["ETag"]}).status_code == 304


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), BIG)
def test_the_picture_of_each_game_with_the_most_players_stays_within_its_size_limit(name: str, seats: int) -> None:
    reel = reel_of(name, seats)
    for at in range(0, reel.length, max(1, reel.length // 6)):
        assert len(draw_table(moment(name, reel, at))) < 300_000


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), BIG)
def test_two_identical_public_views_of_a_match_have_the_same_cache_key_and_picture(name: str, seats: int) -> None:
    public, other = reel_of(name, seats), reel_of(name, seats)
    at = public.length // 2
    assert compute_fingerprint(moment(name, public, at)) == compute_fingerprint(moment(name, other, at))
    assert draw_table(moment(name, public, at)) == draw_table.__wrapped__(moment(name, other, at))


def test_pictures_show_hidden_cards_face_down_and_open_cards_in_the_colours_of_the_browser_view() -> None:
    name = "for_the_king"
    public, all_eyes = (reel_of(name, 3, viewer) for viewer in (PUBLIC, OMNISCIENT))
    hidden, shown = (colours(draw_table(moment(name, reel, 1))) for reel in (public, all_eyes))
    tone = game_piece_painting.read_piece_colours(name)["diplomacy"]
    assert tone == "#2560a8"
    assert tuple(bytes.fromhex(tone[1:])) in shown
    assert tuple(bytes.fromhex(game_piece_painting.BACK[1:])) in hidden - shown


def test_pictures_paint_cards_as_the_dark_theme_of_the_browser_view_does() -> None:
    tokens = (game_piece_painting.STYLE_FOLDER / "styles/tokens.css").read_text()
    faces = re.findall(r"--card-face: light-dark\(#\w+, #(\w+)\);", tokens)
    backs = re.findall(r"--back: #(\w+);", tokens)
    for viewer, named in ((OMNISCIENT, faces), (PUBLIC, backs)):
        picture = draw_table(moment("for_the_king", reel_of("for_the_king", 3, viewer), 1))
        assert {tuple(bytes.fromhex(colour)) for colour in named} <= colours(picture)
        assert len(named) == 1


def test_pictures_show_the_colours_of_the_players() -> None:
    seats = {tuple(bytes.fromhex(colour[1:])) for colour in shapes_and_fonts.SEATS[:6]}
    assert seats <= colours(draw_table(moment("pig", reel_of("pig", 6), 3)))


def test_a_game_without_a_style_sheet_gets_plain_pieces() -> None:
    assert game_piece_painting.read_piece_colours("pig") == {}
    assert (
        game_piece_painting.choose_colour(ScenePiece(key="a", kind="card", tags=("king",)), "pig")
        == game_piece_painting.LETTERS
    )
