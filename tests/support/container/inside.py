"""A container's stand-in: a root file system in namespaces of its own, as a kubelet would run it, by bwrap."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from bots.cage.inside import nobody
from tests.support.container import profile

USER = 10001
SHUT = """
--unshare-user --unshare-ipc --unshare-pid --unshare-uts --unshare-net --cap-drop ALL --die-with-parent --new-session
--clearenv --proc /proc --dev /dev --tmpfs /tmp
""".split()  # noqa: SIM905 - a table to be read
"""Namespaces of its own, no network, no capability, nothing of our environment; bwrap forbids new privileges itself."""


def command(root: Path, var: Path, filtered: int | None, env: dict[str, str], words: Sequence[str]) -> list[str]:
    """Return what runs words in a root that is read-only, where nothing but `var` and /tmp can be written."""
    said = [word for name, value in env.items() for word in ("--setenv", name, value)]
    seccomp = ["--seccomp", str(filtered)] if filtered is not None else []
    ids = ["--uid", str(USER), "--gid", str(USER)]
    places = ["--ro-bind", str(root), "/", *SHUT, "--bind", str(var), str(env.get("FTK_VAR", "/var/lib/ftk"))]
    return ["bwrap", *ids, *places, *said, *seccomp, "--chdir", env.get("PWD", "/opt/ftk"), "--", *words]


def run(
    root: Path, var: Path, env: dict[str, str], words: Sequence[str], *, profiled: bool = True
) -> subprocess.CompletedProcess[str]:
    """Run words in there to their end, under the profile; root does it as somebody else, to whom `var` then belongs."""
    filtered = profile.program(profile.read()) if profiled else None
    argv = command(root, var, filtered, env, words)
    if os.geteuid() == 0:  # what is root to the kernel starts no bots, whatever it is called inside
        os.chown(var, USER, USER)
        argv = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", *argv]
    kept = (filtered,) if filtered is not None else ()
    try:
        with nobody.kept_back():
            return subprocess.run(argv, pass_fds=kept, capture_output=True, text=True, check=False)
    finally:
        for descriptor in kept:
            os.close(descriptor)
