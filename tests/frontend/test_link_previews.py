"""Preview pictures: of a match, game and players but never the result; of other pages, their title."""

from __future__ import annotations

import re
import time
from html import unescape
from io import BytesIO
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.utils import timezone
from PIL import Image
from pytest_django import DjangoAssertNumQueries

from bots.models import BotVersion
from frontend.drawing import shapes_and_fonts
from frontend.drawing.link_preview_pictures import (
    MatchPreviewContent,
    PagePreviewContent,
    compute_fingerprint,
    draw_page_poster,
    draw_poster,
)
from frontend.drawing.picture_branding import PictureBranding
from frontend.drawing.signed_preview_urls import read_preview
from ftk_core.games import list_games
from replays.models import Match
from tests.support.factories import AuthorFactory, create_active_version, create_waiting_match
from tests.support.league_entries import open_league

TOKENS = Path("frontend/ui/src/styles/tokens.css")
pytestmark = pytest.mark.django_db


@pytest.fixture
def versions() -> list[BotVersion]:
    return [create_active_version(slug=f"bot-{seat}") for seat in range(3)]


def end_match(versions: list[BotVersion], places: tuple[int, ...], status: str = "closed") -> Match:
    """Return a match that has ended with these places."""
    match = create_waiting_match(versions)
    for seat, place in zip(match.seats.all(), places, strict=True):
        match.seats.filter(pk=seat.pk).update(place=place, score=100 - place)
    Match.objects.filter(pk=match.pk).update(status=status, closed_at=timezone.now())
    return match


def get_card(client: Client, match: Match) -> bytes:
    answer = client.get(f"/matches/{match.pk}/card.png")
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/png")
    return answer.content


def open_image(png: bytes) -> Image.Image:
    image = Image.open(BytesIO(png))
    image.load()
    return image


def test_the_preview_picture_has_the_size_that_the_page_declares(versions: list[BotVersion], client: Client) -> None:
    match = create_waiting_match(versions)
    image = open_image(get_card(client, match))
    assert (image.format, image.size, image.mode) == ("PNG", (1200, 630), "RGB")
    for path in (f"/matches/{match.pk}/?at=3", f"/embed/{match.pk}/"):
        page = client.get(path).content.decode()
        assert f'<meta property="og:image" content="http://testserver/matches/{match.pk}/card.png">' in page
        assert '<meta property="og:image:width" content="1200">' in page
        assert '<meta property="og:image:height" content="630">' in page
        assert '<meta property="og:image:alt" content="Pig: bot-0-1, bot-1-1, bot-2-1">' in page
        assert '<meta name="twitter:card" content="summary_large_image">' in page


def test_the_preview_picture_shows_every_seat_in_its_colour(versions: list[BotVersion], client: Client) -> None:
    colours = {
        colour for _, colour in open_image(get_card(client, create_waiting_match(versions))).getcolors(2**20) or []
    }
    seats = {tuple(bytes.fromhex(colour[1:])) for colour in shapes_and_fonts.SEATS}
    assert colours & seats == {tuple(bytes.fromhex(colour[1:])) for colour in shapes_and_fonts.SEATS[:3]}


def test_the_preview_picture_of_a_match_is_the_same_for_every_result_and_for_a_void_match(
    versions: list[BotVersion], client: Client
) -> None:
    cards = {get_card(client, end_match(versions, places)) for places in ((1, 2, 3), (3, 2, 1), (1, 1, 1))}
    assert len(cards | {get_card(client, end_match(versions, (1, 2, 3), "void"))}) == 1


def test_the_preview_picture_says_whether_the_match_is_live(versions: list[BotVersion], client: Client) -> None:
    match = create_waiting_match(versions)
    before = get_card(client, match)
    Match.objects.filter(pk=match.pk).update(status="playing")
    live = get_card(client, match)
    assert len({before, live, get_card(client, end_match(versions, (1, 2, 3)))}) == 3
    Match.objects.filter(pk=match.pk).update(status="adjourned")
    assert get_card(client, match) == live, "it goes on when the person has answered"


