"""Shutdown signals of a worker: it finishes its matches, however often an operator sends SIGINT."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SIGNALS = """
import os, signal
from types import SimpleNamespace
from celery.apps import worker as handlers
from celery.worker import state
import deploy.celery
from foundation import celery_worker_draining as draining
worker = SimpleNamespace(hostname="matches@here")
handlers.install_worker_int_handler(worker)
handlers.install_worker_term_handler(worker)
for _ in range(3):
    os.kill(os.getpid(), signal.SIGINT)
print("finishing:", not draining.is_accepting_work(), not draining.is_handover_requested(), state.should_terminate)
os.kill(os.getpid(), signal.SIGTERM)
print("handing over:", draining.is_handover_requested(), state.should_terminate)
"""


def test_a_worker_that_finishes_its_matches_ignores_more_sigints_and_hands_them_over_on_sigterm(tmp_path: Path) -> None:
    env = {**os.environ, "FTK_VAR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", SIGNALS], env=env, capture_output=True, text=True, check=False)
    said = [line for line in done.stdout.splitlines() if line.startswith(("finishing", "handing"))]
    assert said == ["finishing: True True None", "handing over: True None"], done.stderr
