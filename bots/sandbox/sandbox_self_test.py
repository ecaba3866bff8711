"""Self-test of the sandbox: a test bot attempts everything that is forbidden, and every attempt must fail."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from bots.sandbox import SandboxConfig, cgroup
from bots.sandbox.bot_folder_layout import create_bot_folder
from bots.sandbox.bot_start_settings import BotStartCommand
from bots.sandbox.file_descriptor_polling import is_readable
from bots.sandbox.filter.system_call_numbers import NUMBERS, UnknownProcessorError, find_architecture
from bots.sandbox.inside import user_namespace
from bots.sandbox.language_runtimes import INSIDE_FOLDER, SandboxUnavailable
from bots.sandbox.sandboxed_bot_start import find_spawn_function
from ftk_core.kit.protocol.child_process import ChildProcess

PROBE = INSIDE_FOLDER / "self_test_bot.py"
COMMAND = ("python", PROBE.name)
PROBED_CALLS = """
ptrace unshare mount memfd_create io_uring_setup keyctl signalfd4 prctl capget kill tkill tgkill rt_sigqueueinfo
rt_tgsigqueueinfo pidfd_open pidfd_send_signal
""".split()  # noqa: SIM905 - a table to be read
"""System calls that the test bot makes by number."""
PROBE_SECONDS = 10
"""Maximum seconds until the test bot has printed its result."""
MAX_OUTPUT_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class SandboxSelfTestReport:
    """Result of one self-test of a sandbox backend on this machine."""

    backend: str
    passed: bool
    reason: str
    """Reason why no bot may be started on this machine; empty if the test passed."""


def find_privilege() -> str:
    """Return an error message if this process has rights that a worker must not have, else an empty string."""
    # A process that has dropped root may keep three capabilities, to give each bot a uid of its own.
    if os.geteuid() == 0:
        return "the worker is root; start it as another user (`manage.py up` does so by itself)"
    bot_uids = user_namespace.bot_uids()
    if surplus := user_namespace.capabilities() & ~(user_namespace.KEPT_CAPABILITY_BITS if bot_uids else 0):
        return f"the worker holds capabilities ({surplus:x}); start it without"
    if user_namespace.has_root_rights() and not bot_uids:
        return "the worker is root to the kernel and has no uids to give to bots; start it as another user"
    return ""


def probe_sandbox(sandbox: SandboxConfig) -> SandboxSelfTestReport:
    """Test the sandbox on this machine; every failure is returned in the report, never raised."""
    privilege = find_privilege()
    if privilege:
        return SandboxSelfTestReport(sandbox.backend, passed=False, reason=privilege)
    try:
        findings = _run_probe(sandbox)
    except (SandboxUnavailable, UnknownProcessorError, OSError, ValueError) as error:
        return SandboxSelfTestReport(sandbox.backend, passed=False, reason=str(error) or type(error).__name__)
    if findings["could_not"]:
        return SandboxSelfTestReport(
            sandbox.backend, passed=False, reason=f"a bot cannot: {', '.join(findings['could_not'])}"
        )
    if findings["could"] or not findings["tried"]:
        return SandboxSelfTestReport(sandbox.backend, passed=False, reason=f"a bot may: {', '.join(findings['could'])}")
    return SandboxSelfTestReport(sandbox.backend, passed=True, reason="")


@cache
def cached_probe(sandbox: SandboxConfig) -> SandboxSelfTestReport:
    """Return the report of a sandbox's self-test, which runs once per process."""
    return probe_sandbox(sandbox)


def require_sandbox(sandbox: SandboxConfig) -> None:
    """Raise SandboxUnavailable if the sandbox fails its self-test."""
    report = cached_probe(sandbox)
    if not report.passed:
        raise SandboxUnavailable(
            f"no bot is started here: the sandbox {report.backend} failed its self-test: {report.reason}"
        )


def _run_probe(sandbox: SandboxConfig) -> dict[str, Any]:
    """Run the bot that tests the sandbox, and return its findings."""
    # "could" lists forbidden actions that succeeded, and "could_not" lists failed imports; both must be empty. A
    # harmless process stands for another bot, which the test bot tries to end.
    waiting_program = [sys.executable, "-I", "-S", "-c", "import sys; sys.stdin.read()"]
    with subprocess.Popen(waiting_program, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as victim:
        probe_settings = json.dumps(
            {"numbers": {name: NUMBERS[find_architecture()][name] for name in PROBED_CALLS}, "victim": victim.pid}
        )
        findings = _run_probe_bot(sandbox, BotStartCommand(_probe_folder(sandbox), (*COMMAND, probe_settings)))
        if victim.poll() is not None:
            findings["could"].append("end another process")
        victim.kill()
    return findings


def _probe_folder(sandbox: SandboxConfig) -> Path:
    """Create the folder of the test bot if it does not exist. Return its path."""
    files = [(PROBE.name, PROBE.read_bytes()), ("subfolder/module.py", b"")]
    target = sandbox.folder / f"probe-{sha256(PROBE.read_bytes()).hexdigest()[:16]}"
    return create_bot_folder(target, COMMAND, lambda: files)


def _run_probe_bot(sandbox: SandboxConfig, entry: BotStartCommand) -> dict[str, Any]:
    started = find_spawn_function(sandbox)(sandbox, entry)
    try:
        child = started.await_boot()
        with cgroup.bot_cgroup(sandbox, child.pid, entry.kind):
            os.write(child.stdin, child.preface)
            findings: dict[str, Any] = json.loads(_read_output(child))
        return findings
    finally:
        started.end()


def _read_output(child: ChildProcess) -> bytes:
    """Return the test bot's output; raises SandboxUnavailable if it does not come within `PROBE_SECONDS`."""
    output, deadline = b"", time.monotonic() + PROBE_SECONDS
    while not output.endswith(b"\n") and len(output) < MAX_OUTPUT_BYTES:
        data = os.read(child.stdout, 4096) if is_readable(child.stdout, deadline - time.monotonic()) else b""
        if not data:
            raise SandboxUnavailable("the probe ended without a word")
        output += data
    return output
