"""Status and logs of an author's bots on a server, from the command line."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from bots.access.api_tokens import create_token
from bots.models import BotVersion
from ftk_core.kit.commands.bot_versions_and_logs import BotVersionsReport, BotVersionSummary
from ftk_core.kit.commands.doctor import DoctorReport, LocalMachineCheckResult
from ftk_core.kit.commands.upload_and_league_entry import UploadReport
from ftk_core.kit.pre_upload_bot_check import PreUploadCheckJsonReport
from replays.models import Match
from replays.playing.match_runner import play_match
from tests.support.factories import create_active_version, create_waiting_match
from tests.support.served import serve

FTK = str(Path(sys.executable).with_name("ftk"))
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def address() -> Iterator[str]:
    with serve() as running:
        yield running.address


def ftk(*words: object, server: str) -> tuple[int, str]:
    # a separate process, because the server in this process logs to the same terminal
    done = subprocess.run(
        [FTK, *map(str, words), "--server", server], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        check=False, env={**os.environ, "COLUMNS": "200"},
    )  # fmt: skip
    return done.returncode, done.stdout


@pytest.mark.slow
def test_the_versions_of_a_bot_are_listed_newest_first_with_their_status(address: str) -> None:
    first = create_active_version(slug="ada")
    refused = BotVersion.Status.REFUSED
    BotVersion.objects.create(bot=first.bot, number=2, package=first.package, status=refused, reason="it crashed")
    code, said = ftk("versions", "ada", "--json", server=address)
    told = json.loads(said)
    assert (code, told["schema"], told["game"]) == (0, "ftk.versions/1", "pig")
    assert [(row["number"], row["status"], row["reason"]) for row in told["versions"]] == [
        (2, "refused", "it crashed"),
        (1, "active", ""),
    ]
    assert "it crashed" in ftk("versions", "ada", server=address)[1]
    assert ftk("versions", "nobody", server=address)[0] == 2


@pytest.mark.slow
def test_the_match_logs_of_a_bot_are_downloaded_once_and_can_be_rerun(address: str, tmp_path: Path) -> None:
    ada, bob = create_active_version(slug="ada"), create_active_version(slug="bob")
    played, kept, waiting = (create_waiting_match([ada, bob], str(number)) for number in range(3))
    assert play_match(played.pk)
    assert play_match(kept.pk)
    Match.objects.filter(pk=kept.pk).update(released=False)
    code, said = ftk("logs", "ada", "--to", tmp_path / "logs", server=address)
    assert (code, "1 logs fetched" in said, "of 3 matches" in said) == (0, True, True)
    assert f"{kept.pk}: closed, its log comes once it is over and released" in said
    assert f"{waiting.pk}: waiting" in said
    assert [file.name for file in (tmp_path / "logs").iterdir()] == [f"{played.pk}.jsonl"], "the trial is its author's"
    assert "0 logs fetched" in ftk("logs", "ada", "--to", tmp_path / "logs", server=address)[1]
    assert "1 logs fetched" in ftk("logs", "ada", "--to", tmp_path / "one", "-n", "2", server=address)[1]
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "bot.py").write_bytes(bytes(ada.package.files.get(path="bot.py").body))
    for source in (tmp_path / "logs" / f"{played.pk}.jsonl", played.pk):
        code, said = ftk("rerun", source, "--bot", tmp_path / "ada", server=address)
        assert (code, "seat 0, ada-1" in said, "answered as then" in said) == (0, True, True)
    code, said = ftk("rerun", kept.pk, "--bot", tmp_path / "ada", server=address)
    assert (code, len(said.splitlines())) == (2, 1)


@pytest.mark.slow
def test_the_ftk_logs_command_downloads_the_trial_report_of_the_newest_version_of_a_bot(
    address: str, tmp_path: Path
) -> None:
    version = create_active_version(slug="ada")
    BotVersion.objects.filter(pk=version.pk).update(trial_log="played to the end, place 1 of 2")
    BotVersion.objects.create(
        bot=version.bot, number=2, package=version.package, status=BotVersion.Status.REFUSED, trial_log="it crashed"
    )
    token = create_token(version.bot.owner, "laptop", ("read",))
    code, said = ftk("logs", "ada", "--to", tmp_path, "--token", token, server=address)
    assert (code, f"the trial of its newest version: {tmp_path}/trial-2.txt" in said) == (0, True), said
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {"trial-2.txt": "it crashed\n"}


@pytest.mark.slow
def test_ftk_doctor_passes_on_this_machine_and_lists_the_checks_it_skipped(address: str) -> None:
    code, said = ftk("doctor", "--json", server=address)
    found = {row["what"]: row for row in json.loads(said)["findings"]}
    assert code == 0
    assert found.pop("native rules")["state"] in ("ok", "less"), "less without a C++ compiler"
    assert {what for what, row in found.items() if row["state"] == "ok"} == {
        "kit",
        "a match",
        "sandbox",
        "ratings",
        "cache",
    }
    assert (found["arena"]["state"], found["arena"]["remedy"]) == ("less", f"ftk login {address}")


@pytest.mark.slow
def test_ftk_doctor_fails_if_the_cache_folder_is_not_writable(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    code, said = ftk("doctor", server=address)
    assert (code, "XDG_CACHE_HOME" in said) == (1, True)


@pytest.mark.parametrize(
    "report",
    [
        PreUploadCheckJsonReport,
        UploadReport,
        BotVersionsReport,
        BotVersionSummary,
        DoctorReport,
        LocalMachineCheckResult,
    ],
    ids=lambda kind: kind.__name__,
)
def test_every_field_in_the_json_reports_of_ftk_commands_about_own_bots_is_documented(
    report: type[msgspec.Struct],
) -> None:
    page = Path("docs/local-arena.md").read_text()
    schema = next((field.default for field in msgspec.structs.fields(report) if field.name == "schema"), "ftk.")
    (told,) = re.findall(rf"`{re.escape(schema)}.*?\)", page, re.DOTALL)[:1]
    fields = [field.name for field in msgspec.structs.fields(report) if field.name != "schema"]
    assert [field for field in fields if f"`{field}`" not in (told if schema != "ftk." else page)] == []


@pytest.mark.slow
def test_shell_completion_completes_the_names_of_ftk_commands() -> None:
    env = {**os.environ, "_FTK_COMPLETE": "complete_bash", "COMP_WORDS": "ftk ver", "COMP_CWORD": "1"}
    done = subprocess.run([FTK], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["verify", "versions"]
