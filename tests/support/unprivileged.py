"""Runner of tests as an unprivileged user: ``python -m tests.support.unprivileged tests/hostile``.

A user other than root gets a message that nothing is needed. Root runs the tests as another user, in a mount namespace
in which that user can read the interpreter and the checkout even if they are in root's own folders.
"""

from __future__ import annotations

import os
import pwd
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
USERS = ("games", "nobody")
"""Users to run as, the first that exists; processes of the sandbox belong to nobody if root starts them."""
PASSED_ON = ("PATH", "LANG", "FTK_REQUIRE_CAGE", "FTK_LAWS_MATCHES")


def find_closed_folder(path: Path) -> Path | None:
    """Return the highest folder above a path that other users may not enter."""
    return next((folder for folder in reversed(path.parents) if not folder.stat().st_mode & 0o001), None)


def list_mount_commands(paths: Sequence[Path], aside: Path) -> list[str]:
    """Return commands that give other users access to these paths only, in this namespace."""
    hidden = [(path, folder) for path in paths if (folder := find_closed_folder(path))]
    commands = []
    for number, (path, _) in enumerate(hidden):
        place = aside / str(number)
        commands += [["mkdir", str(place)], ["mount", "--bind", str(path), str(place)]]
    commands += [
        ["mount", "-t", "tmpfs", "-o", "mode=755", "none", str(f)] for f in dict.fromkeys(f for _, f in hidden)
    ]
    for number, (path, _) in enumerate(hidden):
        commands += [["mkdir", "-p", str(path)], ["mount", "--bind", str(aside / str(number)), str(path)]]
    return [shlex.join(command) for command in commands]


def find_user() -> pwd.struct_passwd:
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    return next(known[name] for name in USERS if name in known)


def main(words: Sequence[str]) -> int:
    """Return pytest's exit code; 0 for a user other than root."""
    if os.geteuid() != 0:
        sys.stdout.write("nobody here is root: these tests have run as an unprivileged user\n")
        return 0
    who, python = find_user(), Path(sys.executable)
    paths = dict.fromkeys([ROOT, Path(sys.base_prefix).resolve(), python.resolve().parents[1]])
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as aside:
        os.chown(home, who.pw_uid, who.pw_gid)
        own = {"HOME": home, "TMPDIR": home, "FTK_VAR": f"{home}/var", "PYTHONDONTWRITEBYTECODE": "1"}
        own |= {"HYPOTHESIS_STORAGE_DIRECTORY": f"{home}/examples"}
        env = own | {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        ids = [f"--reuid={who.pw_uid}", f"--regid={who.pw_gid}", "--clear-groups"]
        pytest = [str(python), "-m", "pytest", "-n", "4", "-q", "-p", "no:cacheprovider", *words]
        script = "; ".join(["set -e", *list_mount_commands(list(paths), Path(aside)), f"cd {shlex.quote(str(ROOT))}"])
        script += f"; exec {shlex.join(['setpriv', *ids, *pytest])}"
        return subprocess.run(["unshare", "--mount", "sh", "-c", script], env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
