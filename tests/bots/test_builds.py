"""Builds of bots: stored once for all machines, counted towards the author's quota, and fetched by hash."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bots import bot_folder_cache, services
from bots.models import BotPackage, BotPackageFile, BotVersion
from bots.models.compiled_bot_programs import CompiledBotProgram
from bots.sandbox import out_of_memory_detection, sandboxed_compilation
from bots.sandbox.bot_folder_layout import create_bot_folder
from bots.sandbox.language_runtimes import SandboxUnavailable
from ftk_core.hash_chained_log import lines_of
from ftk_core.kit.bot_sandboxing import BotBuildError
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError
from ftk_core.log_entries import ChoiceMade, read
from replays.event_stream_storage import EventAppender
from replays.models import Match
from replays.playing import match_players
from replays.playing.match_runner import play_match
from tests.support.factories import AuthorFactory, create_active_version, create_waiting_match
from tests.support.hostile.packing import Entry, archive
from tests.support.injected_failures import always_raise, simulate_two_machines
from tests.support.machine import has_programs
from tests.support.sandbox.languages import BOT_SOURCES

pytestmark = pytest.mark.django_db(transaction=True)
needs_compiler = pytest.mark.skipif(
    not has_programs("bwrap", "cc"), reason="there is no compiler, or nothing to contain it"
)


@pytest.fixture
def machines(settings: Any, tmp_path: Path) -> Callable[[], None]:
    return simulate_two_machines(settings, tmp_path)


def bot_in_c() -> BotVersion:
    """Return an upload in C, on trial."""
    body = archive(Entry("bot.toml", b'command = "c bot.c"'), Entry("bot.c", BOT_SOURCES["c"].encode()))
    return services.accept_upload(AuthorFactory.create(), "pig", "mine", "bot.zip", body)


@pytest.mark.slow
@needs_compiler
def test_another_worker_runs_the_stored_compiled_program_of_a_bot_but_refuses_a_damaged_program(
    machines: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    version = bot_in_c()
    assert services.run_trial(version.pk).status == BotVersion.Status.ACTIVE
    stored = CompiledBotProgram.objects.get(package=version.package)
    assert stored.digest == hashlib.sha256(bytes(stored.body)).hexdigest()
    machines()
    monkeypatch.setattr(bot_folder_cache, "build_program", always_raise(BotBuildError("the time has passed")))
    folder = bot_folder_cache.bot_folder(version.package)
    assert (folder / "bot.out").read_bytes() == bytes(stored.body)
    match = create_waiting_match([version, create_active_version()])
    assert play_match(match.pk)
    assert [seat.excuses for seat in match.seats.all()] == [0, 0]
    CompiledBotProgram.objects.update(body=b"\x7fELF otherwise")
    machines()
    monkeypatch.setattr(bot_folder_cache.settings, "BOTS_FOLDER", folder.parent.parent / "three")
    with pytest.raises(SandboxUnavailable, match="is damaged"):
        bot_folder_cache.bot_folder(version.package)


def empty_files(folder: Path) -> None:
    """Empty all files of a bot's folder, as a power cut can, and let this process check folders again."""
    for path in folder.iterdir():
        path.chmod(0o644)
        path.write_bytes(b"")
    bot_folder_cache._remove_if_incomplete.cache_clear()


