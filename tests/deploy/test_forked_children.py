"""Children forked from the supervisor: what each inherits, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.arena import parent_of
from tests.support.waiting import wait_for

PARENT = """
import os, signal, sys, threading
from pathlib import Path
from deploy.supervisor.forked_process_start import enable_process_titles, fork_module
folder, words = Path(sys.argv[1]), sys.argv[2:]
os.chdir(folder)
sys.path.insert(0, str(folder))
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
enable_process_titles()
ours = os.open(os.devnull, os.O_RDONLY)
kept = os.dup(ours)
child = fork_module(
    "child", [*words, str(ours), str(kept)], folder=folder, prepare=lambda: None,
    env={"ONLY": "this"}, log=folder / "child.log", keep=[kept],
)
print(child.pid, flush=True)
print(child.wait(), child.poll(), child.returncode, flush=True)
"""
CHILD = """
import json, os, signal, sys
from pathlib import Path
word, ours, kept = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
def is_open(descriptor):
    return Path(f"/proc/self/fd/{descriptor}").exists()
found = {"env": dict(os.environ), "session": os.getsid(0) == os.getpid(), "ours": is_open(ours), "kept": is_open(kept),
         "main": __name__, "blocked": [*signal.pthread_sigmask(signal.SIG_BLOCK, [])], "stdin": os.read(0, 1).decode()}
print(json.dumps(found), flush=True)
if word == "stay":
    signal.pause()
if word == "refuse":
    sys.exit("it cannot be done")
if word == "break":
    raise ValueError("broken")
if word == "code":
    sys.exit(7)
"""


def parent(folder: Path, word: str) -> subprocess.Popen[str]:
    (folder / "child.py").write_text(CHILD)
    command = [sys.executable, "-c", PARENT, str(folder), word]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": os.getcwd()})


def ended(folder: Path, word: str) -> tuple[list[str], str]:
    """Return the exit code that the parent sees, and the child's output."""
    out, _ = parent(folder, word).communicate(timeout=60)
    return out.split()[1:], (folder / "child.log").read_text()


@pytest.mark.parametrize(("word", "code", "says"), [
    ("end", "0", ""), ("code", "7", ""), ("refuse", "1", "it cannot be done\n"), ("break", "1", "ValueError: broken\n"),
])  # fmt: skip
def test_a_module_run_in_a_forked_child_has_the_same_exit_code_and_error_as_in_a_new_interpreter(
    tmp_path: Path, word: str, code: str, says: str
) -> None:
    codes, said = ended(tmp_path, word)
    assert codes == [code] * 3
    assert said.endswith(says)


def test_a_forked_child_inherits_only_the_given_environment_and_file_descriptors(tmp_path: Path) -> None:
    _, said = ended(tmp_path, "end")
    found: dict[str, Any] = json.loads(said)
    assert found == {
        "env": {"ONLY": "this"}, "session": True, "ours": False, "kept": True,
        "main": "__main__", "blocked": [], "stdin": "",
    }  # fmt: skip


@pytest.mark.slow
def test_a_forked_child_dies_with_its_parent_and_its_own_death_by_a_signal_is_reported(tmp_path: Path) -> None:
    for victim in ("parent", "child"):
        process = parent(tmp_path, "stay")
        assert process.stdout is not None
        child = int(process.stdout.readline())
        assert parent_of(child) == process.pid
        os.kill(process.pid if victim == "parent" else child, signal.SIGKILL)
        rest, _ = process.communicate(timeout=60)
        assert rest.split() == ([] if victim == "parent" else ["-9"] * 3)
        wait_for(lambda child=child: not Path(f"/proc/{child}").exists(), "the child is gone")  # type: ignore[misc]  # a lambda's default
