"""A program is built once for all machines, counts for its author, and is missing to nobody but its bot."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bots import folders, services
from bots.build_models import Build
from bots.cage.runtime import CageUnavailable
from bots.models import BotVersion, Package, PackageFile
from ftk_core.entries import Chose, read
from ftk_core.kit.archive import BadUpload
from ftk_core.kit.holding import BuildFailed
from ftk_core.log import lines_of
from replays.models import Match
from replays.playing import seating
from replays.playing.runner import play_match
from replays.store import StreamLog
from tests.support.factories import AuthorFactory, active_version, waiting_match
from tests.support.failing import raising, two_machines
from tests.support.hostile.packing import Entry, archive
from tests.support.machine import have

pytestmark = pytest.mark.django_db(transaction=True)
needs_compiler = pytest.mark.skipif(not have("bwrap", "cc"), reason="there is no compiler, or nothing to contain it")
IN_C = rb"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    static char line[1 << 20];
    while (fgets(line, sizeof line, stdin)) {
        char *id = strstr(line, "\"id\":");
        if (id) { printf("{\"id\": %d, \"choose\": 0}\n", atoi(id + 5)); fflush(stdout); }
    }
}
"""


@pytest.fixture
def machines(settings: Any, tmp_path: Path) -> Callable[[], None]:
    return two_machines(settings, tmp_path)


def in_c() -> BotVersion:
    """Return an upload in C, on trial."""
    body = archive(Entry("bot.toml", b'command = "c bot.c"'), Entry("bot.c", IN_C))
    return services.take_in(AuthorFactory.create(), "pig", "mine", "bot.zip", body)


@needs_compiler
def test_a_program_is_built_once_and_every_other_machine_takes_it_by_its_hash(
    machines: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    version = in_c()
    assert services.try_out(version.pk).status == BotVersion.Status.ACTIVE
    stored = Build.objects.get(package=version.package)
    assert stored.digest == hashlib.sha256(bytes(stored.body)).hexdigest()
    machines()
    monkeypatch.setattr(folders, "build", raising(BuildFailed("the time has passed")))
    folder = folders.folder_of(version.package)
    assert (folder / "bot.out").read_bytes() == bytes(stored.body)
    match = waiting_match([version, active_version()])
    assert play_match(match.pk)
    assert [seat.excuses for seat in match.seats.all()] == [0, 0]
    Build.objects.update(body=b"\x7fELF otherwise")
    machines()
    monkeypatch.setattr(folders.settings, "BOTS_FOLDER", folder.parent.parent / "three")
    with pytest.raises(CageUnavailable, match="is damaged"):
        folders.folder_of(version.package)


@needs_compiler
@pytest.mark.usefixtures("machines")
def test_compiled_programs_count_against_the_disk_of_their_author(settings: Any) -> None:
    version = in_c()
    services.try_out(version.pk)
    size = version.package.size + Build.objects.get().size
    owner = version.bot.owner
    settings.UPLOAD_ROOM = {**settings.UPLOAD_ROOM, "stored_each": size}
    with pytest.raises(BadUpload, match=f"your bots hold {size} bytes"):
        services.take_in(owner, "pig", "second", "bot.py", b"x = 1\n")
    settings.UPLOAD_ROOM = {**settings.UPLOAD_ROOM, "stored_each": size + 1}
    services.take_in(owner, "pig", "second", "bot.py", b"x = 1\n")


@needs_compiler
@pytest.mark.parametrize("name", ["bot.out/a.txt", "bot.log/a.txt"])
@pytest.mark.usefixtures("machines")
def test_a_stored_bot_with_a_folder_of_a_reserved_name_is_refused_at_its_trial(name: str) -> None:
    version = in_c()
    PackageFile.objects.create(package=version.package, path=name, body=b"x")
    version = services.try_out(version.pk)
    assert (version.status, version.reason) == (BotVersion.Status.REFUSED, "it does not compile")
    assert name.partition("/")[0] in version.trial_log


def test_a_bot_that_cannot_be_built_any_more_loses_its_match_and_its_author_is_told_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unbuilt, other = active_version("# another\nimport ftk_core"), active_version()
    real = folders.folder_of

    def folder_of(package: Package) -> Path:
        if package == unbuilt.package:
            raise BuildFailed("bot.c:3: error: static assertion failed")
        return real(package)

    monkeypatch.setattr(seating, "folder_of", folder_of)
    match = waiting_match([unbuilt, other])
    assert play_match(match.pk)
    loser, winner = match.seats.order_by("seat")
    assert (loser.place, winner.place, winner.excuses) == (2, 1, 0)
    assert "static assertion failed" in loser.stderr
    choices = [entry for line in lines_of(StreamLog(match.stream_id)) if isinstance(entry := read(line), Chose)]
    assert {entry.excuse for entry in choices if entry.seat == 0} == {"crash"}
    assert Match.objects.get(pk=match.pk).attempts == 1
