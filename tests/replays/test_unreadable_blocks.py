"""Matches whose block cannot be read: every page names the reason and lists the match."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.core.management import CommandError, call_command
from django.test import Client

from replays import tasks
from replays.archive.archive_errors import ArchiveUnavailable
from replays.archive.archived_log_reading import read_dictionary
from replays.live.websocket_urls import websocket_urlpatterns
from replays.match_archiving import archive_match
from replays.models import EventStreamPage as PageRow, Match
from replays.reports.match_audits import audit_matches
from tests.support.archived_matches import create_closed_matches, create_played_match, export_log, find_block_file
from tests.support.bucket import use_archive
from tests.support.reviewable import create_closed_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    """The folder of the archive."""
    with use_archive(str(tmp_path / "archive")):
        yield tmp_path / "archive"


def broken(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1] + b"\0")


def gone(file: Path) -> None:
    file.unlink()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "harm", "status", "code", "said"),
    [
        ("blocks", broken, 502, "broken_block", "not what its name says"),
        ("blocks", gone, 502, "missing_block", "it may have been deleted"),
        ("dictionaries", gone, 502, "missing_dictionary", "its dictionary [0-9a-f]{64} is missing"),
        ("dictionaries", broken, 502, "missing_dictionary", "put back a copy of it from a backup"),
        (".", shutil.rmtree, 503, "store_unreachable", "the store does not answer; what happened is in the log"),
    ],
)
def test_a_match_in_an_unreadable_archive_block_is_listed_with_the_reason(
    what: str, harm: Callable[[Path], object], status: int, code: str, said: str, folder: Path, client: Client
) -> None:
    match = create_closed_matches()[0]
    archive_match(match)
    read_dictionary.cache_clear()
    (file,) = [file for file in (folder / what).rglob("*") if file.is_file()] if what != "." else [folder]
    harm(file)
    with pytest.raises(
        ArchiveUnavailable, match=f"{match.stream_id} is in the archive and cannot be read now: .*{said}"
    ):
        export_log(match)
    answer = client.get(f"/api/v1/matches/{match.pk}/log/")
    assert (answer.status_code, answer.json()["code"], answer["Content-Type"]) == (
        status,
        code,
        "application/problem+json",
    )
    assert re.search(said, answer.json()["detail"])
    page = client.get(f"/matches/{match.pk}/")
    assert page.status_code == 200
    assert "is in the archive and cannot be read now" in page.content.decode()
    assert client.get(f"/matches/{match.pk}/picture.png?at=1").status_code == status
    assert match.pk in client.get("/search/?game=pig").content.decode()
    assert match.pk in client.get("/api/v1/matches/").content.decode()
    chinese = client.get(f"/api/v1/matches/{match.pk}/log/", headers={"accept-language": "zh-Hant"})
    assert re.search("[\u4e00-\u9fff]", chinese.json()["detail"])


async def watched(match: Match) -> dict[str, Any]:
    """Return the first message that answers a request to watch a match."""
    socket = WebsocketCommunicator(URLRouter(websocket_urlpatterns), f"/ws/match/{match.pk}/")
    assert (await socket.connect())[0]
    await socket.send_to(text_data=json.dumps({"type": "watch"}))
    message: dict[str, Any] = json.loads(await socket.receive_from(timeout=5))
    await socket.disconnect()
    return message


async def test_a_spectator_sees_an_archived_match_or_the_reason_why_it_is_unavailable(folder: Path) -> None:
    shown, lost = await sync_to_async(create_closed_matches)(count=2)
    for match in (shown, lost):
        await sync_to_async(archive_match)(match)
    await sync_to_async(lambda: gone(find_block_file(folder, lost)))()
    assert (await watched(shown))["type"] == "frames"
    refused = await watched(lost)
    assert (refused["type"], refused["code"]) == ("refused", "missing_block")
    assert refused["detail"].startswith(f"{lost.stream_id} is in the archive and cannot be read now")


@pytest.mark.slow
def test_an_audit_reports_a_damaged_archive_block_and_skips_an_unreachable_store(folder: Path) -> None:
    match = create_played_match()
    archive_match(match)
    folder.rename(away := folder.with_name("away"))
    with pytest.raises(CommandError, match="the store does not answer"):
        call_command("audit", jobs=1)
    assert not tasks.run_audit_job()
    away.rename(folder)
    broken(find_block_file(folder, match))
    ((difference,),) = [finding.differences for finding in audit_matches([match])]
    assert difference.startswith(f"match {match.pk}, {match.stream_id} is in the archive and cannot be read now")


def test_an_invalid_archive_address_is_refused_with_a_reason() -> None:
    create_closed_match()
    with (
        use_archive("ftp://court/old"),
        pytest.raises(CommandError, match="FTK_ARCHIVE_URL is a folder or s3://bucket/prefix, not ftp://court/old"),
    ):
        call_command("archive", "--older-than", "0d")
    assert PageRow.objects.exists()
