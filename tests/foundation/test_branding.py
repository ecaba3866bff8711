"""The brand of an arena in its pages, mails, feeds and pictures, by settings or by staff."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, connection
from django.test import Client, override_settings
from django.utils import timezone
from PIL import Image

from foundation.branding.arena_brand import forget_brand, read_brand
from foundation.branding.brand_colours import USUAL_COLOURS
from foundation.branding.models import Brand
from notices.notice_mails import send_due
from notices.notice_preferences import NoticeContent, notify, set_preference
from people.models import StaffAct
from tests.support.addresses import fill_url_pattern, list_url_patterns
from tests.support.factories import AuthorFactory, create_active_version, create_waiting_match
from tests.support.league_entries import open_league

OLD_TRACES = ("The Court", "/static/crown")
NEW = {
    "name": "Ludus & Co",
    "footer": "Run by the board game club.",
    "imprint": "https://ludus.example/imprint",
    "privacy": "https://ludus.example/privacy",
    "mail_sender": "Ludus",
    "accent_day": "#0a6ebd",
    "accent_night": "#7cc4ff",
    "page_day": "#ffffff",
    "page_night": "#000000",
}
FORM = {**dict.fromkeys(NEW, ""), "why": "a new name"}


def draw_logo(colour: str = "blue") -> bytes:
    file = BytesIO()
    Image.new("RGB", (40, 20), colour).save(file, "PNG")
    return file.getvalue()


@pytest.fixture
def branded(tmp_path: Path) -> Iterator[None]:
    """An arena with another name, logo and palette by its settings."""
    path = tmp_path / "logo.png"
    path.write_bytes(draw_logo())
    with override_settings(BRAND=NEW, BRAND_LOGO=str(path)):
        yield


@pytest.fixture
def by_staff() -> Iterator[None]:
    """An arena whose staff may set the brand, with an empty brand cache before and after the test."""
    with override_settings(BRAND_SECONDS=60):
        forget_brand()
        yield
    forget_brand()


@pytest.mark.slow
@pytest.mark.django_db
def test_pages_feeds_and_files_of_a_site_with_its_own_brand_never_show_the_default_name_or_logo(branded: None) -> None:
    ada = create_active_version(slug="ada", owner=AuthorFactory.create(username="ada", is_staff=True))
    open_league()
    match = create_waiting_match([ada, create_active_version(slug="bo")])
    known = {"match": match.pk, "ada": ada}
    paths = sorted({fill_url_pattern(path, known) for path in list_url_patterns()} | {"/docs/", "/staff/"})
    signed_in = Client()
    signed_in.force_login(ada.bot.owner)
    read = {}
    for client in (Client(), signed_in):
        for path in paths:
            if not path.endswith(("sign-out/", ".png")):
                answer = client.get(path)
                read[client, path] = b"".join(answer) if answer.streaming else answer.content
    traces = [(path, old) for (_, path), body in read.items() for old in OLD_TRACES if old.encode() in body]
    assert traces == []
    assert sum(b"Ludus &amp; Co" in body for body in read.values()) > 80


@pytest.mark.django_db
def test_each_page_shows_the_logo_footer_text_and_footer_links_of_the_brand(branded: None, client: Client) -> None:
    brand, page = read_brand(), client.get("/").content.decode()
    assert f'<link rel="icon" type="image/png" href="/brand/{brand.logo_digest}.png">' in page
    assert f'<link rel="stylesheet" href="/brand/{brand.style_digest}.css">' in page
    assert "Run by the board game club." in page
    assert '<a href="https://ludus.example/imprint">' in page
    assert '<a href="https://ludus.example/privacy">' in page
    logo = client.get(f"/brand/{brand.logo_digest}.png")
    with Image.open(BytesIO(logo.content)) as picture:
        assert (logo["Content-Type"], picture.size) == ("image/png", (40, 20))
    style = client.get(f"/brand/{brand.style_digest}.css").content.decode()
    assert "--gold: light-dark(#0a6ebd, #7cc4ff);" in style
    assert client.get("/favicon.ico")["Location"] == f"/brand/{brand.logo_digest}.png"
    assert client.get("/brand/0123456789abcdef.png").status_code == 404


@pytest.mark.django_db
def test_link_preview_pictures_use_the_brand_colours_and_logo_and_name(branded: None, client: Client) -> None:
    match = create_waiting_match([create_active_version(slug=name) for name in ("ada", "bo")])
    card = client.get(f"/matches/{match.pk}/card.png")
    with Image.open(BytesIO(card.content)) as picture:
        colours = {colour for _, colour in picture.getcolors(2**20) or []}
    assert {(0, 0, 255), (0x7C, 0xC4, 0xFF)} <= colours
    with override_settings(BRAND=NEW | {"name": "Other"}):
        renamed = client.get(f"/matches/{match.pk}/card.png")
    assert renamed.content != card.content
    assert renamed["ETag"] != card["ETag"]


@pytest.mark.django_db
def test_mails_have_the_brand_name_of_the_site_in_subject_and_sender(branded: None) -> None:
    person = AuthorFactory.create(username="ada")
    EmailAddress.objects.create(user=person, email="ada@example.com", verified=True, primary=True)
    set_preference(person, "trial", web=True, mail=True)
    notify([person.pk], NoticeContent(kind="trial", key="1", pattern="Done.", link="/", words={}), timezone.now())
    assert send_due(timezone.now() + timedelta(hours=1)) == 1
    assert mail.outbox[-1].subject.startswith("Ludus & Co: ")
    assert mail.outbox[-1].from_email == '"Ludus" <arena@localhost>'


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_staff_can_change_the_brand_of_the_site_and_every_change_is_stored_in_the_staff_log(by_staff: None) -> None:
    client, stella = Client(), AuthorFactory.create(username="stella", is_staff=True)
    client.force_login(stella)
    logo = SimpleUploadedFile("logo.png", draw_logo("red"), "image/png")
    added = client.post("/staff/branding/brand/add/", FORM | NEW | {"new_logo": logo})
    assert added.status_code == 302, added.content.decode()
    page = client.get("/").content.decode()
    assert "Ludus &amp; Co" in page
    assert f"/brand/{read_brand().logo_digest}.png" in page
    where = f"/staff/branding/brand/{Brand.objects.get().pk}/"
    assert client.post(f"{where}change/", FORM | {"name": "Agora", "remove_logo": "on"}).status_code == 302
    assert (read_brand().name, read_brand().logo, read_brand().colours) == ("Agora", b"", USUAL_COLOURS)
    assert client.get("/staff/branding/brand/add/").status_code == 403
    assert client.post(f"{where}delete/", {"post": "yes"}).status_code == 302
    assert read_brand().name == "The Court"
    assert [(act.name, act.what, act.why) for act in StaffAct.objects.order_by("pk")] == [
        ("stella", "brand", "a new name"),
        ("stella", "brand", "a new name"),
        ("stella", "unbrand", "the settings are enough"),
    ]


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("page_day", "#808080", "Text is hard to read on #808080 by day: choose a lighter colour."),
        ("page_night", "#777777", "Text is hard to read on #777777 by night: choose a darker colour."),
        ("accent_day", "gold", "Write a colour as #rrggbb, like #b8862b."),
        ("imprint", "javascript:alert(1)", "Enter a valid URL."),
        ("why", "", "This field is required."),
        ("new_logo", SimpleUploadedFile("x.svg", b"<svg/>", "image/svg+xml"), "no PNG, JPEG or WebP picture"),
    ],
)
def test_a_brand_that_would_be_unreadable_or_unsafe_is_refused_with_the_remedy(
    field: str, value: object, reason: str, by_staff: None
) -> None:
    client = Client()
    client.force_login(AuthorFactory.create(username="stella", is_staff=True))
    answer = client.post("/staff/branding/brand/add/", FORM | {"name": "Agora", field: value})
    assert reason in answer.content.decode()
    assert not Brand.objects.exists()


@pytest.mark.django_db
def test_a_site_whose_database_is_unreachable_keeps_its_cached_brand(by_staff: None) -> None:
    Brand.objects.create(name="Agora")
    assert read_brand().name == "Agora"
    with override_settings(BRAND_SECONDS=1e-9), connection.execute_wrapper(_refuse):
        assert read_brand().name == "Agora"
        forget_brand()
        assert read_brand().name == "The Court"


def _refuse(*_: object) -> None:
    raise OperationalError("the connection is lost")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variable", "value", "reason"),
    [
        ("FTK_BRAND_ACCENT", "gold", "must be two colours, by day and by night, like '#b8862b #dcb25a', not 'gold'"),
        ("FTK_BRAND_LOGO", "nowhere.png", "nowhere.png cannot be read: No such file or directory"),
        ("FTK_BRAND_LOGO", "pyproject.toml", "the file is no PNG, JPEG or WebP picture; export it as one of these"),
        ("FTK_BRAND_PAGE", "#444444 #000000", "text is hard to read on #444444 by day"),
    ],
)
def test_the_django_system_check_reports_an_invalid_brand_setting(variable: str, value: str, reason: str) -> None:
    checked = subprocess.run(
        [sys.executable, "manage.py", "check"],
        env={**os.environ, variable: value},
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode != 0
    assert reason in checked.stderr
