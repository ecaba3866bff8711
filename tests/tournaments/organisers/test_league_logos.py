"""Logos of leagues: permissions, refused pictures, and serving of the stored picture."""

from __future__ import annotations

import zlib
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from struct import pack

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from PIL import ExifTags, Image

from foundation.branding.logo_pictures import LOGO_PIXELS, MAX_UPLOAD_BYTES, convert_logo
from foundation.management_commands import InvalidCommandInputError
from ftk_core.i18n import Message
from ftk_core.league.league_state import CommandRejected
from people.models import StaffAct
from replays.event_stream_storage import EventAppender
from tests.support.factories import AuthorFactory
from tests.support.league_entries import open_league
from tests.support.people import open_session
from tournaments.leagues.league_event_projection import compute_etag, read_facts
from tournaments.models import League
from tournaments.models.league_logos import LeagueLogo
from tournaments.models.organiser_roles import Refusal
from tournaments.organisers.league_logos import set_logo
from tournaments.translatable_message_json import encode_message

pytestmark = pytest.mark.django_db


def draw_picture(form: str = "PNG", size: tuple[int, int] = (300, 100), colour: str = "red") -> bytes:
    exif = Image.Exif()
    exif[0x010E] = "taken at home"
    file = BytesIO()
    Image.new("RGB", size, colour).save(file, form, exif=exif)
    return file.getvalue()


def forge_png(width: int, height: int) -> bytes:
    """Return a PNG file of a few bytes whose header promises a picture of this size."""
    header = b"IHDR" + pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = (header, b"IDAT" + zlib.compress(b"\0" * 1000), b"IEND")
    framed = (pack(">I", len(chunk) - 4) + chunk + pack(">I", zlib.crc32(chunk)) for chunk in chunks)
    return b"\x89PNG\r\n\x1a\n" + b"".join(framed)


@pytest.fixture
def olga() -> User:
    olga: User = AuthorFactory.create(username="olga")
    open_league(by="olga")
    return olga


def find_path() -> str:
    return str(Client().get("/api/v1/leagues/night/").json()["logo"])


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
def test_an_uploaded_league_logo_is_stored_as_a_small_png_without_metadata(form: str) -> None:
    upload = draw_picture(form, (900, 300))
    assert b"taken at home" in upload
    body = convert_logo(upload)
    with Image.open(BytesIO(body)) as logo:
        assert (logo.format, logo.size, logo.getexif()) == ("PNG", (LOGO_PIXELS, 85), {})
    assert b"taken at home" not in body


@pytest.mark.parametrize(
    ("upload", "reason"),
    [
        (b"", "no PNG, JPEG or WebP picture"),
        (b"<svg onload='alert(1)'/>", "no PNG, JPEG or WebP picture"),
        (draw_picture("GIF"), "no PNG, JPEG or WebP picture"),
        (draw_picture()[:-40], "no PNG, JPEG or WebP picture"),
        (b"\0" * (MAX_UPLOAD_BYTES + 1), "at most 512 KiB, not 513"),
        (forge_png(4097, 1), "at most 4096 pixels wide and high, not 4097 × 1"),
        (forge_png(60_000, 60_000), "at most 4096 pixels wide and high; make it smaller"),
        (forge_png(4096, 4096), "no PNG, JPEG or WebP picture"),
    ],
    ids=["nothing", "svg", "gif", "cut off", "many bytes", "wide", "bomb", "empty pixels"],
)
def test_an_uploaded_league_logo_that_is_not_a_picture_or_too_large_is_refused_with_the_limit(
    upload: bytes, reason: str
) -> None:
    with pytest.raises(CommandRejected, match=reason):
        convert_logo(upload)


@pytest.mark.parametrize("tag", [1, 6, 99])
def test_an_uploaded_league_logo_is_rotated_by_its_exif_orientation_if_the_orientation_is_valid(tag: int) -> None:
    file, exif = BytesIO(), Image.Exif()
    exif[ExifTags.Base.Orientation] = tag
    Image.new("RGB", (90, 30), "red").save(file, "JPEG", exif=exif)
    with Image.open(BytesIO(convert_logo(file.getvalue()))) as logo:
        assert logo.size == ((30, 90) if tag == 6 else (90, 30))


