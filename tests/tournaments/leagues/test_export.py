"""Export of a finished league: verification detects every change in the file."""

from __future__ import annotations

import io
import os
import subprocess
from pathlib import Path
from random import Random

import pytest
from asgiref.sync import sync_to_async
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import AsyncClient, Client
from pytest_django import DjangoDbBlocker
from typer.testing import CliRunner

from ftk_core.kit.cli import app
from ftk_core.kit.verify import public_keys
from ftk_core.kit.verify.league_export_verification import ExportVerificationReport, verify_export
from ftk_core.tar_files import pack, unpack
from tests.support.database_cleanup import delete_all_rows
from tests.support.leagues import create_entrants, play_all, start_league
from tests.support.mutations import mutate_export, replace_and_rehash
from tournaments.leagues import finished_league_export

MUTATIONS = int(os.environ.get("FTK_TEST_MUTATIONS", "200"))

Files = dict[str, bytes]
in_the_database = pytest.mark.django_db(transaction=True)


def exported(folder: Path) -> bytes:
    """Play a league of four bots and two rounds, and return its export."""
    play_all(start_league(create_entrants()))
    finished_league_export.export_league("night", folder / "night.tar")
    return (folder / "night.tar").read_bytes()


@pytest.fixture(scope="module")
def whole(django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The export of a league; it is played once per test session and removed from the database."""
    with django_db_blocker.unblock():
        export = exported(tmp_path_factory.mktemp("export"))
        delete_all_rows()
    return export


@pytest.fixture
def tar(whole: bytes, tmp_path: Path) -> Path:
    target = tmp_path / "night.tar"
    target.write_bytes(whole)
    return target


@pytest.fixture
def files(whole: bytes) -> Files:
    return dict(unpack(io.BytesIO(whole)))


def write(folder: Path, files: Files) -> Path:
    for name, body in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(body)
    return folder


def report_on(folder: Path, files: Files) -> ExportVerificationReport:
    target = folder / "forged.tar"
    target.write_bytes(b"".join(pack(files.items())))
    return verify_export(target)


def said(report: ExportVerificationReport) -> str:
    return "\n".join(map(str, report.flaws))


@pytest.mark.slow
def test_an_unchanged_league_export_passes_verification_as_tar_file_and_as_folder(
    tar: Path, files: Files, tmp_path: Path
) -> None:
    (tmp_path / "night").mkdir()
    subprocess.run(["tar", "-xf", tar, "-C", tmp_path / "night"], check=True)
    for path in (tar, tmp_path / "night"):
        answer = CliRunner().invoke(app, ["verify", str(path)])
        assert answer.exit_code == 0, answer.output
        assert "ok: night, a league of pig: 4 bots, 2 rounds, 4 matches" in answer.output
        assert "note" not in answer.output
    assert list(files)[:5] == ["README.txt", "key.pem", "tournament.jsonl", "results.json", "roots.json"]
    assert len(files) == 5 + 4


@pytest.mark.slow
def test_every_manipulated_file_of_a_league_export_is_detected_and_named(
    tar: Path, files: Files, tmp_path: Path
) -> None:
    draw = Random(1)
    for number in range(MUTATIONS):
        what, where, forged = mutate_export(draw, files)
        report = report_on(tmp_path, forged)
        assert report.flaws, f"{number}: {what} of {where} went unnoticed"
        assert {flaw.file for flaw in report.flaws} & where, f"{number}: {what} of {where} was called {said(report)}"
    assert not verify_export(tar).flaws


@pytest.mark.slow
def test_every_changed_byte_of_an_exported_tar_file_is_detected(whole: bytes, tmp_path: Path) -> None:
    draw, target = Random(2), tmp_path / "forged.tar"
    for _ in range(MUTATIONS):
        at = draw.randrange(1, len(whole))
        forged = [
            whole[:at] + bytes([whole[at] ^ draw.randrange(1, 256)]) + whole[at + 1 :],
            whole[:at],
            whole + whole[:at],
        ]
        target.write_bytes(draw.choice(forged))
        assert verify_export(target).flaws, f"byte {at} went unnoticed"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("matches", b'"move_ms":1000', b'"move_ms":1001', "its clock is"),
        ("matches", b'"version":1', b'"version":2', "cannot rerun it"),
        ("matches", b'"build":"', b'"build":"0', "signs root"),
        ("matches", b'"players":["b', b'"players":["c', "its players is"),
        ("matches", b'"charged_us":', b'"charged_us":1', "signs root"),
        ("tournament.jsonl", b'"name":"b1-1"', b'"name":"b7-1"', "signed after head"),
        ("tournament.jsonl", b'"season":"', b'"season":"x', "signed after head"),
        ("tournament.jsonl", b'"places":[', b'"places":[3,', "its places is"),
        ("tournament.jsonl", b'"scores":[', b'"excuses":[0,1],"scores":[', "its excuses is"),
        ("tournament.jsonl", b'"secret":"', b'"secret":"00', "reveals no secret of 64 digits"),
        ("tournament.jsonl", b'"round":2', b'"round":3', "not 1 to 2"),
        ("tournament.jsonl", b'"tables":[', b'"byes":[9],"tables":[', "no standings"),
    ],
)
def test_a_manipulated_match_log_with_a_recomputed_hash_chain_is_detected_in_a_league_export(
    files: Files, tmp_path: Path, file: str, old: bytes, new: bytes, expected: str
) -> None:
    name = next(name for name in files if name.startswith(file) and old in files[name])
    report = report_on(tmp_path, {**files, name: replace_and_rehash(files[name], old, new)})
    assert expected in said(report)


def test_an_invented_result_in_a_league_export_is_detected(files: Files, tmp_path: Path) -> None:
    name = next(name for name in files if name.startswith("matches/"))
    body = files[name]
    at = body.index(b'"face":')
    face = body[at + 7 : at + 8]
    report = report_on(tmp_path, {**files, name: replace_and_rehash(body, b'"face":' + face, b'"face":9')})
    assert name in {flaw.file for flaw in report.flaws}
    assert "where" in said(report)


def test_a_league_export_signed_with_another_key_is_detected(tar: Path, files: Files, tmp_path: Path) -> None:
    mine, other = tmp_path / "key.pem", tmp_path / "other.pem"
    mine.write_bytes(files["key.pem"])
    other.write_bytes(public_keys.public_pem("07" * 32))
    run = CliRunner()
    assert run.invoke(app, ["verify", str(tar), "--key", str(mine)]).exit_code == 0
    refused = run.invoke(app, ["verify", str(tar), "--key", str(other)])
    assert refused.exit_code == 1
    assert "not by the one given" in refused.output


def test_without_the_cryptography_package_the_verification_report_says_that_signatures_were_not_checked(
    tar: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("cryptography.exceptions", "cryptography.hazmat.primitives.asymmetric.ed25519"):
        monkeypatch.setitem(__import__("sys").modules, module, None)
    answer = CliRunner().invoke(app, ["verify", str(tar)])
    assert answer.exit_code == 3
    assert "NOT all checked: night, a league of" in answer.output
    assert "ok" not in answer.output
    assert "signatures were NOT checked" in answer.output
    assert "pip install cryptography" in answer.output


def test_a_league_export_without_match_logs_is_checked_and_the_report_says_that_they_are_missing(
    files: Files, tmp_path: Path
) -> None:
    folder, run = write(tmp_path / "night", files), CliRunner()
    answer = run.invoke(app, ["verify", str(folder / "tournament.jsonl")])
    assert answer.exit_code == 3
    assert "matches and standings were NOT checked" in answer.output
    spoilt = files["tournament.jsonl"].replace(b'"games":1', b'"games":2')
    (folder / "tournament.jsonl").write_bytes(spoilt)
    answer = run.invoke(app, ["verify", str(folder / "tournament.jsonl")])
    assert answer.exit_code == 1
    assert "tournament.jsonl: page 0 (from entry 0) does not match its hash" in answer.output


@pytest.mark.slow
@in_the_database
def test_the_page_of_a_finished_league_offers_the_export() -> None:
    play_all(start_league(create_entrants(2), rounds=1))
    assert b'href="/api/v1/leagues/night/export/"' in Client().get("/leagues/night/").content


@in_the_database
def test_a_running_league_cannot_be_exported(tmp_path: Path) -> None:
    start_league(create_entrants(2))
    with pytest.raises(CommandError, match="not over"):
        call_command("export", "night", to=tmp_path / "night.tar")
    with pytest.raises(CommandError, match="there is no league 'day'"):
        call_command("export", "day", to=tmp_path / "day.tar")
    with pytest.raises(CommandError, match="there is no league 'day'"):
        call_command("league", "start", "day")
    assert Client().get("/api/v1/leagues/night/export/").status_code == 404
    assert Client().get("/api/v1/leagues/day/export/").status_code == 404
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@in_the_database
async def test_the_streamed_download_of_a_league_equals_the_exported_file(tmp_path: Path) -> None:
    file = await sync_to_async(exported)(tmp_path)
    answer = await AsyncClient().get("/api/v1/leagues/night/export/")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/x-tar"
    pieces = [piece async for piece in answer.streaming_content]
    assert len(pieces) > 9
    assert b"".join(pieces) == file
