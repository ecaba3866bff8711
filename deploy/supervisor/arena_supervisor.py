"""Supervisor of ``manage.py up``, which starts, restarts and stops the site's processes."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Unpack

from django.conf import settings

from deploy.config.logs import rotate
from deploy.config.telemetry import delete_counters
from deploy.mail_to_terminal import TERMINAL_VARIABLE
from deploy.supervisor.child_process_start_and_stop import (
    MAX_PAUSE_SECONDS,
    Identity,
    Process,
    RootRequiredError,
    delegated_scope,
    find_identity,
    launcher_command,
    start,
    stop,
)
from deploy.supervisor.child_process_supervisor import WATCHED_SIGNALS, ChildProcessSupervisor, is_stop_requested
from deploy.supervisor.data_folder_and_port_checks import HOST, ArenaStartError, check_port, lock_data_folder
from deploy.supervisor.forked_process_start import ForkOptions, enable_process_titles, fork_module
from deploy.supervisor.postgres_binaries import EmbeddedPostgresError
from deploy.supervisor.postgres_supervisor import PostgresSupervisor
from deploy.supervisor.process_roles import ArenaStartOptions, ProcessRole, build_child_environment, list_roles

ROOT = Path(__file__).resolve().parents[2]
MAX_WEB_DEATHS = 3
"""Number of deaths of web processes, before the web server accepts connections, after which the start fails."""
REPORT_SECONDS = 15.0
"""Interval of the message that the web server is still starting."""
PAUSE_SECONDS = 0.1
Say = Callable[[str], object]


def _bots_identity() -> Identity:
    """Return an identity without root's rights for the workers that start bots.

    Raises ArenaStartError if only root could start bots on this machine.
    """
    # Bots must never run as root. `child_launcher.py` explains the identities.
    try:
        return find_identity([sys.executable, "-c", "import django"], starts_bots=True)
    except RootRequiredError as error:
        raise ArenaStartError(f"Bots must not be started as root ({error}): start this as another user.") from error


class ArenaSupervisor:
    """Supervisor of all processes of the site. Use it in the main thread."""

    # It waits for signals there.

    def __init__(
        self, plan: ArenaStartOptions, say: Say, load: Callable[[], None], prepare: Callable[[], None]
    ) -> None:
        """Store the options and callbacks, without starting any child process."""
        # `load` runs before any child is forked, so that the children share the imported modules' memory. `prepare`
        # runs in each forked child.
        self._load, self._prepare = load, prepare
        self._plan, self._say, self._logs = plan, say, plan.var / "logs"
        self._children = ChildProcessSupervisor(
            list_roles(plan), self._start_role, lambda said: say(f"{said}; see {self._logs}")
        )
        self._env = build_child_environment(plan, os.environ)
        self._for_bots: tuple[Identity, Sequence[str]] = _bots_identity(), delegated_scope()
        self._database: PostgresSupervisor | None = None
        self._demo: Process | None = None
        self._terminal = os.dup(1)
        self._rotation_fails = False

    def run(self) -> int:
        """Run the site until a signal stops it, and return 0.

        With the option `leave_after_demo`, stop when the demo league ends, and return the demo's exit code. Raises
        ArenaStartError if the site cannot start.
        """
        before = signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED_SIGNALS)
        enable_process_titles()
        try:
            with ExitStack() as stack:
                stack.enter_context(lock_data_folder(self._plan.var))
                check_port(self._plan.port)
                return self._run(stack)
        except EmbeddedPostgresError as error:
            raise ArenaStartError(str(error)) from error
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _run(self, stack: ExitStack) -> int:
        self._open_database(stack)
        stack.callback(self._children.stop)
        with self._sandbox_environment():
            self._load()
            if code := self._migrate():
                raise ArenaStartError(f"the migrations failed ({code}); see {self._logs / 'migrate.log'}")
        delete_counters(self._plan.var, self._plan.port)
        self._children.begin()
        if not self._await_web():
            return 0
        address = f"http://{HOST}:{self._plan.port}"
        self._say(f"The arena is open at {address}/ - Ctrl-C stops everything.")
        if not self._plan.leave_after_demo:  # print the first organiser's sign-up link, if there is none yet
            stack.callback(stop, self._manage(["organiser", "--url", address], None), [(signal.SIGTERM, 3)])
        if self._plan.demo is not None:
            self._demo = self._manage(["demo", "--url", address, *self._plan.demo], None)
            stack.callback(stop, self._demo, [(signal.SIGTERM, 3)])
        return self._watch()

    def _open_database(self, stack: ExitStack) -> None:
        if self._plan.database_url:
            self._env["DATABASE_URL"] = self._plan.database_url
            return
        self._database = PostgresSupervisor(self._plan.var / "postgres", self._say)
        stack.callback(self._database.stop)
        self._env["DATABASE_URL"] = self._database.url

    @contextmanager
    def _sandbox_environment(self) -> Iterator[None]:
        """Choose the sandbox for bots during the `with` block, and then store its name for later child processes.

        The environment variable BOT_CAGE contains the name. If it is already set, do nothing. Raises ArenaStartError if
        no sandbox works.
        """
        # A child process tests the sandboxes while the block runs.
        if "BOT_CAGE" in self._env:
            yield
            return
        command = launcher_command([sys.executable, "manage.py", "cage", "--best"], identity=self._for_bots[0])
        with subprocess.Popen(
            command, env=self._env, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as tried:
            try:
                yield
            except BaseException:
                tried.kill()
                raise
            chosen, reason = tried.communicate()
        if tried.returncode != 0:
            raise ArenaStartError(f"bots cannot be contained on this machine: {reason.strip()}")
        self._env["BOT_CAGE"] = cage = chosen.strip()
        more = "" if cage == "bwrap" else " (bwrap would be the first choice: see deploy/SANDBOX.md)"
        self._say(f"Bots are contained by: {cage}{more}")

    def _manage(self, words: Sequence[str], log: Path | None) -> Process:
        return self._fork("manage", words, log=log, env=self._env)

    def _migrate(self) -> int:
        """Run the database migrations and return the exit code."""
        process = self._manage(["migrate", "--verbosity", "0"], self._logs / "migrate.log")
        try:
            return process.wait()
        finally:
            stop(process, [])

    def _fork(self, module: str, words: Sequence[str], **how: Unpack[ForkOptions]) -> Process:
        return fork_module(module, words, folder=ROOT, prepare=self._prepare, **how)

    def _start_role(self, role: ProcessRole) -> Process:
        log, keep = self._logs / f"{role.name}.log", (self._terminal,) if role.mails else ()
        env = self._env | dict(role.env) | ({TERMINAL_VARIABLE: str(self._terminal)} if role.mails else {})
        identity, scope = self._for_bots if role.runs_bots else ("same", ())
        if self._can_share_memory(scope):
            _, _, module, *words = role.command
            return self._fork(module, words, log=log, env=env, identity=identity, keep=keep)
        return start(role.command, log=log, env=env, folder=ROOT, keep=keep, identity=identity, scope=scope)

    def _can_share_memory(self, scope: Sequence[str]) -> bool:
        """Return True if a child can be forked from this process, and False if it must be executed anew."""
        # systemd-run needs an exec. A child that shares its metrics must import `prometheus_client` anew, with another
        # setting.
        counts_together = settings.METRICS_TOKEN and (self._plan.metrics_port or self._plan.web > 1)
        return not counts_together and not scope

    def _await_web(self) -> bool:
        """Wait until the web server accepts connections. Return False if a signal comes first.

        Raises ArenaStartError if web processes have died too often.
        """
        began = told = time.monotonic()
        while not self._web_answers():
            if is_stop_requested(PAUSE_SECONDS):
                return False
            self._restart_due()
            if (deaths := self._children.count_deaths("web")) >= MAX_WEB_DEATHS:
                raise ArenaStartError(
                    f"the web server ended {deaths} times before it answered; see web*.log in {self._logs}"
                )
            if (now := time.monotonic()) - told >= REPORT_SECONDS:
                told = now
                self._say(
                    f"Waiting for the web server to answer at port {self._plan.port}: {now - began:.0f} s so far."
                    f" It is starting; its log is {self._logs}/web*.log. Ctrl-C stops everything."
                )
        return True

    def _web_answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex((HOST, self._plan.port)) == 0

    def _watch(self) -> int:
        """Restart dead child processes until the site must stop. Return the exit code."""
        while True:
            if self._demo and (code := self._demo.poll()) is not None:
                self._demo = None
                if self._plan.leave_after_demo:
                    return code
                self._say("The demo is over." if code == 0 else f"The demo failed ({code}); see {self._logs}.")
            if is_stop_requested(self._restart_due()):
                return 0

    def _restart_due(self) -> float:
        """Rotate logs, and restart dead processes whose delay is over. Return the seconds until the next call."""
        self._rotate_logs()
        quiet = self._database.restart_due(time.monotonic()) if self._database else MAX_PAUSE_SECONDS
        return min(quiet, self._children.restart_due())

    def _rotate_logs(self) -> None:
        # The main loop calls this again and again, so print an error only at the first failure.
        errors = rotate(self._logs)
        if errors and not self._rotation_fails:
            self._say(f"A log in {self._logs} could not be rotated ({errors[0]}).")
        self._rotation_fails = bool(errors)