@pytest.mark.slow
def test_pages_show_the_logo_that_an_organiser_uploaded_for_a_league_until_it_is_removed(olga: User) -> None:
    client = open_session(olga)
    facts = read_facts(League.objects.get())
    upload = SimpleUploadedFile("logo.png", draw_picture())
    answer = client.post("/leagues/night/desk/logo/", {"logo": upload}, follow=True)
    path = find_path()
    assert "The league has a new logo." in answer.content.decode()
    for page in ("/leagues/night/", "/leagues/night/screen/", "/leagues/", "/leagues/night/desk/"):
        assert f'src="{path}"' in client.get(page).content.decode(), page
    page = Client().get("/leagues/night/").content.decode()
    assert f'og:image" content="http://testserver{path}"' in page
    assert page.count("og:image") == 1
    removed = client.post("/leagues/night/desk/logo/", {"remove": "1"}, follow=True)
    assert "The logo is removed." in removed.content.decode()
    assert (Client().get(path).status_code, LeagueLogo.objects.count(), find_path()) == (404, 0, "")
    assert read_facts(League.objects.get()) == facts
    again = client.post("/leagues/night/desk/logo/", {"remove": "1"}, follow=True)
    assert "Night has no logo." in again.content.decode()


def test_a_league_logo_is_served_at_a_url_with_its_hash_and_with_headers_that_allow_only_an_image(olga: User) -> None:
    set_logo(olga, "night", draw_picture())
    first = find_path()
    answer = Client().get(first)
    assert answer.content.startswith(b"\x89PNG")
    assert answer.headers["Content-Type"] == "image/png"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'"
    assert answer.headers["Cache-Control"] == "public, max-age=86400, immutable"
    set_logo(olga, "night", draw_picture(colour="blue"))
    assert find_path() != first
    assert Client().get(first).status_code == 404


def test_a_league_logo_can_be_uploaded_as_request_body_and_deleted_through_the_api(olga: User) -> None:
    client, address = open_session(olga), "/api/v1/leagues/night/logo/"
    answer = client.put(address, draw_picture("WEBP"), content_type="image/webp")
    assert (answer.status_code, answer.json()) == (200, {"logo": find_path()})
    refused = client.put(address, b"GIF89a", content_type="image/gif")
    assert (refused.status_code, "no PNG, JPEG or WebP picture" in refused.json()["detail"]) == (409, True)
    assert client.delete(address).status_code == 204
    assert client.delete(address).status_code == 409


def test_only_organisers_and_staff_can_set_a_league_logo_and_staff_changes_are_logged(olga: User) -> None:
    other, staff = AuthorFactory.create(username="other"), AuthorFactory.create(username="staff", is_staff=True)
    address = "/api/v1/leagues/night/logo/"
    assert open_session(other).put(address, draw_picture(), content_type="image/png").status_code == 403
    assert Refusal.objects.get().what == "set the logo"
    assert not LeagueLogo.objects.exists()
    assert open_session(staff).put(address, draw_picture(), content_type="image/png").status_code == 200
    assert open_session(olga).put(address, draw_picture(), content_type="image/png").status_code == 200
    assert [(act.name, act.what, act.on) for act in StaffAct.objects.all()] == [
        ("staff", "set the logo", "league night")
    ]


def test_a_league_logo_can_be_set_and_removed_from_the_shell(olga: User, tmp_path: Path) -> None:
    file = tmp_path / "logo.jpg"
    file.write_bytes(draw_picture("JPEG"))
    call_command("league", "logo", "night", str(file))
    assert Client().get(find_path()).status_code == 200
    call_command("league", "logo", "night")
    assert find_path() == ""
    with pytest.raises(InvalidCommandInputError, match="cannot be read: No such file"):
        call_command("league", "logo", "night", str(tmp_path / "none.png"))


def test_the_etag_of_a_league_cannot_be_computed_from_the_events_of_its_stream(olga: User) -> None:
    """A reader could otherwise try which unreleased numbers of excuses give the ETag."""
    league = open_league(by="olga", slug="other", name="Other")
    computed = sha256(EventAppender(league.stream_id).head + league.waits.encode()).hexdigest()
    assert computed[:8] not in compute_etag(league)


def test_the_api_sends_a_league_again_whose_logo_or_language_has_changed_and_accepts_both_etags(olga: User) -> None:
    client, path = open_session(olga), "/api/v1/leagues/night/"
    League.objects.update(waits=encode_message(Message("a result was corrected since it was drafted")))
    known = client.get(path)["ETag"]
    assert client.get(path, headers={"If-None-Match": known}).status_code == 304
    chinese = client.get(path, headers={"If-None-Match": known, "Accept-Language": "zh-Hant"})
    assert chinese.json()["waits"] != client.get(path).json()["waits"]
    set_logo(olga, "night", draw_picture())
    assert client.get(path, headers={"If-None-Match": known}).json()["logo"]

    def announce(etag: str) -> int:
        body, headers = {"text": "We begin at eight."}, {"If-Match": etag}
        return client.post(path + "acts/announce/", body, content_type="application/json", headers=headers).status_code

    assert [announce(known), announce(known), announce('"nonsense"')] == [201, 412, 412]
    assert announce(compute_etag(League.objects.get())) == 201
