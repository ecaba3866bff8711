"""Children forked from a supervisor that has loaded all modules: they share its memory and start at once.

An idle arena takes a third of the memory, because unmodified pages exist once.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import runpy
import signal
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Never, NotRequired, TypedDict, Unpack

from deploy.supervisor.processes import ForkedProcess, Identity, Process, own_log
from ftk_core.kit.lifeline import die_with

PR_SET_DUMPABLE = 4
MAX_DESCRIPTOR = 65_536
"""Upper bound of the supervisor's descriptors that a child closes; it has a few dozen."""


def find_command_line() -> None:
    """Locate this process's command line, for the titles of its children; call it early.

    It cannot be located after a change of the environment.
    """
    os.environ["SPT_NOENV"] = "1"  # titles only as long as our command line, so that the environment stays readable
    from setproctitle import getproctitle

    getproctitle()


class ForkOptions(TypedDict):
    """Options of a forked child."""

    env: Mapping[str, str]
    log: Path | None
    """File to which its output is appended; None inherits our output."""
    identity: NotRequired[Identity]
    keep: NotRequired[Sequence[int]]
    """Descriptors that it inherits."""


def fork_module(
    module: str, words: Sequence[str], *, folder: Path, prepare: Callable[[], object], **how: Unpack[ForkOptions]
) -> Process:
    """Run ``python -m module words`` in a forked child that leads a session and dies with this thread.

    `folder` is its working directory; `prepare` is called once it has its environment. No other Python thread may run
    here: the child would inherit its locks.
    """
    parent = os.getpid()
    with ExitStack() as stack:
        out = stack.enter_context(own_log(how["log"])).fileno() if how["log"] else None
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:

            def become_child() -> None:
                _take_descriptors(out, how.get("keep", ()))
                _leave_parent(parent, how.get("identity", "same"))
                os.chdir(folder)
                os.environ.clear()
                os.environ.update(how["env"])
                prepare()

            _run(module, words, become_child)
    return ForkedProcess(pid, [module, *words])


def _run(module: str, words: Sequence[str], become_child: Callable[[], None]) -> Never:
    """Run the module as the main program, as `launch.py` and an exec would do for a command."""
    code = 1
    try:
        become_child()
        sys.argv = [module, *words]
        _name_process(f"{module} {' '.join(words)}")
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            sys.stderr.write(f"{end.code}\n")
    except BaseException:  # noqa: BLE001 - it must not go on as a second supervisor
        traceback.print_exc()
    finally:
        with suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _take_descriptors(out: int | None, keep: Sequence[int]) -> None:
    """Redirect output to the log, if there is one, and input to /dev/null; close the supervisor's descriptors."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    if out is not None:
        os.dup2(out, 1)
        os.dup2(out, 2)
    first = 3
    for descriptor in sorted(keep):
        fcntl.fcntl(descriptor, fcntl.F_SETFD, 0)
        os.closerange(first, descriptor)
        first = descriptor + 1
    os.closerange(first, MAX_DESCRIPTOR)


def _leave_parent(parent: int, identity: Identity) -> None:
    """Start a session, take the identity, die with the parent; raises OSError."""
    from deploy.supervisor.launch import IDENTITIES

    os.setsid()
    IDENTITIES[identity]()
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # an exec would make our files in /proc ours again
    die_with(parent)  # last, because every change of identity clears it


def _name_process(title: str) -> None:
    """Set the title in `ps`, within the length of the supervisor's own command line."""
    from setproctitle import setproctitle

    setproctitle(title)
