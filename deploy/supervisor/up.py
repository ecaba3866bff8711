"""Supervisor behind ``manage.py up``: starts everything, keeps it running, and leaves nothing behind."""

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

from deploy.logs import rotate
from deploy.measures import forget_counts
from deploy.supervisor.alone import HOST, CannotStart, check_port, hold_folder
from deploy.supervisor.children import WATCHED, Children, asked_to_end
from deploy.supervisor.embedded import EmbeddedError
from deploy.supervisor.forked import ForkOptions, find_command_line, fork_module
from deploy.supervisor.processes import (
    LONGEST_PAUSE_SECONDS,
    Identity,
    NobodyElse,
    Process,
    delegated_scope,
    launched,
    start,
    stop,
    unprivileged,
)
from deploy.supervisor.roles import Plan, Role, roles
from deploy.supervisor.supervised_database import SupervisedDatabase
from deploy.terminal import TERMINAL

ROOT = Path(__file__).resolve().parents[2]
WEB_DEATHS = 3
"""Number of deaths before its first answer after which the web server is given up."""
TOLD_SECONDS = 15.0
"""Seconds between two messages that the web server is still starting."""
PAUSE_SECONDS = 0.1
Say = Callable[[str], object]


def _bots_identity() -> Identity:
    """Return the identity of workers that start bots; raises CannotStart."""
    try:
        return unprivileged([sys.executable, "-c", "import django"], starts_bots=True)
    except NobodyElse as error:
        raise CannotStart(f"whoever starts bots must not be root, and {error}: start this as another user") from error


class Supervisor:
    """Supervisor that runs a plan to its end. Use it in the main thread, whose signals it takes over."""

    def __init__(self, plan: Plan, say: Say, load: Callable[[], None], prepare: Callable[[], None]) -> None:
        """Take `load`, which loads the modules that children share, and `prepare`, which prepares a forked child."""
        self._load, self._prepare = load, prepare
        self._plan, self._say, self._logs = plan, say, plan.var / "logs"
        self._children = Children(roles(plan), self._start_role, lambda said: say(f"{said}; see {self._logs}"))
        self._env = {**os.environ, "FTK_VAR": str(plan.var), "FTK_METRICS_PORT": "0"}
        self._for_bots: tuple[Identity, Sequence[str]] = _bots_identity(), delegated_scope()
        self._database: SupervisedDatabase | None = None
        self._demo: Process | None = None
        self._terminal = os.dup(1)

    def run(self) -> int:
        """Run until asked to end, or until the demo is over if the plan says so; return the exit code."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
        find_command_line()
        try:
            with ExitStack() as stack:
                stack.enter_context(hold_folder(self._plan.var))
                check_port(self._plan.port)
                return self._run(stack)
        except EmbeddedError as error:
            raise CannotStart(str(error)) from error
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _run(self, stack: ExitStack) -> int:
        self._open_database(stack)
        stack.callback(self._children.stop)
        with self._choosing_cage():
            self._load()
            if code := self._migrate():
                raise CannotStart(f"the migrations failed ({code}); see {self._logs / 'migrate.log'}")
        forget_counts(self._plan.var, self._plan.port)
        self._children.begin()
        if not self._await_web():
            return 0
        address = f"http://{HOST}:{self._plan.port}"
        self._say(f"The arena is open at {address}/ - Ctrl-C stops everything.")
        if not self._plan.leave_after_demo:  # shows the link for the first organiser's sign-up while we run
            stack.callback(stop, self._manage(["organiser", "--url", address], None), [(signal.SIGTERM, 3)])
        if self._plan.demo is not None:
            self._demo = self._manage(["demo", "--url", address, *self._plan.demo], None)
            stack.callback(stop, self._demo, [(signal.SIGTERM, 3)])
        return self._watch()

    def _open_database(self, stack: ExitStack) -> None:
        if self._plan.database_url:
            self._env["DATABASE_URL"] = self._plan.database_url
            return
        self._database = SupervisedDatabase(self._plan.var / "postgres", self._say)
        stack.callback(self._database.stop)
        self._env["DATABASE_URL"] = self._database.url

    @contextmanager
    def _choosing_cage(self) -> Iterator[None]:
        """Select the sandbox backend: from the settings, else the best that works here, tested beside the block.

        Raises CannotStart when none works: no bot runs without a sandbox.
        """
        if "BOT_CAGE" in self._env:
            yield
            return
        command = launched([sys.executable, "manage.py", "cage", "--best"], identity=self._for_bots[0])
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
            raise CannotStart(f"bots cannot be contained on this machine: {reason.strip()}")
        self._env["BOT_CAGE"] = cage = chosen.strip()
        more = "" if cage == "bwrap" else " (bwrap would be the first choice: see deploy/CAGE.md)"
        self._say(f"Bots are contained by: {cage}{more}")

    def _manage(self, words: Sequence[str], log: Path | None) -> Process:
        return self._fork("manage", words, log=log, env=self._env)

    def _migrate(self) -> int:
        """Run the migrations to their end; return the exit code."""
        process = self._manage(["migrate", "--verbosity", "0"], self._logs / "migrate.log")
        try:
            return process.wait()
        finally:
            stop(process, [])

    def _fork(self, module: str, words: Sequence[str], **how: Unpack[ForkOptions]) -> Process:
        return fork_module(module, words, folder=ROOT, prepare=self._prepare, **how)

    def _start_role(self, role: Role) -> Process:
        log, keep = self._logs / f"{role.name}.log", (self._terminal,) if role.mails else ()
        env = self._env | dict(role.env) | ({TERMINAL: str(self._terminal)} if role.mails else {})
        identity, scope = self._for_bots if role.runs_bots else ("same", ())
        if self._can_share_memory(scope):
            _, _, module, *words = role.command
            return self._fork(module, words, log=log, env=env, identity=identity, keep=keep)
        return start(role.command, log=log, env=env, folder=ROOT, keep=keep, identity=identity, scope=scope)

    def _can_share_memory(self, scope: Sequence[str]) -> bool:
        """Return True for a child that may share our memory.

        A child in a scope must be executed there, and prometheus_client chooses its mode when it is imported.
        """
        counts_together = settings.METRICS_TOKEN and (self._plan.metrics_port or self._plan.web > 1)
        return not counts_together and not scope

    def _await_web(self) -> bool:
        """Wait until the web server answers; return False if we were asked to end before.

        Raises CannotStart once its process has died too often.
        """
        began = told = time.monotonic()
        while not self._web_answers():
            if asked_to_end(PAUSE_SECONDS):
                return False
            self._tend()
            if (deaths := self._children.count_deaths("web")) >= WEB_DEATHS:
                raise CannotStart(
                    f"the web server ended {deaths} times before it answered; see web*.log in {self._logs}"
                )
            if (now := time.monotonic()) - told >= TOLD_SECONDS:
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
        """Keep every child running until we are asked to end or the demo is over and was all there was to do."""
        while True:
            if self._demo and (code := self._demo.poll()) is not None:
                self._demo = None
                if self._plan.leave_after_demo:
                    return code
                self._say("The demo is over." if code == 0 else f"The demo failed ({code}); see {self._logs}.")
            if asked_to_end(self._tend()):
                return 0

    def _tend(self) -> float:
        """Restart dead children that are due; return the seconds until the next is due."""
        rotate(self._logs)
        quiet = self._database.tend(time.monotonic()) if self._database else LONGEST_PAUSE_SECONDS
        return min(quiet, self._children.tend())
