"""What commands print when the machine is too busy, or when the server refuses a bot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ftk_core.kit.cli import app
from ftk_core.kit.commands import server_requests
from ftk_core.kit.series import local_matches
from ftk_core.players import HostFaultError


def test_ftk_play_prints_one_line_if_the_machine_is_too_busy_to_measure_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise HostFaultError("it had no processor for 20 s")

    monkeypatch.setattr(local_matches, "play_one", fail)
    run = CliRunner().invoke(app, ["play", "pig", "random", "random", "--jobs", "1"])
    assert run.exit_code == 1
    assert "this machine is too busy to judge a bot, try again" in run.stderr
    assert run.stderr.count("Traceback") == 0


def test_the_json_output_of_an_upload_that_the_server_refuses_is_one_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = {"status": "refused", "number": 1, "digest": "0" * 64, "reason": "it crashed", "trial_log": "Traceback"}
    fields = dict.fromkeys(server_requests.VERDICT_FIELDS, "") | refused
    monkeypatch.setattr(server_requests, "upload_bot", lambda *_: fields | {"version": 1})
    (tmp_path / "bot.py").write_text("print()")
    words = [
        "upload",
        "pig",
        str(tmp_path / "bot.py"),
        "--bot",
        "ada",
        "--server",
        "http://127.0.0.1:9",
        "--token",
        "t" * 48,
    ]
    run = CliRunner().invoke(app, [*words, "--json"])
    assert run.exit_code == 1, run.stderr
    assert json.loads(run.stdout)["status"] == "refused"
    assert "Traceback" in CliRunner().invoke(app, words).stdout
