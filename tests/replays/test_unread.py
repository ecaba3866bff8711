"""A match whose block cannot be read: why is said by name, at every door, and the match is listed still."""

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
from replays.archiving import archive_match
from replays.blocks.reading import read_dictionary
from replays.blocks.unread import BlockUnread
from replays.live.routing import websocket_urlpatterns
from replays.models import Match
from replays.models import Page as PageRow
from replays.reports.audit import audit_matches
from tests.support.archived import file_of, log_of, played_match, some_matches
from tests.support.bucket import archive_at
from tests.support.reviewable import closed_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    """Where the archive is."""
    with archive_at(str(tmp_path / "archive")):
        yield tmp_path / "archive"


def broken(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1] + b"\0")


def gone(file: Path) -> None:
    file.unlink()


@pytest.mark.parametrize(
    ("what", "harm", "status", "code", "said"),
    [
        ("blocks", broken, 502, "broken_block", "not what its name says"),
        ("blocks", gone, 502, "missing_block", "was something deleted there"),
        ("dictionaries", gone, 502, "missing_dictionary", "its dictionary [0-9a-f]{64} is missing"),
        ("dictionaries", broken, 502, "missing_dictionary", "put back a copy of it from a backup"),
        (".", shutil.rmtree, 503, "store_unreachable", "the store does not answer; what happened is in the log"),
    ],
)
def test_why_a_match_cannot_be_read_is_told_by_name_and_it_is_listed_still(
    what: str, harm: Callable[[Path], object], status: int, code: str, said: str, folder: Path, client: Client
) -> None:
    match = some_matches()[0]
    archive_match(match)
    read_dictionary.cache_clear()
    (file,) = [file for file in (folder / what).rglob("*") if file.is_file()] if what != "." else [folder]
    harm(file)
    with pytest.raises(BlockUnread, match=f"{match.stream_id} is in the archive and cannot be read now: .*{said}"):
        log_of(match)
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
    """Return the first message that answers who wants to watch a match."""
    socket = WebsocketCommunicator(URLRouter(websocket_urlpatterns), f"/ws/match/{match.pk}/")
    assert (await socket.connect())[0]
    await socket.send_to(text_data=json.dumps({"type": "watch"}))
    message: dict[str, Any] = json.loads(await socket.receive_from(timeout=5))
    await socket.disconnect()
    return message


async def test_a_watcher_is_shown_an_archived_match_or_told_why_not(folder: Path) -> None:
    shown, lost = await sync_to_async(some_matches)(count=2)
    for match in (shown, lost):
        await sync_to_async(archive_match)(match)
    await sync_to_async(lambda: gone(file_of(folder, lost)))()
    assert (await watched(shown))["type"] == "frames"
    refused = await watched(lost)
    assert (refused["type"], refused["code"]) == ("refused", "missing_block")
    assert refused["detail"].startswith(f"{lost.stream_id} is in the archive and cannot be read now")


def test_an_audit_names_a_broken_block_and_waits_for_a_store_that_is_away(folder: Path) -> None:
    match = played_match()
    archive_match(match)
    folder.rename(away := folder.with_name("away"))
    with pytest.raises(CommandError, match="the store does not answer"):
        call_command("audit", jobs=1)
    assert not tasks.audit_some()
    away.rename(folder)
    broken(file_of(folder, match))
    ((difference,),) = [finding.differences for finding in audit_matches([match])]
    assert difference.startswith(f"match {match.pk}, {match.stream_id} is in the archive and cannot be read now")


def test_an_address_that_is_no_store_is_refused_in_a_sentence() -> None:
    closed_match()
    with (
        archive_at("ftp://court/old"),
        pytest.raises(CommandError, match="FTK_ARCHIVE_URL is a folder or s3://bucket/prefix, not ftp://court/old"),
    ):
        call_command("archive", "--older-than", "0d")
    assert PageRow.objects.exists()
