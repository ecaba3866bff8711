"""The same verdict about a bot from the kit alone, from the kit with the arena's sandbox, and from the arena."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bots import services
from ftk_core.kit.bot_sandboxing import AUTO, HOOKS
from ftk_core.kit.pre_upload_bot_check import check_bot
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError
from tests.support.factories import AuthorFactory
from tests.support.lengths import short_or_long
from tests.support.machine import working_backends
from tests.support.sandbox.verdict_bots import UPLOADS, UPLOADS_OF_SLOW_BOTS

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

FEW = (
    "plays", "imports msgspec", "imports the rules", "starts a thread", "writes a file", "opens a socket",
    "does not compile", "names a shell", "answers beside the menu", "speaks after its answer", "answers twice",
    "raises two errors in a group",
)  # fmt: skip
PLACE = re.compile(r"place \d of \d")
Verdict = tuple[bool, str, str]
"""True if passed, the reason, and the report before the bot's own output."""


def report_before_output(log: str) -> str:
    return PLACE.sub("", log.partition("\nstderr:\n")[0])


def check(path: Path, cage: str) -> Verdict:
    try:
        trial = check_bot("pig", str(path), 0, cage).trial
    except InvalidUploadError as error:
        return False, str(error), ""
    return trial.passed, trial.reason, report_before_output(trial.log)


def upload(path: Path) -> Verdict:
    try:
        version = services.accept_upload(AuthorFactory.create(), "pig", "ada", path.name, path.read_bytes())
    except InvalidUploadError as error:
        return False, str(error), ""
    tried = services.run_trial(version.pk)
    return tried.status == tried.Status.ACTIVE, tried.reason, report_before_output(tried.trial_log)


@pytest.mark.parametrize("name", short_or_long(FEW, (*UPLOADS, *UPLOADS_OF_SLOW_BOTS)))
def test_ftk_check_with_or_without_sandbox_gives_a_bot_the_same_verdict_as_an_upload(name: str, tmp_path: Path) -> None:
    file, body = (UPLOADS | UPLOADS_OF_SLOW_BOTS)[name]
    (tmp_path / file).write_bytes(body)
    verdict = check(tmp_path / file, HOOKS)
    assert check(tmp_path / file, AUTO) == verdict
    assert upload(tmp_path / file) == verdict
    assert verdict[0] or verdict[1]


@pytest.mark.parametrize("cage", [*working_backends(), HOOKS])
def test_a_crash_report_contains_only_the_stack_frames_of_the_bots_own_code(cage: str, tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_bytes(UPLOADS["raises an error from another"][1])
    lines = check_bot("pig", str(path), 0, cage).trial.log.splitlines()
    frames = [line.rpartition("/")[2] for line in lines if line.startswith("  File ")]
    assert frames == ['bot.py", line 1, in <module>', 'bot.py", line 2, in <module>']
