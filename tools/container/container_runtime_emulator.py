"""Stand-in for a container runtime: runs commands in an image, isolated by bwrap."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from bots.sandbox.inside import user_namespace
from tools.container import seccomp_profile

USER = 10001
SHUT = """
--unshare-user --unshare-ipc --unshare-pid --unshare-uts --unshare-net --cap-drop ALL --die-with-parent --new-session
--clearenv --proc /proc --dev /dev --tmpfs /tmp
""".split()  # noqa: SIM905 - more legible than a list
"""Options of bwrap: own namespaces, no network, no capability, an empty environment; bwrap forbids new privileges."""


def command(root: Path, var: Path, filtered: int | None, env: dict[str, str], words: Sequence[str]) -> list[str]:
    """Return the bwrap command line that runs the command `words` on the unpacked image in `root`.

    The command can write only to /tmp and to the site's data folder, `var` on the host. `filtered` is the file
    descriptor of a seccomp program, or None for no system call filter.
    """
    said = [word for name, value in env.items() for word in ("--setenv", name, value)]
    seccomp = ["--seccomp", str(filtered)] if filtered is not None else []
    ids = ["--uid", str(USER), "--gid", str(USER)]
    places = ["--ro-bind", str(root), "/", *SHUT, "--bind", str(var), str(env.get("FTK_VAR", "/var/lib/ftk"))]
    return ["bwrap", *ids, *places, *said, *seccomp, "--chdir", env.get("PWD", "/opt/ftk"), "--", *words]


def run(
    root: Path, var: Path, env: dict[str, str], words: Sequence[str], *, profiled: bool = True
) -> subprocess.CompletedProcess[str]:
    """Run a command in the stand-in container.

    If this process is root, another user runs the command and becomes the owner of the folder `var`.
    """
    filtered = seccomp_profile.compile_bpf_program(seccomp_profile.read()) if profiled else None
    argv = command(root, var, filtered, env, words)
    if os.geteuid() == 0:  # the sandbox starts no bots for the kernel's root, even if root has another uid inside
        os.chown(var, USER, USER)
        argv = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", *argv]
    kept = (filtered,) if filtered is not None else ()
    try:
        with user_namespace.without_ambient_capabilities():
            return subprocess.run(argv, pass_fds=kept, capture_output=True, text=True, check=False)
    finally:
        for descriptor in kept:
            os.close(descriptor)