def test_the_preview_picture_is_cached_by_browsers(
    versions: list[BotVersion], client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    path = f"/matches/{end_match(versions, (1, 2, 3)).pk}/card.png"
    with django_assert_max_num_queries(12):
        first = client.get(path)
    assert first.headers["Cache-Control"] == "public, max-age=86400"
    assert re.fullmatch('"[0-9a-f]{32}"', first.headers["ETag"])
    again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", first.headers["ETag"])
    assert client.head(path).content == b""
    live = client.get(f"/matches/{create_waiting_match(versions).pk}/card.png")
    assert live.headers["Cache-Control"] == "public, max-age=60"
    assert live.headers["ETag"] != first.headers["ETag"]


PUBLIC_PAGES = (
    "/", "/leagues/", "/leagues/night/", "/leagues/night/standings/", "/leagues/night/cross/", "/leagues/night/acts/",
    "/series/", "/leaderboards/pig/", "/leaderboards/pig/continuous/", "/bots/", "/bots/ada/", "/games/pig/",
    "/games/pig/house/random/", "/write-a-bot/", "/search/", "/watch/", "/status/",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("path", PUBLIC_PAGES)
def test_every_public_page_has_a_preview_picture_with_its_title(path: str, client: Client) -> None:
    open_league()
    create_active_version(slug="ada")
    page = client.get(path).content.decode()
    assert page.count('property="og:image"') == 1
    title = re.findall(r"<title>(.*?)( · The Court)?</title>", page)[0][0]
    assert f'<meta property="og:title" content="{title}">' in page
    assert f'<meta property="og:url" content="http://testserver{path}">' in page
    address = unescape(re.findall(r'property="og:image" content="http://testserver([^"]+)"', page)[0])
    assert read_preview(parse_qs(urlsplit(address).query)["about"][0])[0] == unescape(title)
    picture = client.get(address)
    assert (picture.status_code, picture["Content-Type"]) == (200, "image/png")
    assert picture["Cache-Control"] == "public, max-age=86400"
    assert open_image(picture.content).size == (1200, 630)
    assert client.get(address, headers={"If-None-Match": picture["ETag"]}).status_code == 304
    assert client.get(path).content.decode() == page  # equal bytes, so that cached pages keep their ETag


def test_account_pages_of_a_signed_in_person_have_no_link_preview_picture(client: Client) -> None:
    client.force_login(AuthorFactory.create())
    for path in ("/account/", "/account/profile/", "/account/tokens/", "/account/webhooks/", "/account/email/"):
        page = client.get(path)
        assert (page.status_code, "og:image" in page.content.decode()) == (200, False), path


@pytest.mark.parametrize("about", ["", "x", "WyJGcmVlIG1vbmV5IiwiIl0:forged", "a" * 3000])
def test_a_preview_picture_whose_url_has_no_valid_signature_is_not_found(about: str, client: Client) -> None:
    answer = client.get("/preview.png", {"about": about})
    assert answer.status_code == 404


def test_the_preview_picture_of_a_chinese_page_has_english_texts(client: Client) -> None:
    pages = [client.get("/leagues/", {"lang": language}).content.decode() for language in ("en", "zh-Hant")]
    assert '<meta property="og:title" content="聯賽">' in pages[1]
    assert len({re.findall(r'property="og:image" content="([^"]+)"', page)[0] for page in pages}) == 1


def test_a_preview_picture_shows_the_site_name_if_the_font_lacks_characters_of_the_page_title() -> None:
    brand = PictureBranding(name="The Court")
    chinese, french, named = (
        draw_page_poster(PagePreviewContent(title, "", brand=brand)) for title in ("春季聯賽", "Café", "The Court")
    )
    assert chinese == named != french


def test_a_long_title_and_description_stay_within_the_preview_picture() -> None:
    image = open_image(draw_page_poster(PagePreviewContent("W" * 200, "w" * 200 + " and" * 90)))
    plain = open_image(draw_page_poster(PagePreviewContent("", "")))
    for box in ((0, 0, 40, 630), (1170, 0, 1200, 630), (0, 590, 1200, 630)):
        assert image.crop(box).tobytes() == plain.crop(box).tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(list_games()))
def test_the_preview_pictures_of_every_game_are_small_and_drawn_fast(name: str) -> None:
    game = list_games()[name]
    for seats in game.seats:
        for letters in (1, 40):
            began = time.process_time()
            names = ("w" * letters + "-12",) * seats
            png = draw_poster(MatchPreviewContent(title=game.title, players=names, state="Live now", live=True))
            assert time.process_time() - began < 3
            assert len(png) < 300_000


def test_a_match_with_more_seats_than_colours_has_a_preview_picture() -> None:
    players = tuple(f"bot-{seat}" for seat in range(len(shapes_and_fonts.SEATS) + 1))
    assert open_image(draw_poster(MatchPreviewContent(title="Pig", players=players, state="Live now")))


def test_long_player_names_stay_within_their_box_on_the_preview_picture() -> None:
    font = shapes_and_fonts.find_fitting_font("w" * 90, "sans", 38, 21, 500, 300)
    assert font.getlength(shapes_and_fonts.truncate_text("w" * 90, font, 300)) <= 300


def test_the_preview_picture_is_drawn_without_a_built_frontend(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plain = MatchPreviewContent(title="Pig", players=("a-1", "b-1"), state="Live now")
    dressed, known = draw_poster(plain), compute_fingerprint(plain)
    for kept in (shapes_and_fonts.find_built_fonts, shapes_and_fonts.load_font, draw_poster):
        kept.cache_clear()
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(shapes_and_fonts, "BUILT_ASSETS", tmp_path)
        bare, other = draw_poster(plain), compute_fingerprint(plain)
    for kept in (shapes_and_fonts.find_built_fonts, shapes_and_fonts.load_font, draw_poster):
        kept.cache_clear()
    assert open_image(bare).size == open_image(dressed).size
    assert bare != dressed
    assert other != known


def test_the_preview_picture_uses_the_colours_of_the_dark_theme() -> None:
    night = re.findall(r"--seat-(\d+): light-dark\(#\w+, (#\w+)\)", TOKENS.read_text())
    assert tuple(colour for _, colour in night) == shapes_and_fonts.SEATS
    named = dict(re.findall(r"--(\w+): light-dark\(#\w+, (#\w+)\)", TOKENS.read_text()))
    ours = (
        shapes_and_fonts.PAGE,
        shapes_and_fonts.LIT,
        shapes_and_fonts.INK,
        shapes_and_fonts.SOFT,
        shapes_and_fonts.GOLD,
        shapes_and_fonts.LIVE,
    )
    assert ours == tuple(named[name] for name in ("page", "line", "ink", "soft", "gold", "live"))


def test_the_title_of_a_leaderboard_contains_no_season_that_a_visitor_invented(client: Client) -> None:
    page = client.get("/leaderboards/pig/", {"season": "cheats: see x.example"}).content.decode()
    title = page.partition("<title>")[2].partition("</title>")[0]
    assert ("cheats" in title, "Pig leaderboard" in title) == (False, True)