@pytest.mark.slow
@needs_compiler
def test_a_bot_folder_with_files_emptied_by_a_power_cut_is_created_anew(
    machines: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    machines()
    version = bot_in_c()
    folder = bot_folder_cache.bot_folder(version.package)
    contents = {path.name: path.read_bytes() for path in folder.iterdir()}
    monkeypatch.setattr(bot_folder_cache, "build_program", always_raise(BotBuildError("it is stored")))
    empty_files(folder)
    assert bot_folder_cache.bot_folder(version.package) == folder
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == contents
    assert [path.name for path in folder.parent.iterdir()] == [folder.name], "no draft and no removed folder is left"


def test_a_bot_folder_is_flushed_to_disk_before_it_is_renamed_to_its_final_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    steps, fsync, rename = list[str](), os.fsync, os.rename

    def note_fsync(descriptor: int) -> None:
        steps.append(Path(os.readlink(f"/proc/self/fd/{descriptor}")).name.partition("-")[0])
        fsync(descriptor)

    def note_rename(source: Path, target: Path) -> None:
        steps.append("rename")
        rename(source, target)

    monkeypatch.setattr(os, "fsync", note_fsync)
    monkeypatch.setattr(os, "rename", note_rename)
    files = [("bot.py", b"x = 1"), ("rules/pig.py", b"y = 2")]
    create_bot_folder(tmp_path / "bots" / "x", ("python", "bot.py"), lambda: files)
    *flushed, renamed, parent = steps
    assert sorted(flushed) == [".draft", "bot.py", "pig.py", "rules"]
    assert (renamed, parent) == ("rename", "bots")


def attempt_trial() -> tuple[str, int]:
    """Run the next trial. Return status and attempts of the only version."""
    assert services.run_next_trial()
    version = BotVersion.objects.get()
    return version.status, version.attempts


@pytest.mark.slow
@needs_compiler
@pytest.mark.usefixtures("machines")
def test_a_trial_is_repeated_if_the_sandbox_of_its_compilation_cannot_be_created(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bot_in_c()
    monkeypatch.setattr(sandboxed_compilation, "NULL_DEVICE", ("--ro-bind", "/missing", "/missing"))
    assert attempt_trial() == (BotVersion.Status.TRIAL, 1)
    monkeypatch.undo()
    assert services.run_trial(BotVersion.objects.get().pk).status == BotVersion.Status.ACTIVE


@pytest.mark.slow
@needs_compiler
@pytest.mark.usefixtures("machines")
def test_a_trial_is_repeated_if_the_machine_had_no_memory_left_for_the_compilation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    version, kills = bot_in_c(), iter(range(9))
    BotPackageFile.objects.filter(package=version.package, path="bot.c").update(body=b"nonsense")
    with monkeypatch.context() as patch:
        patch.setattr(out_of_memory_detection, "read_count", lambda *_: next(kills))
        assert attempt_trial() == (BotVersion.Status.TRIAL, 1)
    assert services.run_trial(version.pk).status == BotVersion.Status.REFUSED


@pytest.mark.slow
@needs_compiler
@pytest.mark.usefixtures("machines")
def test_compiled_programs_count_towards_the_storage_quota_of_their_author(settings: Any) -> None:
    version = bot_in_c()
    services.run_trial(version.pk)
    size = version.package.size + CompiledBotProgram.objects.get().size
    owner = version.bot.owner
    settings.UPLOAD_ROOM = {**settings.UPLOAD_ROOM, "stored_each": size}
    with pytest.raises(InvalidUploadError, match=f"your bots hold {size} bytes"):
        services.accept_upload(owner, "pig", "second", "bot.py", b"x = 1\n")
    settings.UPLOAD_ROOM = {**settings.UPLOAD_ROOM, "stored_each": size + 1}
    services.accept_upload(owner, "pig", "second", "bot.py", b"x = 1\n")


@needs_compiler
@pytest.mark.parametrize("name", ["bot.out/a.txt", "bot.log/a.txt"])
@pytest.mark.usefixtures("machines")
def test_a_bot_with_a_folder_named_like_an_output_file_of_the_compiler_fails_its_trial(name: str) -> None:
    version = bot_in_c()
    BotPackageFile.objects.create(package=version.package, path=name, body=b"x")
    version = services.run_trial(version.pk)
    assert (version.status, version.reason) == (BotVersion.Status.REFUSED, "it does not compile")
    assert name.partition("/")[0] in version.trial_log


@pytest.mark.slow
def test_a_bot_that_no_longer_compiles_loses_its_match_and_its_author_sees_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unbuilt, other = create_active_version("# another\nimport ftk_core"), create_active_version()
    real = bot_folder_cache.bot_folder

    def folder_of(package: BotPackage) -> Path:
        if package == unbuilt.package:
            raise BotBuildError("bot.c:3: error: static assertion failed")
        return real(package)

    monkeypatch.setattr(match_players, "bot_folder", folder_of)
    match = create_waiting_match([unbuilt, other])
    assert play_match(match.pk)
    loser, winner = match.seats.order_by("seat")
    assert (loser.place, winner.place, winner.excuses) == (2, 1, 0)
    assert "static assertion failed" in loser.stderr
    choices = [
        entry for line in lines_of(EventAppender(match.stream_id)) if isinstance(entry := read(line), ChoiceMade)
    ]
    assert {entry.excuse for entry in choices if entry.seat == 0} == {"crash"}
    assert Match.objects.get(pk=match.pk).attempts == 1
