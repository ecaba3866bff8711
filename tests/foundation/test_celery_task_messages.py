"""Task messages: tasks are enqueued by registered names, and an unknown name is an error."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from celery import current_app
from celery.exceptions import NotRegistered
from django.conf import settings
from kombu.exceptions import OperationalError

from foundation import celery_task_messages
from foundation.celery_task_messages import enqueue_missing, enqueue_task
from tests.support.sources import list_nodes

ENQUEUE_FUNCTIONS = {"enqueue_task", "enqueue_missing"}
ENQUEUING = re.compile("|".join(ENQUEUE_FUNCTIONS))
OURS = ("bots", "deploy", "foundation", "frontend", "notices", "people", "replays", "tournaments")


def enqueued_task_names() -> list[tuple[Path, str]]:
    """Return each module that enqueues a task, with the name of the task."""
    calls = [
        (module, node)
        for folder in OURS
        for module in Path(folder).rglob("*.py")
        if module != Path("foundation/celery_task_messages.py")
        for node in (list_nodes(module) if ENQUEUING.search(module.read_text()) else ())
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in ENQUEUE_FUNCTIONS
    ]
    return [(module, ast.literal_eval(node.args[0])) for module, node in calls]


def test_every_task_name_that_the_code_enqueues_is_registered_in_celery() -> None:
    found = enqueued_task_names()
    assert {"bots.work", "tournaments.record"} <= {name for _, name in found}
    assert [(str(module), name) for module, name in found if name not in current_app.tasks] == []


def test_every_task_name_in_the_beat_schedule_is_registered_in_celery() -> None:
    names = [row["task"] for row in settings.CELERY_BEAT_SCHEDULE.values()]
    assert names
    assert [name for name in names if name not in current_app.tasks] == []


def test_enqueueing_an_unknown_task_name_raises_an_error_immediately() -> None:
    with pytest.raises(NotRegistered, match=r"bots\.nap"):
        enqueue_task("bots.nap")


def test_after_one_failed_message_no_further_message_is_sent_to_an_unreachable_broker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent = []

    def refuse(*args: object, **options: object) -> None:
        sent.append(args)
        raise OperationalError("connection refused")

    monkeypatch.setattr(celery_task_messages, "count_messages", lambda queue: 0)
    monkeypatch.setattr(current_app.tasks["bots.work"], "apply_async", refuse)
    assert enqueue_missing("bots.work", "matches", 3) == 0
    assert len(sent) == 1
