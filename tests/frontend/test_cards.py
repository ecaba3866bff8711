"""The picture that a link to a match shows: who plays what, in few bytes, and never how it ends."""

from __future__ import annotations

import re
import time
from io import BytesIO
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone
from PIL import Image
from pytest_django import DjangoAssertNumQueries

from bots.models import BotVersion
from frontend.drawing import ink
from frontend.drawing.poster import Poster, draw, fingerprint
from ftk_core.games import shelf
from replays.models import Match
from tests.support.factories import active_version, waiting_match

TOKENS = Path("frontend/ui/src/styles/tokens.css")
pytestmark = pytest.mark.django_db


@pytest.fixture
def versions() -> list[BotVersion]:
    return [active_version(slug=f"bot-{seat}") for seat in range(3)]


def ended(versions: list[BotVersion], places: tuple[int, ...], status: str = "closed") -> Match:
    """Return a match that came to these places."""
    match = waiting_match(versions)
    for seat, place in zip(match.seats.all(), places, strict=True):
        match.seats.filter(pk=seat.pk).update(place=place, score=100 - place)
    Match.objects.filter(pk=match.pk).update(status=status, closed_at=timezone.now())
    return match


def card(client: Client, match: Match) -> bytes:
    answer = client.get(f"/matches/{match.pk}/card.png")
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/png")
    return answer.content


def opened(png: bytes) -> Image.Image:
    image = Image.open(BytesIO(png))
    image.load()
    return image


def test_a_match_has_a_picture_of_the_size_its_page_tells(versions: list[BotVersion], client: Client) -> None:
    match = waiting_match(versions)
    image = opened(card(client, match))
    assert (image.format, image.size, image.mode) == ("PNG", (1200, 630), "RGB")
    for path in (f"/matches/{match.pk}/?at=3", f"/embed/{match.pk}/"):
        page = client.get(path).content.decode()
        assert f'<meta property="og:image" content="http://testserver/matches/{match.pk}/card.png">' in page
        assert '<meta property="og:image:width" content="1200">' in page
        assert '<meta property="og:image:height" content="630">' in page
        assert '<meta property="og:image:alt" content="Pig: bot-0-1, bot-1-1, bot-2-1">' in page
        assert '<meta name="twitter:card" content="summary_large_image">' in page


def test_every_seat_is_seen_in_its_colour(versions: list[BotVersion], client: Client) -> None:
    colours = {colour for _, colour in opened(card(client, waiting_match(versions))).getcolors(2**20) or []}
    seats = {tuple(bytes.fromhex(colour[1:])) for colour in ink.SEATS}
    assert colours & seats == {tuple(bytes.fromhex(colour[1:])) for colour in ink.SEATS[:3]}


def test_no_place_no_score_and_no_fault_can_be_told_from_it(versions: list[BotVersion], client: Client) -> None:
    cards = {card(client, ended(versions, places)) for places in ((1, 2, 3), (3, 2, 1), (1, 1, 1))}
    assert len(cards | {card(client, ended(versions, (1, 2, 3), "void"))}) == 1


def test_whether_it_is_played_now_is_told(versions: list[BotVersion], client: Client) -> None:
    match = waiting_match(versions)
    before = card(client, match)
    Match.objects.filter(pk=match.pk).update(status="playing")
    assert len({before, card(client, match), card(client, ended(versions, (1, 2, 3)))}) == 3


def test_it_is_kept_by_whoever_has_it(
    versions: list[BotVersion], client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    path = f"/matches/{ended(versions, (1, 2, 3)).pk}/card.png"
    with django_assert_max_num_queries(12):
        first = client.get(path)
    assert first.headers["Cache-Control"] == "public, max-age=86400"
    assert re.fullmatch('"[0-9a-f]{32}"', first.headers["ETag"])
    again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", first.headers["ETag"])
    assert client.head(path).content == b""
    live = client.get(f"/matches/{waiting_match(versions).pk}/card.png")
    assert live.headers["Cache-Control"] == "public, max-age=60"
    assert live.headers["ETag"] != first.headers["ETag"]


def test_an_unknown_match_has_none(client: Client) -> None:
    assert client.get("/matches/nope/card.png").status_code == 404


@pytest.mark.parametrize("name", sorted(shelf()))
def test_every_table_of_every_game_is_drawn_in_short_time_and_few_bytes(name: str) -> None:
    game = shelf()[name]
    for seats in game.seats:
        for letters in (1, 40):
            began = time.process_time()
            png = draw(Poster(game.title, ("w" * letters + "-12",) * seats, "Live now", live=True))
            assert time.process_time() - began < 3
            assert len(png) < 300_000


def test_a_name_never_leaves_its_place() -> None:
    font = ink.fitting("w" * 90, "sans", 38, 21, 500, 300)
    assert font.getlength(ink.cut("w" * 90, font, 300)) <= 300


def test_it_is_drawn_where_the_pages_are_not_built(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plain = Poster("Pig", ("a-1", "b-1"), "Live now")
    dressed, known = draw(plain), fingerprint(plain)
    for kept in (ink.built, ink.font_of, draw):
        kept.cache_clear()
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(ink, "BUILT", tmp_path)
        bare, other = draw(plain), fingerprint(plain)
    for kept in (ink.built, ink.font_of, draw):
        kept.cache_clear()
    assert opened(bare).size == opened(dressed).size
    assert bare != dressed
    assert other != known


def test_its_colours_are_those_of_the_pages_by_night() -> None:
    night = re.findall(r"--seat-(\d+): light-dark\(#\w+, (#\w+)\)", TOKENS.read_text())
    assert tuple(colour for _, colour in night) == ink.SEATS
    named = dict(re.findall(r"--(\w+): light-dark\(#\w+, (#\w+)\)", TOKENS.read_text()))
    ours = (ink.PAGE, ink.LIT, ink.INK, ink.SOFT, ink.GOLD, ink.LIVE)
    assert ours == tuple(named[name] for name in ("page", "line", "ink", "soft", "gold", "live"))
