"""Tasks are rung by their names, and a name that none has is no small matter."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from celery import current_app
from celery.exceptions import NotRegistered
from django.conf import settings

from foundation.doorbell import ring

RINGS = {"ring", "top_up"}
OURS = ("bots", "foundation", "deploy", "frontend", "notices", "replays", "tournaments")


def rung() -> list[tuple[Path, str]]:
    """Return where a bell is rung, and the name or whatever else stands there for it."""
    calls = [
        (module, node)
        for folder in OURS
        for module in Path(folder).rglob("*.py")
        if module != Path("foundation/doorbell.py")
        for node in ast.walk(ast.parse(module.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RINGS
    ]
    return [(module, ast.literal_eval(node.args[0])) for module, node in calls]


def test_whoever_rings_names_a_task_that_workers_know() -> None:
    found = rung()
    assert {"bots.work", "tournaments.record"} <= {name for _, name in found}
    assert [(str(module), name) for module, name in found if name not in current_app.tasks] == []


def test_the_clock_names_tasks_that_workers_know() -> None:
    names = [row["task"] for row in settings.CELERY_BEAT_SCHEDULE.values()]
    assert names
    assert [name for name in names if name not in current_app.tasks] == []


def test_a_name_that_no_task_has_fails_at_once() -> None:
    with pytest.raises(NotRegistered, match=r"bots\.nap"):
        ring("bots.nap")
