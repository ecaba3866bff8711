"""Languages of an arena: workers report them, and the page, the API and `ftk check` show them."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client, override_settings
from django.utils import timezone
from typer.testing import CliRunner

from bots import services, worker_sandbox_report_queries
from bots.jobs import trial_match_queue
from bots.models import BotVersion
from bots.models.worker_reports_and_usage import WorkerSandboxReport
from bots.versions.bot_opponents_for_humans import OpponentUnavailable, get_built_in_opponent
from bots.worker_sandbox_report_queries import ENGINE, LIBRARIES
from ftk_core.kit.cli import app
from ftk_core.kit.uploads.programming_languages import LANGUAGES
from tests.support.factories import AuthorFactory
from tests.support.machine import has_programs
from tests.support.uploads import create_api_client, upload

pytestmark = pytest.mark.django_db


def in_go() -> bytes:
    """Return an upload in Go."""
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive:
        archive.writestr("bot.toml", 'command = "go main.go"')
        archive.writestr("main.go", "package main\nfunc main() {}\n")
    return body.getvalue()


def create_report(name: str, **languages: str) -> WorkerSandboxReport:
    return WorkerSandboxReport.objects.create(worker=name, tier="bwrap", held=True, languages=languages)


def language_of(name: str) -> dict[str, Any]:
    rows = Client().get("/api/v1/languages/").json()["languages"]
    return next(row for row in rows if row["name"] == name)


@pytest.mark.slow
def test_a_worker_reports_its_programming_languages_when_it_tests_its_sandbox() -> None:
    services.probe_worker_sandbox("matches@here").save()
    languages = WorkerSandboxReport.objects.get(worker="matches@here").languages
    assert languages["python"].startswith("Python 3")
    assert set(languages) <= {*LANGUAGES, ENGINE, LIBRARIES}
    if has_programs("bwrap", "cc"):
        assert "cc" in languages["c"]


def test_the_server_lists_the_programming_languages_and_compilers_of_its_workers() -> None:
    create_report("one", python="Python 3.11.2", go="go version go1.19.8")
    create_report("two", python="Python 3.13.1")
    assert (language_of("go")["workers"], language_of("go")["versions"]) == (1, ["go version go1.19.8"])
    assert language_of("python")["versions"] == ["Python 3.11.2", "Python 3.13.1"]
    assert (language_of("rust")["workers"], language_of("rust")["command"]) == (0, "rust main.rs")
    page = Client().get("/write-a-bot/").content.decode()
    assert "go version go1.19.8" in page
    assert page.count("not on any worker now") == len(LANGUAGES) - 3
    assert "not allowed here" in page


def test_the_page_about_writing_a_bot_shows_how_many_workers_offer_the_game_engine_to_bots() -> None:
    create_report("one", python="Python 3.11.2")
    assert "No worker of this arena offers it now." in Client().get("/write-a-bot/").content.decode()
    create_report("two", python="Python 3.11.2", **{ENGINE: "0123"})
    assert "1 of 2 workers of this arena offer it." in Client().get("/write-a-bot/").content.decode()
    WorkerSandboxReport.objects.filter(worker="one").delete()
    assert "All workers of this arena offer it." in Client().get("/write-a-bot/").content.decode()
    assert language_of("python")["workers"] == 1


def test_the_page_about_writing_a_bot_lists_the_libraries_that_python_bots_may_import_on_all_workers() -> None:
    assert "Bots in Python have the standard library and no other." in Client().get("/write-a-bot/").content.decode()
    create_report("one", **{LIBRARIES: "numpy 2.4.6, scipy 1.16.0"})
    create_report("two", **{LIBRARIES: "numpy 2.4.6"})
    assert "Bots in Python may also import numpy 2.4.6." in Client().get("/write-a-bot/").content.decode()


@pytest.mark.slow
def test_a_worker_reports_the_python_libraries_that_its_operator_installed_for_bots(tmp_path: Path) -> None:
    metadata = tmp_path / "numpy-2.4.6.dist-info" / "METADATA"
    metadata.parent.mkdir()
    metadata.write_text("Metadata-Version: 2.1\nName: numpy\nVersion: 2.4.6\n")
    with override_settings(BOT_WHEELS=str(tmp_path)):
        services.probe_worker_sandbox("matches@here").save()
    assert WorkerSandboxReport.objects.get(worker="matches@here").languages[LIBRARIES] == "numpy 2.4.6"


def test_languages_of_a_worker_without_a_working_sandbox_are_not_available() -> None:
    WorkerSandboxReport.objects.create(worker="one", tier="bwrap", held=False, languages={"go": "go"})
    assert language_of("go")["workers"] == 0


def test_a_built_in_opponent_is_refused_with_the_reason_while_no_worker_offers_its_language() -> None:
    create_report("one", c="cc 12")
    with pytest.raises(OpponentUnavailable, match="no worker of this arena runs hold20 at present"):
        get_built_in_opponent("pig", "hold20")
    create_report("two", python="Python 3.11.2")
    version = get_built_in_opponent("pig", "hold20")
    version.refresh_from_db()
    assert version.status == BotVersion.Status.ACTIVE


def test_a_banned_built_in_opponent_is_refused_with_the_reason_of_the_ban() -> None:
    create_report("one", python="Python 3.11.2")
    bot = get_built_in_opponent("pig", "hold20").bot
    bot.banned = "it is mended"
    bot.save()
    with pytest.raises(OpponentUnavailable, match="it is mended"):
        get_built_in_opponent("pig", "hold20")


def test_an_upload_in_an_unavailable_programming_language_is_refused_with_the_available_languages() -> None:
    create_report("one", python="Python 3.11.2", c="cc 12")
    answer = upload(create_api_client(AuthorFactory.create()), in_go(), "bot.zip")
    assert (answer.status_code, answer.data["code"]) == (400, "wrong_language")
    assert (
        "no worker of this arena can build Go: write the bot in python, c, or ask the organiser"
        in answer.data["detail"]
    )
    assert not BotVersion.objects.exists(), "nothing is half stored"


def test_an_upload_is_accepted_before_any_worker_has_reported_its_languages() -> None:
    create_report("of before")
    answer = upload(create_api_client(AuthorFactory.create()), in_go(), "bot.zip")
    assert answer.status_code == 201, answer.data
    assert trial_match_queue.claim_next(["python", "c"]) is None, "it is left to another worker"
    assert trial_match_queue.claim_next(["python", "go"]) == answer.data["id"]


def test_a_trial_in_a_language_that_no_worker_has_had_for_long_is_refused(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    monkeypatch.setattr(worker_sandbox_report_queries, "_STARTED", float("-inf"))
    upload(create_api_client(AuthorFactory.create()), in_go(), "bot.zip")
    version = BotVersion.objects.get()
    waited = timedelta(seconds=settings.LACK_SECONDS + 1)
    BotVersion.objects.update(uploaded_at=timezone.now() - waited)
    assert trial_match_queue.refuse_unsupported_versions() == 0, "no worker has reported its languages yet"
    create_report("one", python="3.11")
    with_go = create_report("two", go="1.19")
    WorkerSandboxReport.objects.filter(pk=with_go.pk).update(tried_at=timezone.now() - waited)
    assert trial_match_queue.refuse_unsupported_versions() == 0, "a worker had it, and may come back"
    with_go.delete()
    assert trial_match_queue.refuse_unsupported_versions() == 1
    version.refresh_from_db()
    assert (version.status, version.reason[:43]) == ("refused", "no worker of this arena can build Go: write")


@pytest.mark.parametrize("document", [False, True], ids=["text", "json"])
def test_ftk_check_refuses_a_bot_in_a_language_that_no_worker_of_the_server_builds(
    document: bool, live_server: Any
) -> None:
    arguments = ["check", "pig", "random", "--sandbox", "none", "--server", live_server.url]
    arguments += ["--json"] if document else []
    assert CliRunner().invoke(app, arguments).exit_code == 0, "no worker has reported its languages yet"
    create_report("one", go="go version go1.19.8")
    run = CliRunner().invoke(app, arguments)
    assert run.exit_code == 1
    reason = f"no worker of {live_server.url} builds Python: write the bot in go, or ask the organiser for Python"
    if document:
        report = json.loads(run.stdout)
        assert (report["passed"], report["reason"]) == (False, reason)
    else:
        assert f"random would be refused: {reason}" in " ".join(run.output.split())


def test_ftk_check_lists_the_programming_languages_of_this_machine_and_of_the_server(live_server: Any) -> None:
    create_report("one", python="Python 3.11.2", go="go version go1.19.8")
    arguments = ["check", "pig", "random", "--sandbox", "none", "--server", live_server.url]
    run = CliRunner().invoke(app, arguments)
    output = run.output
    assert run.stdout.startswith("no sandbox")
    assert "this machine builds and plays python" in output
    assert f"{live_server.url} builds and plays python, go\n" in output
    unreachable = CliRunner().invoke(app, [*arguments[:-1], "http://127.0.0.1:9"])
    assert unreachable.exit_code == 0, "the bot is what is checked"
    assert "what http://127.0.0.1:9 can build is not known: no arena answers" in unreachable.output
