"""Uploads over the REST API: the answer to each upload, and the trial before a bot may play."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from bots import services
from bots.models import BotVersion
from tests.support.factories import AuthorFactory
from tests.support.machine import has_programs
from tests.support.sandbox.verdict_bots import zipped
from tests.support.uploads import GOOD, create_api_client, upload

pytestmark = pytest.mark.django_db


@pytest.fixture
def author() -> Any:
    return AuthorFactory.create()


@pytest.mark.slow
def test_a_working_bot_is_activated_after_its_trial_match(author: Any) -> None:
    answer = upload(create_api_client(author))
    assert answer.status_code == 201, answer.data
    assert (answer.data["status"], answer.data["number"]) == ("trial", 1)
    version = services.run_trial(answer.data["id"])
    assert version.status == BotVersion.Status.ACTIVE
    assert "played to the end" in version.trial_log


@pytest.mark.slow
def test_a_bot_that_crashes_in_its_trial_is_refused_and_its_log_is_shown(author: Any) -> None:
    answer = upload(create_api_client(author), b"raise RuntimeError('forgot something')")
    version = services.run_trial(answer.data["id"])
    assert version.status == BotVersion.Status.REFUSED
    assert version.reason == "crashed at question 1"
    assert "forgot something" in create_api_client(author).get(f"/api/v1/bots/versions/{version.pk}/").data["trial_log"]
    assert "trial_log" not in APIClient().get(f"/api/v1/bots/versions/{version.pk}/").data


def test_uploading_the_same_files_again_creates_no_version_but_changed_files_do(author: Any) -> None:
    client = create_api_client(author)
    first, again, other = upload(client), upload(client), upload(client, GOOD + b"\n# changed\n")
    assert first.data["id"] == again.data["id"]
    assert other.data["number"] == 2
    assert other.data["digest"] != first.data["digest"]


def test_uploading_the_same_files_again_after_a_refusal_creates_a_new_version(author: Any) -> None:
    client = create_api_client(author)
    refused = upload(client)
    BotVersion.objects.filter(pk=refused.data["id"]).update(status=BotVersion.Status.REFUSED)
    assert upload(client).data["number"] == 2


def test_an_uploaded_bot_version_is_immutable(author: Any) -> None:
    version = BotVersion.objects.get(pk=upload(create_api_client(author)).data["id"])
    version.number = 7
    with pytest.raises(ValueError, match="immutable"):
        version.save()
    with pytest.raises(ValueError, match="immutable"):
        version.save(update_fields=("number",))


def test_an_upload_with_a_bot_name_in_use_by_another_author_or_for_another_game_is_refused(author: Any) -> None:
    upload(create_api_client(author))
    refused_upload = upload(create_api_client(AuthorFactory.create()))
    assert (refused_upload.status_code, refused_upload.data["code"]) == (400, "taken")
    moved = upload(create_api_client(author), game="for_the_king")
    assert (moved.status_code, moved.data["code"]) == (400, "wrong_game")


JAVASCRIPT = b"""
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const ask = JSON.parse(line);
  if (ask.type === "ask") console.log(JSON.stringify({ id: ask.id, choose: 0 }));
});
"""


@pytest.mark.slow
@pytest.mark.skipif(not has_programs("node"), reason="there is no node")
def test_a_bot_in_another_programming_language_is_activated_after_its_trial_match(author: Any) -> None:
    body = zipped(bot_toml='command = "node bot.js"', bot_js=JAVASCRIPT)
    answer = upload(create_api_client(author), body, "bot.zip")
    assert answer.status_code == 201, answer.data
    version = services.run_trial(answer.data["id"])
    assert version.status == BotVersion.Status.ACTIVE, version.trial_log


@pytest.mark.slow
@pytest.mark.skipif(not has_programs("bwrap", "cc"), reason="there is no compiler, or nothing to contain it")
def test_a_bot_that_does_not_compile_is_refused_with_the_compiler_output(author: Any) -> None:
    body = zipped(bot_toml='command = "c bot.c"', bot_c="int main(void) { return nonsense; }")
    version = services.run_trial(upload(create_api_client(author), body, "bot.zip").data["id"])
    assert (version.status, version.reason) == (BotVersion.Status.REFUSED, "it does not compile")
    assert "nonsense" in version.trial_log
