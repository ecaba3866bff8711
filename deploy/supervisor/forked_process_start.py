"""Child processes that are forked from a supervisor, so that they start at once."""
# They share the imported modules' memory with the supervisor, and need a third of the memory of separate starts.

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

from deploy.supervisor.child_process_start_and_stop import ForkedProcess, Identity, Process, open_log
from ftk_core.kit.protocol.child_termination import set_parent_death_signal

PR_SET_DUMPABLE = 4
MAX_DESCRIPTOR = 65_536
"""Highest file descriptor that a child closes after the fork; the supervisor has a few dozen open."""


def enable_process_titles() -> None:
    """Prepare forked children to set the titles that `ps` shows."""
    # Call this before the environment is changed: setproctitle searches the memory for the environment of the start.
    os.environ["SPT_NOENV"] = "1"  # titles no longer than the command line, so that the environment stays readable
    from setproctitle import getproctitle

    getproctitle()


class ForkOptions(TypedDict):
    """Environment, log file, identity and file descriptors of a forked child."""

    env: Mapping[str, str]
    log: Path | None
    """File to which the child's output is appended; None means that the child inherits the parent's output."""
    identity: NotRequired[Identity]
    keep: NotRequired[Sequence[int]]
    """File descriptors that the child inherits."""


def fork_module(
    module: str, words: Sequence[str], *, folder: Path, prepare: Callable[[], object], **how: Unpack[ForkOptions]
) -> Process:
    """Run ``python -m <module> <words…>`` in a forked child. The kernel kills the child when the calling thread ends.

    The child calls `prepare` after it has set its environment variables.
    """
    # Call this only while no other Python thread runs: a lock held by another thread would stay locked for ever in the
    # child.
    parent = os.getpid()
    with ExitStack() as stack:
        out = stack.enter_context(open_log(how["log"])).fileno() if how["log"] else None
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
    """Run a module as the main program of the child, and exit with its exit code."""
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
    except BaseException:  # noqa: BLE001 - the child must not go on as a second supervisor
        traceback.print_exc()
    finally:
        with suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _take_descriptors(out: int | None, keep: Sequence[int]) -> None:
    """Redirect stdin to /dev/null, and stdout and stderr to `out`. Close all other descriptors except `keep`."""
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
    """Call setsid, change the user, and let the kernel kill this process when its parent dies."""
    from deploy.supervisor.child_launcher import IDENTITIES

    os.setsid()
    IDENTITIES[identity]()
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # as an exec would do; otherwise root owns /proc/self
    set_parent_death_signal(parent)  # last, because a change of identity clears the death signal


def _name_process(title: str) -> None:
    # The title overwrites the inherited command line, and is cut to that length.
    from setproctitle import setproctitle

    setproctitle(title)
