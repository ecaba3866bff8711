"""The web manifest and the service worker: complete, public, and allowed by the Content-Security-Policy."""

from __future__ import annotations

from http import HTTPStatus

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.utils import timezone
from PIL import Image

from replays.models import Match
from tests.support.factories import AuthorFactory, create_active_version, create_waiting_match

pytestmark = pytest.mark.django_db


def test_the_web_manifest_names_the_site_and_icons_of_the_declared_sizes(client: Client) -> None:
    page = client.get("/leagues/")
    assert '<link rel="manifest" href="/manifest.webmanifest">' in page.content.decode()
    assert "manifest-src 'self'" in page["Content-Security-Policy"]
    answer = client.get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    manifest = answer.json()
    assert (manifest["name"], manifest["start_url"], manifest["scope"]) == ("The Court", "/", "/")
    sizes = set()
    for icon in manifest["icons"]:
        file = finders.find(icon["src"].removeprefix("/static/"))
        assert isinstance(file, str), icon
        if icon["type"] == "image/png":
            with Image.open(file) as image:
                assert (image.format, f"{image.width}x{image.height}") == ("PNG", icon["sizes"])
            sizes.add((icon["sizes"], icon["purpose"]))
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= sizes


def test_the_service_worker_imports_no_other_script_and_browsers_must_revalidate_it(client: Client) -> None:
    answer = client.get("/service-worker.js")
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer["Cache-Control"] == "no-cache"
    assert "connect-src 'self'" in answer["Content-Security-Policy"]
    script = answer.content.decode()
    assert "court-replays-1" in script
    assert "import" not in script


@pytest.mark.parametrize(
    ("columns", "stored"),
    [
        ({"status": "closed"}, True),
        ({"status": "closed", "released": False}, False),
        ({"status": "playing", "closed_at": None}, False),
        ({"status": "void"}, False),
    ],
)
def test_only_the_page_of_a_finished_match_whose_replay_is_public_is_stored_for_offline_use(
    client: Client, columns: dict[str, object], stored: bool
) -> None:
    version = create_active_version(slug="ada")
    match = create_waiting_match([version, version])
    Match.objects.filter(pk=match.pk).update(**{"closed_at": timezone.now()} | columns)
    staff = AuthorFactory.create(username="staff", is_staff=True)
    client.force_login(staff)  # staff also see unreleased matches
    page = client.get(f"/matches/{match.pk}/")
    assert page.status_code == HTTPStatus.OK
    assert (" offline>" in page.content.decode() or " offline " in page.content.decode()) is stored


def test_pages_other_than_match_pages_do_not_start_the_service_worker(client: Client) -> None:
    for path in ("/", "/leagues/", "/watch/", "/bots/", "/write-a-bot/"):
        page = client.get(path).content.decode()
        assert " offline" not in page, path
        assert "service-worker" not in page, path
