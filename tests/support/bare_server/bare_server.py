"""A bare Debian server in namespaces: it has users, files, processes and a network of its own, but no systemd."""

from __future__ import annotations

import json
import os
import resource
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from bots.sandbox.inside.user_namespace import bot_uids
from deploy.supervisor.postgres_binaries import find_binaries
from ftk_core import __version__
from tests.support.bare_server.units import Unit, read_environment, read_unit
from tests.support.machine import NGINX
from tests.support.unprivileged import find_closed_folder

ROOT = Path(__file__).parents[3]
RELEASE = f"/opt/ftk-releases/{__version__}"
SHIMS = "/mnt/bin"
DATABASE = "/var/lib/postgresql"
APT_GET = f"""#!/bin/sh
# Installs nothing. Like Debian's package it creates the user postgres and starts the database.
case "$*" in *postgresql*) ;; *) exit 0 ;; esac
[ ! -e {DATABASE} ] || exit 0
useradd --system --user-group --home-dir {DATABASE} postgres
mkdir -p {DATABASE} /run/postgresql
chown postgres: {DATABASE} /run/postgresql
runuser -u postgres -- initdb --pgdata {DATABASE}/data --auth-local=peer --auth-host=reject --locale=C.UTF-8
runuser -u postgres -- pg_ctl --pgdata {DATABASE}/data --log {DATABASE}/log --wait \\
    -o "-c listen_addresses= -c unix_socket_directories=/run/postgresql,/tmp" start
"""
FIRST = f"""
# without the files that only users may read who do not exist here
cp -a --no-preserve=ownership {SHIMS}/../etc/. /etc/ 2>/dev/null || :
mkdir -p /var/lib/nginx /var/log/nginx
grep -q arena.example /etc/hosts || echo '127.0.0.1 arena.example' >>/etc/hosts
echo ready
read -r _
"""


def why_impossible() -> str:
    """Return the reason why this machine allows no bare server; empty if it does."""
    if not NGINX:
        return "there is no nginx"
    return "" if bot_uids() else "the tests were not begun as root"


def _list_binds() -> list[str]:
    """Return arguments of bwrap that let all users of the server read the checkout and the interpreter."""
    paths = [ROOT, Path(sys.base_prefix).resolve(), Path(sys.executable).parents[1].resolve()]
    hidden = {Path("/opt"), *(folder for path in paths if (folder := find_closed_folder(path)))}
    covered = [word for folder in sorted(hidden) for word in ("--tmpfs", str(folder))]
    places = {path: str(path) for path in paths if hidden & {*path.parents}}
    binds = list[str]()
    for path, place in ((ROOT, RELEASE), *places.items()):
        above = [str(folder) for folder in reversed(Path(place).parents) if hidden & {*folder.parents}]
        binds += [word for folder in above for word in ("--perms", "0755", "--dir", folder)]
        binds += ["--ro-bind", str(path), place]
    return [*covered, *binds]


class BareServer:
    """A server on which `deploy/install` runs; programs of Debian that it installs are those of this machine.

    Use it in a `with` block; at its end all processes of the server are killed, and its files are gone.
    """

    def __init__(self, folder: Path) -> None:
        """Prepare a server. Its logs, and programs in place of `apt-get` and `make`, are in `folder`."""
        self.folder = folder
        self._started: list[subprocess.Popen[str]] = []
        shims = folder / "bin"
        shims.mkdir()
        for name, text in (("apt-get", APT_GET), ("make", "#!/bin/sh\n")):
            (shims / name).write_text(text)
            (shims / name).chmod(0o755)

    def __enter__(self) -> Self:
        private = ["--tmpfs", "/etc", "--tmpfs", "/var/lib", "--tmpfs", "/var/log", "--tmpfs", "/run"]
        for name in ("/tmp", "/var/tmp"):  # of the server, in memory
            private += ["--perms", "1777", "--tmpfs", name]
        mounts = ["--ro-bind", "/", "/", "--dev-bind", "/dev", "/dev", "--proc", "/proc", *private, *_list_binds()]
        mounts += ["--tmpfs", "/mnt", "--ro-bind", "/etc", "/mnt/etc", "--ro-bind", str(self.folder / "bin"), SHIMS]
        apart = ["--unshare-net", "--unshare-pid", "--unshare-ipc", "--die-with-parent", "--cap-add", "ALL"]
        told, tells = os.pipe()
        self._first = subprocess.Popen(
            [
                *(sys.executable, "-m", "tests.support.bare_server.namespaces"),
                *(*mounts, *apart, "--info-fd", str(tells), "sh", "-ec", FIRST),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            pass_fds=(tells,),
        )
        os.close(tells)
        with open(told) as info:
            self._pid = json.loads(info.read())["child-pid"]
        assert self._first.stdout
        if self._first.stdout.readline() != "ready\n":
            self.close()
            raise AssertionError("the server's first process has ended")
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the server's first process, and so all processes and files of the server."""
        assert self._first.stdin
        assert self._first.stdout
        self._first.stdin.close()
        self._first.wait()
        self._first.stdout.close()
        for process in self._started:
            process.wait()

    def start(
        self, command: Sequence[str], log: Path, environment: Mapping[str, str] | None = None
    ) -> subprocess.Popen[str]:
        """Start a command as root of the server, with its output in a file."""
        enter = ["nsenter", "--preserve-credentials", "--user", "--mount", "--net", "--pid", "--ipc"]
        enter += [f"--target={self._pid}", "--", "setpriv", "--reuid=0", "--regid=0", "--clear-groups"]
        env = {"PATH": f"{SHIMS}:{find_binaries()}:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
        with log.open("a") as out:
            process = subprocess.Popen(
                [*enter, *command],
                env={**env, **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                text=True,
            )
        self._started.append(process)
        return process

    def run(self, command: str, environment: Mapping[str, str] | None = None) -> str:
        """Run a shell command as root of the server; return its output. Raises AssertionError if it fails."""
        log = self.folder / "command"
        log.unlink(missing_ok=True)
        code = self.start(["sh", "-ec", command], log, environment).wait()
        output = log.read_text()
        assert code == 0, f"{command}: {code}: {output}"
        return output

    def read(self, path: str) -> str:
        """Return the text of a file of the server."""
        return self.run(f"cat {shlex.quote(path)}")

    def manage(self, *words: str) -> str:
        """Run a command of `manage.py` as the page says it for systemd: as the user ftk, with the settings of ftk."""
        command = shlex.join(["runuser", "-u", "ftk", "--", ".venv/bin/python", "manage.py", *words])
        return self.run(f"cd /opt/ftk\n{command}", read_environment(self.read("/etc/ftk/arena.env")))

    def list_units(self) -> list[Unit]:
        """Return the installed services."""
        return [read_unit(name, self.read) for name in sorted((ROOT / "deploy/systemd").glob("*.service"))]

    def start_unit(self, unit: Unit) -> subprocess.Popen[str]:
        """Start the process of a service."""
        hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        return self.start(unit.build_command(hard_limit), self.folder / f"{unit.name}.log", unit.environment)
